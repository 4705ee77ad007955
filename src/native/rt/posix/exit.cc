#include "native/rt/posix/exit.h"

#include <pthread.h>
#include <setjmp.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/rt/base/part.h"
#include "native/rt/base/real.h"
#include "native/rt/base/shared_things.h"
#include "native/rt/base/side.h"
#include "native/rt/effects/actions.h"
#include "native/rt/effects/output.h"
#include "native/rt/posix/futex_pi.h"
#include "native/rt/posix/mutex.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/threads/told_access.h"

namespace tarry::native::rt {
namespace {

constexpr std::size_t kMaxKeys = PTHREAD_KEYS_MAX;

struct ExitHandler {
  enum class Kind : std::uint32_t { kPlain, kWithArgument, kWithStatus };
  Kind kind;
  void* function;
  void* argument;
  const void* object;  // the library that it belongs to
};

/// Handlers, of which the last one comes first. It moves to a larger place when its first is full.
template <std::uint32_t kFirst>
class HandlerList {
 public:
  int add(const ExitHandler& handler) {
    if (count_ == room_ && !grow()) return ENOMEM;
    at()[count_++] = handler;
    return 0;
  }
  bool empty() const { return count_ == 0; }
  ExitHandler take_last() { return at()[--count_]; }
  /// The last one that belongs to the library; false if there is none.
  bool take_last_of(const void* object, ExitHandler& out) {
    for (std::uint32_t i = count_; i-- > 0;) {
      if (at()[i].object != object) continue;
      out = at()[i];
      std::copy(at() + i + 1, at() + count_--, at() + i);
      return true;
    }
    return false;
  }

 private:
  ExitHandler* at() { return more_ != nullptr ? more_ : first_; }
  bool grow() {
    auto* const larger = static_cast<ExitHandler*>(program_heap::allocate(std::size_t{2} * room_ * sizeof(ExitHandler)));
    if (larger == nullptr) return false;
    std::copy(at(), at() + count_, larger);
    if (more_ != nullptr) program_heap::release(more_);
    more_ = larger;
    room_ *= 2;
    return true;
  }

  std::uint32_t count_ = 0;
  std::uint32_t room_ = kFirst;
  ExitHandler* more_ = nullptr;
  ExitHandler first_[kFirst];
};

/// In the program's memory.
struct ExitState {
  HandlerList<1024> handlers;
  HandlerList<32> quick;
  bool libraries_ended = false;
  std::uint32_t key_limit = 0;  // no key from here on has a destructor
  void (*key_destructors[kMaxKeys])(void*) = {};
};

}  // namespace

/// The functions to call at the end of the program.
struct ProgramEnd : Kept {
  void* state = nullptr;              // ExitState, in the program's memory
  void (*end_libraries)() = nullptr;
};
template struct RoomOf<ProgramEnd>;

/// Of thread_local objects, by thread.
struct ThreadDestructors {
  struct One {
    void (*function)(void*);
    void* object;
  };
  using List = std::vector<One>;

  Lasting<std::array<List, kMaxThreads>> lists;
  Lasting<List> of_main;   // that there were at the baseline
  std::uint32_t used = 0;  // no thread from here on has any

  List& of_running() { return (*lists)[scheduler().running()]; }
  void add(const One& one) {
    used = std::max(used, scheduler().running() + 1);
    of_running().push_back(one);
  }
  void run() {
    for (List& own = of_running(); !own.empty();) {
      const One next = own.back();
      own.pop_back();
      next.function(next.object);
    }
  }
  void reset() {
    for (std::uint32_t i = 0; i < used; ++i) (*lists)[i].clear();
    if (!of_main->empty()) (*lists)[0] = *of_main;
  }
};
template struct RoomOf<ThreadDestructors>;

namespace {

ThreadDestructors& destructors() { return part<ThreadDestructors>(); }

ExitState& state() {
  if (part<ProgramEnd>().state == nullptr) make_exit_state();
  return *static_cast<ExitState*>(part<ProgramEnd>().state);
}

void call(const ExitHandler& handler, int status) {
  switch (handler.kind) {
    case ExitHandler::Kind::kPlain: return reinterpret_cast<void (*)()>(handler.function)();
    case ExitHandler::Kind::kWithArgument: return reinterpret_cast<void (*)(void*)>(handler.function)(handler.argument);
    case ExitHandler::Kind::kWithStatus: return reinterpret_cast<void (*)(int, void*)>(handler.function)(status, handler.argument);
  }
}

void call_handlers(int status) {
  while (!state().handlers.empty()) call(state().handlers.take_last(), status);
}

/// Handlers run in the reverse order of their registration, so the order in which threads register theirs matters. Also while one thread is alone: for
/// enforcement a registration is an event wherever it comes.
void registers(Thing list, std::uintptr_t pc) {
  if (in_program()) scheduler().point({.op = Op::kAtExit, .object = object_of(list), .pc = pc});
}

/// pthread_exit and cancellation unwind the stack: C++ destructors by the unwinder, C cleanup handlers by their jumps.
_Unwind_Reason_Code unwind_step(int /*version*/, _Unwind_Action actions, _Unwind_Exception_Class /*class*/, _Unwind_Exception* /*exception*/,
                                _Unwind_Context* context, void* /*raw*/) {
  Thread& thread = scheduler().self();
  void* const frame = reinterpret_cast<void*>(_Unwind_GetCFA(context));
  const bool end = (actions & _UA_END_OF_STACK) != 0 || (frame > thread.end.frame && !on_alternate_stack(frame));
  if (thread.end.cleanup != nullptr && (end || (frame > thread.end.cleanup && on_alternate_stack(frame) == on_alternate_stack(thread.end.cleanup)))) {
    auto* const buffer = static_cast<__pthread_unwind_buf_t*>(thread.end.cleanup);
    thread.end.cleanup = buffer->__pad[0];
    ::longjmp(reinterpret_cast<__jmp_buf_tag*>(buffer->__cancel_jmp_buf), 1);
  }
  if (end) ::longjmp(thread.end.jump, 1);
  return _URC_NO_REASON;
}

/// A catch (...) has ended without passing it on.
void was_caught(_Unwind_Reason_Code /*reason*/, _Unwind_Exception* /*exception*/) {
  const bool cancelled = scheduler().self().end.result == PTHREAD_CANCELED;
  Failure failure;
  {
    const EngineScope engine;
    failure = {.kind = "crash",
               .message = std::string(cancelled ? "a thread that is cancelled" : "a thread that calls pthread_exit") +
                          " comes to a catch (...) that does not throw on: libc ends the program then (FATAL: exception not rethrown)"};
  }
  scheduler().fail(std::move(failure));
}

using ForcedUnwind = _Unwind_Reason_Code(_Unwind_Exception*, _Unwind_Stop_Fn, void*);

/// By the program's own unwinder: the landing pads that it runs go on with it.
[[noreturn]] void unwind_thread() {
  static thread_local _Unwind_Exception exception;
  std::memset(&exception, 0, sizeof(exception));
  exception.exception_cleanup = was_caught;
  static auto* const theirs = reinterpret_cast<ForcedUnwind*>(::dlsym(RTLD_DEFAULT, "_Unwind_ForcedUnwind"));
  (theirs != nullptr ? theirs : &_Unwind_ForcedUnwind)(&exception, unwind_step, nullptr);
  __builtin_trap();
}

std::string type_of_exception() {
  using Type = void*();
  using Name = char*(const char*, char*, std::size_t*, int*);
  static auto* const current = reinterpret_cast<Type*>(::dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  static auto* const demangle = reinterpret_cast<Name*>(::dlsym(RTLD_DEFAULT, "__cxa_demangle"));
  void* const type = current == nullptr ? nullptr : current();
  if (type == nullptr) return "";
  const char* const mangled = static_cast<const char* const*>(type)[1];  // std::type_info: vtable, name
  int status = 0;
  char* const plain = demangle == nullptr ? nullptr : demangle(mangled[0] == '*' ? mangled + 1 : mangled, nullptr, nullptr, &status);
  const std::string text = plain != nullptr ? plain : mangled;
  std::free(plain);
  return text;
}

/// What the libraries have to say ahead of abort() they print.
Failure reason_of_abort() {
  constexpr std::size_t kTail = 4096;
  const std::size_t size = output_size();
  const std::string text = output_from(size > kTail ? size - kTail : 0);
  if (const auto has_reported = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, "__asan_report_present")); has_reported != nullptr && has_reported() != 0) {
    const auto describe = reinterpret_cast<const char* (*)()>(::dlsym(RTLD_DEFAULT, "__asan_get_report_description"));
    return {.kind = "memory", .message = std::string("AddressSanitizer: ") + (describe == nullptr ? "an error" : describe())};
  }
  const std::string type = type_of_exception();
  if (!type.empty()) {
    std::string message = "an exception of type " + type + " was not caught";
    constexpr std::string_view kWhat = "  what():  ";
    if (const std::size_t at = text.rfind(kWhat); at != std::string::npos) message += ": " + text.substr(at + kWhat.size(), text.find('\n', at) - at - kWhat.size());
    return {.kind = "exception", .message = std::move(message)};
  }
  if (text.find("pure virtual method called") != std::string::npos) return {.kind = "crash", .message = "a pure virtual method was called"};
  if (text.find("terminate called") != std::string::npos || text.find("libc++abi: terminating") != std::string::npos)
    return {.kind = "crash", .message = "std::terminate was called without an exception: a std::thread that can be joined was destroyed or assigned to, or the program asked for it"};
  return {.kind = "crash", .message = "the program called abort()"};
}

}  // namespace

void load_unwinder() {
  constexpr const char* kLibrary = "libgcc_s.so.1";
  if (::dlsym(RTLD_DEFAULT, "_Unwind_ForcedUnwind") == nullptr) ::dlopen(kLibrary, RTLD_NOW | RTLD_GLOBAL);  // without it the runtime's own will do
}

void make_exit_state() {
  void*& at = part<ProgramEnd>().state;
  if (at == nullptr) at = new (program_heap::allocate(sizeof(ExitState))) ExitState;
}

void end_libraries_with(void (*loader)()) { part<ProgramEnd>().end_libraries = loader; }

void remember_thread_destructors() { *destructors().of_main = (*destructors().lists)[0]; }

void run_thread_destructors() {
  constexpr int kRounds = PTHREAD_DESTRUCTOR_ITERATIONS;
  bool again = true;
  for (int round = 0; again && round < kRounds; ++round) {
    destructors().run();
    again = false;
    for (std::size_t key = 0; key < state().key_limit; ++key) {
      if (state().key_destructors[key] == nullptr) continue;
      void* const value = ::pthread_getspecific(static_cast<pthread_key_t>(key));
      if (value == nullptr) continue;
      ::pthread_setspecific(static_cast<pthread_key_t>(key), nullptr);
      state().key_destructors[key](value);
      again = true;
    }
    again |= !destructors().of_running().empty();
  }
  abandon_robust_mutexes();
  abandon_pi_locks();
}

void exit_thread(void* result) {
  Thread& thread = scheduler().self();
  thread.end.result = result;
  thread.end.exiting = true;
  unwind_thread();
}

void end_program(int code) {
  Scheduler& all = scheduler();
  all.point({.op = Op::kExit});
  Thread& thread = all.self();
  destructors().run();
  call_handlers(code);
  if (part<ProgramEnd>().end_libraries != nullptr && !std::exchange(state().libraries_ended, true)) part<ProgramEnd>().end_libraries();
  call_handlers(code);  // that destructors have added
  std::fflush(nullptr);
  // Threads that are left may still see what these did, if they were told of it; else one is a race with the other.
  if (thread.pending.op != Op::kExit && !all.alone()) all.point({.op = Op::kExit});
  all.finish(code);
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

namespace {

void uses_keys(std::uintptr_t pc) {
  if (!in_program()) return;
  if (scheduler().alone()) return changed(object_of(Thing::kKeys));
  scheduler().point({.op = Op::kLibraryState, .object = object_of(Thing::kKeys), .pc = pc});
}

}  // namespace

TARRY_TAKEN_OVER int __cxa_atexit(void (*function)(void*), void* argument, void* object) {
  if (g_side == Side::kEngine || !under_control()) return TARRY_REAL_AS(__cxa_atexit, int(void (*)(void*), void*, void*))(function, argument, object);
  if (owned_by_runtime(object)) return 0;  // the runtime's own objects live as long as the process
  registers(Thing::kExitHandlers, TARRY_PC);
  return state().handlers.add({ExitHandler::Kind::kWithArgument, reinterpret_cast<void*>(function), argument, object});
}
TARRY_TAKEN_OVER void __cxa_finalize(void* object) {
  if (g_side == Side::kEngine || !under_control()) return TARRY_REAL_AS(__cxa_finalize, void(void*))(object);
  if (owned_by_runtime(object)) return;
  if (object == nullptr) return call_handlers(0);
  ExitHandler next;
  while (state().handlers.take_last_of(object, next)) call(next, 0);  // dlclose: they must not be called when their code is gone
}
TARRY_TAKEN_OVER int on_exit(void (*function)(int, void*), void* argument) {
  if (g_side == Side::kEngine || !under_control()) return TARRY_REAL(on_exit)(function, argument);
  registers(Thing::kExitHandlers, TARRY_PC);
  return state().handlers.add({ExitHandler::Kind::kWithStatus, reinterpret_cast<void*>(function), argument, nullptr});
}
TARRY_TAKEN_OVER int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* module) {
  if (!under_control() || g_side == Side::kEngine)
    return TARRY_REAL_AS(__cxa_thread_atexit_impl, int(void (*)(void*), void*, void*))(function, object, module);
  const EngineScope engine;
  destructors().add({function, object});
  return 0;
}

/// pthread_atfork: those that run before fork come in the reverse order of their registration, the others in that order.
TARRY_TAKEN_OVER int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* object) {
  if (in_program()) {
    const void* const list = object_of(Thing::kForkHandlers);
    if (scheduler().alone()) changed(list);
    else scheduler().point({.op = Op::kLibraryState, .object = list, .pc = TARRY_PC});
  }
  return TARRY_REAL_AS(__register_atfork, int(void (*)(), void (*)(), void (*)(), void*))(prepare, parent, child, object);
}

TARRY_TAKEN_OVER void exit(int code) {
  if (!in_program()) TARRY_REAL(exit)(code);
  end_program(code);
}
TARRY_TAKEN_OVER void _exit(int code) {
  if (in_program()) {
    scheduler().point({.op = Op::kExit});
    scheduler().finish(code);
  }
  TARRY_REAL(_exit)(code);
  __builtin_trap();
}
TARRY_TAKEN_OVER void _Exit(int code) { _exit(code); }
TARRY_TAKEN_OVER int __cxa_at_quick_exit(void (*function)(void*), void* object) {
  if (g_side == Side::kEngine || !under_control()) return TARRY_REAL_AS(__cxa_at_quick_exit, int(void (*)(void*), void*))(function, object);
  registers(Thing::kQuickExitHandlers, TARRY_PC);
  return state().quick.add({ExitHandler::Kind::kPlain, reinterpret_cast<void*>(function), nullptr, nullptr});
}
TARRY_TAKEN_OVER void quick_exit(int code) {
  if (!in_program()) TARRY_REAL(quick_exit)(code);
  Scheduler& all = scheduler();
  all.point({.op = Op::kExit});
  while (!state().quick.empty()) call(state().quick.take_last(), code);
  if (all.self().pending.op != Op::kExit && !all.alone()) all.point({.op = Op::kExit});  // as in end_program
  all.finish(code);
}

TARRY_TAKEN_OVER void abort() {
  if (g_side == Side::kFree && asan_reports()) g_side = Side::kProgram;  // the report is written (effects/gate.cc)
  if (in_program()) {
    if (has_handler(SIGABRT)) {
      siginfo_t info{};
      info.si_signo = SIGABRT;
      info.si_code = SI_TKILL;
      call_handler(SIGABRT, &info, nullptr);
    }
    Failure failure;
    {
      const EngineScope engine;
      failure = reason_of_abort();
    }
    std::fflush(nullptr);
    scheduler().fail(std::move(failure));
  }
  TARRY_REAL(abort)();
  __builtin_trap();
}
TARRY_TAKEN_OVER void __stack_chk_fail() {
  if (in_program()) scheduler().fail({.kind = "memory", .message = "a function wrote beyond its local variables: its stack frame is damaged"});
  TARRY_REAL_AS(__stack_chk_fail, void())();
  __builtin_trap();
}
TARRY_TAKEN_OVER void __chk_fail() {
  if (in_program()) scheduler().fail({.kind = "memory", .message = "a library function was to write beyond the end of its buffer"});
  TARRY_REAL_AS(__chk_fail, void())();
  __builtin_trap();
}
TARRY_TAKEN_OVER void __assert_fail(const char* text, const char* file, unsigned line, const char* function) noexcept {
  if (in_program()) {
    std::fflush(nullptr);
    scheduler().fail({.kind = "assertion", .message = std::string("assertion '") + text + "' failed"});
  }
  TARRY_REAL(__assert_fail)(text, file, line, function);
  __builtin_trap();
}

TARRY_TAKEN_OVER void pthread_exit(void* result) {
  if (!in_program()) TARRY_REAL(pthread_exit)(result);
  exit_thread(result);
}
TARRY_TAKEN_OVER void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (!in_program()) return TARRY_REAL_AS(__pthread_register_cancel, void(__pthread_unwind_buf_t*))(buffer);
  Thread& thread = scheduler().self();
  buffer->__pad[0] = thread.end.cleanup;
  thread.end.cleanup = buffer;
}
TARRY_TAKEN_OVER void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (!in_program()) return TARRY_REAL_AS(__pthread_unregister_cancel, void(__pthread_unwind_buf_t*))(buffer);
  scheduler().self().end.cleanup = buffer->__pad[0];
}
TARRY_TAKEN_OVER void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (!in_program()) TARRY_REAL_AS(__pthread_unwind_next, void(__pthread_unwind_buf_t*))(buffer);
  unwind_thread();
}

TARRY_TAKEN_OVER int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  if (!under_control() || g_side == Side::kEngine) return TARRY_REAL(pthread_key_create)(key, destructor);
  uses_keys(TARRY_CALLER);
  const int failed = TARRY_REAL(pthread_key_create)(key, nullptr);
  if (failed == 0) writes(key, sizeof(*key), accessor(TARRY_CALLER));
  if (failed == 0 && *key < kMaxKeys) {
    state().key_destructors[*key] = destructor;
    state().key_limit = std::max(state().key_limit, *key + 1);
  }
  return failed;
}
TARRY_TAKEN_OVER int pthread_key_delete(pthread_key_t key) noexcept {
  if (under_control()) uses_keys(TARRY_CALLER);
  if (under_control() && g_side != Side::kEngine && key < kMaxKeys) state().key_destructors[key] = nullptr;
  return TARRY_REAL(pthread_key_delete)(key);
}
