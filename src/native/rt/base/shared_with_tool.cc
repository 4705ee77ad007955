#include "native/rt/base/shared_with_tool.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "native/rt/base/heap.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/real.h"
#include "native/rt/base/side.h"

namespace tarry::native::rt {

/// What is shared with the tool, and with all workers.
struct SharedWithTool : Kept {
  Block* block = nullptr;
  Common* common = nullptr;
};
template struct RoomOf<SharedWithTool>;

namespace {

void* map_file(int file, std::size_t size, std::uintptr_t hint) {
  void* const at = ::mmap(reinterpret_cast<void*>(hint), size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return at == MAP_FAILED ? nullptr : at;
}

[[noreturn]] void end_process() {
  while (true) ::syscall(SYS_exit_group, 0);
}

void leave(const Answer& answer) {
  const std::string text = to_text(answer);
  if (text.size() > Block::kResultRoom) {
    Answer instead;
    instead.problem = "what was found does not fit into 1 GiB: it writes too much, or in too many ways";
    return leave(instead);
  }
  std::memcpy(part<SharedWithTool>().block->result, text.data(), text.size());
  part<SharedWithTool>().block->result_size.store(text.size(), std::memory_order_release);
  part<SharedWithTool>().block->phase.store(Phase::kDone, std::memory_order_release);
}

/// Takes the tool's part out of a variable of which it is the first of a list.
void restore_variable(const char* name, const char* ours) {
  const char* const value = TARRY_REAL_AS(getenv, char*(const char*))(name);
  if (value == nullptr) return;
  const char* const found = std::strstr(value, ours);
  if (found == nullptr) return;
  const char* const rest = std::strchr(found, ':');
  if (rest != nullptr && rest[1] != '\0') TARRY_REAL(setenv)(name, std::string(rest + 1).c_str(), 1);
  else TARRY_REAL(unsetenv)(name);
}

}  // namespace

Block& block() { return *part<SharedWithTool>().block; }
Common& common() { return *part<SharedWithTool>().common; }

bool attach() {
  const char* const value = TARRY_REAL_AS(getenv, char*(const char*))(kSessionVariable);
  int common_file = -1, block_file = -1;
  if (value == nullptr || std::sscanf(value, "%d:%d", &common_file, &block_file) != 2) return false;
  part<SharedWithTool>().common = static_cast<Common*>(map_file(common_file, sizeof(Common), kSharedFrom));
  part<SharedWithTool>().block = static_cast<Block*>(map_file(block_file, sizeof(Block), kSharedFrom + kOwnWindowSize / 4));
  if (part<SharedWithTool>().common == nullptr || part<SharedWithTool>().block == nullptr || part<SharedWithTool>().block->magic != kMagic || part<SharedWithTool>().block->version != kProtocolVersion) {
    std::fprintf(stderr, "tarry: the runtime in this process does not fit the tool that started it\n");
    ::_exit(70);
  }
  ::close(common_file);
  ::close(block_file);
  TARRY_REAL(unsetenv)(kSessionVariable);  // the program sees the environment that the user gave, and what it starts runs as it does without us
  TARRY_REAL(unsetenv)("LD_BIND_NOW");
  restore_variable("LD_PRELOAD", "libtarry_rt");
  restore_variable("LD_PRELOAD", "libtarry_cxx");
  restore_variable("GLIBC_TUNABLES", "glibc.pthread.rseq=0");
  return true;
}

void leave_answer(const Answer& answer) {
  leave(answer);
  end_process();
}

void give_up(const char* problem) {
  const EngineScope engine;
  if (part<SharedWithTool>().block == nullptr && !attach()) __builtin_trap();
  Answer answer;
  answer.problem = problem;
  leave(answer);
  end_process();
}

void die_of_own_fault(int signal, std::uintptr_t address, std::uintptr_t pc) {
  if (part<SharedWithTool>().block != nullptr) {
    part<SharedWithTool>().block->death.store(Death::kOurs);
    part<SharedWithTool>().block->death_number = signal;
    std::snprintf(part<SharedWithTool>().block->death_text, sizeof(part<SharedWithTool>().block->death_text), "signal %d at address %#lx, pc %#lx (%s at offset %#lx)", signal, address, pc,
                  file_of(pc), static_cast<unsigned long>(place_of(pc).offset));
  }
  while (true) ::syscall(SYS_exit_group, 70);
}

}  // namespace tarry::native::rt
