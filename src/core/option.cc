#include "core/option.h"

#include <algorithm>
#include <utility>

#include "core/usage.h"

namespace tarry {

const GivenOption* GivenOptions::find(std::string_view name) const {
  const auto at = std::find_if(list_.begin(), list_.end(), [&](const GivenOption& one) { return one.name == name; });
  return at == list_.end() ? nullptr : &*at;
}

std::optional<std::string> GivenOptions::value(std::string_view name) const {
  const GivenOption* const found = find(name);
  return found == nullptr || found->values.empty() ? std::nullopt : std::optional(found->values.back());
}

void GivenOptions::set(const std::string& name, std::vector<std::string> values) {
  const auto at = std::find_if(list_.begin(), list_.end(), [&](const GivenOption& one) { return one.name == name; });
  if (at == list_.end()) list_.push_back({name, std::move(values)});
  else at->values = std::move(values);
}

std::optional<Diagnostic> take_given(const Options& options, const GivenOptions& given) {
  for (const Option& option : options) {
    const GivenOption* const found = given.find(option.name());
    if (found == nullptr) continue;
    std::vector<std::string> values = found->values;
    if (values.empty()) values = {"true"};
    if (option.kind != Option::Kind::kList) values.erase(values.begin(), values.end() - 1);
    for (const std::string& value : values)
      if (const auto expected = option.take(value)) return usage_error(fmt::format("{}={} is not right: expected {}", option.name(), value, *expected));
  }
  return std::nullopt;
}

Take set_true(bool& out) {
  return [&out](const std::string& text) -> std::optional<std::string> {
    if (text != "true" && text != "false") return "true or false";
    out = text == "true";
    return std::nullopt;
  };
}

Take set_text(std::string& out) {
  return [&out](const std::string& text) -> std::optional<std::string> { return out = text, std::nullopt; };
}

Take one_of(std::vector<std::string> names, std::function<void(std::size_t)> chosen) {
  return [names = std::move(names), chosen = std::move(chosen)](const std::string& text) -> std::optional<std::string> {
    const auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) return fmt::format("{}", fmt::join(names, ", "));
    chosen(static_cast<std::size_t>(at - names.begin()));
    return std::nullopt;
  };
}

}  // namespace tarry
