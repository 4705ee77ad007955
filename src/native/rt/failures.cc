#include "native/rt/failures.h"

#include <algorithm>
#include <cstdlib>

#include "native/rt/happened.h"
#include "native/rt/modules.h"

namespace tarry::native::rt {
namespace {

bool same(const Failure& a, const Failure& b) { return a.kind == b.kind && a.message == b.message && a.pc == b.pc && a.places == b.places; }

}  // namespace

Failures& met_failures() {
  static Failures all;
  return all;
}

bool Failures::is_new(const Failure& failure) const {
  return std::none_of(all_.begin(), all_.end(), [&](const Met& other) { return same(failure, other.failure); });
}

std::string Failures::keep(const Failure& failure) {
  const std::vector<std::uintptr_t> points = g_watch.racing.all();
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Met& other) { return same(failure, other.failure) && other.points == points; });
  const auto number = static_cast<std::size_t>(found - all_.begin());
  if (found == all_.end()) all_.push_back({failure, points});
  return "#" + std::to_string(number);
}

Stack stack_of_places(const std::vector<std::uintptr_t>& stack) {
  Stack out;
  for (const std::uintptr_t pc : stack) out.push_back(place_of(pc));
  return out;
}

RawFinding Failures::complete(const Finding& finding) const {
  RawFinding out{.finding = finding, .place = {}, .stack = {}, .places = {}};
  if (finding.location.empty() || finding.location[0] != '#') return out;
  const Met& met = all_[std::strtoul(finding.location.c_str() + 1, nullptr, 10)];
  const Failure& failure = met.failure;
  out.finding.location.clear();
  out.place = place_of(failure.pc);
  out.stack = stack_of_places(failure.stack);
  out.places = stack_of_places(failure.places);
  out.points = stack_of_places(met.points);
  out.told = failure.told;
  out.objects = failure.objects;
  for (const auto& stack : failure.stacks) out.stacks.push_back(stack_of_places(stack));
  return out;
}

}  // namespace tarry::native::rt
