// Expressions, by precedence climbing: the right operand of an operator of level n binds tighter than n. All operators are left
// associative. Casts are postfix operators with a level among the binary ones.
//
// There is no float token: at the start of an operand, `[int] "." int` is a float; after an operand, `"." int` is a field.
#include <charconv>
#include <cmath>
#include <string>

#include "plang/syntax/parser_inside.h"
#include "plang/syntax/string_literal.h"

namespace tarry::plang {
namespace {

struct Operator {
  int level;  // 0: not an operator; higher binds tighter
  ExprKind kind = ExprKind::kName;
};

constexpr int kCastLevel = 5;

Operator operator_of(TokenKind token) {
  switch (token) {
    case TokenKind::kOr: return {1, ExprKind::kOr};
    case TokenKind::kAnd: return {2, ExprKind::kAnd};
    case TokenKind::kEqual: return {3, ExprKind::kEqual};
    case TokenKind::kNotEqual: return {3, ExprKind::kNotEqual};
    case TokenKind::kLess: return {4, ExprKind::kLess};
    case TokenKind::kGreater: return {4, ExprKind::kGreater};
    case TokenKind::kLessEqual: return {4, ExprKind::kLessEqual};
    case TokenKind::kGreaterEqual: return {4, ExprKind::kGreaterEqual};
    case TokenKind::kIn: return {4, ExprKind::kIn};
    case TokenKind::kAs: return {kCastLevel, ExprKind::kAs};
    case TokenKind::kTo: return {kCastLevel, ExprKind::kTo};
    case TokenKind::kPlus: return {6, ExprKind::kAdd};
    case TokenKind::kMinus: return {6, ExprKind::kSub};
    case TokenKind::kTimes: return {7, ExprKind::kMul};
    case TokenKind::kDivide: return {7, ExprKind::kDiv};
    case TokenKind::kModulo: return {7, ExprKind::kMod};
    default: return {0};
  }
}

}  // namespace

ExprPtr Parser::make(ExprKind kind, Place where) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->place = expr->start = where;
  return expr;
}

ExprPtr Parser::expression(int least_level) {
  const Nest nest(*this);
  const Place start = place();
  ExprPtr left = operand();
  for (Operator op = operator_of(ahead(0)); op.level > 0 && op.level >= least_level; op = operator_of(ahead(0))) {
    ExprPtr whole = make(op.kind);
    whole->start = start;
    take();
    whole->args.push_back(std::move(left));
    if (op.level == kCastLevel) whole->written_type = type();
    else whole->args.push_back(expression(op.level + 1));
    seal(*whole);
    left = std::move(whole);
  }
  return left;
}

ExprPtr Parser::operand() {
  if (!at(TokenKind::kMinus) && !at(TokenKind::kNot)) {
    const Place start = place();
    return accesses(primary(), start);
  }
  const Nest nest(*this);
  ExprPtr expr = make(at(TokenKind::kMinus) ? ExprKind::kNegate : ExprKind::kNot);
  take();
  expr->args.push_back(operand());
  seal(*expr);
  return expr;
}

ExprPtr Parser::accesses(ExprPtr expr, Place start) {
  while (at(TokenKind::kDot) || at(TokenKind::kLeftBracket)) {
    ExprPtr whole = make(ExprKind::kIndex);
    whole->start = start;
    whole->args.push_back(std::move(expr));
    if (take().kind == TokenKind::kLeftBracket) {
      whole->args.push_back(expression());
      expect_after_expression(TokenKind::kRightBracket, "after the index");
    } else if (at(TokenKind::kInt)) {
      whole->kind = ExprKind::kItem;
      whole->number = number("the number of the field");
    } else {
      whole->kind = ExprKind::kField;
      whole->name = name("the name or number of a field");
    }
    seal(*whole);
    expr = std::move(whole);
  }
  return expr;
}

ExprPtr Parser::primary() {
  ExprPtr expr;
  switch (ahead(0)) {
    case TokenKind::kName:
      // `assume x (2 wise)` is not a call.
      if (ahead(1) == TokenKind::kLeftParen && !(ahead(2) == TokenKind::kInt && ahead(3) == TokenKind::kWise)) return call();
      expr = make(ExprKind::kName);
      expr->name = take_name();
      return expr;
    case TokenKind::kInt:
      if (ahead(1) == TokenKind::kDot && ahead(2) == TokenKind::kInt) return float_literal();
      expr = make(ExprKind::kInt);
      expr->number = number("the number");
      return expr;
    case TokenKind::kDot:
      if (ahead(1) == TokenKind::kInt) return float_literal();
      break;
    case TokenKind::kTrue:
    case TokenKind::kFalse:
      expr = make(ExprKind::kBool);
      expr->number = take().kind == TokenKind::kTrue ? 1 : 0;
      return expr;
    case TokenKind::kNull: expr = make(ExprKind::kNull); break;
    case TokenKind::kHalt: expr = make(ExprKind::kHalt); break;
    case TokenKind::kThis: expr = make(ExprKind::kThis); break;
    case TokenKind::kDollar: expr = make(ExprKind::kChoice); break;
    case TokenKind::kDollarDollar:
      expr = make(ExprKind::kChoice);
      expr->number = 1;
      break;
    case TokenKind::kString: return string_or_format_text();
    case TokenKind::kFormat: return format();
    case TokenKind::kLeftParen: return parenthesis();
    case TokenKind::kKeys: return of_one_argument(ExprKind::kKeys);
    case TokenKind::kValues: return of_one_argument(ExprKind::kValues);
    case TokenKind::kSizeof: return of_one_argument(ExprKind::kSizeof);
    case TokenKind::kDefault: return of_one_argument(ExprKind::kDefault);
    case TokenKind::kChoose: return choice();
    case TokenKind::kNew: return creation();
    default: break;
  }
  if (!expr) fail_expression();
  take();
  return expr;
}

void Parser::fail_expression() {
  if (at(TokenKind::kFloat) && ahead(1) == TokenKind::kLeftParen)
    fail_for_verifier("'float(base, exponent)' is not supported; write the number itself, as in 2.5");
  std::string_view hint;
  if (previous_ == TokenKind::kPlus && at(TokenKind::kPlus)) hint = "there is no '++'; write 'x = x + 1'";
  else if (at(TokenKind::kPlus)) hint = "there is no sign '+'";
  else if (at(TokenKind::kLeftBracket) || at(TokenKind::kLeftBrace))
    hint = "there are no values of seq, set or map to write; start with 'default(…)' and add with '+='";
  else if (at(TokenKind::kIf)) hint = "'if' is only a statement";
  else if (previous_ == TokenKind::kAssign && at(TokenKind::kAssign)) hint = "'==' is written without a blank";
  fail_expected("an expression", hint);
}

ExprPtr Parser::float_literal() {
  ExprPtr expr = make(ExprKind::kFloat);
  std::string digits = at(TokenKind::kInt) ? std::string(text(take())) : "0";
  take();
  digits += '.';
  digits += text(take());
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), expr->real);
  const bool is_tiny = error == std::errc::result_out_of_range && digits.find_first_not_of("0.") > digits.find('.');
  if (is_tiny) expr->real = 0;
  else if (error != std::errc{} || !std::isfinite(expr->real))
    diagnostics_.error("E10", expr->place, "the number is too large for a float");
  return expr;
}

ExprPtr Parser::string_or_format_text() {
  ExprPtr expr = make(ExprKind::kString);
  const std::string_view quoted = text(ahead_[0]);
  Unescaped unescaped = unescape(quoted.substr(1, quoted.size() - 2));
  if (!unescaped.problem.empty()) {
    const auto offset = static_cast<std::uint32_t>(unescaped.problem_at);
    fail_at({file_, ahead_[0].offset + 1 + offset}, unescaped.problem);
  }
  take();
  expr->text = std::move(unescaped.text);
  return expr;
}

ExprPtr Parser::format() {
  const Place start = place();
  take();
  expect(TokenKind::kLeftParen, "after 'format'");
  if (!at(TokenKind::kString)) fail_expected("a string in quotes, the first argument of 'format'");
  ExprPtr expr = string_or_format_text();
  expr->kind = ExprKind::kFormat;
  expr->place = expr->start = start;
  more_arguments(expr->args);
  expect_after_expression(TokenKind::kRightParen, "after the arguments of 'format'");
  seal(*expr);
  return expr;
}

ExprPtr Parser::parenthesis() {
  if (ahead(1) == TokenKind::kName && ahead(2) == TokenKind::kAssign) {
    ExprPtr tuple = make(ExprKind::kNamedTuple);
    named_tuple(*tuple);
    return tuple;
  }
  const Place start = place();
  take();
  ExprPtr first = expression();
  if (accept(TokenKind::kRightParen)) return first;
  if (!at(TokenKind::kComma)) expect_after_expression(TokenKind::kRightParen, "after the expression");
  ExprPtr tuple = make(ExprKind::kTuple, start);
  tuple->args.push_back(std::move(first));
  if (ahead(1) == TokenKind::kRightParen) take();
  else more_arguments(tuple->args);
  expect_after_expression(TokenKind::kRightParen, "after the tuple");
  seal(*tuple);
  return tuple;
}

void Parser::named_tuple(Expr& tuple) {
  take();
  do {
    tuple.names.push_back(name("the name of a field"));
    expect(TokenKind::kAssign, "after the name of the field");
    tuple.args.push_back(expression());
    const bool is_one = tuple.args.size() == 1;
    if (is_one && at(TokenKind::kRightParen))
      fail_expected("',' after the field", "a tuple of one field is written (x = 1,), and to compare, write '=='");
    if (is_one && at(TokenKind::kComma) && ahead(1) == TokenKind::kRightParen) {
      take();
      break;
    }
  } while (accept(TokenKind::kComma));
  expect_after_expression(TokenKind::kRightParen, "after the fields of the tuple");
  seal(tuple);
}

ExprPtr Parser::call() {
  ExprPtr expr = make(ExprKind::kCall);
  expr->name = take_name();
  arguments(expr->args);
  seal(*expr);
  return expr;
}

ExprPtr Parser::creation() {
  ExprPtr expr = make(ExprKind::kNew);
  take();
  expr->name = name("the name of a machine or interface");
  if (!at(TokenKind::kLeftParen)) fail_expected("'(' after the name of the machine");
  arguments(expr->args);
  seal(*expr);
  return expr;
}

ExprPtr Parser::of_one_argument(ExprKind kind) {
  ExprPtr expr = make(kind);
  take();
  expect(TokenKind::kLeftParen, "before the argument");
  if (kind == ExprKind::kDefault) expr->written_type = type();
  else expr->args.push_back(expression());
  expect_after_expression(TokenKind::kRightParen, "after the argument");
  seal(*expr);
  return expr;
}

ExprPtr Parser::choice() {
  if (ahead(1) != TokenKind::kLeftParen || ahead(2) != TokenKind::kRightParen) return of_one_argument(ExprKind::kChooseFrom);
  ExprPtr expr = make(ExprKind::kChoice);
  take(), take(), take();
  return expr;
}

void Parser::arguments(std::vector<ExprPtr>& out) {
  take();
  if (accept(TokenKind::kRightParen)) return;
  out.push_back(expression());
  more_arguments(out);
  expect_after_expression(TokenKind::kRightParen, "after the arguments");
}

void Parser::more_arguments(std::vector<ExprPtr>& out) {
  while (accept(TokenKind::kComma)) out.push_back(expression());
}

}  // namespace tarry::plang
