// Expressions: the table of section 3.7 of the language reference, one function per row. Operators are in body_operators.cc.
#include <fmt/format.h>

#include <algorithm>

#include "plang/sema/body.h"
#include "plang/sema/written_types.h"

namespace tarry::plang {
namespace {

constexpr std::int64_t kMostChoices = 10'000;

}  // namespace

const Type* BodyChecker::expression(Expr& expr) { return expr.type = type_of(expr); }

const Type* BodyChecker::type_of(Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName: return name(expr);
    case ExprKind::kInt: return basic(TypeKind::kInt);
    case ExprKind::kFloat: return basic(TypeKind::kFloat);
    case ExprKind::kBool: return basic(TypeKind::kBool);
    case ExprKind::kString:
    case ExprKind::kFormat: return literal_text(expr);
    case ExprKind::kNull: return context_.no_value();
    case ExprKind::kHalt: return basic(TypeKind::kEvent);
    case ExprKind::kThis: return self(expr);
    case ExprKind::kChoice: return choice(expr);
    case ExprKind::kChooseFrom: return choose_from(expr);
    case ExprKind::kTuple: return tuple(expr);
    case ExprKind::kNamedTuple: return named_tuple(expr);
    case ExprKind::kField: return field(expr, expression(*expr.args[0]));
    case ExprKind::kItem: return item(expr, expression(*expr.args[0]));
    case ExprKind::kIndex: {
      const Type* of = expression(*expr.args[0]);
      return index(expr, of, expression(*expr.args[1]));
    }
    case ExprKind::kKeys:
    case ExprKind::kValues: return keys_or_values(expr);
    case ExprKind::kSizeof: return size(expr);
    case ExprKind::kDefault: return expr.target = context_.resolve(*expr.written_type);
    case ExprKind::kNew: forbid_in_monitor("E35", expr.start, "'new'"); return new_machine(expr);
    case ExprKind::kCall: return call(expr);
    case ExprKind::kNegate:
    case ExprKind::kNot: return unary(expr);
    case ExprKind::kAs: return cast(expr);
    case ExprKind::kTo: return coercion(expr);
    default: return binary(expr);
  }
}

// ---- Names and literals.

const Type* BodyChecker::name(Expr& expr) {
  if ((expr.variable = find_variable(expr.name.text)) != nullptr) return expr.variable->type;
  if ((expr.element = context_.global.elements.find(expr.name.text)) != nullptr) return expr.element->owner->type;
  if ((expr.event = context_.global.events.find(expr.name.text)) != nullptr) return basic(TypeKind::kEvent);
  value_not_found(expr.name, "variable, enum element or event");
  return context_.poison();
}

const Type* BodyChecker::literal_text(Expr& expr) {
  for (const ExprPtr& arg : expr.args) expression(*arg);
  const std::int64_t needed = format_arguments(expr.text);
  if (needed < 0) {
    context_.error("E32", expr.place, "a brace in a string is doubled, '{{' or '}}', or holds the number of an argument, '{0}'");
  } else if (static_cast<std::size_t>(needed) != expr.args.size()) {
    const bool is_format = expr.kind == ExprKind::kFormat;
    context_.error("E25", expr.place,
                   fmt::format("the string needs {} argument{}, but {} given{}", needed, needed == 1 ? "" : "s",
                               expr.args.size() == 1 ? "1 is" : fmt::format("{} are", expr.args.size()),
                               is_format ? "" : "; use 'format(...)', or double the braces"));
  }
  return basic(TypeKind::kString);
}

const Type* BodyChecker::self(const Expr& expr) const {
  if (machine_ == nullptr) {
    context_.error(
        "E34", expr.start,
        fmt::format("'this' has no meaning in the global function '{}'; pass the machine as a parameter", function_.name.text),
        declared_here(function_.name));
    return context_.poison();
  }
  if (in_monitor()) {
    forbid_in_monitor("E35", expr.start, "'this'");
    return context_.poison();
  }
  return context_.types().reference(machine_->receive_set, machine_->name.text);
}

/// Checks a choice. The parser makes one kind of `$`, `$$` and `choose()`, but monitors distinguish them.
const Type* BodyChecker::choice(Expr& expr) {
  facts_.add(FunctionEffect::kChoose, expr.start);
  const std::string& text = context_.program.sources.file(expr.start.file).text;
  if (expr.start.offset < text.size() && text[expr.start.offset] == '$') forbid_in_monitor("E35", expr.start, "'$'");
  else forbid_in_monitor("E36", expr.start, "'choose'");
  return basic(TypeKind::kBool);
}

const Type* BodyChecker::choose_from(Expr& expr) {
  facts_.add(FunctionEffect::kChoose, expr.start);
  forbid_in_monitor("E36", expr.start, "'choose'");
  Expr& from = *expr.args[0];
  const Type* type = expression(from);
  if (from.kind == ExprKind::kInt && from.number > kMostChoices)
    context_.error("E29", from.start, fmt::format("at most {} choices are possible, found {}", kMostChoices, from.number));
  switch (type->kind) {
    case TypeKind::kError:
    case TypeKind::kInt: return type;
    case TypeKind::kSeq:
    case TypeKind::kSet:
    case TypeKind::kMap: return type->parts[0];
    default:
      context_.error("E28", from.start, fmt::format("'choose' takes an int, seq, set or map, found '{}'", type_text(type)));
      return context_.poison();
  }
}

// ---- Tuples and collections.

const Type* BodyChecker::tuple(Expr& expr) {
  std::vector<const Type*> parts;
  for (const ExprPtr& arg : expr.args) parts.push_back(expression(*arg));
  return context_.types().tuple(std::move(parts));
}

const Type* BodyChecker::named_tuple(Expr& expr) {
  std::vector<const Type*> parts;
  std::vector<std::string> names;
  for (const ExprPtr& arg : expr.args) parts.push_back(expression(*arg));
  for (const Name& one : expr.names) names.push_back(one.text);
  if (report_repeated_fields(context_, expr.names)) return context_.poison();
  return context_.types().named_tuple(std::move(parts), std::move(names));
}

const Type* BodyChecker::field(Expr& expr, const Type* of) const {
  if (of->kind == TypeKind::kError) return of;
  if (of->kind != TypeKind::kNamedTuple) {
    const bool is_machine = of->kind == TypeKind::kMachine || of->kind == TypeKind::kReference;
    const std::string_view hint = is_machine                     ? "; variables of a machine cannot be read from outside"
                                  : of->kind == TypeKind::kTuple ? "; the fields of this tuple have numbers, as in '.0'"
                                                                 : "";
    context_.error("E22", expr.place,
                   fmt::format("expected a named tuple with field '{}', found '{}'{}", expr.name.text, type_text(of), hint));
    return context_.poison();
  }
  const auto at = std::find(of->names.begin(), of->names.end(), expr.name.text);
  if (at == of->names.end()) {
    Suggestions suggestions(expr.name.text);
    for (const std::string& one : of->names) suggestions.offer(one);
    context_.error("E26", expr.name.place,
                   fmt::format("'{}' has no field '{}'{}", type_text(of), expr.name.text, suggestions.text()));
    return context_.poison();
  }
  expr.number = at - of->names.begin();
  return of->parts[static_cast<std::size_t>(expr.number)];
}

const Type* BodyChecker::item(const Expr& expr, const Type* of) const {
  if (of->kind == TypeKind::kError) return of;
  if (of->kind != TypeKind::kTuple) {
    const std::string_view hint = of->kind == TypeKind::kNamedTuple ? "; its fields have names" : "";
    context_.error("E22", expr.place,
                   fmt::format("expected a tuple with field {}, found '{}'{}", expr.number, type_text(of), hint));
    return context_.poison();
  }
  if (expr.number < 0 || static_cast<std::size_t>(expr.number) >= of->parts.size()) {
    context_.error("E27", expr.place,
                   fmt::format("'{}' has no field {}: its fields are 0 to {}", type_text(of), expr.number, of->parts.size() - 1));
    return context_.poison();
  }
  return of->parts[static_cast<std::size_t>(expr.number)];
}

const Type* BodyChecker::index(const Expr& expr, const Type* of, const Type* by) const {
  const Place place = expr.args[1]->start;
  switch (of->kind) {
    case TypeKind::kError: return of;
    case TypeKind::kSeq:
    case TypeKind::kSet: expect(basic(TypeKind::kInt), by, place, "the position"); return of->parts[0];
    case TypeKind::kMap: expect(of->parts[0], by, place, "the key"); return of->parts[1];
    default:
      context_.error("E22", expr.place, fmt::format("expected a seq, set or map before '[', found '{}'", type_text(of)));
      return context_.poison();
  }
}

const Type* BodyChecker::keys_or_values(Expr& expr) {
  const bool is_keys = expr.kind == ExprKind::kKeys;
  const Type* of = expression(*expr.args[0]);
  if (of->kind == TypeKind::kMap) return context_.types().sequence(of->parts[is_keys ? 0 : 1]);
  if (of->kind != TypeKind::kError)
    context_.error("E22", expr.args[0]->start,
                   fmt::format("'{}' takes a map, found '{}'", is_keys ? "keys" : "values", type_text(of)));
  return context_.poison();
}

const Type* BodyChecker::size(Expr& expr) {
  const Type* of = expression(*expr.args[0]);
  if (of->kind != TypeKind::kSeq && of->kind != TypeKind::kSet && of->kind != TypeKind::kMap && of->kind != TypeKind::kError)
    context_.error("E22", expr.args[0]->start, fmt::format("'sizeof' takes a seq, set or map, found '{}'", type_text(of)));
  return basic(TypeKind::kInt);
}

// ---- Calls.

const Type* BodyChecker::new_machine(Expr& expr) {
  facts_.add(FunctionEffect::kCreate, expr.start);
  expr.interface = context_.global.interfaces.find(expr.name.text);
  if (expr.interface == nullptr) {
    context_.creates_broken = true;
    for (const ExprPtr& arg : expr.args) expression(*arg);
    context_.not_found(expr.name, "interface or machine", machine_, context_.global.interfaces);
    return context_.poison();
  }
  facts_.creates.push_back(expr.interface);
  check_payload(expr.interface->payload, expr.args, 0, expr.name.place, fmt::format("constructor of '{}' takes", expr.name.text),
                declared_here(expr.interface->name));
  return context_.types().reference(expr.interface->receive_set, expr.interface->name.text);
}

const Type* BodyChecker::call(Expr& expr) {
  std::vector<const Type*> given;
  for (const ExprPtr& arg : expr.args) given.push_back(expression(*arg));
  Function* callee = find_function(expr.name.text);
  if (callee == nullptr) {
    context_.creates_broken = true;
    if (machine_ == nullptr) context_.not_found(expr.name, "function", nullptr, Words(kFunctionWords), context_.global.functions);
    else
      context_.not_found(expr.name, "function", machine_, Words(kFunctionWords), context_.machine_names[machine_->index].functions,
                         context_.global.functions);
    return context_.poison();
  }
  expr.function = callee;
  facts_.calls.push_back({callee, expr.name.place});
  if (given.size() != callee->params.size()) {
    context_.error(
        "E25", expr.name.place,
        fmt::format("'{}' takes {} argument{}, but {} given", expr.name.text, callee->params.size(),
                    callee->params.size() == 1 ? "" : "s", given.size() == 1 ? "1 is" : fmt::format("{} are", given.size())),
        declared_here(callee->name));
    return callee->result;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Variable& param = *callee->params[i];
    expect(param.type, given[i], expr.args[i]->start, fmt::format("parameter '{}' of '{}'", param.name.text, expr.name.text),
           &param.name);
  }
  return callee->result;
}

void BodyChecker::check_payload(const Type* payload, std::vector<ExprPtr>& args, std::size_t first, Place place,
                                std::string_view what, const std::vector<Note>& notes) {
  std::vector<const Type*> given;
  for (std::size_t i = first; i < args.size(); ++i) given.push_back(expression(*args[i]));
  if (payload->kind == TypeKind::kError) return;
  const bool wants_none = payload->kind == TypeKind::kNull;
  const std::string wanted = wants_none ? "no value" : fmt::format("'{}'", type_text(payload));
  if (given.empty()) {
    if (!wants_none) context_.error("E22", place, fmt::format("{} {}, but no value is given", what, wanted), notes);
  } else if (given.size() == 1) {
    if (assignable(payload, given[0])) return;
    const std::string found = given[0]->kind == TypeKind::kNull ? "no value" : fmt::format("'{}'", type_text(given[0]));
    context_.error(
        "E22", args[first]->start,
        fmt::format("{} {}, but {} is given{}", what, wanted, found, mismatch_hint(payload, given[0], context_.program)), notes);
  } else if (payload->kind != TypeKind::kTuple || payload->parts.size() != given.size()) {
    context_.error("E25", place, fmt::format("{} {}, but {} values are given", what, wanted, given.size()), notes);
  } else {
    for (std::size_t i = 0; i < given.size(); ++i)
      expect(payload->parts[i], given[i], args[first + i]->start, fmt::format("field {} of '{}'", i, type_text(payload)));
  }
}

}  // namespace tarry::plang
