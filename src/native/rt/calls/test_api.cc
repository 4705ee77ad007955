// The functions behind <tarry/test.h>.
#include <cstdint>
#include <string>

#include "native/rt/base/real.h"
#include "native/rt/base/seals.h"
#include "native/rt/base/side.h"
#include "native/rt/calls/covered.h"
#include "native/rt/calls/inputs.h"
#include "native/rt/posix/mutex.h"
#include "native/rt/threads/region_reads.h"
#include "native/rt/threads/scheduler.h"

using namespace tarry::native::rt;

TARRY_TAKEN_OVER std::uint32_t tarry_rt_choose(std::uint32_t n) { return in_program() ? scheduler().decide(n) : 0; }

TARRY_TAKEN_OVER std::int64_t tarry_rt_input(const char* name, std::int64_t low, std::int64_t high, std::int64_t value) {
  constexpr std::uint64_t kMost = 1u << 20;
  if (!in_program()) return value;
  const std::uint64_t further = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  if (high < low || further >= kMost)
    scheduler().fail({.kind = "assertion", .message = std::string("input '") + name + "' is declared with " + (high < low ? "an empty range" : "a range of more than 1,048,576 values"), .pc = TARRY_PC});
  begin_input(low);
  const std::uint32_t chosen = scheduler().decide(static_cast<std::uint32_t>(further) + 1);
  const auto taken = static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + chosen);
  end_input({.value = taken, .pc = TARRY_PC});
  return taken;
}

TARRY_TAKEN_OVER void tarry_rt_enter_region(const char* name) {
  constexpr std::uintptr_t kSaved = 2 * sizeof(void*);  // the frame pointer and the place of the call: the caller's frame is behind them
  if (in_program() && enter_region(name, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + kSaved, TARRY_PC)) tell_region(InputRead::What::kEnterRegion, TARRY_PC);
}
TARRY_TAKEN_OVER void tarry_rt_leave_region() {
  if (in_program() && leave_region()) tell_region(InputRead::What::kLeaveRegion, TARRY_PC);
}
TARRY_TAKEN_OVER void tarry_rt_ignore_in_region(const void* address, std::size_t size) {
  if (in_program()) ignore_in_region(address, size);
}

TARRY_TAKEN_OVER void tarry_rt_expect_failed(const char* text, const char* /*file*/, std::uint32_t /*line*/) {
  if (in_program()) scheduler().fail({.kind = "assertion", .message = std::string("expectation '") + text + "' failed", .pc = TARRY_PC});
}

TARRY_TAKEN_OVER void tarry_rt_yield() {
  if (in_program()) scheduler().point({.op = Op::kYield, .pc = TARRY_PC, .yields = true});
}

TARRY_TAKEN_OVER void tarry_rt_seal() {
  if (in_program()) part<Seals>().seal(scheduler().running());
}
TARRY_TAKEN_OVER void tarry_rt_unseal() {
  if (in_program()) part<Seals>().unseal(scheduler().running());
}

TARRY_TAKEN_OVER void tarry_rt_cover(const char* text) {
  if (in_program()) cover(text);
}

TARRY_TAKEN_OVER int tarry_rt_under_control() { return in_program() ? 1 : 0; }
