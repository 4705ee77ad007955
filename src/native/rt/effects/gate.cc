#include "native/rt/effects/gate.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <limits.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/signal_name.h"
#include "native/rt/base/admitted.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/base/side.h"
#include "native/rt/calls/unenforced_calls.h"
#include "native/rt/effects/actions.h"
#include "native/rt/effects/aliases.h"
#include "native/rt/effects/called_off.h"
#include "native/rt/effects/channels.h"
#include "native/rt/effects/children.h"
#include "native/rt/effects/crash.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/effects/kept_channels.h"
#include "native/rt/effects/locks.h"
#include "native/rt/effects/mappings.h"
#include "native/rt/effects/process_numbers.h"
#include "native/rt/effects/semaphores.h"
#include "native/rt/effects/touch.h"
#include "native/rt/posix/cancelled_calls.h"
#include "native/rt/posix/identity.h"
#include "native/rt/posix/signal.h"
#include "native/rt/posix/syscall.h"
#include "native/rt/threads/await.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/time/timers.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

// The way back from handlers of the runtime, and from others whose return came by the gate. Unwinders know it by its very bytes, gdb by its name.
asm(R"(
.text
.globl __restore_rt
.hidden __restore_rt
.type __restore_rt,@function
 nop
__restore_rt:
 .byte 0x48,0xc7,0xc0,0x0f,0,0,0  # movq $15,%rax
 syscall
.size __restore_rt,.-__restore_rt
)");
namespace tarry::native::rt {

struct SyscallGate {
  static constexpr char kOpen = 0, kClosed = 1;  // as the kernel reads them
  char state = kOpen;  // the kernel knows where it is
  bool works = false;

  void reset() {
    if (works) state = kClosed;
  }
};
template struct RoomOf<SyscallGate>;

namespace {

constexpr char kOpen = SyscallGate::kOpen, kClosed = SyscallGate::kClosed;
SyscallGate& gate() { return part<SyscallGate>(); }

using Arguments = const long (&)[6];

const char* path_in(long argument) { return reinterpret_cast<const char*>(argument); }

/// The kernel does not fault on pages that are read-only, it fails: those that it may write to are made writable.
void prepare(long number, Arguments a) {
  Pages& pages = part<Pages>();
  constexpr std::size_t kUsual = 4096;  // no structure is larger
  for (const long argument : a)
    if (argument > 65'536) pages.prepare(reinterpret_cast<void*>(argument), kUsual);
  switch (number) {
    case SYS_read:
    case SYS_pread64:
    case SYS_recvfrom:
    case SYS_mq_timedreceive:
    case SYS_getdents64:
      return pages.prepare(reinterpret_cast<void*>(a[1]), static_cast<std::size_t>(a[2]));
    case SYS_msgrcv: return pages.prepare(reinterpret_cast<void*>(a[1]), static_cast<std::size_t>(a[2]) + sizeof(long));
    case SYS_getrandom:
    case SYS_getcwd:
      return pages.prepare(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]));
    case SYS_readv:
    case SYS_preadv:
    case SYS_preadv2: {
      const auto* const parts = reinterpret_cast<const iovec*>(a[1]);
      for (long i = 0; i < a[2] && i < IOV_MAX; ++i) pages.prepare(parts[i].iov_base, parts[i].iov_len);
      return;
    }
    case SYS_process_vm_readv:
    case SYS_process_vm_writev: {  // the kernel fails on pages that are only readable, on either side
      for (const auto& [parts, count] : {std::pair(a[1], a[2]), std::pair(a[3], a[4])})
        for (long i = 0; i < count && i < IOV_MAX; ++i) {
          const iovec& part = reinterpret_cast<const iovec*>(parts)[i];
          pages.prepare(part.iov_base, part.iov_len);
        }
      return;
    }
    case SYS_recvmsg: {
      const auto* const message = reinterpret_cast<const msghdr*>(a[1]);
      if (message == nullptr) return;
      pages.prepare(message->msg_control, message->msg_controllen);
      for (std::size_t i = 0; i < message->msg_iovlen && i < IOV_MAX; ++i) pages.prepare(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
      return;
    }
    default: return;
  }
}

long open_file(long number, Arguments a, int folder, const char* path, long flags, std::uintptr_t pc) {
  descriptors_change();
  const long access = flags & O_ACCMODE;
  const bool unnamed = (flags & O_TMPFILE) == O_TMPFILE;
  if (!unnamed && (flags & O_PATH) == 0 && (access != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0))
    about_to_change(folder, path, (flags & O_NOFOLLOW) != 0 ? Link::kItself : Link::kFollow);
  if (number != SYS_openat2 && opens_end(folder, path, flags)) return open_end(folder, path, flags, pc);
  const long file = pass_to_kernel(number, a);
  opened_file(static_cast<int>(file), path);
  return file;
}

long change_name(long number, Arguments a, int folder, const char* path, Link link = Link::kItself) {
  about_to_change(folder, path, link);
  return pass_to_kernel(number, a);
}
long change_two(long number, Arguments a, int from_folder, const char* from, int to_folder, const char* to) {
  about_to_change(from_folder, from, Link::kItself);
  about_to_change(to_folder, to, Link::kItself);
  return pass_to_kernel(number, a);
}

/// `closed`: by it; -1: none.
long change_descriptor(long number, Arguments a, int concerned, int closed = -1) {
  if (is_ours(concerned)) return -EBADF;
  descriptors_change(concerned);
  if (closed >= 0) closes_channel(closed), closes_kept(closed), before_closing(closed);
  const long result = pass_to_kernel(number, a);
  if (closed >= 0) after_closing();
  return result;
}

/// One message after the other. A call with MSG_WAITFORONE waits for the first only.
long many_messages(long number, Arguments a, std::uintptr_t pc) {
  constexpr long kWaitForOne = 0x10000;
  auto* const all = reinterpret_cast<mmsghdr*>(a[1]);
  part<Pages>().prepare(all, static_cast<std::size_t>(a[2]) * sizeof(mmsghdr));
  long flags = a[3] & ~kWaitForOne;
  for (long i = 0; i < a[2]; ++i) {
    const long one[6] = {a[0], reinterpret_cast<long>(&all[i].msg_hdr), flags};
    const long result = perform(number == SYS_recvmmsg ? SYS_recvmsg : SYS_sendmsg, one, pc);
    if (result < 0) return i > 0 ? i : result;
    all[i].msg_len = static_cast<unsigned>(result);
    if (number == SYS_recvmmsg && (a[3] & kWaitForOne) != 0) flags |= MSG_DONTWAIT;
  }
  return a[2];
}

/// preadv2 and pwritev2, which are readv and writev for what has no positions.
long move_parts(long number, Arguments a, std::uintptr_t pc) {
  constexpr long kNoWait = 8;  // RWF_NOWAIT
  if (a[3] != -1 || !is_channel(static_cast<int>(a[0]))) return pass_to_kernel(number, a);
  const long parts[6] = {a[0], a[1], a[2]};
  const bool tries = (a[5] & kNoWait) != 0;
  return number == SYS_preadv2 ? receive(SYS_readv, parts, pc, tries) : send(SYS_writev, parts, pc, tries);
}

/// A signal that the program sends.
long send_signal(long number, Arguments a, int signal, pid_t to) {
  // By the numbers that the program sees. Which of the threads is meant does not matter here: rt/posix/signal.cc has what threads send each other.
  const bool to_us = (to >= kProcess && to < kProcess + static_cast<pid_t>(kMaxThreads)) || to == 0 || to == -1 || to == -kProcess;
  if (signal == 0 && (to_us || to == kProcess - 1)) return 0;
  if (signal <= 0 || signal >= kSignals) return pass_to_kernel(number, a);
  if (to == kProcess - 1) {
    admit("the program sends signals to the process that started it: none was sent");
    return 0;
  }
  if (!to_us) {
    fresh::need("the program sends signals to other processes");
    return pass_to_kernel(number, a);
  }
  if (needed_for_crashes(signal)) return raw(SYS_tgkill, raw(SYS_getpid), raw(SYS_gettid), signal);
  if (action_of(signal).sa_handler == SIG_IGN) return 0;
  if (has_handler(signal)) {
    siginfo_t info{};
    info.si_signo = signal;
    info.si_code = SI_TKILL;
    call_handler(signal, &info, nullptr);
    return 0;
  }
  if (!ends_by_default(signal)) return 0;
  scheduler().fail({.kind = "crash", .message = "the program was ended by " + signal_name(signal)});
}

/// In the child, nothing of the engine's must be touched until it has parted with it.
long make_process(long number, Arguments a) {
  starts_process();
  looked_at_all();  // the child has a copy of the memory
  g_side = Side::kFree;
  const auto parent = static_cast<pid_t>(raw(SYS_getpid));
  int done[2] = {-1, -1};
  raw(SYS_pipe2, done, O_CLOEXEC);
  const long child = pass_to_kernel(number, a);
  if (child == 0) {
    fresh::part();
    forked_from(parent);
    raw(SYS_close, done[0]);
    raw(SYS_close, done[1]);
    return 0;
  }
  raw(SYS_close, done[1]);
  char byte;
  if (child > 0) raw(SYS_read, done[0], &byte, 1);  // ends when the child has closed its end
  raw(SYS_close, done[0]);
  g_side = Side::kProgram;
  return child;
}

/// A thread that we do not know, or a child that borrows our memory until it calls exec.
bool shares_memory(long number, Arguments a) {
  if (number == SYS_vfork) return true;
  if (number == SYS_clone) return (a[0] & CLONE_VM) != 0;
  return number == SYS_clone3 && (reinterpret_cast<const clone_args*>(a[0])->flags & CLONE_VM) != 0;
}

bool is_thread(long number, Arguments a) {
  if (number == SYS_clone) return (a[0] & CLONE_THREAD) != 0;
  return number == SYS_clone3 && (reinterpret_cast<const clone_args*>(a[0])->flags & CLONE_THREAD) != 0;
}

long in_fresh_process(const char* why, long number, Arguments a) {
  fresh::need(why);
  return pass_to_kernel(number, a);
}

}  // namespace

void handle_signal(int signal, SignalHandler* handler, unsigned long flags) {
  constexpr unsigned long kRestorer = 0x04000000;
  const struct {
    SignalHandler* handler;
    unsigned long flags;
    void (*restorer)();
    unsigned long mask;
  } action = {handler, flags | SA_SIGINFO | SA_NODEFER | kRestorer, signal_return, 0};
  raw(SYS_rt_sigaction, signal, &action, nullptr, sizeof(action.mask));
}

namespace {

long perform_in_kernel(long number, Arguments a, std::uintptr_t pc) {
  touch_shared(number, a, pc);
  if (maps_files()) accesses_file(number, a);
  prepare(number, a);
  switch (number) {
    case SYS_open: return open_file(number, a, AT_FDCWD, path_in(a[0]), a[1], pc);
    case SYS_creat: return open_file(number, a, AT_FDCWD, path_in(a[0]), O_WRONLY | O_CREAT | O_TRUNC, pc);
    case SYS_openat: return open_file(number, a, static_cast<int>(a[0]), path_in(a[1]), a[2], pc);
    case SYS_openat2: return open_file(number, a, static_cast<int>(a[0]), path_in(a[1]), static_cast<long>(*reinterpret_cast<const std::uint64_t*>(a[2])), pc);
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_mkdir:
    case SYS_mknod: return change_name(number, a, AT_FDCWD, path_in(a[0]));
    case SYS_truncate:
    case SYS_chmod: return change_name(number, a, AT_FDCWD, path_in(a[0]), Link::kFollow);
    case SYS_unlinkat:
    case SYS_mkdirat:
    case SYS_mknodat: return change_name(number, a, static_cast<int>(a[0]), path_in(a[1]));
    case SYS_fchmodat: return change_name(number, a, static_cast<int>(a[0]), path_in(a[1]), Link::kFollow);
    case SYS_symlink: return change_name(number, a, AT_FDCWD, path_in(a[1]));
    case SYS_symlinkat: return change_name(number, a, static_cast<int>(a[1]), path_in(a[2]));
    case SYS_rename: return change_two(number, a, AT_FDCWD, path_in(a[0]), AT_FDCWD, path_in(a[1]));
    case SYS_link: return change_name(number, a, AT_FDCWD, path_in(a[1]));
    case SYS_renameat:
    case SYS_renameat2: return change_two(number, a, static_cast<int>(a[0]), path_in(a[1]), static_cast<int>(a[2]), path_in(a[3]));
    case SYS_linkat: return change_name(number, a, static_cast<int>(a[2]), path_in(a[3]));
    case SYS_chdir:
    case SYS_fchdir: folder_changes(); return pass_to_kernel(number, a);

    case SYS_close: closes_descriptor(static_cast<int>(a[0])); return change_descriptor(number, a, static_cast<int>(a[0]), static_cast<int>(a[0]));
    case SYS_dup: copies_descriptor(static_cast<int>(a[0])); return change_descriptor(number, a, -1);
    case SYS_dup2:
    case SYS_dup3: copies_descriptor(static_cast<int>(a[0])); closes_descriptor(static_cast<int>(a[1])); return change_descriptor(number, a, static_cast<int>(a[1]), static_cast<int>(a[1]));
    case SYS_flock: return lock_file(a, pc);
    case SYS_close_range: after_closing(); return close_descriptors(static_cast<unsigned>(a[0]), static_cast<unsigned>(a[1]));
    case SYS_fcntl:
      if (a[1] == F_SETLK || a[1] == F_SETLKW || a[1] == F_OFD_SETLK || a[1] == F_OFD_SETLKW) return lock_part(a, pc);
      if (a[1] == F_DUPFD || a[1] == F_DUPFD_CLOEXEC) copies_descriptor(static_cast<int>(a[0])), descriptors_change();
      return pass_to_kernel(number, a);
    case SYS_socket: descriptors_change(); return in_fresh_process("the program uses sockets", number, a);

    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_mq_timedreceive: return receive(number, a, pc);
    case SYS_accept:
    case SYS_accept4: descriptors_change(); return receive(number, a, pc);
    case SYS_write:
    case SYS_writev:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_mq_timedsend: return send(number, a, pc);
    case SYS_sendfile: return send(number, a, pc);
    case SYS_recvmmsg:
    case SYS_sendmmsg: return many_messages(number, a, pc);
    case SYS_preadv2:
    case SYS_pwritev2: return move_parts(number, a, pc);
    case SYS_splice:
    case SYS_tee:
    case SYS_vmsplice: return move_data(number, a, pc);
    case SYS_msgsnd:
    case SYS_msgrcv: return exchange_message(number, a, pc);
    case SYS_wait4:
    case SYS_waitid: return wait_for_child(number, a, pc);
    case SYS_connect: return connect_channel(a, pc);
    case SYS_shutdown:
    case SYS_bind:
    case SYS_listen:
    case SYS_epoll_ctl: return change_channel(number, a);
    case SYS_semop:
    case SYS_semtimedop: return change_semaphores(number, a, pc);
    case SYS_semctl:
    case SYS_msgctl: return control_by_number(number, a);
    case SYS_poll:
    case SYS_ppoll:
    case SYS_select:
    case SYS_pselect6:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2: return wait_for_channels(number, a, pc);
    case SYS_nanosleep:
    case SYS_clock_nanosleep: scheduler().point({.op = Op::kSleep, .pc = pc, .yields = true}); return 0;

    case SYS_mmap: return map_memory(a, pc);
    case SYS_munmap: return unmap_memory(a, pc);
    case SYS_mremap: return remap_memory(a, pc);
    case SYS_mprotect: return protect_memory(a);
    case SYS_madvise: return advise_memory(a, pc);
    case SYS_brk: return move_break(a);

    case SYS_ioctl: return control_channel(a, pc);

    case SYS_fork:
    case SYS_clone: return make_process(number, a);
    case SYS_execve:
    case SYS_execveat: return become_another(number, a, pc);
    case SYS_exit:
    case SYS_exit_group: scheduler().point({.op = Op::kExit}); scheduler().finish(static_cast<int>(a[0] & 0xff));

    case SYS_kill:
    case SYS_tkill: return send_signal(number, a, static_cast<int>(a[1]), static_cast<pid_t>(a[0]));
    case SYS_tgkill: return send_signal(number, a, static_cast<int>(a[2]), static_cast<pid_t>(a[1]));
    case SYS_rt_sigaction: return change_action(a);
    case SYS_rt_sigprocmask: return change_mask_by_call(a, pc);
    case SYS_sigaltstack: return -change_alternate_stack(reinterpret_cast<const stack_t*>(a[0]), reinterpret_cast<stack_t*>(a[1]), __builtin_frame_address(0));
    case SYS_alarm:
    case SYS_setitimer:
    case SYS_getitimer:
    case SYS_timer_create: is_not_enforced("timer_create"); [[fallthrough]];
    case SYS_timer_settime:
    case SYS_timer_gettime:
    case SYS_timer_getoverrun:
    case SYS_timer_delete:
    case SYS_timerfd_create:
    case SYS_timerfd_settime:
    case SYS_timerfd_gettime: return call_timers(number, a, pc);
    case SYS_signalfd:
    case SYS_signalfd4:
      admit("the program reads signals by signalfd, which sees none of those that the program sends itself: a deadlock or livelock may be none");
      descriptors_change();
      return pass_to_kernel(number, a);

    case SYS_shmat: return attach_memory(a);
    case SYS_shmdt: return detach_memory(a);
    case SYS_remap_file_pages:
    case SYS_process_vm_readv:
    case SYS_process_vm_writev: has_alias(); return pass_to_kernel(number, a);
    case SYS_semget:
    case SYS_msgget: {
      const long got = in_fresh_process("the program shares memory or messages with other processes", number, a);
      got_number(number, got);
      return got;
    }
    case SYS_shmget:
    case SYS_mq_open: return in_fresh_process("the program shares memory or messages with other processes", number, a);
    case SYS_setrlimit:
    case SYS_setuid:
    case SYS_setgid:
    case SYS_setsid:
    case SYS_setpgid:
    case SYS_setresuid:
    case SYS_setresgid:
    case SYS_chroot:
    case SYS_unshare:
    case SYS_seccomp:
    case SYS_umask: return in_fresh_process("the program changes what its process may do", number, a);
    case SYS_prlimit64:
      return a[2] != 0 ? in_fresh_process("the program changes what its process may do", number, a) : pass_to_kernel(number, a);
    default:
      if (makes_descriptors(number)) descriptors_change();
      return pass_to_kernel(number, a);
  }
}

}  // namespace

long perform(long number, Arguments a, std::uintptr_t pc) {
  const KernelCall call(number, a);
  const long result = call.told(perform_in_kernel(number, call.arguments(), pc));
  if (signals_came()) handle_those_that_came();
  return result;
}

namespace {

/// A system call that changes nothing and tells nothing, or that has a place in rt/await.h by itself.
bool only_rests(long number) {
  return number == SYS_sched_yield || number == SYS_nanosleep || number == SYS_clock_nanosleep || number == SYS_futex;
}

/// If it is a cancellation point, the thread may end there: before the call, or while others run.
long call_of_thread(long number, Arguments a, std::uintptr_t pc) {
  if (!is_cancelled_by_libc(number, a, pc)) return system_call(number, a, pc);
  cancel_if_due();
  Thread& self = scheduler().self();
  self.cancel.in_call = true;
  const long result = system_call(number, a, pc);
  self.cancel.in_call = false;
  return result;
}

/// On the stack of the thread that made the call.
void trapped(int /*signal*/, siginfo_t* info, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const long number = info->si_syscall;
  if (number == SYS_rt_sigreturn) {
    asm volatile("movq %0,%%rsp\n jmp __restore_rt" ::"r"(registers[REG_RSP]) : "memory");
    __builtin_unreachable();
  }
  const long a[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10], registers[REG_R8], registers[REG_R9]};
  if (shares_memory(number, a)) {
    if (in_program()) is_thread(number, a) ? starts_thread_of_libc() : starts_process();
    gate().state = kOpen;  // until the next step
    registers[REG_RIP] -= 2;
    registers[REG_RAX] = number;
    return;
  }
  // The report takes as many system calls as the maps of the process have lines, which differ from process to process: it is no part of the schedule.
  if (in_program() && asan_reports()) [[unlikely]] g_side = Side::kFree;
  if (in_program() && !only_rests(number)) has_effect();
  registers[REG_RAX] = in_program() ? call_of_thread(number, a, static_cast<std::uintptr_t>(registers[REG_RIP]) - 1) : pass_to_kernel(number, a);
}

}  // namespace

bool close_gate() {
  if ((block().lacks & kNoDispatch) != 0) return false;
  const CodeRange code = code_of_runtime();
  handle_signal(SIGSYS, trapped, 0);
  gate().works = raw(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 1, code.from, code.to - code.from, &gate().state) == 0;
  if (gate().works) gate().state = kClosed;
  return gate().works;
}

bool gate_is_closed() { return gate().state == kClosed; }

OpenGate::OpenGate() : before_(gate().state) { gate().state = kOpen; }
OpenGate::~OpenGate() { gate().state = before_; }

void remember_outside() {
  remember_files();
  remember_mappings();
}

void undo_outside() {
  gate().reset();
  if (fresh::on()) forget_mappings();  // else they go when memory is put back (Mappings::reset)
  undo_files();
}

}  // namespace tarry::native::rt
