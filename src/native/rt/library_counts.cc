// Reference counts that the standard libraries keep in code of their own, which is not instrumented: those of exceptions that several threads
// hold (exception_ptr, futures), and of libc++ those of weak pointers.
//
// Who gives up the last reference destroys and frees the object, and the count is what orders that behind all uses by others. Unseen, it
// would look like a race. So the functions that count down are taken over: each is an atomic operation on the count, and a point unless
// nobody else holds a reference; then the library does its work. Counting up orders nothing.
//
// An exception is also held while it is being handled. The layouts are those of the ABI: behind the header, which is behind the count, is the
// object that was thrown; a handled exception that came from rethrow_exception has a header of its own, with a pointer to that object.
#include <cstdint>
#include <cstring>

#include "native/rt/happened.h"
#include "native/rt/posix/primitive.h"

namespace tarry::native::rt {
namespace {

template <class T>
T* at(const void* base, std::ptrdiff_t offset) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(offset));
}

void told_as_atomic(const void* count, std::size_t size, std::uintptr_t pc) {
  if (g_watch.races != nullptr) g_watch.races->atomic_rmw(count, size, std::memory_order_acq_rel, pc);
  fail_if_freed();
}

/// `least`: what it is if there is one reference.
template <class T>
void counting_down(const T* count, T least, std::uintptr_t pc) {
  if (*count != least) scheduler().point({.op = Op::kReadModifyWrite, .object = count, .size = sizeof(T), .pc = pc});
  told_as_atomic(count, sizeof(T), pc);
}

// What both libraries have behind the object that was thrown: 32 bytes for the unwinder, beginning with eight letters that say whose it is.
constexpr std::ptrdiff_t kUnwinder = 32;
constexpr std::ptrdiff_t kHeaderGnu = 112, kHeaderLlvm = 128;

void exception_given_up_gnu(const void* thrown, std::uintptr_t pc) { counting_down(at<const std::int32_t>(thrown, -kHeaderGnu - 16), 1, pc); }
void exception_given_up_llvm(const void* thrown, std::uintptr_t pc) { counting_down(at<const std::uint64_t>(thrown, -kHeaderLlvm + 8), std::uint64_t{1}, pc); }

enum class Whose { kAnother, kGnu, kGnuAgain, kLlvm, kLlvmAgain };
Whose whose(const void* header) {
  const char* const gnu = at<const char>(header, kHeaderGnu - kUnwinder);
  const char* const llvm = at<const char>(header, kHeaderLlvm - kUnwinder);
  const auto is = [](const char* letters, std::uint64_t name, unsigned char last) {
    std::uint64_t found = 0;
    std::memcpy(&found, letters, sizeof(found));
    return found == (name | last);
  };
  constexpr std::uint64_t kGnu = 0x474e5543432b2b00, kLlvm = 0x434c4e47432b2b00;  // "GNUCC++", "CLNGC++"
  for (const unsigned char again : {0, 1}) {
    if (is(gnu, kGnu, again)) return again == 0 ? Whose::kGnu : Whose::kGnuAgain;
    if (is(llvm, kLlvm, again)) return again == 0 ? Whose::kLlvm : Whose::kLlvmAgain;
  }
  return Whose::kAnother;
}

/// The running thread's handler ends: if it is the last of its exception, that is given up.
void handler_ends(std::uintptr_t pc) {
  const auto globals = TARRY_REAL_AS(__cxa_get_globals, void*());
  const void* const header = *static_cast<void**>(globals());
  if (header == nullptr) return;
  constexpr std::ptrdiff_t kHandlersGnu = 40, kHandlersLlvm = 56;
  switch (whose(header)) {
    case Whose::kAnother: return;
    case Whose::kGnu:
    case Whose::kGnuAgain: {
      if (*at<const std::int32_t>(header, kHandlersGnu) != 1) return;
      return exception_given_up_gnu(whose(header) == Whose::kGnu ? at<const void>(header, kHeaderGnu) : *at<void*>(header, 0), pc);
    }
    case Whose::kLlvm:
    case Whose::kLlvmAgain: {
      if (*at<const std::int32_t>(header, kHandlersLlvm) != 1) return;
      return exception_given_up_llvm(whose(header) == Whose::kLlvm ? at<const void>(header, kHeaderLlvm) : *at<void*>(header, 8), pc);
    }
  }
}

}  // namespace
}  // namespace tarry::native::rt

using namespace tarry::native::rt;

/// The engine's own handlers end elsewhere (cmake/runtime.cmake).
TARRY_TAKEN_OVER void __cxa_end_catch() {
  if (in_program()) handler_ends(TARRY_PC);
  TARRY_REAL_AS(__cxa_end_catch, void())();
}

// exception_ptr::_M_release() of libstdc++: the pointer's one member is the object.
TARRY_TAKEN_OVER_AS(void, tarry_exception_released, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", void** pointer) {
  if (in_program() && *pointer != nullptr) exception_given_up_gnu(*pointer, TARRY_PC);
  TARRY_REAL_SYMBOL("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", void (*)(void**))(pointer);
}
TARRY_TAKEN_OVER void __cxa_decrement_exception_refcount(void* thrown) noexcept {
  if (in_program() && thrown != nullptr) exception_given_up_llvm(thrown, TARRY_PC);
  TARRY_REAL_AS(__cxa_decrement_exception_refcount, void(void*))(thrown);
}

// __shared_weak_count of libc++: a pointer to its functions, how many owners there are beside one, how many weak pointers beside one.
TARRY_TAKEN_OVER_AS(void, tarry_weak_released, "_ZNSt3__119__shared_weak_count14__release_weakEv", void* counts) {
  if (in_program()) counting_down(at<const std::int64_t>(counts, 16), std::int64_t{0}, TARRY_PC);
  TARRY_REAL_SYMBOL("_ZNSt3__119__shared_weak_count14__release_weakEv", void (*)(void*))(counts);
}
TARRY_TAKEN_OVER_AS(void*, tarry_weak_locked, "_ZNSt3__119__shared_weak_count4lockEv", void* counts) {
  if (in_program()) {
    const auto* const owners = at<const std::int64_t>(counts, 8);
    scheduler().point({.op = Op::kCompareExchange, .object = owners, .size = sizeof(*owners), .pc = TARRY_PC});
    told_as_atomic(owners, sizeof(*owners), TARRY_PC);
  }
  return TARRY_REAL_SYMBOL("_ZNSt3__119__shared_weak_count4lockEv", void* (*)(void*))(counts);
}
