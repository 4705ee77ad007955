// Computes the combinations of values that a parameterised test runs with, and their names (section 3.11 of the language
// reference).
#include "plang/sema/param_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tarry::plang {
namespace {

constexpr std::uint64_t kMostCombinations = 100'000;
constexpr std::uint64_t kMostWork = 20'000'000;

class Expansion {
 public:
  Expansion(SemaContext& context, const TestDecl& test) : context_(context), test_(test) {}

  std::optional<std::vector<TestInstance>> run() {
    bool fits = read_lists();
    fits = check_strength() && fits;
    if (fits && test_.assume != nullptr) fits = check_assumption(context_, *test_.assume, listed_);
    if (!fits || !enumerate()) return std::nullopt;
    if (!reduce()) return std::nullopt;
    std::vector<TestInstance> result;
    for (const std::uint32_t combination : chosen_) result.push_back(instance(combination));
    if (result.empty()) warn_of_none();
    return result;
  }

 private:
  // ---- The written test.

  bool read_lists() {
    bool fits = true;
    listed_.assign(context_.program.params.size(), -1);
    std::unordered_map<std::string_view, Place> seen;
    for (const TestParam& param : test_.params) {
      const auto [at, is_new] = seen.try_emplace(param.name.text, param.name.place);
      if (!is_new) {
        context_.error("E09", param.name.place, fmt::format("param '{}' is listed twice", param.name.text),
                       {{at->second, fmt::format("'{}' is listed here first", param.name.text)}});
        fits = false;
        continue;
      }
      fits = read_list(param) && fits;
    }
    return fits;
  }

  bool read_list(const TestParam& param) {
    const Variable* variable = context_.global.params.find(param.name.text);
    if (variable == nullptr) {
      Suggestions suggestions(param.name.text);
      if (!context_.is_full()) suggestions.from(context_.global.params);
      context_.error("E05", param.name.place, fmt::format("'{}' is no global param{}", param.name.text, suggestions.text()));
      return false;
    }
    if (!check_values(param, *variable)) return false;
    listed_[variable->index] = static_cast<std::int32_t>(values_.size());
    std::vector<std::int64_t>& values = values_.emplace_back();
    for (const TestParam::Value& value : param.values) {
      // A bool may be listed twice; it counts as one value.
      if (!value.is_bool || std::find(values.begin(), values.end(), value.number) == values.end()) values.push_back(value.number);
    }
    variables_.push_back(variable);
    return true;
  }

  bool check_values(const TestParam& param, const Variable& variable) {
    const bool are_bools = param.values[0].is_bool;
    const Type* found = context_.basic(are_bools ? TypeKind::kBool : TypeKind::kInt);
    std::unordered_map<std::int64_t, Place> seen;
    for (const TestParam::Value& value : param.values) {
      if (value.is_bool != are_bools) {
        context_.error(
            "E22", value.place,
            fmt::format("the values of '{}' have to be of one type: the first is '{}'", param.name.text, type_text(found)));
        return false;
      }
      const auto [at, is_new] = seen.try_emplace(value.number, value.place);
      if (is_new || are_bools) continue;
      context_.error("E65", value.place, fmt::format("{} is in the list of '{}' already", value.number, param.name.text),
                     {{at->second, "the first one is here"}});
      return false;
    }
    if (variable.type == found || variable.type->kind == TypeKind::kError) return true;
    const bool can_vary = variable.type->kind == TypeKind::kInt || variable.type->kind == TypeKind::kBool;
    context_.error("E22", param.values[0].place,
                   fmt::format("'{}' is '{}', found '{}'{}", param.name.text, type_text(variable.type), type_text(found),
                               can_vary ? "" : "; only params of type int or bool can be listed in a test"),
                   declared_here(variable.name));
    return false;
  }

  bool has_strength() const { return test_.is_pairwise || test_.strength != 0 || !(test_.strength_place == Place{}); }

  bool check_strength() {
    if (!has_strength() || test_.is_pairwise) return true;
    const auto params = static_cast<std::int64_t>(test_.params.size());
    if (test_.strength >= 1 && test_.strength <= params) return true;
    context_.error("E64", test_.strength_place,
                   params == 0 ? fmt::format("'{}' has no params that could be combined", test_.name.text)
                               : fmt::format("expected 1 to {}, the number of params of '{}', found {}", params, test_.name.text,
                                             test_.strength));
    return false;
  }

  bool too_many(const std::string& what) const {
    context_.error("E64", test_.name.place, fmt::format("test '{}' {}", test_.name.text, what));
    return false;
  }

  // ---- Combinations, numbered with the first param varying fastest.

  bool enumerate() {
    std::uint64_t count = 1;
    for (const std::vector<std::int64_t>& values : values_) {
      count *= values.size();
      if (count > kMostCombinations)
        return too_many(fmt::format("has more than {} combinations of values; list fewer, or split it", kMostCombinations));
      sizes_.push_back(static_cast<std::uint32_t>(values.size()));
    }
    if (test_.assume != nullptr && count * nodes_of(*test_.assume) > kMostWork)
      return too_many("has too many combinations of values for so long an assumption");
    for (std::uint32_t combination = 0; combination < count; ++combination) {
      if (test_.assume == nullptr || holds(combination)) chosen_.push_back(combination);
      if (failure_) {
        context_.error(
            "E22", failure_->place,
            fmt::format("{} in the assumption of '{}' with {}", failure_->text, test_.name.text, text_of(combination)));
        return false;
      }
    }
    return true;
  }

  std::vector<std::int64_t> values_of(std::uint32_t combination) const {
    std::vector<std::int64_t> result;
    for (const std::vector<std::int64_t>& values : values_) {
      result.push_back(values[combination % values.size()]);
      combination /= static_cast<std::uint32_t>(values.size());
    }
    return result;
  }

  bool holds(std::uint32_t combination) { return assumption_holds(*test_.assume, listed_, values_of(combination), failure_); }

  std::string value_text(std::size_t param, std::int64_t value) const {
    if (variables_[param]->type->kind == TypeKind::kBool) return value != 0 ? "true" : "false";
    return fmt::format("{}", value);
  }

  std::string text_of(std::uint32_t combination) const {
    std::string text;
    const std::vector<std::int64_t> values = values_of(combination);
    for (std::size_t i = 0; i < values.size() && i < 10; ++i)
      text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", variables_[i]->name.text, value_text(i, values[i]));
    return text.empty() ? "no params" : text;
  }

  bool reduce() {
    if (!has_strength()) return true;
    const auto strength = static_cast<std::uint64_t>(test_.is_pairwise ? 2 : test_.strength);
    if (strength == sizes_.size()) return true;
    if (strength > sizes_.size()) {  // pairwise only: there are no pairs
      chosen_.clear();
      return true;
    }
    if (cover_work(chosen_.size(), sizes_.size(), strength) > kMostWork)
      return too_many(fmt::format("has too many combinations to choose {}-wise from: {} of {} params", strength, chosen_.size(),
                                  sizes_.size()));
    chosen_ = cover(chosen_, sizes_, static_cast<std::uint32_t>(strength));
    return true;
  }

  TestInstance instance(std::uint32_t combination) const {
    TestInstance result{test_.name.text, {}};
    result.params.resize(context_.program.params.size());
    const std::vector<std::int64_t> values = values_of(combination);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::string text = value_text(i, values[i]);
      if (text[0] == '-') text.replace(0, 1, "neg");
      result.name += fmt::format("{}{}_{}", i == 0 ? "___" : "__", variables_[i]->name.text, text);
      result.params[variables_[i]->index] = values[i];
    }
    return result;
  }

  void warn_of_none() const {
    const bool lacks_pairs = test_.is_pairwise && sizes_.size() < 2;
    context_.diagnostics.warning(
        "W4", lacks_pairs ? test_.strength_place : test_.name.place,
        lacks_pairs
            ? fmt::format("'pairwise' needs two params, and '{}' has {}, so it yields no test", test_.name.text, sizes_.size())
            : fmt::format("the assumption of '{}' holds for no combination of values, so it yields no test", test_.name.text));
  }

  SemaContext& context_;
  const TestDecl& test_;
  std::vector<std::int32_t> listed_;  // by index of the param: its place in the list, or -1
  std::vector<const Variable*> variables_;
  std::vector<std::vector<std::int64_t>> values_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint32_t> chosen_;
  std::optional<AssumptionFailure> failure_;
};

}  // namespace

std::optional<std::vector<TestInstance>> instances_of(SemaContext& context, const TestDecl& test) {
  return Expansion(context, test).run();
}

}  // namespace tarry::plang
