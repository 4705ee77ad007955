// What the machine has for programs with threads: whether they can be checked here at all, and what is done without.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::native {

/// A machine as far as it matters; `this_machine` is the one that Tarry was built for.
struct HostMachine {
  std::string architecture;  // "x86-64", or another one
  std::string libc;          // "glibc", or another one
};
HostMachine this_machine();
/// Why programs with threads cannot be checked on such a machine; nothing if they can.
std::optional<std::string> refusal(const HostMachine& machine);

/// What is missing (abi/protocol.h, Lacks), asked of the kernel. `without`: names of what is to be done without all the same, with commas between
/// them: "fsgsbase", "dispatch", "personality". For tests.
std::uint32_t machine_lacks(std::string_view without);
/// In words, a line each.
std::vector<std::string> words_for_lacks(std::uint32_t lacks);

}  // namespace tarry::native
