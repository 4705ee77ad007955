// The assumption of a parameterised test: checked once, then evaluated for every combination of values.
//
// It is a small language: int and bool literals, params of the test's list, and operators. Ints have 32 bits here. Both sides of
// `&&` and `||` are evaluated, so a division by zero on the right is an error whatever the left is.
#include <fmt/format.h>

#include "plang/sema/param_tests.h"

namespace tarry::plang {
namespace {

class AssumptionChecker {
 public:
  AssumptionChecker(SemaContext& context, const std::vector<std::int32_t>& listed) : context_(context), listed_(listed) {}

  const Type* check(Expr& expr) { return expr.type = type_of(expr); }
  bool failed() const { return failed_; }

  void wrong(std::string_view id, Place place, std::string text) {
    failed_ = true;
    context_.error(id, place, std::move(text));
  }

 private:
  const Type* type_of(Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kInt: return context_.basic(TypeKind::kInt);
      case ExprKind::kBool: return context_.basic(TypeKind::kBool);
      case ExprKind::kName: return name(expr);
      case ExprKind::kNegate: return operands(expr, TypeKind::kInt, TypeKind::kInt);
      case ExprKind::kNot: return operands(expr, TypeKind::kBool, TypeKind::kBool);
      case ExprKind::kMul:
      case ExprKind::kDiv:
      case ExprKind::kMod:
      case ExprKind::kAdd:
      case ExprKind::kSub: return operands(expr, TypeKind::kInt, TypeKind::kInt);
      case ExprKind::kLess:
      case ExprKind::kGreater:
      case ExprKind::kLessEqual:
      case ExprKind::kGreaterEqual: return operands(expr, TypeKind::kInt, TypeKind::kBool);
      case ExprKind::kAnd:
      case ExprKind::kOr: return operands(expr, TypeKind::kBool, TypeKind::kBool);
      case ExprKind::kEqual:
      case ExprKind::kNotEqual: return equality(expr);
      default:
        wrong("E22", expr.place,
              "an assumption is made of numbers, true, false, params of this test and operators on them; this is something else");
        return context_.poison();
    }
  }

  const Type* name(Expr& expr) {
    const Variable* param = context_.global.params.find(expr.name.text);
    failed_ = failed_ || param == nullptr;
    if (param == nullptr) {
      context_.not_found(expr.name, "global param", nullptr, context_.global.params);
      return context_.poison();
    }
    expr.variable = param;
    if (listed_[param->index] < 0) {
      failed_ = true;
      context_.error("E05", expr.name.place,
                     fmt::format("param '{}' is not in the list of this test, so it has no value here; list it", expr.name.text),
                     declared_here(param->name));
      return context_.poison();
    }
    return param->type;
  }

  const Type* operands(Expr& expr, TypeKind wanted, TypeKind result) {
    for (const ExprPtr& arg : expr.args) {
      const Type* found = check(*arg);
      if (!assignable(context_.basic(wanted), found))
        wrong("E22", arg->start,
              fmt::format("expected '{}' in this assumption, found '{}'", type_text(context_.basic(wanted)), type_text(found)));
    }
    return context_.basic(result);
  }

  const Type* equality(Expr& expr) {
    const Type* left = check(*expr.args[0]);
    const Type* right = check(*expr.args[1]);
    if (!assignable(left, right))
      wrong("E22", expr.place,
            fmt::format("expected two ints or two bools to compare, found '{}' and '{}'", type_text(left), type_text(right)));
    return context_.basic(TypeKind::kBool);
  }

  SemaContext& context_;
  const std::vector<std::int32_t>& listed_;
  bool failed_ = false;
};

std::int64_t to_32_bits(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

class Evaluation {
 public:
  Evaluation(const std::vector<std::int32_t>& listed, const std::vector<std::int64_t>& values,
             std::optional<AssumptionFailure>& failure)
      : listed_(listed), values_(values), failure_(failure) {}

  std::int64_t evaluate(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kName: return values_[static_cast<std::size_t>(listed_[expr.variable->index])];
      case ExprKind::kNegate: return to_32_bits(-evaluate(*expr.args[0]));
      case ExprKind::kNot: return evaluate(*expr.args[0]) == 0 ? 1 : 0;
      default: break;
    }
    if (expr.args.size() != 2) return expr.number;
    const std::int64_t left = evaluate(*expr.args[0]);
    return apply(expr, left, evaluate(*expr.args[1]));
  }

 private:
  std::int64_t apply(const Expr& expr, std::int64_t left, std::int64_t right) {
    switch (expr.kind) {
      case ExprKind::kMul: return to_32_bits(left * right);
      case ExprKind::kAdd: return to_32_bits(left + right);
      case ExprKind::kSub: return to_32_bits(left - right);
      case ExprKind::kDiv:
      case ExprKind::kMod: return quotient(expr, left, right);
      case ExprKind::kLess: return left < right;
      case ExprKind::kGreater: return left > right;
      case ExprKind::kLessEqual: return left <= right;
      case ExprKind::kGreaterEqual: return left >= right;
      case ExprKind::kAnd: return left != 0 && right != 0;
      case ExprKind::kOr: return left != 0 || right != 0;
      case ExprKind::kEqual: return left == right;
      default: return left != right;
    }
  }

  std::int64_t quotient(const Expr& expr, std::int64_t left, std::int64_t right) {
    if (right == 0) {
      if (!failure_) failure_ = {expr.place, "division by zero"};
      return 0;
    }
    return expr.kind == ExprKind::kDiv ? to_32_bits(left / right) : left % right;
  }

  const std::vector<std::int32_t>& listed_;
  const std::vector<std::int64_t>& values_;
  std::optional<AssumptionFailure>& failure_;
};

}  // namespace

bool check_assumption(SemaContext& context, Expr& assume, const std::vector<std::int32_t>& listed) {
  AssumptionChecker checker(context, listed);
  const Type* type = checker.check(assume);
  if (!assignable(context.basic(TypeKind::kBool), type))
    checker.wrong("E22", assume.start, fmt::format("an assumption has to be 'bool', found '{}'", type_text(type)));
  return !checker.failed();
}

bool assumption_holds(const Expr& assume, const std::vector<std::int32_t>& listed, const std::vector<std::int64_t>& values,
                      std::optional<AssumptionFailure>& failure) {
  return Evaluation(listed, values, failure).evaluate(assume) != 0;
}

std::uint64_t nodes_of(const Expr& expr) {
  std::uint64_t result = 1;
  for (const ExprPtr& arg : expr.args) result += nodes_of(*arg);
  return result;
}

}  // namespace tarry::plang
