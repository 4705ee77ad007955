// Checks one function body and fills in the meaning of its expressions and statements.
//
// Statements are in body_statements.cc, expressions in body_expressions.cc and body_operators.cc, names in body_names.cc. Every
// expression gets a type. After an error it gets the poison type, which is compatible with everything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plang/sema/sema_context.h"

namespace tarry::plang {

class BodyChecker {
 public:
  BodyChecker(SemaContext& context, Function& function)
      : context_(context), function_(function), machine_(function.owner), facts_(context.facts[function.index]) {}

  void run();

 private:
  // ---- Names.

  struct Local {
    const Variable* variable;
    std::size_t depth;  // of the scope: 0 for the function, plus one for each enclosing receive case
  };
  void declare(Variable& variable);
  void fill_type(Variable& variable);
  void close_scope(std::size_t variables_before);
  const Variable* find_variable(std::string_view name) const;
  Function* find_function(std::string_view name) const;
  void value_not_found(const Name& name, std::string_view what) const;

  // ---- Statements.

  void statements(std::vector<StmtPtr>& body);
  void statement(Stmt& stmt);
  void assertion(Stmt& stmt);
  void returning(Stmt& stmt);
  void leaving_loop(const Stmt& stmt) const;
  void assignment(Stmt& stmt);
  void insertion(Stmt& stmt);
  void addition(Stmt& stmt);
  void removal(Stmt& stmt);
  void loop(Stmt& stmt);
  void foreach (Stmt& stmt);
  void conditional(Stmt& stmt);
  void creation(Stmt& stmt);
  void raising(Stmt& stmt);
  void sending(Stmt& stmt);
  void announcing(Stmt& stmt);
  void going(Stmt& stmt);
  void receiving(Stmt& stmt);
  void receive_case(ReceiveCase& one, std::unordered_map<const Event*, Place>& first);
  void case_trigger(const ReceiveCase& one, const Name& trigger, const Event& event) const;
  const Type* lvalue(Expr& expr);
  /// Checks the event of a raise, send or announce, and its arguments from exprs[first] on.
  void event_and_payload(Stmt& stmt, std::size_t event, std::string_view verb);
  void report_with_result(std::string_view id, Place place, std::string_view what) const;

  // ---- Expressions.

  const Type* expression(Expr& expr);
  const Type* type_of(Expr& expr);
  const Type* name(Expr& expr);
  const Type* literal_text(Expr& expr);
  const Type* self(const Expr& expr) const;
  const Type* choice(Expr& expr);
  const Type* choose_from(Expr& expr);
  const Type* tuple(Expr& expr);
  const Type* named_tuple(Expr& expr);
  const Type* field(Expr& expr, const Type* of) const;
  const Type* item(const Expr& expr, const Type* of) const;
  const Type* index(const Expr& expr, const Type* of, const Type* by) const;
  const Type* keys_or_values(Expr& expr);
  const Type* size(Expr& expr);
  const Type* new_machine(Expr& expr);
  const Type* call(Expr& expr);
  const Type* unary(Expr& expr);
  const Type* binary(Expr& expr);
  const Type* arithmetic(const Expr& expr, const Type* left, const Type* right) const;
  const Type* membership(const Expr& expr, const Type* element, const Type* collection) const;
  const Type* equality(const Expr& expr, const Type* left, const Type* right) const;
  const Type* cast(Expr& expr);
  const Type* coercion(Expr& expr);

  // ---- Shared functions.

  /// Reports E22 unless `target` accepts a value of `source`. `what` names the thing of type `target`, as in "'x'" or "the
  /// condition"; `declared` is its declaration, if any.
  bool expect(const Type* target, const Type* source, Place place, std::string_view what, const Name* declared = nullptr) const;
  void expect_bool(Expr& expr, std::string_view what);
  /// Checks the payload rule: nothing for no value, one value, or the fields of a tuple. Arguments start at args[first].
  void check_payload(const Type* payload, std::vector<ExprPtr>& args, std::size_t first, Place place, std::string_view what,
                     const std::vector<Note>& notes);
  /// Reports E35 and E36 if this is a monitor.
  void forbid_in_monitor(std::string_view id, Place place, std::string_view what) const;
  bool in_monitor() const { return machine_ != nullptr && machine_->is_monitor(); }
  bool has_result() const { return function_.written_result != nullptr; }
  const Type* basic(TypeKind kind) const { return context_.basic(kind); }

  SemaContext& context_;
  Function& function_;
  const Machine* machine_;
  FunctionFacts& facts_;

  std::unordered_map<std::string_view, std::vector<Local>> locals_;  // by name, the innermost last
  std::vector<const Variable*> open_;                                // all visible variables, in order
  std::size_t cases_ = 0;                                            // number of enclosing receive cases
  std::size_t loops_ = 0;
  const TypeExpr* last_written_ = nullptr;
  const Type* last_type_ = nullptr;
};

/// Returns why a value of `source` does not fit into `target`, and what helps, after a semicolon; may be empty.
std::string mismatch_hint(const Type* target, const Type* source, const CheckedProgram& program);

/// Returns whether control never reaches the end of the body. (E40)
bool surely_returns(const std::vector<StmtPtr>& body);

/// Returns the number of arguments of a format string, or -1 if its braces are wrong.
std::int64_t format_arguments(std::string_view text);

}  // namespace tarry::plang
