// Functions that the code of 'tarry c++ --enforce' calls. The checker sees every plain access: it sets all flags before main. Without the checker they stay off.
#include "native/rt/calls/sites.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <unordered_set>

#include "native/rt/base/part.h"
#include "native/rt/base/real.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/told_access.h"

namespace tarry::native::rt {

/// Over all executions. Accesses of one flag have several places if the compiler has copied the code.
struct RacingSites : Kept {
  Lasting<std::unordered_set<const unsigned char*>> flags;
};
template struct RoomOf<RacingSites>;

namespace {

void remember(const unsigned char* flag) {
  const EngineScope engine;
  part<RacingSites>().flags->insert(flag);
}

}  // namespace

std::vector<const unsigned char*> racing_sites() {
  std::vector<const unsigned char*> out(part<RacingSites>().flags->begin(), part<RacingSites>().flags->end());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

/// Every object calls this from a constructor. A library that is loaded later does so while the program runs: its flags are the program's memory.
TARRY_TAKEN_OVER void tarry_rt_sites(unsigned char* from, unsigned char* to) {
  if (from != to && under_control() && *from == 0) TARRY_REAL(memset)(from, 1, static_cast<std::size_t>(to - from));
}

TARRY_TAKEN_OVER void tarry_rt_before_access(const void* address, std::size_t size, unsigned char writes, const unsigned char* flag) {
  if (!in_program() || !ends_somewhere(address, size)) return;
  const std::uintptr_t pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  if (!g_watch.racing.empty() && g_watch.racing.contains(pc)) remember(flag);
  if (writes != 0) writing(address, size, pc);
  else reading(address, size, pc);
}

TARRY_TAKEN_OVER void tarry_rt_after_access() {}

/// A copy of memory, which may overlap. Where it is a point, another thread may run between reading and writing.
TARRY_TAKEN_OVER void tarry_rt_copy(void* to, const void* from, std::size_t size, const unsigned char* flag) {
  if (!in_program() || !ends_somewhere(from, size) || !ends_somewhere(to, size)) {
    TARRY_REAL(memmove)(to, from, size);
    return;
  }
  const std::uintptr_t pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
  if (!g_watch.racing.empty() && g_watch.racing.contains(pc)) remember(flag);
  reading(from, size, pc);
  if (!is_point(pc)) {
    writing(to, size, pc);
    TARRY_REAL(memmove)(to, from, size);
    return;
  }
  const Room between(size);
  if (between.at() != nullptr) TARRY_REAL(memmove)(between.at(), from, size);
  writing(to, size, pc);
  TARRY_REAL(memmove)(to, between.at() != nullptr ? between.at() : from, size);
}

TARRY_TAKEN_OVER void tarry_rt_fill(void* to, unsigned char value, std::size_t size, const unsigned char* flag) {
  if (in_program() && ends_somewhere(to, size)) {
    const std::uintptr_t pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1;
    if (!g_watch.racing.empty() && g_watch.racing.contains(pc)) remember(flag);
    writing(to, size, pc);
  }
  TARRY_REAL(memset)(to, value, size);
}
