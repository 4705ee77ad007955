#include <fmt/format.h>

#include "plang/syntax/parser_inside.h"

namespace tarry::plang {
namespace {

constexpr std::string_view kUseFormat = "values are put into a text by 'format(\"{0}\", value)'";

StmtKind statement_kind(TokenKind token) {
  switch (token) {
    case TokenKind::kLeftBrace: return StmtKind::kBlock;
    case TokenKind::kAssert: return StmtKind::kAssert;
    case TokenKind::kPrint: return StmtKind::kPrint;
    case TokenKind::kReturn: return StmtKind::kReturn;
    case TokenKind::kBreak: return StmtKind::kBreak;
    case TokenKind::kContinue: return StmtKind::kContinue;
    case TokenKind::kWhile: return StmtKind::kWhile;
    case TokenKind::kForeach: return StmtKind::kForeach;
    case TokenKind::kIf: return StmtKind::kIf;
    case TokenKind::kNew: return StmtKind::kNew;
    case TokenKind::kRaise: return StmtKind::kRaise;
    case TokenKind::kSend: return StmtKind::kSend;
    case TokenKind::kAnnounce: return StmtKind::kAnnounce;
    case TokenKind::kGoto: return StmtKind::kGoto;
    case TokenKind::kReceive: return StmtKind::kReceive;
    case TokenKind::kName: return StmtKind::kAssign;  // or a call
    default: return StmtKind::kEmpty;
  }
}

}  // namespace

Place Parser::statements(std::vector<StmtPtr>& out, Place open) {
  while (!at(TokenKind::kRightBrace)) out.push_back(statement(open));
  return {file_, take().offset};
}

StmtPtr Parser::statement(Place open) {
  const Nest nest(*this);
  auto stmt = std::make_unique<Stmt>();
  stmt->kind = statement_kind(ahead(0));
  stmt->place = place();
  switch (stmt->kind) {
    case StmtKind::kEmpty:
      if (!accept(TokenKind::kSemicolon)) fail_statement(open);
      break;
    case StmtKind::kBlock: block(*stmt); break;
    case StmtKind::kWhile: condition_and_body(*stmt, "while"); break;
    case StmtKind::kIf: condition_and_body(*stmt, "if"); break;
    case StmtKind::kForeach: foreach_statement(*stmt); break;
    case StmtKind::kReceive: receive_statement(*stmt); break;
    case StmtKind::kAssign: statement_of_name(*stmt); break;
    default: simple_statement(*stmt); end_of_statement();
  }
  seal(*stmt);
  return stmt;
}

void Parser::fail_statement(Place open) {
  if (at(TokenKind::kAssume)) fail_for_verifier("'assume' is only for the verifier; in a program use 'assert', or 'if'");
  std::string_view hint;
  if (at(TokenKind::kVar)) hint = "local variables must be declared at the start of the function body";
  else if (at(TokenKind::kElse))
    hint = previous_ == TokenKind::kSemicolon ? "the ';' before it ended the 'if'" : "it belongs to no 'if'";
  else if (at(TokenKind::kHalt)) hint = "to halt the machine, write 'raise halt;'";
  else if (at(TokenKind::kPlus) && ahead(1) == TokenKind::kPlus) hint = "there is no '++'; write 'x = x + 1;'";
  else if (at(TokenKind::kMinus) && ahead(1) == TokenKind::kMinus) hint = "there is no '--'; write 'x = x - 1;'";
  else if (at(TokenKind::kCase)) hint = "'case' belongs into 'receive { … }'";
  else if (at(TokenKind::kFun)) hint = "functions cannot be declared in functions";
  fail_in_body("a statement or '}'", open, hint);
}

/// Parses statements that consist of a keyword and a list of expressions.
void Parser::simple_statement(Stmt& stmt) {
  const auto expr = [&] { stmt.exprs.push_back(expression()); };
  if (stmt.kind == StmtKind::kNew) return stmt.exprs.push_back(creation());
  take();
  switch (stmt.kind) {
    case StmtKind::kReturn:
      if (!at(TokenKind::kSemicolon)) expr();
      break;
    case StmtKind::kAssert:
      expr();
      if (accept(TokenKind::kComma)) expr();
      if (at(TokenKind::kComma)) fail_expected("';' after the message", kUseFormat);
      break;
    case StmtKind::kPrint:
      expr();
      if (at(TokenKind::kComma)) fail_expected("';' after the text to print", kUseFormat);
      break;
    case StmtKind::kSend:
      expr();
      expect_after_expression(TokenKind::kComma, "between the target of 'send' and the event");
      [[fallthrough]];
    case StmtKind::kRaise:
    case StmtKind::kAnnounce:
      expr();
      more_arguments(stmt.exprs);
      break;
    case StmtKind::kGoto:
      stmt.name = name("the name of a state");
      more_arguments(stmt.exprs);
      break;
    default: break;  // break, continue
  }
}

void Parser::statement_of_name(Stmt& stmt) {
  if (ahead(1) == TokenKind::kLeftParen) {
    stmt.kind = StmtKind::kCall;
    const std::string word(text(ahead_[0]));
    stmt.exprs.push_back(call());
    if (at(TokenKind::kLeftBrace)) fail_expected("';' after the statement", misspelled_statement(word));
    return end_of_statement();
  }
  const Place start = place();
  ExprPtr target = make(ExprKind::kName);
  target->name = take_name();
  const Name first = target->name;
  stmt.exprs.push_back(accesses(std::move(target), start));
  if (accept(TokenKind::kAssign)) {
    stmt.exprs.push_back(expression());
  } else if (accept(TokenKind::kMinusAssign)) {
    stmt.kind = StmtKind::kRemove;
    stmt.exprs.push_back(expression());
  } else if (accept(TokenKind::kPlusAssign)) {
    insertion(stmt);
  } else {
    fail_assignment(first);
  }
  end_of_statement();
}

void Parser::fail_assignment(const Name& first) {
  const std::string& word = first.text;
  const bool alone = place().offset > first.place.offset && (previous_ == TokenKind::kName);
  std::string_view hint;
  if (at(TokenKind::kPlus) && ahead(1) == TokenKind::kPlus) hint = "there is no '++'; write 'x = x + 1;'";
  else if (at(TokenKind::kMinus) && ahead(1) == TokenKind::kMinus) hint = "there is no '--'; write 'x = x - 1;'";
  else if (alone && (word == "push" || word == "pop")) hint = "P has no 'push' and 'pop' of states any more; use 'goto'";
  else if (at(TokenKind::kEqual)) hint = "to assign, write '='";
  else if (at(TokenKind::kColon)) hint = "a variable is declared with 'var', at the start of the function body";
  else if (at(TokenKind::kLeftParen)) hint = "only functions can be called, by their name";
  const std::string meant = hint.empty() && alone ? misspelled_statement(word) : "";
  fail_expected("'=', '+=' or '-='", meant.empty() ? hint : meant);
}

/// Parses an insertion. The parentheses belong to the statement: a tuple in a set has two pairs of them.
void Parser::insertion(Stmt& stmt) {
  if (!at(TokenKind::kLeftParen))
    fail_expected("'(' after '+='",
                  "'+=' adds to collections only: 's += (value);', 's += (place, value);'; for numbers write 'x = x + …;'");
  take();
  stmt.exprs.push_back(expression());
  stmt.kind = accept(TokenKind::kComma) ? StmtKind::kInsert : StmtKind::kAdd;
  if (stmt.kind == StmtKind::kInsert) stmt.exprs.push_back(expression());
  if (at(TokenKind::kComma)) fail_expected("')' after the value", "a tuple needs parentheses of its own: 's += ((1, 2, 3));'");
  expect_after_expression(TokenKind::kRightParen, "after the value");
}

void Parser::block(Stmt& stmt) {
  const Place open{file_, take().offset};
  statements(stmt.body, open);
}

/// Parses while and if.
void Parser::condition_and_body(Stmt& stmt, std::string_view keyword) {
  const Place start{file_, take().offset};
  if (!at(TokenKind::kLeftParen)) fail_expected(fmt::format("'(' after '{}'", keyword));
  take();
  stmt.exprs.push_back(expression());
  expect_after_expression(TokenKind::kRightParen, "after the condition");
  stmt.body.push_back(statement(start));
  if (stmt.kind == StmtKind::kIf && accept(TokenKind::kElse)) stmt.body.push_back(statement(start));
}

void Parser::foreach_statement(Stmt& stmt) {
  const Place start{file_, take().offset};
  expect(TokenKind::kLeftParen, "after 'foreach'");
  if (at(TokenKind::kVar)) fail_expected("the name of a variable", "it is declared at the start of the function body");
  stmt.name = name("the name of a variable");
  expect(TokenKind::kIn, "after the variable of 'foreach'");
  stmt.exprs.push_back(expression());
  expect_after_expression(TokenKind::kRightParen, "after the collection");
  stmt.body.push_back(statement(start));
}

void Parser::receive_statement(Stmt& stmt) {
  take();
  const Place open = expect(TokenKind::kLeftBrace, "after 'receive'");
  do {
    if (!at(TokenKind::kCase)) fail_in_body(stmt.cases.empty() ? "'case'" : "'case' or '}'", open, hint_after_body());
    ReceiveCase& one = stmt.cases.emplace_back();
    one.place = {file_, take().offset};
    one.triggers = event_names(Null::kAllowed);
    expect(TokenKind::kColon, "after the events of the case");
    handler_body(one);
  } while (!accept(TokenKind::kRightBrace));
}

}  // namespace tarry::plang
