#include "native/driver/host_machine.h"

#include <fmt/format.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "native/abi/protocol.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

namespace tarry::native {
namespace {

struct Lack {
  Lacks bit;
  const char* name;
  const char* words;
};
constexpr std::array kLacks = {
    Lack{kNoFsgsbase, "fsgsbase", "this machine has no FSGSBASE (Linux 5.9 on a processor that has it): switching threads takes a system call, which is slower"},
    Lack{kNoDispatch, "dispatch",
         "this machine has no Syscall User Dispatch (Linux 5.11, where no container forbids it): every execution has a process of its own, which is slower, and "
         "files that the program changes stay changed"},
    Lack{kNoFixedAddresses, "personality", "addresses cannot be made the same in every process here (personality is forbidden): a program whose behaviour depends on addresses may not replay"},
};

/// What it asks for is for ever, so another process asks.
template <class F>
bool in_child(const F& works) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(works() ? 0 : 1);
  int status = 1;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool has_fsgsbase() {
#ifdef __x86_64__
  constexpr unsigned long kBit = 1 << 1;
  return (::getauxval(AT_HWCAP2) & kBit) != 0;
#else
  return false;
#endif
}

char g_gate = 0;  // open

bool has(Lacks what) {
  switch (what) {
    case kNoFsgsbase: return has_fsgsbase();
    case kNoDispatch: return in_child([] { return ::prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, 0, 0, &g_gate) == 0; });
    case kNoFixedAddresses: return in_child([] { return ::personality(ADDR_NO_RANDOMIZE) != -1; });
  }
  return true;
}

bool names(std::string_view list, std::string_view name) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (list.substr(at, end - at) == name) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

HostMachine this_machine() {
  HostMachine out;
#if defined(__x86_64__) && defined(__LP64__)
  out.architecture = "x86-64";
#elif defined(__aarch64__)
  out.architecture = "AArch64";
#else
  out.architecture = "another architecture";
#endif
#ifdef __GLIBC__
  out.libc = "glibc";
#else
  out.libc = "another C library";
#endif
  return out;
}

std::optional<std::string> refusal(const HostMachine& machine) {
  if (machine.architecture == "x86-64" && machine.libc == "glibc") return std::nullopt;
  return fmt::format("programs with threads can be checked on x86-64 with glibc only, and this is {} with {}; C++ models and P programs can be checked here", machine.architecture,
                     machine.libc);
}

std::uint32_t machine_lacks(std::string_view without) {
  std::uint32_t out = 0;
  for (const Lack& lack : kLacks)
    if (names(without, lack.name) || !has(lack.bit)) out |= lack.bit;
  return out;
}

std::vector<std::string> words_for_lacks(std::uint32_t lacks) {
  std::vector<std::string> out;
  for (const Lack& lack : kLacks)
    if ((lacks & lack.bit) != 0) out.emplace_back(lack.words);
  return out;
}

}  // namespace tarry::native
