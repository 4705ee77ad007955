#include "native/rt/threads/taking.h"

#include <algorithm>

namespace tarry::native::rt {

bool Attempts::backs_off_again(std::uint64_t stands) {
  if (stands == 0 || std::find(stood, stood + kKept, stands) != stood + kKept) return stands != 0;
  stood[times++ % kKept] = stands;
  return false;
}

void backed_off(Thread& self, const void* object) {
  Attempts& attempts = self.attempts;
  const bool waits_for_it = attempts.refused == object;
  const bool rests = self.pending.op == Op::kYield || self.pending.op == Op::kSleep;  // that is a yield as it is
  attempts.refused = nullptr;
  attempts.gave_back = false;
  if (attempts.only_looked && !waits_for_it) return;
  attempts.contest = Contest::kContends;
  if (!attempts.backs_off_again(standing())) return;
  if (waits_for_it) attempts.contest = Contest::kGivesWay;
  else if (!rests) attempts.contest = Contest::kBacksOff;
}

}  // namespace tarry::native::rt
