#include "native/rt/time/random.h"

#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "native/rt/posix/primitive.h"
#include "native/rt/threads/told_access.h"
#include "native/rt/time/clock.h"

namespace tarry::native::rt {
namespace {

/// splitmix64, of which each thread has a stream of its own.
std::uint64_t draw() {
  has_effect();
  std::uint64_t x = (scheduler().self().random.drawn++ + (std::uint64_t{running_thread()} + 1) * 0x1'0000'0001) * 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

}  // namespace

void fill_randomly(void* to, std::size_t size) {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    const std::uint64_t next = draw();
    const std::size_t part = size < sizeof(next) ? size : sizeof(next);
    std::memcpy(at, &next, part);
    at += part;
    size -= part;
  }
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

TARRY_TAKEN_OVER ssize_t getrandom(void* to, std::size_t size, unsigned flags) {
  if (!is_virtual()) return TARRY_REAL(getrandom)(to, size, flags);
  cancel_if_due();
  writes(to, size, accessor(TARRY_CALLER));
  fill_randomly(to, size);
  return static_cast<ssize_t>(size);
}
TARRY_TAKEN_OVER int getentropy(void* to, std::size_t size) noexcept {
  if (!is_virtual()) return TARRY_REAL(getentropy)(to, size);
  if (size > 256) return errno = EIO, -1;
  writes(to, size, accessor(TARRY_CALLER));
  fill_randomly(to, size);
  return 0;
}

// arc4random of glibc 2.36; older ones have none.
TARRY_TAKEN_OVER std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  if (is_virtual()) fill_randomly(&value, sizeof(value));
  else ::getentropy(&value, sizeof(value));
  return value;
}
TARRY_TAKEN_OVER void arc4random_buf(void* to, std::size_t size) noexcept {
  if (is_virtual()) return writes(to, size, accessor(TARRY_CALLER)), fill_randomly(to, size);
  TARRY_REAL_AS(arc4random_buf, void(void*, std::size_t))(to, size);
}
TARRY_TAKEN_OVER std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  if (bound < 2) return 0;
  const std::uint32_t least = -bound % bound;  // as many numbers are left as bound divides
  std::uint32_t value = 0;
  do value = arc4random();
  while (value < least);
  return value % bound;
}

// std::random_device of libstdc++ asks the processor, that of libc++ a file.
#define TARRY_DEVICE(result, name, mangled, ...) \
  TARRY_TAKEN_OVER result name(__VA_ARGS__) asm(mangled); \
  result name(__VA_ARGS__)
#define TARRY_REAL_DEVICE(mangled, ...) reinterpret_cast<__VA_ARGS__>(::dlsym(RTLD_NEXT, mangled))

namespace {
unsigned draw_number() {
  unsigned value = 0;
  fill_randomly(&value, sizeof(value));
  return value;
}
}  // namespace

TARRY_DEVICE(unsigned, tarry_device_value, "_ZNSt13random_device9_M_getvalEv", void* device) {
  return is_virtual() ? draw_number() : TARRY_REAL_DEVICE("_ZNSt13random_device9_M_getvalEv", unsigned (*)(void*))(device);
}
TARRY_DEVICE(unsigned, tarry_device_value_old, "_ZNSt13random_device16_M_getval_pretr1Ev", void* device) {
  return is_virtual() ? draw_number() : TARRY_REAL_DEVICE("_ZNSt13random_device16_M_getval_pretr1Ev", unsigned (*)(void*))(device);
}
TARRY_DEVICE(void, tarry_device_init, "_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", void* device, const void* token) {
  if (is_virtual()) return;
  TARRY_REAL_DEVICE("_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", void (*)(void*, const void*))(device, token);
}
TARRY_DEVICE(void, tarry_device_init_old, "_ZNSt13random_device7_M_initEPKcm", void* device, const char* token, std::size_t size) {
  if (is_virtual()) return;
  TARRY_REAL_DEVICE("_ZNSt13random_device7_M_initEPKcm", void (*)(void*, const char*, std::size_t))(device, token, size);
}
TARRY_DEVICE(void, tarry_device_end, "_ZNSt13random_device7_M_finiEv", void* device) {
  if (is_virtual()) return;
  TARRY_REAL_DEVICE("_ZNSt13random_device7_M_finiEv", void (*)(void*))(device);
}
TARRY_DEVICE(unsigned, tarry_device_llvm, "_ZNSt3__113random_deviceclEv", void* device) {
  return is_virtual() ? draw_number() : TARRY_REAL_DEVICE("_ZNSt3__113random_deviceclEv", unsigned (*)(void*))(device);
}
