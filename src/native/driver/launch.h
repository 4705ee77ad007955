// Starts the tested program with the runtime in it, watches over it, and brings back what it answers.
//
// A check has one to many worker processes, each the whole program with a search in it; they share work and counters through `Common`
// (abi/protocol.h). Whatever happens in there (crash, exit, endless loop, out of memory), a launch comes to an end and says what is known.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "native/abi/messages.h"
#include "native/abi/protocol.h"

namespace tarry::native {

/// An open file; closed at the end of the scope.
class File {
 public:
  explicit File(int number = -1) : number_(number) {}
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~File();
  int number() const { return number_; }

 private:
  int number_;
};

/// What is run.
struct LaunchedProgram {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
  std::filesystem::path folder = {};  // that it runs in; empty: ours
  std::filesystem::path runtime;   // libtarry_rt.so
  bool tells_cxx = false;          // libtarry_cxx.so, beside it, goes with it
  int standard_input = -1;         // every execution reads it from its start; -1: there is none
  bool address_sanitizer = false;  // is in it
  bool open_mp = false;            // a runtime library of OpenMP is in it
  std::uint32_t lacks = 0;         // what the machine has not got (driver/machine.h)
};

/// All that can be read from there, so that every execution can read it. Nothing of a terminal: what is typed cannot be typed again.
/// `waiting` is called once if it takes longer than a second.
File copy_of_input(int from, const std::function<void()>& waiting);

struct LaunchOptions {
  std::uint32_t workers = 1;
  std::chrono::milliseconds step_timeout{10'000};
  std::uint64_t memory = 0;  // that a search may hold: the tool, all workers and what they started; 0: it is not watched
  std::optional<std::chrono::milliseconds> replay_limit = {};  // a replay that takes longer is ended: out_of_time
  std::function<void(const Progress& progress, double seconds)> tick = {};  // five times a second
};

/// One worker process, at its end.
struct WorkerEnd {
  std::optional<Answer> answer;    // or, if it did not come to that:
  Phase phase = Phase::kStarting;
  Death death = Death::kNone;      // as the runtime saw it, or kHang
  std::int32_t death_number = 0;   // of the signal, or the exit code
  std::string death_text;
  std::uint32_t running = 0;       // thread + 1
  std::vector<Choice> schedule;    // of the execution that was under way
  std::vector<Place> points;       // accesses that were choice points then
  bool schedule_fits = true;
  int status = 0;                  // as waitpid gives it
  double processor_seconds = 0;    // that it used
  std::string output;              // the end of what it wrote past the runtime
  bool slept = false;              // kHang: it did not compute, it waited in the kernel
  bool asked = false;              // to end at once, because somebody or something else ended the check
  bool ended_by_us = false;        // killed: it hung, or did not end in time when it was asked to
};

struct Launched {
  std::vector<WorkerEnd> workers;
  Progress::Totals totals;
  int interrupted_by = 0;
  bool out_of_time = false, out_of_memory = false;  // it was asked to end for that
  std::uint64_t peak_rss = 0;
  double seconds = 0;
};

/// Throws std::system_error if processes or memory cannot be had.
Launched launch(const LaunchedProgram& program, const Request& request, const LaunchOptions& options);

/// The environment of a process with the runtime in it, and the two files that it is to inherit: for a debugger to start it in.
struct DebuggerSession {
  File common, block;
  std::vector<std::string> environment;  // NAME=VALUE, those that are ours
};
DebuggerSession make_debugger_session(const LaunchedProgram& program, const Request& request);

}  // namespace tarry::native
