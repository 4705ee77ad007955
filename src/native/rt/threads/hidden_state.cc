#include "native/rt/threads/hidden_state.h"

#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstring>

#include "base/rng.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// Reads of the processor's time stamp.
struct TimeStamps {
  bool watched = false, read = false;

  void reset() { ignore_time_stamp(); }
};
template struct RoomOf<TimeStamps>;

namespace {

constexpr std::size_t kMostMemory = std::size_t{256} << 20;

TimeStamps& time_stamps() { return part<TimeStamps>(); }

}  // namespace

std::optional<std::uint64_t> fingerprint_of_memory() {
  const Scheduler::StackOf stack = scheduler().stack_of(scheduler().running());
  std::size_t left = kMostMemory;
  std::uint64_t sum = 0;
  const auto add = [&](const char* from, const char* to) {
    const auto size = static_cast<std::size_t>(to - from);
    if (size > left) return false;
    left -= size;
    for (; from < to; from += sizeof(std::uint64_t)) {
      std::uint64_t word;
      std::memcpy(&word, from, sizeof(word));
      if (word != 0) sum += mix64(word ^ reinterpret_cast<std::uintptr_t>(from) * 0x9e3779b97f4a7c15u);
    }
    return true;
  };
  const bool all = part<Pages>().for_each_written([&](const char* page) {
    const auto at = reinterpret_cast<std::uintptr_t>(page);
    return (at >= stack.low && at < stack.base) || add(page, page + Pages::kSize);
  });
  if (!all || !program_heap::for_each_used(add)) return std::nullopt;
  return sum;
}

void watch_time_stamp() {
  time_stamps().read = false;
  time_stamps().watched = raw(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
}

void ignore_time_stamp() {
  if (!time_stamps().watched) return;
  raw(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE);
  time_stamps().watched = false;
}

bool time_stamp_was_read() { return time_stamps().read; }

bool is_read_of_time_stamp(const ucontext_t& context) {
  if (!time_stamps().watched) return false;
  const auto* const code = reinterpret_cast<const unsigned char*>(context.uc_mcontext.gregs[REG_RIP]);
  const bool plain = code[0] == 0x0f && code[1] == 0x31, ordered = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
  if (!plain && !ordered) return false;
  ignore_time_stamp();
  time_stamps().read = true;
  return true;
}

}  // namespace tarry::native::rt
