#include "enforce/rt/access_flags.h"

#include <cstddef>

namespace tarry::enforce::rt {
namespace {

struct Range {
  unsigned char *from, *to;
};
constexpr std::size_t kMostModules = 256;
Range g_announced[kMostModules];  // written before there are threads, or under the lock of the loader
std::size_t g_count = 0;
std::span<const std::uintptr_t> g_wanted;

void set_in(const Range& range) {
  for (const std::uintptr_t address : g_wanted)
    if (auto* const flag = reinterpret_cast<unsigned char*>(address); flag >= range.from && flag < range.to) *flag = 1;
}

}  // namespace

void announce_flags(unsigned char* from, unsigned char* to) {
  if (from == to || (g_count > 0 && g_announced[g_count - 1].from == from)) return;
  const Range range{from, to};
  if (g_count < kMostModules) g_announced[g_count++] = range;
  set_in(range);
}

void set_flags(std::span<const std::uintptr_t> addresses) {
  for (const std::uintptr_t address : g_wanted)
    for (std::size_t i = 0; i < g_count; ++i)
      if (auto* const flag = reinterpret_cast<unsigned char*>(address); flag >= g_announced[i].from && flag < g_announced[i].to) *flag = 0;
  g_wanted = addresses;
  for (std::size_t i = 0; i < g_count; ++i) set_in(g_announced[i]);
}

}  // namespace tarry::enforce::rt
