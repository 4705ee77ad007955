// Starts programs with the run-time library of enforcement in them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "enforce/run_block.h"
#include "native/driver/inspect.h"

namespace tarry::cli {

/// Memory that the program inherits as an open file.
class SharedFile {
 public:
  explicit SharedFile(const char* name);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  int number() const { return number_; }
  /// Returns all bytes in it.
  std::string content() const;

 private:
  int number_;
};

/// A block with room for this number of labels, in the file, ready for a run.
class MappedBlock {
 public:
  MappedBlock(const SharedFile& file, std::uint64_t labels);
  ~MappedBlock();
  MappedBlock(const MappedBlock&) = delete;
  MappedBlock& operator=(const MappedBlock&) = delete;
  enforce::RunBlock* operator->() const { return at_; }
  enforce::RunBlock& operator*() const { return *at_; }

 private:
  enforce::RunBlock* at_;
  std::uint64_t size_;
};

/// Returns the file of the library, or why there is none.
Result<std::filesystem::path> library_of_enforcement();

/// Returns the variables that a program needs to load the library. `what` is the value of enforce::kRunVariable.
std::vector<std::string> enforced_environment(const std::filesystem::path& library, const native::ExecutableFacts& facts, const std::string& what);

enum class Streams { kOurs, kNone };

/// Work to be done while a program runs.
struct Meanwhile {
  int descriptor = -1;               // when there is something to read there
  std::function<int()> work = {};    // and at the start; returns the milliseconds until the next call, or -1: only when there is something to read
};

/// Starts the command with these variables in addition to ours and waits for its end. Returns what `waitpid` says, or -1 if the
/// command could not be started. The program is killed after `limit`. SIGINT, SIGTERM and SIGHUP are passed on meanwhile, and with
/// Streams::kNone they are raised here afterwards: the program is run for us, not for the user.
int run_and_wait(const std::vector<std::string>& command, const std::vector<std::string>& environment, Streams streams = Streams::kOurs, std::optional<std::chrono::milliseconds> limit = std::nullopt, const Meanwhile& meanwhile = {});

}  // namespace tarry::cli
