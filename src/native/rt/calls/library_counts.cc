// Reference counts that the standard libraries keep in code of their own, which is not instrumented (base/exception_counts.h).
//
// The thread that gives up the last reference destroys and frees the object, and only the count orders this after all uses by others. Unseen, it
// would look like a race. So the functions that count down are taken over: each is an atomic operation on the count, and a point unless
// no other thread held a reference; then the library does its work. Counting up orders nothing.
//
// An exception is also held while it is being handled.
#include "base/exception_counts.h"

#include <cstdint>

#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {
namespace {

void told_as_atomic(const void* count, std::size_t size, std::uintptr_t pc) {
  if (g_watch.races != nullptr) g_watch.races->atomic_rmw(count, size, std::memory_order_acq_rel, pc);
  fail_if_freed();
}

void counting_down(const ReferenceCount& count, std::uintptr_t pc) {
  if (count.count == nullptr) return;
  if (count.is_event()) scheduler().point({.op = Op::kReadModifyWrite, .object = count.count, .size = count.size, .pc = pc});
  told_as_atomic(count.count, count.size, pc);
}

/// Of the exception that the running thread handles.
const void* handled() { return *static_cast<void**>(TARRY_REAL_AS(__cxa_get_globals, void*())()); }

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry;
using namespace tarry::native::rt;

/// The engine's own handlers end elsewhere (cmake/runtime.cmake).
TARRY_TAKEN_OVER void __cxa_end_catch() {
  if (in_program()) counting_down(count_of_handler(handled()), TARRY_PC);
  TARRY_REAL_AS(__cxa_end_catch, void())();
}

// exception_ptr::_M_release() of libstdc++: the pointer's one member is the object.
TARRY_TAKEN_OVER_AS(void, tarry_exception_released, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", void** pointer) {
  if (in_program() && *pointer != nullptr) counting_down(count_of_exception_gnu(*pointer), TARRY_PC);
  TARRY_REAL_SYMBOL("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", void (*)(void**))(pointer);
}
TARRY_TAKEN_OVER void __cxa_decrement_exception_refcount(void* thrown) noexcept {
  if (in_program() && thrown != nullptr) counting_down(count_of_exception_llvm(thrown), TARRY_PC);
  TARRY_REAL_AS(__cxa_decrement_exception_refcount, void(void*))(thrown);
}

TARRY_TAKEN_OVER_AS(void, tarry_weak_released, "_ZNSt3__119__shared_weak_count14__release_weakEv", void* counts) {
  if (in_program()) counting_down(count_of_weak(counts), TARRY_PC);
  TARRY_REAL_SYMBOL("_ZNSt3__119__shared_weak_count14__release_weakEv", void (*)(void*))(counts);
}
TARRY_TAKEN_OVER_AS(void*, tarry_weak_locked, "_ZNSt3__119__shared_weak_count4lockEv", void* counts) {
  if (in_program()) {
    const void* const owners = owners_of_shared(counts);
    scheduler().point({.op = Op::kCompareExchange, .object = owners, .size = sizeof(std::int64_t), .pc = TARRY_PC});
    told_as_atomic(owners, sizeof(std::int64_t), TARRY_PC);
  }
  return TARRY_REAL_SYMBOL("_ZNSt3__119__shared_weak_count4lockEv", void* (*)(void*))(counts);
}
