#include "native/rt/effects/called_off.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <string>

#include "core/program.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {
namespace {

/// Those that people block in; others by their number.
std::string name_of_call(std::uint32_t number) {
  static constexpr struct {
    long number;
    const char* name;
  } kNames[] = {
      {SYS_flock, "flock"},       {SYS_fcntl, "fcntl"},     {SYS_open, "open"},           {SYS_openat, "openat"},   {SYS_openat2, "openat2"}, {SYS_read, "read"},
      {SYS_readv, "readv"},       {SYS_write, "write"},     {SYS_writev, "writev"},       {SYS_connect, "connect"}, {SYS_accept, "accept"},   {SYS_accept4, "accept4"},
      {SYS_sendto, "sendto"},     {SYS_sendmsg, "sendmsg"}, {SYS_sendmmsg, "sendmmsg"},   {SYS_recvfrom, "recvfrom"}, {SYS_recvmsg, "recvmsg"}, {SYS_recvmmsg, "recvmmsg"},
      {SYS_wait4, "wait4"},       {SYS_waitid, "waitid"},   {SYS_splice, "splice"},       {SYS_tee, "tee"},         {SYS_vmsplice, "vmsplice"}, {SYS_sendfile, "sendfile"},
      {SYS_msgrcv, "msgrcv"},     {SYS_msgsnd, "msgsnd"},   {SYS_io_getevents, "io_getevents"}, {SYS_io_uring_enter, "io_uring_enter"}, {SYS_ioctl, "ioctl"}, {SYS_fsync, "fsync"},
      {SYS_preadv2, "preadv2"},   {SYS_pwritev2, "pwritev2"}, {SYS_rt_sigtimedwait, "rt_sigtimedwait"}, {SYS_rt_sigsuspend, "rt_sigsuspend"}, {SYS_pause, "pause"}, {SYS_mq_timedreceive, "mq_timedreceive"},
      {SYS_ptrace, "ptrace"},     {SYS_pread64, "pread64"}, {SYS_pwrite64, "pwrite64"},   {SYS_futex, "futex"},     {SYS_ppoll, "ppoll"}, {SYS_clone3, "clone3"},
  };
  for (const auto& one : kNames)
    if (one.number == static_cast<long>(number)) return one.name;
  return "system call " + std::to_string(number);
}

[[noreturn]] void end_wait(std::uint32_t call) {
  Failure failure;
  {
    const EngineScope engine;
    failure.kind = kLimitKind;
    failure.message = name_of_thread(scheduler().running()) + " waits in the kernel, in a call that Tarry does not control: " + name_of_call(call);
  }
  scheduler().fail(std::move(failure));
}

/// On the runtime's signal stack. Where the runtime works for the program it is left alone, for its data may be half changed: the tool asks again soon.
void asked(int /*signal*/, siginfo_t* /*info*/, void* context) {
  Block& all = block();
  const std::int32_t process = all.process.load();
  if (process != 0 && process != raw(SYS_getpid)) return;  // the keeper of processes, whose memory is that of the execution
  const Ask ask = all.ask.load();
  if (ask == Ask::kNothing) return;
  if (!in_program()) {
    if (ask == Ask::kStop) all.heard.store(1);  // the engine has the turn, and sees it by itself
    return;
  }
  const std::uint32_t call = all.call.load();
  const auto pc = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  if (call == 0 && (ask == Ask::kEndWait || in_runtime(pc))) return;
  all.call.store(0);
  if (ask == Ask::kEndWait) {
    all.ask.store(Ask::kNothing);
    end_wait(call - 1);
  }
  all.heard.store(1);
  scheduler().call_off();
}

}  // namespace

void listen_to_tool() { handle_signal(kAskSignal, asked, SA_ONSTACK | SA_RESTART); }

InKernel::InKernel(long number) { block().call.store(static_cast<std::uint32_t>(number) + 1, std::memory_order_relaxed); }
InKernel::~InKernel() { block().call.store(0, std::memory_order_relaxed); }

}  // namespace tarry::native::rt
