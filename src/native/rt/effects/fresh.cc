#include "native/rt/effects/fresh.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "native/rt/base/context.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/base/side.h"
#include "native/rt/effects/gate.h"
#include "native/rt/effects/output.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

/// It lies in memory of the engine's, and so is shared itself, once it is on.
struct FreshProcesses : Kept {
  /// Memory of the engine's, and the file that holds it once it is shared.
  struct Area {
    char* from = nullptr;
    char* used_to = nullptr;
    char* to = nullptr;
    int file = -1;
  };
  static constexpr std::size_t kAreas = 3;
  Area areas[kAreas];
  bool on = false, wanted = false, all_allowed = false;
  const char* why = "";
  Context controller, keeper, child;
  bool in_child = false, handed_over = false;
};
template struct RoomOf<FreshProcesses>;

}  // namespace tarry::native::rt

namespace tarry::native::rt::fresh {
namespace {

using Area = FreshProcesses::Area;
enum { kHeap, kData, kController };
constexpr std::size_t kAreas = FreshProcesses::kAreas;

constexpr std::size_t kKeeperStack = 64 << 10;

FreshProcesses& fresh_processes() { return rt::part<FreshProcesses>(); }

bool is_zero(const char* page) {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(page);
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < Pages::kSize / sizeof(std::uint64_t); ++i) any |= words[i];
  return any == 0;
}

/// The memory goes on in a file. Runs on the keeper's stack, and writes to nothing else.
bool share(const Area& area) {
  for (char* page = area.from; page < area.used_to; page += Pages::kSize) {
    if (is_zero(page)) continue;
    if (raw(SYS_pwrite64, area.file, (page), Pages::kSize, page - area.from) != static_cast<long>(Pages::kSize)) return false;
  }
  const long at = raw(SYS_mmap, (area.from), area.to - area.from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, area.file, 0);
  return at == raw_argument(area.from);
}

[[noreturn]] void die(const char* text, int status) {
  Block& all = block();
  if (all.death.load() == Death::kNone) {
    all.death.store(Death::kOurs);
    all.death_number = status;
    std::strncpy(all.death_text, text, sizeof(all.death_text) - 1);
  }
  while (true) raw(SYS_exit_group, 70);
}

/// The child is gone without having come to the end of its execution.
void died(int status) {
  fresh_processes().in_child = false;
  // What the program sends itself is part of its schedule and kills no process. So this came from outside, and is told as if it had come to this process.
  while (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) raw(SYS_kill, raw(SYS_getpid), SIGKILL);
  if (!in_program()) die("the process of an execution ended within the runtime", status);
  // The controller goes on from where it gave the turn to the program.
  g_side = Side::kEngine;
  fresh_processes().controller = scheduler().died_in_program(status);
}

/// Runs in the session's process, on a stack that is not shared.
[[noreturn]] void keep() {
  for (const Area& area : fresh_processes().areas)
    if (!share(area)) die("memory cannot be shared between processes", 0);
  fresh_processes().on = true;
  switch_context(&fresh_processes().keeper, &fresh_processes().controller);
  while (true) {
    fresh_processes().handed_over = false;
    fresh_processes().in_child = true;
    const long parent = raw(SYS_getpid);
    block().process.store(-1);
    const long child = raw(SYS_clone, SIGCHLD);
    if (child == 0) {
      raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
      if (raw(SYS_getppid) != parent) raw(SYS_exit_group, 1);
      block().process.store(static_cast<std::int32_t>(raw(SYS_getpid)));
      close_gate();  // a child is born without
      switch_context(&fresh_processes().child, &fresh_processes().controller);
      while (true) raw(SYS_exit_group, 0);  // its execution is over, and the parent takes over
    }
    if (child < 0) die("no process can be made for an execution", static_cast<int>(-child));
    int status = 0;
    while (raw(SYS_wait4, child, (&status), 0, 0) == -EINTR) {
    }
    block().process.store(0);
    if (!fresh_processes().handed_over) died(status);
    switch_context(&fresh_processes().keeper, &fresh_processes().controller);
  }
}

/// A stack on which `keep` begins when it is switched to.
Context keeper_context() {
  auto* const stack = static_cast<char*>(::mmap(nullptr, kKeeperStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  char* const top = stack + kKeeperStack - 64 - 8;  // 8 bytes off 16, as after a call
  return {.stack = top, .thread = scheduler().controller().parked.thread, .goes_on = reinterpret_cast<const void*>(&keep)};
}

char* page_down(const void* address) { return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) & ~(Pages::kSize - 1)); }
char* page_up(const void* address) { return page_down(static_cast<const char*>(address) + Pages::kSize - 1); }

int file_for(const Area& area) {
  const int file = out_of_the_way(::memfd_create("tarry engine", MFD_CLOEXEC));
  if (file < 0 || ::ftruncate(file, area.to - area.from) != 0) die(kNoSharedRoom, 0);
  return file;
}

}  // namespace

bool on() { return fresh_processes().on; }
bool wanted() { return fresh_processes().wanted && !fresh_processes().on; }
void allow_all() { fresh_processes().all_allowed = true; }
bool all_allowed() { return fresh_processes().all_allowed; }
std::string reason() { return fresh_processes().on ? fresh_processes().why : ""; }

void need(const char* why) {
  if (fresh_processes().on || fresh_processes().all_allowed || !in_program()) return;
  fresh_processes().why = why;
  fresh_processes().wanted = true;
  scheduler().begin_again();
}

void turn_on(const char* why) {
  if (why != nullptr) fresh_processes().why = why;
  rt::part<Pages>().open_all();
  program_heap::is_in_new_process();
  const engine_heap::Whole heap = engine_heap::share();
  fresh_processes().areas[kHeap] = {heap.from, page_up(heap.used_to + Pages::kSize), heap.to, -1};
  const auto data = data_of_runtime();
  fresh_processes().areas[kData] = {page_down(data.from), page_up(data.to), page_up(data.to), -1};
  const Borrowed& controller = scheduler().controller();
  fresh_processes().areas[kController] = {controller.stack + kGuardSize, controller.stack + controller.stack_size, controller.stack + controller.stack_size, -1};
  for (Area& area : fresh_processes().areas) area.file = file_for(area);
  fresh_processes().keeper = keeper_context();
  fresh_processes().controller.thread = fresh_processes().child.thread = fresh_processes().keeper.thread;  // a switch does not save it
  switch_context(&fresh_processes().controller, &fresh_processes().keeper);
}

void enter() {
  if (fresh_processes().on) switch_context(&fresh_processes().controller, &fresh_processes().keeper);
}

void leave() {
  if (!fresh_processes().on || !fresh_processes().in_child) return;
  fresh_processes().in_child = false;
  fresh_processes().handed_over = true;
  switch_context(&fresh_processes().controller, &fresh_processes().child);
}

void part() {
  if (!fresh_processes().on) return;
  Area areas[kAreas];
  std::memcpy(areas, fresh_processes().areas, sizeof(areas));
  for (const Area& area : areas) {
    raw(SYS_mmap, (area.from), area.to - area.from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, area.file, 0);
    if (&area - areas == kHeap) continue;
    for (char* page = area.from; page < area.used_to; page += Pages::kSize) *const_cast<volatile char*>(page) = *page;
  }
  fresh_processes().on = false;
}

}  // namespace tarry::native::rt::fresh
