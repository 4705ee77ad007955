// The parser of one file: recursive descent over the grammar of P, with precedence climbing for expressions.
//
// There is one function per production. The first token that fits no production ends the file (SyntaxFailure), because later
// errors would mostly be misleading. Parsing takes linear time and recurses no deeper than kMaxHeight: Nest counts levels of
// recursion, and seal() counts the height of trees built in a loop.
//
//   parser.cc              tokens, lists, failures, the files of a program
//   parse_declarations.cc  types, enums, events, functions, machines; parse_states.cc: states
//   parse_statements.cc, parse_expressions.cc, parse_types.cc, parse_modules.cc (modules, implementations, tests)
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plang/syntax/ast.h"
#include "plang/syntax/diagnostics.h"
#include "plang/syntax/lexer.h"

namespace tarry::plang {

/// Thrown to give up the file. The reason has been reported.
struct SyntaxFailure {};

class Parser {
 public:
  /// `tokens_left` is the number of tokens that the rest of the program may have.
  Parser(const Sources& sources, std::uint32_t file, SyntaxTree& tree, Diagnostics& diagnostics, std::size_t& tokens_left);

  /// Parses the file. Throws SyntaxFailure.
  void program();

 private:
  // ---- Tokens.
  bool at(TokenKind kind) const { return ahead_[0].kind == kind; }
  /// Returns the kind of the token n places after the current one. Requires: n < 4.
  TokenKind ahead(std::size_t n) const { return ahead_[n].kind; }
  Place place() const { return {file_, ahead_[0].offset}; }
  std::string_view text(const Token& token) const { return text_.substr(token.offset, token.length); }
  Token take();
  bool accept(TokenKind kind);
  /// Takes a token of this kind. `where` continues the message "expected ';' ": "after the statement".
  Place expect(TokenKind kind, std::string_view where);
  /// The same, after an expression.
  Place expect_after_expression(TokenKind kind, std::string_view where);
  Name take_name() { return Name{std::string(text(ahead_[0])), Place{file_, take().offset}}; }
  /// Takes a name. `what` describes it: "the name of the state".
  Name name(std::string_view what);
  /// name { "," name }
  std::vector<Name> names(std::string_view what);
  /// Parses evNames; with null: trigs.
  enum class Null { kRefused, kAllowed };
  std::vector<Name> event_names(Null null);
  /// Parses events up to ';'. An empty list has no ';'.
  void clause_of_events(std::vector<Name>& out);
  /// Takes an int literal. `what` names it in the error if it is too large.
  std::int64_t number(std::string_view what);

  // ---- Failures.
  [[noreturn]] void fail_at(Place where, const std::string& message, std::vector<Note> notes = {});
  /// Fails with "expected WHAT, found TOKEN; HINT".
  [[noreturn]] void fail_expected(std::string_view what, std::string_view hint = {}, std::vector<Note> notes = {});
  /// The same in a body: at the end of the file it points at the open brace.
  [[noreturn]] void fail_in_body(std::string_view what, Place open, std::string_view hint = {});
  [[noreturn]] void fail_for_verifier(std::string_view what);
  [[noreturn]] void fail_too_deep(Place where);
  [[noreturn]] void fail_too_many();
  [[noreturn]] void fail_statement(Place open);
  [[noreturn]] void fail_assignment(const Name& first);
  [[noreturn]] void fail_expression();
  std::string found() const;
  /// Returns "did you mean 'entry'?" if the current word is close to one that `what` names, in quotes or as a kind; otherwise
  /// empty.
  std::string misspelled(std::string_view what) const;
  /// The same for a word that was already taken, at the start of a statement.
  static std::string misspelled_statement(std::string_view word);
  /// Returns what to write after a body, if a ';' is there.
  std::string_view hint_after_body() const;

  /// Counts one level of recursion.
  class Nest {
   public:
    explicit Nest(Parser& parser) : parser_(parser) {
      if (++parser.depth_ > kMaxHeight) parser.fail_too_deep(parser.place());
    }
    ~Nest() { --parser_.depth_; }
    Nest(const Nest&) = delete;
    Nest& operator=(const Nest&) = delete;

   private:
    Parser& parser_;
  };

  /// Computes the height of a tree whose parts are in place.
  void seal(Expr& expr);
  void seal(Stmt& stmt);
  void seal(ModuleExpr& module);
  void check_height(std::uint32_t height, Place where);

  // ---- Declarations.
  void declaration();
  void type_declaration();
  void enum_declaration();
  void event_declaration();
  void event_set_declaration();
  void interface_declaration();
  void param_declaration();
  void machine_declaration(Machine::Kind kind);
  void machine_body(Machine& machine);
  std::unique_ptr<Function> function_declaration();
  void end_of_signature(Function& function);
  std::unique_ptr<Variable> parameter();
  /// Parses "a, b: T;" after its keyword.
  void variables(Variable::Kind kind, std::vector<std::unique_ptr<Variable>>& out);
  /// Parses funBody, and handler = [ "(" param ")" ] funBody. For Function and ReceiveCase.
  template <class Body>
  void function_body(Body& out);
  template <class Body>
  void handler_body(Body& out);

  std::unique_ptr<State> state_declaration();
  void state_item(State& state, Place open);
  State::Body entry_or_exit();
  Handler handler_of_events();
  /// Parses "Iden ;" or a handler.
  void named_or_inline(Name& function_name, std::unique_ptr<Function>& inline_function, std::string_view what);

  // ---- Types.
  std::unique_ptr<TypeExpr> type();
  void tuple_type(TypeExpr& out);

  // ---- Statements.
  StmtPtr statement(Place open);
  void simple_statement(Stmt& stmt);
  void statement_of_name(Stmt& stmt);
  void insertion(Stmt& stmt);
  void block(Stmt& stmt);
  void condition_and_body(Stmt& stmt, std::string_view keyword);
  void foreach_statement(Stmt& stmt);
  void receive_statement(Stmt& stmt);
  void end_of_statement() { expect_after_expression(TokenKind::kSemicolon, "after the statement"); }
  /// Parses statements up to and including '}'. Returns its place.
  Place statements(std::vector<StmtPtr>& out, Place open);

  // ---- Expressions.
  ExprPtr expression(int least_level = 0);
  ExprPtr operand();
  ExprPtr accesses(ExprPtr expr, Place start);
  ExprPtr primary();
  ExprPtr parenthesis();
  void named_tuple(Expr& tuple);
  ExprPtr call();
  ExprPtr creation();
  ExprPtr of_one_argument(ExprKind kind);
  ExprPtr choice();
  ExprPtr format();
  ExprPtr float_literal();
  ExprPtr string_or_format_text();
  ExprPtr make(ExprKind kind) { return make(kind, place()); }
  ExprPtr make(ExprKind kind, Place where);
  /// Parses "( [ args ] )", and ", args" as long as they follow.
  void arguments(std::vector<ExprPtr>& out);
  void more_arguments(std::vector<ExprPtr>& out);

  // ---- Modules, implementations, tests.
  void module_declaration();
  void implementation_declaration();
  void test_declaration();
  void test_params(TestDecl& test);
  void test_strength(TestDecl& test);
  TestParam::Value test_value();
  Name main_of_test();
  std::unique_ptr<ModuleExpr> module_expression();
  void primitive_module(ModuleExpr& module);

  const std::uint32_t file_;
  const bool included_;
  const std::string_view text_;
  SyntaxTree& tree_;
  Diagnostics& diagnostics_;
  std::size_t& tokens_left_;
  Lexer lexer_;
  Token ahead_[4];  // the current token and the next ones
  TokenKind previous_ = TokenKind::kEnd;
  std::string_view previous_text_;
  unsigned depth_ = 0;
};

template <class Body>
void Parser::function_body(Body& out) {
  const Place open = expect(TokenKind::kLeftBrace, "before the body of the function");
  while (accept(TokenKind::kVar)) variables(Variable::Kind::kLocal, out.locals);
  out.body_end = statements(out.body, open);
}

template <class Body>
void Parser::handler_body(Body& out) {
  if (accept(TokenKind::kLeftParen)) {
    out.params.push_back(parameter());
    if (at(TokenKind::kComma)) fail_expected("')' after the parameter", "a handler has at most one parameter");
    expect(TokenKind::kRightParen, "after the parameter");
  }
  function_body(out);
}

}  // namespace tarry::plang
