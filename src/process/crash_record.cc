// Handlers of crashes. All of this runs in the child, most of it in signal handlers: no locks, no memory from the heap.
#include "process/crash_record.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "core/whereabouts.h"

namespace tarry::process {
namespace {

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool contains(const void* p) const { return reinterpret_cast<std::uintptr_t>(p) - begin < end - begin; }
};

// What handlers need. A signal handler has no other way to it; set once, before any user code is loaded.
Shared* g_shared = nullptr;
pid_t g_process = 0;
constexpr std::size_t kMostObjects = 64;  // of a program; more are not told apart from ours
std::array<Range, kMostObjects> g_program;
Range g_explorer;

[[noreturn]] void end_process(int code) {
  while (true) ::syscall(SYS_exit_group, code);
}

// Of the thread that claimed the record: which one it is, and the instruction that crashed.
std::atomic<long> g_claimer{0};
const void* g_crashed_at = nullptr;

/// The linker's names for the first and the last byte of our own code.
extern "C" const char __executable_start, etext;

/// The user's code that is being run: the instruction itself, which is known even if the stack is overwritten, or else the return addresses there.
Where whose_code() {
  if (g_explorer.contains(g_crashed_at)) return Where::kExplorer;
  for (const Range& object : g_program)
    if (object.contains(g_crashed_at)) return Where::kOutsideStep;
  void* frames[64];
  const int count = ::backtrace(frames, 64);
  for (int i = 0; i < count; ++i) {
    if (g_explorer.contains(frames[i])) return Where::kExplorer;
    for (const Range& object : g_program)
      if (object.contains(frames[i])) return Where::kOutsideStep;
  }
  return Where::kTarry;
}

/// The explorer is asked between steps, and while the next ones are told in advance: the code itself says whose it is. If something crashed, the
/// instruction is enough, and the stack may be overwritten.
bool in_explorer() {
  if (g_explorer.begin == 0) return false;
  return g_crashed_at != nullptr ? g_explorer.contains(g_crashed_at) : whose_code() == Where::kExplorer;
}

Where where_now(const Whereabouts* here) {
  if (in_explorer()) return Where::kExplorer;
  if (here != nullptr && here->cursor().running != 0) return Where::kStep;  // a program may take steps while it is loaded
  switch (g_shared->phase.load(std::memory_order_relaxed)) {
    case Phase::kLoading: return Where::kLoading;
    case Phase::kStarting: return Where::kStarting;
    case Phase::kReplaying:
      if (g_shared->step.load(std::memory_order_relaxed) == 0) return Where::kStarting;
      [[fallthrough]];
    default: return whose_code();
  }
}

/// `running`: of the step that runs, plus one; 0: none does.
void write_schedule(CrashRecord& record, const Whereabouts& here, std::uint32_t running) {
  const std::size_t steps = here.path(record.path, CrashRecord::kRoom);
  std::uint64_t length = 0;
  const auto add = [&](Choice::Kind kind, std::uint32_t number) {
    if (length < CrashRecord::kRoom) record.schedule[length] = code_of({kind, number});
    ++length;
  };
  std::uint32_t values[abi::kMaxValues];
  for (std::size_t i = 0; i < std::min<std::size_t>(steps, CrashRecord::kRoom); ++i) {
    add(Choice::Kind::kProcess, index(here.moves().process(record.path[i])));
    const std::size_t count = here.moves().copy_values(record.path[i], values, abi::kMaxValues);
    for (std::size_t j = 0; j < std::min<std::size_t>(count, abi::kMaxValues); ++j) add(Choice::Kind::kValue, values[j]);
  }
  const abi::Cursor& cursor = here.cursor();
  if (running != 0) {
    add(Choice::Kind::kProcess, running - 1);
    for (std::uint32_t i = 0; i < std::min(cursor.made, abi::kMaxValues); ++i) add(Choice::Kind::kValue, cursor.values[i]);
  }
  record.length = steps > CrashRecord::kRoom ? steps : length;
}

struct Event {
  Cause cause;
  int number = 0;
  std::uint64_t address = 0;
  const char* text = "";
  const char* file = "";
  std::uint32_t line = 0;
};

[[noreturn]] void record(const Event& event) {
  CrashRecord& out = g_shared->crash;
  if (::getpid() != g_process) end_process(EXIT_FAILURE);  // a copy that the program made of this process; its end is none of the search
  if (out.claimed.exchange(true))
    while (true) ::pause();  // another thread was first, and ends us
  g_claimer = ::syscall(SYS_gettid);
  const Whereabouts* here = Whereabouts::of_this_thread();
  out.cause = event.cause;
  out.number = event.number;
  out.address = event.address;
  std::strncpy(out.text, event.text, sizeof(out.text) - 1);
  std::strncpy(out.file, event.file, sizeof(out.file) - 1);
  out.line = event.line;
  if (const char* name = Whereabouts::function_of_this_thread(); name != nullptr) std::strncpy(out.function, name, sizeof(out.function) - 1);
  out.step = g_shared->step.load(std::memory_order_relaxed);
  out.where = where_now(here);
  out.running = here == nullptr || out.where == Where::kExplorer ? 0 : here->cursor().running;
  if (here != nullptr) write_schedule(out, *here, out.running);
  out.complete.store(true);
  end_process(EXIT_FAILURE);
}

/// Did the access go just past the end of the stack?
bool is_stack_overflow(int signal, const siginfo_t& info, const void* context) {
  if (signal != SIGSEGV && signal != SIGBUS) return false;
#if defined(__x86_64__)
  const auto stack = static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  const auto stack = static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.sp);
#else
  const std::uintptr_t stack = 0;
#endif
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  constexpr std::uintptr_t kNear = 1 << 16;
  return stack != 0 && address + kNear > stack && address < stack + kNear;
}

const void* instruction(const void* context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
  return context == nullptr ? context : nullptr;
#endif
}

/// The handler itself crashed when it looked at the stack, or at what is on it: the code that crashed first had overwritten that.
[[noreturn]] void record_wreck() {
  const Range ours{reinterpret_cast<std::uintptr_t>(&__executable_start), reinterpret_cast<std::uintptr_t>(&etext)};
  CrashRecord& out = g_shared->crash;
  out.wrecked = true;
  out.length = 0;
  out.where = ours.contains(g_crashed_at) ? Where::kTarry : Where::kOutsideStep;
  out.complete.store(true);
  end_process(EXIT_FAILURE);
}

void on_crash(int signal, siginfo_t* info, void* context) {
  if (g_claimer.load() == ::syscall(SYS_gettid)) record_wreck();
  if (!g_shared->crash.claimed.load()) g_crashed_at = instruction(context);
  const bool overflow = is_stack_overflow(signal, *info, context);
  const bool has_address = info->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS);
  record({.cause = overflow ? Cause::kStackOverflow : Cause::kSignal,
          .number = signal,
          .address = has_address ? reinterpret_cast<std::uint64_t>(info->si_addr) : ~std::uint64_t{0}});
}

/// A signal that ends a process unless it is handled. What the program sends to itself is its own doing: raise() is told with its step. kill() may have
/// reach another thread than its caller, so the step is not known.
void on_signal(int signal, siginfo_t* info, void* context) {
  const bool own = info->si_code <= 0 && info->si_pid == g_process;
  if (own && info->si_code == SI_TKILL) on_crash(signal, info, context);
  if (own && !g_shared->crash.claimed.exchange(true)) {
    g_shared->crash.number = signal;
    g_shared->crash.cause = Cause::kSentSignal;
    g_shared->crash.where = Where::kOutsideStep;
    g_shared->crash.wrecked = true;
    g_shared->crash.complete.store(true);
    end_process(EXIT_FAILURE);
  }
  if (signal == SIGINT || signal == SIGTERM) return;  // from outside: the parent decides
  ::signal(signal, SIG_DFL);
  ::syscall(SYS_tgkill, g_process, ::syscall(SYS_gettid), signal);
}

void on_timeout(int signal, siginfo_t* info, void* context) {
  if (info->si_code <= 0 && info->si_pid == g_process) return on_signal(signal, info, context);  // not the parent's
  const int error = errno;
  if (where_now(Whereabouts::of_this_thread()) != Where::kTarry) record({.cause = g_shared->called_off.load() ? Cause::kCalledOff : Cause::kTimeout});
  errno = error;  // a worker of ours that waits or grows a table
}

void on_exit_called(int code, void* /*unused*/) {
  if (::getpid() == g_process) record({.cause = Cause::kExit, .number = code});
}

/// A stack for the handlers of one thread, so that they can run when its own is used up.
class HandlerStack {
 public:
  HandlerStack() : memory_(::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    const stack_t stack{.ss_sp = memory_, .ss_flags = 0, .ss_size = kSize};
    if (memory_ != MAP_FAILED) ::sigaltstack(&stack, &before_);
  }
  ~HandlerStack() {
    if (memory_ == MAP_FAILED) return;
    ::sigaltstack(&before_, nullptr);
    ::munmap(memory_, kSize);
  }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  static constexpr std::size_t kSize = 256 * 1024;
  void* memory_;
  stack_t before_{};
};

void enter_thread() { static thread_local const HandlerStack stack; }

}  // namespace

int timeout_signal() { return SIGRTMIN + 7; }

void record_crashes(Shared& shared) {
  g_shared = &shared;
  g_process = ::getpid();
  void* frame = nullptr;
  ::backtrace(&frame, 1);  // loads what it needs now, rather than in a handler
  enter_thread();
  WhereaboutsScope::on_enter = enter_thread;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
    struct sigaction action {};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // it may crash itself
    ::sigaction(signal, &action, nullptr);
  }
  const auto handle = [](int signal) {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU}) handle(signal);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) handle(signal);
  struct sigaction action {};
  action.sa_sigaction = on_timeout;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigaction(timeout_signal(), &action, nullptr);
  ::on_exit(on_exit_called, nullptr);
  ::at_quick_exit([] {
    if (::getpid() == g_process) record({.cause = Cause::kQuickExit});
  });
}

void record_module(Module module, const std::filesystem::path& object) {
  struct Wanted {
    std::filesystem::path object;
    Range range;
  } wanted{object, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& want = *static_cast<Wanted*>(data);
        std::error_code error;
        if (info->dlpi_name == nullptr || !std::filesystem::equivalent(info->dlpi_name, want.object, error) || error) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
          want.range.begin = want.range.begin == 0 ? begin : std::min(want.range.begin, begin);
          want.range.end = std::max(want.range.end, begin + part.p_memsz);
        }
        return 1;
      },
      &wanted);
  if (module == Module::kExplorer) {
    g_explorer = wanted.range;
    return;
  }
  const auto free = std::find_if(g_program.begin(), g_program.end(), [](const Range& range) { return range.end == 0; });
  if (free != g_program.end()) *free = wanted.range;
}

std::vector<Choice> schedule_of(const CrashRecord& record) {
  std::vector<Choice> out;
  for (std::uint64_t i = 0; i < record.length; ++i)
    out.push_back(choice_of(record.schedule[i]));
  return out;
}

namespace {

bool is_searched() { return g_shared != nullptr && ::getpid() == g_process && where_now(Whereabouts::of_this_thread()) != Where::kTarry; }

/// The copy would come back from the step and go on searching, too. A foreign function is left alone: it may well start another program.
void refuse_copy(const char* function) {
  if (g_shared != nullptr && Whereabouts::function_of_this_thread() == nullptr && is_searched()) record({.cause = Cause::kFork, .text = function});
}

/// The search would be gone.
void refuse_exec(const char* function) {
  if (is_searched()) record({.cause = Cause::kExec, .text = function});
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// The arguments of execl() and its relatives, with the null at their end.
std::vector<char*> listed(const char* first, va_list& more) {
  std::vector<char*> out;
  for (const char* argument = first; argument != nullptr; argument = va_arg(more, const char*)) out.push_back(const_cast<char*>(argument));
  out.push_back(nullptr);
  return out;
}

}  // namespace
}  // namespace tarry::process

// A model's own calls of these end up here, because the executable comes first when its symbols are looked up. That way an assert()
// in a model has its text and place in the finding, and _exit() and exec() do not end a check without a word.
extern "C" {

[[noreturn]] void __assert_fail(const char* condition, const char* file, unsigned line, const char* /*function*/) noexcept {
  using namespace tarry::process;
  if (g_shared != nullptr && ::getpid() == g_process) record({.cause = Cause::kAssert, .text = condition, .file = file, .line = line});
  std::abort();
}

[[noreturn]] void _exit(int code) {
  using namespace tarry::process;
  if (g_shared != nullptr && ::getpid() == g_process) record({.cause = Cause::kExit, .number = code});
  end_process(code);
}

[[noreturn]] void _Exit(int code) noexcept { _exit(code); }

pid_t fork() noexcept {
  tarry::process::refuse_copy("fork");
  return tarry::process::next<pid_t (*)()>("fork")();
}

pid_t _Fork() noexcept {
  tarry::process::refuse_copy("_Fork");
  return tarry::process::next<pid_t (*)()>("_Fork")();
}

// Where it is no mistake, fork() keeps every promise of vfork(), and a function around vfork() cannot return twice.
pid_t vfork() noexcept {
  tarry::process::refuse_copy("vfork");
  return tarry::process::next<pid_t (*)()>("fork")();
}

int execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  tarry::process::refuse_exec("execve");
  return tarry::process::next<decltype(&execve)>("execve")(path, arguments, environment);
}

int execv(const char* path, char* const* arguments) noexcept {
  tarry::process::refuse_exec("execv");
  return tarry::process::next<decltype(&execv)>("execv")(path, arguments);
}

int execvp(const char* file, char* const* arguments) noexcept {
  tarry::process::refuse_exec("execvp");
  return tarry::process::next<decltype(&execvp)>("execvp")(file, arguments);
}

int execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
  tarry::process::refuse_exec("execvpe");
  return tarry::process::next<decltype(&execvpe)>("execvpe")(file, arguments, environment);
}

int fexecve(int file, char* const* arguments, char* const* environment) noexcept {
  tarry::process::refuse_exec("fexecve");
  return tarry::process::next<decltype(&fexecve)>("fexecve")(file, arguments, environment);
}

int execl(const char* path, const char* first, ...) noexcept {
  tarry::process::refuse_exec("execl");
  va_list more;
  va_start(more, first);
  const auto arguments = tarry::process::listed(first, more);
  va_end(more);
  return tarry::process::next<decltype(&execv)>("execv")(path, arguments.data());
}

int execlp(const char* file, const char* first, ...) noexcept {
  tarry::process::refuse_exec("execlp");
  va_list more;
  va_start(more, first);
  const auto arguments = tarry::process::listed(first, more);
  va_end(more);
  return tarry::process::next<decltype(&execvp)>("execvp")(file, arguments.data());
}

int execle(const char* path, const char* first, ...) noexcept {
  tarry::process::refuse_exec("execle");
  va_list more;
  va_start(more, first);
  const auto arguments = tarry::process::listed(first, more);
  char* const* const environment = va_arg(more, char* const*);
  va_end(more);
  return tarry::process::next<decltype(&execve)>("execve")(path, arguments.data(), environment);
}

}  // extern "C"
