// Reference counts of exceptions and weak pointers, in code of the standard libraries that is not instrumented (base/exception_counts.h). They are events
// here where they are events for `tarry verify`.
//
// The library's function counts down, and destroys the object if that was the last reference. Destructors have events of their own, so they run behind the
// event, not in it. Within the event no other thread counts down, so the count says which of the two it is.
#include "base/exception_counts.h"

#include <cstdint>

#include "enforce/rt/control.h"
#include "enforce/rt/real.h"

using namespace tarry;
using namespace tarry::enforce;
using namespace tarry::enforce::rt;

namespace {

template <class Real>
void counting_down(const ReferenceCount& count, std::uintptr_t pc, const Real& real) {
  if (count.count == nullptr || !is_enforced() || !count.is_event()) return real();
  {
    const Step step({.kind = Kind::kReadModifyWrite, .object = count.count, .size = count.size, .pc = pc});
    if (!count.is_last()) return real();
  }
  real();
}

/// The header of the exception that the thread handles.
const void* handled() {
  const auto globals = TARRY_NEXT_AS(__cxa_get_globals, void*());
  return globals == nullptr ? nullptr : *static_cast<void**>(globals());
}

}  // namespace

TARRY_ENFORCED void __cxa_end_catch() {
  const auto real = TARRY_NEXT_AS(__cxa_end_catch, void());
  if (!is_enforced()) return real();
  counting_down(count_of_handler(handled()), TARRY_PLACE, real);
}
TARRY_ENFORCED void __cxa_decrement_exception_refcount(void* thrown) noexcept {
  const auto real = TARRY_NEXT_AS(__cxa_decrement_exception_refcount, void(void*));
  if (thrown == nullptr) return real(thrown);
  counting_down(count_of_exception_llvm(thrown), TARRY_PLACE, [&] { real(thrown); });
}
// exception_ptr::_M_release() of libstdc++: the pointer's one member is the object.
TARRY_ENFORCED void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void** pointer) {
  const auto real = TARRY_NEXT_AS(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, void(void**));
  if (*pointer == nullptr) return real(pointer);
  counting_down(count_of_exception_gnu(*pointer), TARRY_PLACE, [&] { real(pointer); });
}
// __shared_weak_count of libc++.
TARRY_ENFORCED void _ZNSt3__119__shared_weak_count14__release_weakEv(void* counts) {
  const auto real = TARRY_NEXT_AS(_ZNSt3__119__shared_weak_count14__release_weakEv, void(void*));
  counting_down(count_of_weak(counts), TARRY_PLACE, [&] { real(counts); });
}
TARRY_ENFORCED void* _ZNSt3__119__shared_weak_count4lockEv(void* counts) {
  const auto real = TARRY_NEXT_AS(_ZNSt3__119__shared_weak_count4lockEv, void*(void*));
  const Step step({.kind = Kind::kCompareExchange, .object = owners_of_shared(counts), .size = sizeof(std::int64_t), .pc = TARRY_PLACE});
  return real(counts);
}
