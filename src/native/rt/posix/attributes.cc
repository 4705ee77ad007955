#include "native/rt/posix/attributes.h"

#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/posix/identity.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/told_access.h"
#include "native/rt/threads/watched_ends.h"

namespace tarry::native::rt {

struct SchedulingAttributes : Kept {
  struct Attributes {
    int policy;    // with SCHED_RESET_ON_FORK
    int priority;
    int nice;
    int io;
    unsigned long slack;
    cpu_set_t processors;
  };
  struct All {
    Attributes of[kMaxThreads];
    cpu_set_t allowed;          // to the process
    long processor_bytes;       // that the kernel tells
    unsigned long usual_slack;
  };
  All* all = nullptr;  // in the program's memory
};
template struct RoomOf<SchedulingAttributes>;

namespace {

constexpr long kSmallestNice = -20, kLargestNice = 19;

using Attributes = SchedulingAttributes::Attributes;
using All = SchedulingAttributes::All;
All*& attributes_of_all() { return part<SchedulingAttributes>().all; }

bool is_real_time(int policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }

bool may(int capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  return raw(SYS_capget, &header, data) == 0 && (data[capability / 32].effective >> (capability % 32) & 1) != 0;
}
unsigned long limit_of(int resource) {
  rlimit limit{};
  return raw(SYS_prlimit64, 0, resource, nullptr, &limit) == 0 ? limit.rlim_cur : 0;
}

/// The number of a thread as the program knows it; kNobody: it is of another process.
std::uint32_t thread_of(long number) {
  if (number == 0) return scheduler().running();
  const long index = number - kProcess;
  return index >= 0 && index < static_cast<long>(kMaxThreads) ? static_cast<std::uint32_t>(index) : Scheduler::kNobody;
}
bool is_there(std::uint32_t thread, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  if (thread >= all.thread_count()) return false;
  const Thread& other = all.thread(thread);
  if (thread != all.running() && !all.alone()) {
    looks_at_ends();
    all.point({.op = Op::kLibraryState, .object = &other, .pc = pc, .reads = true});
  }
  return other.state == Thread::State::kAlive;
}

Attributes& look_at(std::uint32_t thread, bool changes, std::uintptr_t pc) {
  Attributes& own = attributes_of_all()->of[thread];
  if (!scheduler().alone()) scheduler().point({.op = Op::kLibraryState, .object = &own, .pc = pc, .reads = !changes, .entangled = changes});  // it may be inherited
  else if (changes) changed(&own);
  else looked_at(&own);
  return own;
}

long set_scheduling(std::uint32_t thread, int policy, int priority, bool keeps_policy, std::uintptr_t pc) {
  Attributes& own = look_at(thread, true, pc);
  if (keeps_policy) policy = own.policy;
  const int plain = policy & ~SCHED_RESET_ON_FORK;
  const bool known = plain == SCHED_OTHER || plain == SCHED_BATCH || plain == SCHED_IDLE || is_real_time(plain);
  if (!known || (is_real_time(plain) ? priority < 1 || priority > 99 : priority != 0)) return -EINVAL;
  if (is_real_time(plain) && static_cast<unsigned long>(priority) > limit_of(RLIMIT_RTPRIO) && !may(CAP_SYS_NICE)) return -EPERM;
  own.policy = policy;
  own.priority = priority;
  return 0;
}

long set_processors(std::uint32_t thread, std::size_t size, const void* set, std::uintptr_t pc) {
  Attributes& own = look_at(thread, true, pc);
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  std::memcpy(&wanted, set, std::min(size, sizeof(wanted)));
  CPU_AND(&wanted, &wanted, &attributes_of_all()->allowed);
  if (CPU_COUNT(&wanted) == 0) return -EINVAL;
  own.processors = wanted;
  return 0;
}
long get_processors(std::uint32_t thread, std::size_t size, void* set, std::uintptr_t pc) {
  const Attributes& own = look_at(thread, false, pc);
  if (size < static_cast<std::size_t>(attributes_of_all()->processor_bytes) || size % sizeof(long) != 0) return -EINVAL;
  std::memcpy(set, &own.processors, static_cast<std::size_t>(attributes_of_all()->processor_bytes));
  return attributes_of_all()->processor_bytes;
}

long set_nice(std::uint32_t thread, long value, std::uintptr_t pc) {
  Attributes& own = look_at(thread, true, pc);
  value = std::clamp(value, kSmallestNice, kLargestNice);
  if (value < own.nice && static_cast<unsigned long>(20 - value) > limit_of(RLIMIT_NICE) && !may(CAP_SYS_NICE)) return -EACCES;
  own.nice = static_cast<int>(value);
  return 0;
}

long set_io(std::uint32_t thread, int value, std::uintptr_t pc) {
  Attributes& own = look_at(thread, true, pc);
  const int of_class = value >> 13, data = value & 0x1fff;
  if (of_class > 3 || of_class < 0 || (of_class == 0 && data != 0) || ((of_class == 1 || of_class == 2) && data > 7)) return -EINVAL;
  if (of_class == 1 && !may(CAP_SYS_ADMIN) && !may(CAP_SYS_NICE)) return -EPERM;
  own.io = value;
  return 0;
}

/// Of the running thread.
bool call_prctl(const long (&a)[6], std::uintptr_t pc, long& result) {
  const std::uint32_t self = scheduler().running();
  result = 0;
  switch (a[0]) {
    case PR_SET_TIMERSLACK: look_at(self, true, pc).slack = a[1] > 0 ? static_cast<unsigned long>(a[1]) : attributes_of_all()->usual_slack; return true;
    case PR_GET_TIMERSLACK: result = static_cast<long>(look_at(self, false, pc).slack); return true;
    case PR_SET_NAME: {
      char name[sizeof(Thread::name)] = {};
      const auto* const wanted = reinterpret_cast<const char*>(a[1]);
      std::memcpy(name, wanted, ::strnlen(wanted, sizeof(name) - 1));
      ::pthread_setname_np(::pthread_self(), name);
      return true;
    }
    case PR_GET_NAME: {
      char name[sizeof(Thread::name)] = {};
      ::pthread_getname_np(::pthread_self(), name, sizeof(name));
      std::memcpy(reinterpret_cast<char*>(a[1]), name, sizeof(name));
      return true;
    }
    default: return false;
  }
}

/// Which argument says whose attributes it is about; -1: it is no call of these.
int argument_of_thread(long number, const long (&a)[6]) {
  constexpr long kProcessOrThread = 1;  // IOPRIO_WHO_PROCESS
  switch (number) {
    case SYS_sched_setscheduler: case SYS_sched_getscheduler: case SYS_sched_setparam: case SYS_sched_getparam:
    case SYS_sched_setaffinity: case SYS_sched_getaffinity: return 0;
    case SYS_setpriority: case SYS_getpriority: return a[0] == PRIO_PROCESS ? 1 : -1;
    case SYS_ioprio_set: case SYS_ioprio_get: return a[0] == kProcessOrThread ? 1 : -1;
    default: return -1;
  }
}

/// Are these bytes there?
bool is_mapped(std::uintptr_t from, std::uintptr_t size) {
  constexpr std::uintptr_t kPage = 4096, kPages = 1024;
  unsigned char there[kPages];
  const std::uintptr_t end = from + size;
  for (from &= ~(kPage - 1); from < end; from += kPages * kPage)
    if (raw(SYS_mincore, from, std::min(end - from, kPages * kPage), there) != 0) return false;
  return true;
}

}  // namespace

void make_attributes() {
  if (attributes_of_all() != nullptr) return;
  attributes_of_all() = new (program_heap::allocate(sizeof(All))) All{};
  Attributes& main = attributes_of_all()->of[0];
  sched_param param{};
  main.policy = static_cast<int>(std::max(0L, raw(SYS_sched_getscheduler, 0)));
  raw(SYS_sched_getparam, 0, &param);
  main.priority = param.sched_priority;
  main.nice = static_cast<int>(20 - raw(SYS_getpriority, PRIO_PROCESS, 0));
  main.io = static_cast<int>(raw(SYS_ioprio_get, 1, 0));
  main.slack = attributes_of_all()->usual_slack = static_cast<unsigned long>(raw(SYS_prctl, PR_GET_TIMERSLACK));
  attributes_of_all()->processor_bytes = std::max(8L, raw(SYS_sched_getaffinity, 0, sizeof(main.processors), &main.processors));
  attributes_of_all()->allowed = main.processors;
  for (std::uint32_t i = 1; i < kMaxThreads; ++i) attributes_of_all()->of[i] = main;  // threads that are created before main
}

void inherit_attributes(std::uint32_t parent, std::uint32_t child) {
  Attributes& own = attributes_of_all()->of[child] = attributes_of_all()->of[parent];
  if (g_watch.footprint == nullptr) looked_at(&attributes_of_all()->of[parent]);  // else: changes depend on everything
  if ((own.policy & SCHED_RESET_ON_FORK) == 0) return;
  own.policy = SCHED_OTHER;
  own.priority = 0;
  own.nice = std::max(own.nice, 0);
}

int processor_of_running(std::uintptr_t pc) {
  const cpu_set_t& processors = look_at(scheduler().running(), false, pc).processors;
  if (CPU_COUNT(&processors) > 1) admit("the program asks on which processor it runs (sched_getcpu, getcpu): every thread was told the first one that it may run on");
  int first = 0;
  while (first + 1 < CPU_SETSIZE && !CPU_ISSET(first, &processors)) ++first;
  return first;
}

long tell_processor(unsigned* processor, unsigned* node, std::uintptr_t pc) {
  const int number = processor_of_running(pc);
  if (processor != nullptr) *processor = static_cast<unsigned>(number);
  if (node != nullptr) *node = 0;
  return 0;
}

bool call_attributes(long number, const long (&a)[6], std::uintptr_t pc, long& result) {
  if (number == SYS_prctl) return call_prctl(a, pc, result);
  const int argument = argument_of_thread(number, a);
  const std::uint32_t thread = argument < 0 ? Scheduler::kNobody : thread_of(static_cast<int>(a[argument]));
  if (thread == Scheduler::kNobody) return false;
  if (!is_there(thread, pc)) return result = -ESRCH, true;
  const auto* const param = reinterpret_cast<const sched_param*>(number == SYS_sched_setscheduler ? a[2] : a[1]);
  result = 0;
  switch (number) {
    case SYS_sched_setscheduler: result = param == nullptr || a[1] < 0 ? -EINVAL : set_scheduling(thread, static_cast<int>(a[1]), param->sched_priority, false, pc); return true;
    case SYS_sched_setparam: result = param == nullptr ? -EINVAL : set_scheduling(thread, 0, param->sched_priority, true, pc); return true;
    case SYS_sched_getscheduler: result = look_at(thread, false, pc).policy; return true;
    case SYS_sched_getparam: reinterpret_cast<sched_param*>(a[1])->sched_priority = look_at(thread, false, pc).priority; return true;
    case SYS_sched_setaffinity: result = set_processors(thread, static_cast<std::size_t>(a[1]), reinterpret_cast<const void*>(a[2]), pc); return true;
    case SYS_sched_getaffinity: result = get_processors(thread, static_cast<std::size_t>(a[1]), reinterpret_cast<void*>(a[2]), pc); return true;
    case SYS_setpriority: result = set_nice(thread, static_cast<int>(a[2]), pc); return true;
    case SYS_getpriority: result = 20 - look_at(thread, false, pc).nice; return true;
    case SYS_ioprio_set: result = set_io(thread, static_cast<int>(a[2]), pc); return true;
    case SYS_ioprio_get: result = look_at(thread, false, pc).io; return true;
    default: return false;
  }
}

bool call_locks_of_memory(long number, const long (&a)[6], long& result) {
  constexpr long kOnFault = 4;
  result = 0;
  switch (number) {
    case SYS_mlock:
    case SYS_mlock2:
      if (number == SYS_mlock2 && (a[2] & ~1L) != 0) result = -EINVAL;
      else if (static_cast<unsigned long>(a[1]) > limit_of(RLIMIT_MEMLOCK) && !may(CAP_IPC_LOCK)) result = limit_of(RLIMIT_MEMLOCK) == 0 ? -EPERM : -ENOMEM;
      else if (!is_mapped(static_cast<std::uintptr_t>(a[0]), static_cast<std::uintptr_t>(a[1]))) result = -ENOMEM;
      return true;
    case SYS_munlock:
      if (!is_mapped(static_cast<std::uintptr_t>(a[0]), static_cast<std::uintptr_t>(a[1]))) result = -ENOMEM;
      return true;
    case SYS_mlockall:
      if ((a[0] & ~(MCL_CURRENT | MCL_FUTURE | kOnFault)) != 0 || a[0] == 0 || a[0] == kOnFault) result = -EINVAL;
      else if (limit_of(RLIMIT_MEMLOCK) == 0 && !may(CAP_IPC_LOCK)) result = -EPERM;
      return true;
    case SYS_munlockall: return true;
    default: return false;
  }
}

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

namespace {

/// As glibc's functions for threads answer: an error number, or 0. `make` gives the arguments of the system call from the thread's number.
template <class Make>
int call_for(pthread_t handle, long number, std::uintptr_t pc, const Make& make, long* told = nullptr) {
  const std::uint32_t thread = scheduler().find(handle);
  if (thread == Scheduler::kNobody) return ESRCH;
  long arguments[6] = {};
  make(arguments, static_cast<long>(kProcess) + thread);
  long result = 0;
  call_attributes(number, arguments, pc, result);
  if (told != nullptr) *told = result;
  return result < 0 ? static_cast<int>(-result) : 0;
}
long address(const void* at) { return reinterpret_cast<long>(at); }

}  // namespace

TARRY_TAKEN_OVER int pthread_setaffinity_np(pthread_t handle, std::size_t size, const cpu_set_t* set) noexcept {
  TARRY_PASS(pthread_setaffinity_np, handle, size, set);
  reads(set, size, accessor(TARRY_PC));
  return call_for(handle, SYS_sched_setaffinity, TARRY_PC, [&](long (&a)[6], long thread) { a[0] = thread, a[1] = static_cast<long>(size), a[2] = address(set); });
}
TARRY_TAKEN_OVER int pthread_getaffinity_np(pthread_t handle, std::size_t size, cpu_set_t* set) noexcept {
  TARRY_PASS(pthread_getaffinity_np, handle, size, set);
  writes(set, size, accessor(TARRY_PC));
  long bytes = 0;
  const int error = call_for(handle, SYS_sched_getaffinity, TARRY_PC, [&](long (&a)[6], long thread) { a[0] = thread, a[1] = static_cast<long>(size), a[2] = address(set); }, &bytes);
  if (error == 0) std::memset(reinterpret_cast<char*>(set) + bytes, 0, size - static_cast<std::size_t>(bytes));
  return error;
}
TARRY_TAKEN_OVER int sched_getcpu() noexcept {
  TARRY_PASS(sched_getcpu);
  return processor_of_running(TARRY_PC);
}
TARRY_TAKEN_OVER int getcpu(unsigned* processor, unsigned* node) noexcept {
  TARRY_PASS(getcpu, processor, node);
  writes(processor, sizeof(*processor), accessor(TARRY_PC));
  writes(node, sizeof(*node), accessor(TARRY_PC));
  return static_cast<int>(tell_processor(processor, node, TARRY_PC));
}
TARRY_TAKEN_OVER int pthread_setschedparam(pthread_t handle, int policy, const sched_param* param) noexcept {
  TARRY_PASS(pthread_setschedparam, handle, policy, param);
  reads(param, sizeof(*param), accessor(TARRY_PC));
  return call_for(handle, SYS_sched_setscheduler, TARRY_PC, [&](long (&a)[6], long thread) { a[0] = thread, a[1] = policy, a[2] = address(param); });
}
TARRY_TAKEN_OVER int pthread_setschedprio(pthread_t handle, int priority) noexcept {
  TARRY_PASS(pthread_setschedprio, handle, priority);
  const sched_param param{.sched_priority = priority};
  return call_for(handle, SYS_sched_setparam, TARRY_PC, [&](long (&a)[6], long thread) { a[0] = thread, a[1] = address(&param); });
}
TARRY_TAKEN_OVER int pthread_getschedparam(pthread_t handle, int* policy, sched_param* param) noexcept {
  TARRY_PASS(pthread_getschedparam, handle, policy, param);
  const std::uint32_t thread = scheduler().find(handle);
  if (thread == Scheduler::kNobody) return ESRCH;
  const Attributes& own = look_at(thread, false, TARRY_PC);
  writes(policy, sizeof(*policy), accessor(TARRY_PC));
  writes(param, sizeof(*param), accessor(TARRY_PC));
  *policy = own.policy & ~SCHED_RESET_ON_FORK;
  param->sched_priority = own.priority;
  return 0;
}
