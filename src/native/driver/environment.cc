#include "native/driver/environment.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "native/abi/protocol.h"
#include "native/driver/launch.h"

namespace tarry::native {
namespace {

/// "ours", or "ours:theirs" if the user has set it.
std::string in_front(const char* name, const std::string& ours) {
  const char* theirs = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return theirs == nullptr || *theirs == '\0' ? ours : ours + ":" + theirs;
}

std::string behind(const char* name, const std::string& ours) {
  const char* theirs = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return theirs == nullptr || *theirs == '\0' ? ours : std::string(theirs) + ":" + ours;
}

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

}  // namespace

Environment::Environment(const LaunchedProgram& program, int common, int block) {
  const std::string preload = program.runtime.string() + (program.tells_cxx ? ":" + (program.runtime.parent_path() / "libtarry_cxx.so").string() : "");
  added_ = {fmt::format("{}={}:{}", kSessionVariable, common, block), "LD_PRELOAD=" + in_front("LD_PRELOAD", preload), "LD_BIND_NOW=1",
            "GLIBC_TUNABLES=" + in_front("GLIBC_TUNABLES", "glibc.pthread.rseq=0")};
  if (program.address_sanitizer) added_.push_back("ASAN_OPTIONS=" + behind("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0:abort_on_error=1:use_sigaltstack=0:symbolize=0:halt_on_error=1"));
  // One thread runs at a time, so a team that waits in a loop waits in vain: for seconds per search, or for ever.
  if (program.open_mp) added_.insert(added_.end(), {"OMP_WAIT_POLICY=passive", "GOMP_SPINCOUNT=0", "KMP_BLOCKTIME=0"});
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view name = name_of(*variable);
    if (std::none_of(added_.begin(), added_.end(), [&](const std::string& ours) { return name_of(ours) == name; })) pointers_.push_back(*variable);
  }
  for (std::string& variable : added_) pointers_.push_back(variable.data());
  pointers_.push_back(nullptr);
}

}  // namespace tarry::native
