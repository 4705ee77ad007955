// What a child leaves behind when the program does not come back from a step: where it was, and what happened.
//
// Written by signal handlers into memory that the parent shares, so it is plain data of a fixed size. Pages that are never written
// take no memory.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/finding.h"
#include "core/progress.h"

namespace tarry::process {

/// What a child is doing.
enum class Phase : std::uint32_t { kLoading, kStarting, kSearching, kReplaying, kDone };

enum class Cause : std::uint32_t { kSignal, kStackOverflow, kAssert, kExit, kQuickExit, kTimeout, kCalledOff, kFork, kExec, kSentSignal };

/// Whose code it was.
enum class Where : std::uint32_t { kLoading, kStarting, kStep, kOutsideStep, kExplorer, kTarry };

struct CrashRecord {
  static constexpr std::uint64_t kRoom = std::uint64_t{16} << 20;  // choices

  std::atomic<bool> claimed{false};   // set by the first thread to crash; later crashes are ignored
  std::atomic<bool> complete{false};
  Cause cause;
  Where where;
  std::int32_t number;                // of the signal; exit code
  std::uint64_t address;              // that was touched; only small ones are the same in every run
  char text[1024];                    // of an assert(); the function that starts a process or another program
  char file[1024];
  std::uint32_t line;
  char function[256];                 // of the user's that ran, where that is known
  bool wrecked;                       // the way there is not known: the stack was overwritten, or another thread got the signal
  std::uint32_t running;              // process + 1 whose step it was, 0 if none
  std::uint64_t step;                 // replay: the step that was taken, from 1
  std::uint64_t length;               // choices of the schedule; more than kRoom: it did not fit. Replay: those of the step alone
  std::uint64_t schedule[kRoom];      // code_of each
  Move path[kRoom];
};

/// Memory that a child shares with the parent that watches it.
struct Shared {
  Progress progress;
  std::atomic<Phase> phase{Phase::kLoading};
  std::atomic<bool> called_off{false};  // a search has to end: a thread that is asked for a record, and is in the program's code, ends the process
  std::atomic<std::uint64_t> step{0};  // replay: the step that is taken
  std::atomic<std::uint64_t> beat{0};  // before a search: what takes long shows that it moves
  static constexpr std::size_t kNamed = std::size_t{1} << 16;
  std::array<std::array<char, 64>, kNamed> names;  // of processes. Fresh pages are zero, and those that no name is written to take no memory
  std::array<char, 256> explorer{};    // its name, if it came from a file
  CrashRecord crash;
};

/// From here on, in this process and from its main thread: signals that mean a crash, exit(), fork(), exec() and assert() leave a record.
void record_crashes(Shared& shared);

/// Code of the user's that was loaded, so that a crash outside a step can be told from one of ours. A program may have several objects.
enum class Module { kProgram, kExplorer };
void record_module(Module module, const std::filesystem::path& object);

/// The signal that makes a thread leave a record that its step does not end.
int timeout_signal();

/// The choices of the record. Requires: it is complete and they fitted.
std::vector<Choice> schedule_of(const CrashRecord& record);

}  // namespace tarry::process
