#include "native/rt/session/failures.h"

#include <algorithm>
#include <utility>

#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {

/// In all executions.
struct MetFailures : Kept {
  Lasting<Failures> all;
};
template struct RoomOf<MetFailures>;

namespace {

bool same(const Failure& a, const Failure& b) { return a.kind == b.kind && a.message == b.message && a.pc == b.pc && a.places == b.places; }

}  // namespace

Failures& met_failures() {
  return *part<MetFailures>().all;
}

bool Failures::is_new(const Failure& failure) const {
  return std::none_of(all_.begin(), all_.end(), [&](const Met& other) { return same(failure, other.failure); });
}

FailureId Failures::keep(const Failure& failure) {
  std::vector<std::uintptr_t> points = g_watch.racing.all();
  if (g_watch.footprint != nullptr) points.push_back(place_of_footprints());
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Met& other) { return same(failure, other.failure) && other.points == points; });
  const auto number = static_cast<std::size_t>(found - all_.begin());
  if (found == all_.end()) all_.push_back({failure, points});
  return static_cast<FailureId>(number);
}

void Failures::tell(Finding finding, Answer& answer) const {
  if (finding.failure != FailureId::kNone) {
    const Met& met = all_[static_cast<std::size_t>(finding.failure)];
    const Failure& failure = met.failure;
    RawFailure raw{.place = place_of(failure.pc), .stack = stack_of_places(failure.stack), .places = stack_of_places(failure.places), .points = stack_of_places(met.points), .told = failure.told, .objects = failure.objects};
    for (const auto& stack : failure.stacks) raw.stacks.push_back(stack_of_places(stack));
    finding.failure = static_cast<FailureId>(answer.failures.size());
    answer.failures.push_back(std::move(raw));
  }
  answer.result.findings.push_back(std::move(finding));
}

}  // namespace tarry::native::rt
