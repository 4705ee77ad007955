// Operators, casts, and the messages for a value that does not fit.
#include <fmt/format.h>

#include <algorithm>

#include "plang/sema/body.h"
#include "plang/sema/event_sets.h"

namespace tarry::plang {
namespace {

std::string found_text(const Type* type) {
  return type->kind == TypeKind::kNull ? "'null' (no value)" : fmt::format("'{}'", type_text(type));
}

std::string_view sign_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::kMul: return "*";
    case ExprKind::kDiv: return "/";
    case ExprKind::kMod: return "%";
    case ExprKind::kAdd: return "+";
    case ExprKind::kSub: return "-";
    case ExprKind::kLess: return "<";
    case ExprKind::kGreater: return ">";
    case ExprKind::kLessEqual: return "<=";
    case ExprKind::kGreaterEqual: return ">=";
    case ExprKind::kEqual: return "==";
    case ExprKind::kNotEqual: return "!=";
    case ExprKind::kAnd: return "&&";
    case ExprKind::kOr: return "||";
    default: return "in";
  }
}

bool is_number(const Type* type) { return type->kind == TypeKind::kInt || type->kind == TypeKind::kFloat; }
bool is_error(const Type* type) { return type->kind == TypeKind::kError; }
bool is_relation(ExprKind kind) {
  return kind == ExprKind::kLess || kind == ExprKind::kGreater || kind == ExprKind::kLessEqual || kind == ExprKind::kGreaterEqual;
}

std::string reference_hint(const Type* target, const Type* source, const CheckedProgram& program) {
  for (const auto& [one, other] : {std::pair{target, source}, std::pair{source, target}}) {
    const EventSet only = difference(*one->events, *other->events);
    if (only.empty()) continue;
    return fmt::format("; they do not receive the same events: '{}' is only in '{}'",
                       program.events[only.members()[0]]->name.text, one->name);
  }
  return "";
}

}  // namespace

std::string mismatch_hint(const Type* target, const Type* source, const CheckedProgram& program) {
  const auto are = [&](TypeKind wanted, TypeKind found) { return target->kind == wanted && source->kind == found; };
  if (are(TypeKind::kReference, TypeKind::kReference)) return reference_hint(target, source, program);
  if (are(TypeKind::kReference, TypeKind::kMachine)) return fmt::format("; convert it with 'as {}'", target->name);
  if (are(TypeKind::kReference, TypeKind::kNull)) return "; only 'machine' can be null";
  if (are(TypeKind::kFloat, TypeKind::kInt)) return "; convert it with 'to float'";
  if (are(TypeKind::kInt, TypeKind::kFloat) || are(TypeKind::kInt, TypeKind::kEnum)) return "; convert it with 'to int'";
  if (target->kind == TypeKind::kData) return "; 'data' holds nothing that may have machine references";
  if (source->kind == TypeKind::kAny || source->kind == TypeKind::kData) {
    if (assignable(source, target)) return fmt::format("; convert it with 'as {}'", type_text(target));
  }
  if (are(TypeKind::kTuple, TypeKind::kNamedTuple) || are(TypeKind::kNamedTuple, TypeKind::kTuple))
    return "; tuples with and without names do not mix";
  if (target->kind == TypeKind::kTuple && target->parts.size() == 1 && assignable(target->parts[0], source))
    return "; a tuple of one field is written '(value,)'";
  return "";
}

bool BodyChecker::expect(const Type* target, const Type* source, Place place, std::string_view what, const Name* declared) const {
  if (assignable(target, source)) return true;
  context_.error("E22", place,
                 fmt::format("expected '{}' for {}, found {}{}", type_text(target), what, found_text(source),
                             mismatch_hint(target, source, context_.program)),
                 declared == nullptr ? std::vector<Note>{} : declared_here(*declared));
  return false;
}

void BodyChecker::expect_bool(Expr& expr, std::string_view what) {
  const Type* type = expression(expr);
  expect(basic(TypeKind::kBool), type, expr.start, what);
}

const Type* BodyChecker::unary(Expr& expr) {
  const Type* type = expression(*expr.args[0]);
  if (expr.kind == ExprKind::kNot) {
    expect(basic(TypeKind::kBool), type, expr.args[0]->start, "the operand of '!'");
    return basic(TypeKind::kBool);
  }
  if (is_error(type) || is_number(type)) return type;
  context_.error("E22", expr.args[0]->start,
                 fmt::format("expected 'int' or 'float' for the operand of '-', found {}", found_text(type)));
  return context_.poison();
}

const Type* BodyChecker::binary(Expr& expr) {
  const Type* left = expression(*expr.args[0]);
  const Type* right = expression(*expr.args[1]);
  switch (expr.kind) {
    case ExprKind::kAnd:
    case ExprKind::kOr: {
      const std::string what = fmt::format("an operand of '{}'", sign_of(expr.kind));
      expect(basic(TypeKind::kBool), left, expr.args[0]->start, what);
      expect(basic(TypeKind::kBool), right, expr.args[1]->start, what);
      return basic(TypeKind::kBool);
    }
    case ExprKind::kEqual:
    case ExprKind::kNotEqual: return equality(expr, left, right);
    case ExprKind::kIn: return membership(expr, left, right);
    default: return arithmetic(expr, left, right);
  }
}

const Type* BodyChecker::arithmetic(const Expr& expr, const Type* left, const Type* right) const {
  const bool compares = is_relation(expr.kind);
  const bool takes_strings = compares || expr.kind == ExprKind::kAdd;
  const auto fits = [&](const Type* type) { return is_number(type) || (takes_strings && type->kind == TypeKind::kString); };
  if (is_error(left) && is_error(right)) return compares ? basic(TypeKind::kBool) : context_.poison();
  const Type* known = is_error(left) ? right : left;
  const bool same = is_error(left) || is_error(right) || left == right;
  if (same && fits(known)) return compares ? basic(TypeKind::kBool) : known;
  const bool mixes = left != right && is_number(left) && is_number(right);
  const std::string_view hint = mixes ? "; convert one with 'to float' or 'to int'" : "";
  const std::string_view wanted = takes_strings ? "two ints, two floats or two strings" : "two ints or two floats";
  const std::string found =
      is_error(left) || is_error(right) ? found_text(known) : fmt::format("{} and {}", found_text(left), found_text(right));
  context_.error(expr.kind == ExprKind::kMod ? "E23" : "E24", expr.place,
                 fmt::format("'{}' takes {}, found {}{}", sign_of(expr.kind), wanted, found, hint));
  return compares ? basic(TypeKind::kBool) : context_.poison();
}

const Type* BodyChecker::membership(const Expr& expr, const Type* element, const Type* collection) const {
  switch (collection->kind) {
    case TypeKind::kError: break;
    case TypeKind::kSeq:
    case TypeKind::kSet: expect(collection->parts[0], element, expr.args[0]->start, "an element of the collection"); break;
    case TypeKind::kMap: expect(collection->parts[0], element, expr.args[0]->start, "a key of the map"); break;
    default:
      context_.error("E22", expr.args[1]->start,
                     fmt::format("expected a seq, set or map after 'in', found {}", found_text(collection)));
  }
  return basic(TypeKind::kBool);
}

const Type* BodyChecker::equality(const Expr& expr, const Type* left, const Type* right) const {
  if (assignable(left, right) || assignable(right, left)) return basic(TypeKind::kBool);
  std::string hint = mismatch_hint(left, right, context_.program);
  if (hint.empty()) hint = mismatch_hint(right, left, context_.program);
  context_.error("E23", expr.place,
                 fmt::format("'{}' cannot compare {} with {}{}", sign_of(expr.kind), found_text(left), found_text(right), hint));
  return basic(TypeKind::kBool);
}

const Type* BodyChecker::cast(Expr& expr) {
  const Type* source = expression(*expr.args[0]);
  expr.target = context_.resolve(*expr.written_type);
  if (!assignable(expr.target, source) && !assignable(source, expr.target))
    context_.error("E23", expr.place,
                   fmt::format("no value of {} can be '{}'{}", found_text(source), type_text(expr.target),
                               mismatch_hint(expr.target, source, context_.program)));
  return expr.target;
}

const Type* BodyChecker::coercion(Expr& expr) {
  const Type* source = expression(*expr.args[0]);
  const Type* target = expr.target = context_.resolve(*expr.written_type);
  if (is_error(source) || is_error(target)) return target;
  const auto from = [&](std::initializer_list<TypeKind> kinds) {
    return std::find(kinds.begin(), kinds.end(), source->kind) != kinds.end();
  };
  bool fits = false;
  switch (target->kind) {
    case TypeKind::kInt: fits = from({TypeKind::kInt, TypeKind::kFloat, TypeKind::kEnum}); break;
    case TypeKind::kFloat: fits = from({TypeKind::kInt, TypeKind::kFloat}); break;
    case TypeKind::kReference: fits = from({TypeKind::kMachine, TypeKind::kReference}); break;
    default:
      context_.error(
          "E30", expr.written_type->place,
          fmt::format("'to' converts to int, float or an interface, not to '{}'; 'as' changes the type of a value only",
                      type_text(target)));
      return target;
  }
  if (!fits) {
    context_.error("E23", expr.place, fmt::format("{} cannot be converted to '{}'", found_text(source), type_text(target)));
  } else if (source->kind == TypeKind::kReference && !source->events->includes(*target->events)) {
    const EventSet gained = difference(*target->events, *source->events);
    context_.error("E31", expr.place,
                   fmt::format("'{}' cannot become '{}': it does not receive '{}'", type_text(source), type_text(target),
                               context_.program.events[gained.members()[0]]->name.text));
  }
  return target;
}

}  // namespace tarry::plang
