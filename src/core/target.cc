#include "core/target.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "core/usage.h"

namespace tarry {
namespace {

std::vector<FrontEnd>& registered_front_ends() {
  static std::vector<FrontEnd> list;  // filled before main, read-only afterwards
  return list;
}

}  // namespace

std::vector<std::string> TargetRequest::files() const {
  std::vector<std::string> out{target};
  out.insert(out.end(), more_targets.begin(), more_targets.end());
  return out;
}

Result<std::vector<std::string>> Target::tests(const TargetRequest& request) {
  return is_one_test("--list-tests", request.target);
}

FollowResult Target::follow(const TargetRequest& request, const std::filesystem::path& schedule) {
  return usage_error(fmt::format("'{}' cannot follow the schedule '{}'", request.target, schedule.string()));
}

Diagnostic is_one_test(const std::string& option, const std::string& target) {
  return usage_error(fmt::format("{} is for P programs and for GoogleTest, and '{}' is neither", option, target));
}

const std::vector<FrontEnd>& front_ends() { return registered_front_ends(); }

const FrontEnd* find_front_end(const std::string& name) {
  for (const FrontEnd& one : front_ends())
    if (one.name == name) return &one;
  return nullptr;
}

const FrontEnd* front_end_of(const std::string& file) {
  const FrontEnd* best = nullptr;
  Claim surest = Claim::kNo;
  for (const FrontEnd& one : front_ends())
    if (const Claim claim = one.claims(file); claim > surest) {
      surest = claim;
      best = &one;
    }
  return best;
}

FrontEndRegistration::FrontEndRegistration(FrontEnd front_end) {
  auto& list = registered_front_ends();
  TARRY_ASSERT(find_front_end(front_end.name) == nullptr);
  const auto at = std::upper_bound(list.begin(), list.end(), front_end, [](const FrontEnd& a, const FrontEnd& b) { return a.rank < b.rank; });
  list.insert(at, std::move(front_end));
}

}  // namespace tarry
