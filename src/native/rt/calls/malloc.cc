// malloc and its relatives, for the program's side. The engine's own containers use operator new, which is ours and hidden.
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "native/rt/base/real.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/reuse.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/threads/told_access.h"

using namespace tarry::native::rt;

// glibc's own, for processes that the tool did not start.
extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

void* allocate(std::size_t size, std::uintptr_t caller, std::size_t alignment = 16) {
  if (g_side == Side::kEngine) return engine_heap::allocate(size, alignment);
  void* block = in_program() ? used_again(size, alignment, accessor(caller)) : nullptr;
  if (block == nullptr) block = program_heap::allocate(size, alignment);
  if (block == nullptr) errno = ENOMEM;
  else if (in_program()) allocated(block, size);
  return block;
}

bool power_of_two(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

void bad_free(const char* message) {
  if (in_program()) scheduler().fail({.kind = "memory", .message = message});
}

}  // namespace

TARRY_TAKEN_OVER void* malloc(std::size_t size) { return under_control() ? allocate(size, TARRY_CALLER) : __libc_malloc(size); }

TARRY_TAKEN_OVER void free(void* block) {
  if (block == nullptr) return;
  if (!under_control()) return __libc_free(block);
  if (engine_heap::owns(block)) return engine_heap::release(block);
  if (in_program()) about_to_free(block, accessor(TARRY_CALLER));
  if (in_program()) freeing(block, program_heap::size_of(block), reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  switch (program_heap::release(block)) {
    case program_heap::Release::kAside: return kept_aside(block);
    case program_heap::Release::kDone: return;
    case program_heap::Release::kForeign: return;  // of the loader's, from before libc was there
    case program_heap::Release::kDouble: return bad_free("a block is freed that was freed before");
    case program_heap::Release::kInside: return bad_free("free() of an address that malloc did not return");
  }
}

TARRY_TAKEN_OVER void* calloc(std::size_t count, std::size_t size) {
  if (!under_control()) return __libc_calloc(count, size);
  std::size_t whole = 0;
  if (__builtin_mul_overflow(count, size, &whole)) {
    errno = ENOMEM;
    return nullptr;
  }
  bool fresh = false;
  void* block = in_program() ? used_again(whole, 16, accessor(TARRY_CALLER)) : nullptr;
  if (block == nullptr) block = g_side == Side::kEngine ? engine_heap::allocate(whole) : program_heap::allocate_zero(whole, fresh);
  if (block == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  if (!fresh) std::memset(block, 0, whole);
  if (in_program()) allocated(block, whole);
  return block;
}

TARRY_TAKEN_OVER void* realloc(void* block, std::size_t size) {
  if (!under_control()) return __libc_realloc(block, size);
  if (block == nullptr) return malloc(size);
  if (size == 0) {
    free(block);
    return nullptr;
  }
  void* const larger = allocate(size, TARRY_CALLER);
  if (larger == nullptr) return nullptr;
  const std::size_t before = engine_heap::owns(block) ? engine_heap::size_of(block) : program_heap::size_of(block);
  std::memcpy(larger, block, before < size ? before : size);
  free(block);
  return larger;
}
TARRY_TAKEN_OVER void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t whole = 0;
  if (__builtin_mul_overflow(count, size, &whole)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, whole);
}

TARRY_TAKEN_OVER int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  if (!power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* const block = under_control() ? allocate(size, TARRY_CALLER, alignment) : __libc_memalign(alignment, size);
  if (block == nullptr) return ENOMEM;
  writes(result, sizeof(*result), accessor(TARRY_CALLER));
  *result = block;
  return 0;
}
TARRY_TAKEN_OVER void* memalign(std::size_t alignment, std::size_t size) {
  if (!power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return under_control() ? allocate(size, TARRY_CALLER, alignment) : __libc_memalign(alignment, size);
}
TARRY_TAKEN_OVER void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
TARRY_TAKEN_OVER void* valloc(std::size_t size) { return memalign(4096, size); }
TARRY_TAKEN_OVER void* pvalloc(std::size_t size) { return memalign(4096, (size + 4095) / 4096 * 4096); }
TARRY_TAKEN_OVER std::size_t malloc_usable_size(void* block) {
  if (block == nullptr) return 0;
  if (!under_control()) return TARRY_REAL(malloc_usable_size)(block);
  return engine_heap::owns(block) ? engine_heap::size_of(block) : program_heap::size_of(block);
}

// The engine's.
void* operator new(std::size_t size) {
  void* const block = engine_heap::allocate(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  void* const block = engine_heap::allocate(size, static_cast<std::size_t>(alignment));
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return engine_heap::allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return engine_heap::allocate(size); }
void operator delete(void* block) noexcept { engine_heap::release(block); }
void operator delete[](void* block) noexcept { engine_heap::release(block); }
void operator delete(void* block, std::size_t) noexcept { engine_heap::release(block); }
void operator delete[](void* block, std::size_t) noexcept { engine_heap::release(block); }
void operator delete(void* block, std::align_val_t) noexcept { engine_heap::release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { engine_heap::release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { engine_heap::release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { engine_heap::release(block); }
