// Expressions of P (3.7, 4.10, 4.11), by the reference interpreter.
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/assert.h"
#include "tests/support/p_reference/text.h"
#include "tests/support/p_reference/walk.h"

namespace tarry::plang::reference {

bool is_bare_variable(const Expr& expr) { return expr.kind == ExprKind::kName && expr.variable != nullptr; }

Value checked(Value value, const Type& type, Place place) {
  if (!fits(value, type)) fail("R12", place, "the value is not of type '" + type_text(&type) + "'");
  return value;
}

std::size_t position(Value& index, std::size_t size, Place place) {
  const auto at = static_cast<std::int32_t>(need<std::int64_t>(index, place));
  if (at < 0 || static_cast<std::size_t>(at) >= size) {
    fail("R13", place, "index " + std::to_string(at) + " is out of range: the size is " + std::to_string(size));
  }
  return static_cast<std::size_t>(at);
}

void need_key(const Value& key, Place place) {
  if (key.is_null()) fail("R11", place, "null is no key of a map");
}

Value& field_of(Value& base, const Expr& access) {
  if (access.kind == ExprKind::kItem) {
    Values& fields = need<Tuple>(base, access.place).fields;
    const auto number = static_cast<std::size_t>(access.number);
    if (number >= fields.size()) fail("R18", access.place, "the tuple has no field " + std::to_string(number));
    return fields[number];
  }
  auto& tuple = need<NamedTuple>(base, access.place);
  for (std::size_t i = 0; i < tuple.names.size(); ++i) {
    if (tuple.names[i] == access.name.text) return tuple.fields[i];
  }
  fail("R18", access.place, "the tuple has no field '" + access.name.text + "'");
}

Value Walk::eval(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName: return eval_name(expr);
    case ExprKind::kInt: return {expr.number};
    case ExprKind::kFloat: return {expr.real};
    case ExprKind::kBool: return {expr.number != 0};
    case ExprKind::kString:
    case ExprKind::kFormat: return format(expr);
    case ExprKind::kNull: return {Null{}};
    case ExprKind::kHalt: return {execution_.program().events[kHaltEvent]};
    case ExprKind::kThis: return {Reference{machine().id, machine().definition->receive_set}};
    case ExprKind::kChoice: return {execution_.choose_boolean()};
    case ExprKind::kChooseFrom: return choose_from(expr);
    case ExprKind::kTuple:
    case ExprKind::kNamedTuple: return tuple(expr);
    case ExprKind::kField:
    case ExprKind::kItem: return field(expr);
    case ExprKind::kIndex: return index(expr);
    case ExprKind::kKeys:
    case ExprKind::kValues:
    case ExprKind::kSizeof: return keys_values_or_size(expr);
    case ExprKind::kDefault: return default_of(*expr.target);
    case ExprKind::kNew: return create(expr);
    case ExprKind::kCall: return call(expr);
    case ExprKind::kNegate: return unary(expr);
    case ExprKind::kNot: return {!truth(*expr.args[0])};
    case ExprKind::kAnd: return {truth(*expr.args[0]) && truth(*expr.args[1])};
    case ExprKind::kOr: return {truth(*expr.args[0]) || truth(*expr.args[1])};
    case ExprKind::kIn: return contains(expr);
    case ExprKind::kAs: return cast(expr);
    case ExprKind::kTo: return coerce(expr);
    default: return binary(expr);
  }
}

Value Walk::eval_name(const Expr& expr) {
  if (expr.element != nullptr) return {expr.element->number};
  if (expr.event != nullptr) return {expr.event};
  TARRY_ASSERT(expr.variable != nullptr);
  if (expr.variable->kind == Variable::Kind::kGlobalParam) return execution_.param(*expr.variable);
  return copy(variable(*expr.variable));
}

/// Both operands of a binary operator, an indexing or `in`: left to right, but bare variables after everything else.
std::pair<Value, Value> Walk::operands(const Expr& expr) {
  const Expr& a = *expr.args[0];
  const Expr& b = *expr.args[1];
  Value left, right;
  if (!is_bare_variable(a)) left = eval(a);
  if (!is_bare_variable(b)) right = eval(b);
  if (is_bare_variable(a)) left = eval(a);
  if (is_bare_variable(b)) right = eval(b);
  return {std::move(left), std::move(right)};
}

bool Walk::truth(const Expr& expr) {
  Value value = eval(expr);
  return need<bool>(value, expr.place);
}

Value Walk::unary(const Expr& expr) {
  Value value = eval(*expr.args[0]);
  if (const double* real = value.get<double>()) return {-*real};
  return {static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(need<std::int64_t>(value, expr.place)))};
}

namespace {

std::int64_t divide(std::int64_t a, std::int64_t b, Place place) {
  if (b == 0) fail("R14", place, "division by zero");
  if (b == -1 && a == std::numeric_limits<std::int64_t>::min()) fail("R14", place, "the quotient is too large");
  return a / b;
}

/// On the low 32 bits of both.
std::int64_t modulo(std::int64_t dividend, std::int64_t divisor, Place place) {
  const auto a = static_cast<std::int32_t>(dividend);
  const auto b = static_cast<std::int32_t>(divisor);
  if (b == 0) fail("R14", place, "modulo zero");
  if (b == -1 && a == std::numeric_limits<std::int32_t>::min()) fail("R14", place, "the quotient is too large");
  return a % b;
}

template <class T>
bool compare(ExprKind kind, const T& a, const T& b) {
  switch (kind) {
    case ExprKind::kLess: return a < b;
    case ExprKind::kGreater: return a > b;
    case ExprKind::kLessEqual: return a <= b;
    default: TARRY_ASSERT(kind == ExprKind::kGreaterEqual); return a >= b;
  }
}

Value on_integers(const Expr& expr, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  switch (expr.kind) {
    case ExprKind::kAdd: return {static_cast<std::int64_t>(x + y)};
    case ExprKind::kSub: return {static_cast<std::int64_t>(x - y)};
    case ExprKind::kMul: return {static_cast<std::int64_t>(x * y)};
    case ExprKind::kDiv: return {divide(a, b, expr.place)};
    case ExprKind::kMod: return {modulo(a, b, expr.place)};
    default: return {compare(expr.kind, a, b)};
  }
}

Value on_floats(const Expr& expr, double a, double b) {
  switch (expr.kind) {
    case ExprKind::kAdd: return {a + b};
    case ExprKind::kSub: return {a - b};
    case ExprKind::kMul: return {a * b};
    case ExprKind::kDiv: return {a / b};
    case ExprKind::kMod: return {std::fmod(a, b)};
    default: return {compare(expr.kind, a, b)};
  }
}

}  // namespace

Value Walk::binary(const Expr& expr) {
  auto [left, right] = operands(expr);
  if (expr.kind == ExprKind::kEqual) return {equal(left, right)};
  if (expr.kind == ExprKind::kNotEqual) return {!equal(left, right)};
  if (const std::int64_t* a = left.get<std::int64_t>()) return on_integers(expr, *a, need<std::int64_t>(right, expr.place));
  if (const double* a = left.get<double>()) return on_floats(expr, *a, need<double>(right, expr.place));
  const std::string& a = need<std::string>(left, expr.place);
  const std::string& b = need<std::string>(right, expr.place);
  if (expr.kind == ExprKind::kAdd) return {a + b};
  return {compare(expr.kind, a, b)};
}

Value Walk::index(const Expr& expr) {
  auto [base, key] = operands(expr);
  if (expr.args[0]->type->kind == TypeKind::kMap) {
    const Map& map = need<Map>(base, expr.place);
    need_key(key, expr.place);
    const auto slot = map.keys.find(key);
    if (!slot) fail("R11", expr.place, "the map has no such key: " + execution_.text(key));
    return checked(map.values[*slot], *expr.type, expr.place);
  }
  if (expr.args[0]->type->kind == TypeKind::kSet) need<Set>(base, expr.place);
  else need<Seq>(base, expr.place);
  const Values elements = *elements_of(base);
  return checked(elements[position(key, elements.size(), expr.place)], *expr.type, expr.place);
}

Value Walk::field(const Expr& expr) {
  Value base = eval(*expr.args[0]);
  return checked(field_of(base, expr), *expr.type, expr.place);
}

Value Walk::keys_values_or_size(const Expr& expr) {
  Value collection = eval(*expr.args[0]);
  const auto elements = elements_of(collection);
  if (!elements) fail("R12", expr.place, "null is used as a collection");
  if (expr.kind == ExprKind::kSizeof) return {static_cast<std::int64_t>(elements->size())};
  if (expr.kind == ExprKind::kKeys) return {Seq{*elements}};
  Values values = values_of(need<Map>(collection, expr.place));
  for (const Value& value : values) {
    if (value.is_null()) fail("R12", expr.place, "a value of the map is null");
  }
  return {Seq{std::move(values)}};
}

Value Walk::contains(const Expr& expr) {
  auto [element, collection] = operands(expr);
  const auto elements = elements_of(collection);
  if (!elements) fail("R12", expr.place, "null is used as a collection");
  if (collection.get<Map>() != nullptr) need_key(element, expr.place);
  for (const Value& each : *elements) {
    if (equal(each, element)) return {true};
  }
  return {false};
}

Value Walk::choose_from(const Expr& expr) {
  constexpr std::size_t kMostChoices = 10000;
  Value from = eval(*expr.args[0]);
  if (const std::int64_t* number = from.get<std::int64_t>()) {
    const auto n = static_cast<std::int32_t>(*number);
    if (n < 0) fail("R23", expr.place, "choose(" + std::to_string(n) + ")");
    if (static_cast<std::size_t>(n) > kMostChoices) fail("R15", expr.place, "choose(" + std::to_string(n) + "): more than 10000");
    return {static_cast<std::int64_t>(execution_.choose_below(n == 0 ? 1 : static_cast<std::uint64_t>(n)))};
  }
  const auto elements = elements_of(from);
  if (!elements) fail("R12", expr.place, "null is used as a collection");
  if (elements->empty()) fail("R15", expr.place, "choose from an empty collection");
  if (elements->size() > kMostChoices) fail("R15", expr.place, "choose from more than 10000 elements");
  return checked((*elements)[execution_.choose_below(elements->size())], *expr.type, expr.place);
}

Value Walk::create(const Expr& expr) {
  Value payload = payload_from(expr.args, 0);
  return execution_.create(machine(), *expr.interface, std::move(payload), expr.place);
}

Value Walk::call(const Expr& expr) {
  constexpr unsigned kMostCalls = 500;
  Values args;
  for (const ExprPtr& arg : expr.args) args.push_back(eval(*arg));
  if (expr.function->is_foreign) fail("R23", expr.place, "function '" + expr.name.text + "' is foreign");
  if (depth_ >= kMostCalls) fail("R23", expr.place, "calls nest too deeply");
  return Walk(execution_, self_, *expr.function, std::move(args), depth_ + 1).run();
}

Value Walk::format(const Expr& expr) {
  std::vector<std::string> texts;
  for (const ExprPtr& arg : expr.args) texts.push_back(execution_.text(eval(*arg)));
  return {format_text(expr.text, texts)};
}

Value Walk::tuple(const Expr& expr) {
  Values fields;
  for (const ExprPtr& arg : expr.args) fields.push_back(eval(*arg));
  if (expr.kind == ExprKind::kTuple) return {Tuple{std::move(fields)}};
  std::vector<std::string> names;
  for (const Name& name : expr.names) names.push_back(name.text);
  return {NamedTuple{std::move(names), std::move(fields)}};
}

Value Walk::cast(const Expr& expr) { return checked(eval(*expr.args[0]), *expr.target, expr.place); }

Value Walk::coerce(const Expr& expr) {
  Value value = eval(*expr.args[0]);
  if (expr.target->kind == TypeKind::kFloat) {
    if (const std::int64_t* number = value.get<std::int64_t>()) return {static_cast<double>(*number)};
    return {need<double>(value, expr.place)};
  }
  if (expr.target->kind == TypeKind::kInt) {
    const double* real = value.get<double>();
    if (real == nullptr) return {need<std::int64_t>(value, expr.place)};
    constexpr double kLimit = 9223372036854775808.0;
    if (!(*real >= -kLimit && *real < kLimit)) return {std::numeric_limits<std::int64_t>::min()};
    return {static_cast<std::int64_t>(*real)};
  }
  const Reference& reference = need<Reference>(value, expr.place);
  if (!reference.permissions->includes(*expr.target->events)) {
    fail("R16", expr.place, "the reference does not permit all events of '" + type_text(expr.target) + "'");
  }
  return {Reference{reference.id, expr.target->events}};
}

}  // namespace tarry::plang::reference
