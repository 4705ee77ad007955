// The texts of abi/protocol.h: what a runtime is asked to do, and what it answers. One struct each, with its JSON in messages.cc.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/finding.h"
#include "core/registry.h"
#include "core/search.h"
#include "core/search_result.h"

namespace tarry::native {

enum class Races : std::uint32_t { kError, kReport, kIgnore };
enum class Samaritan : std::uint32_t { kError, kNote, kIgnore };
/// Where a switch is possible: at synchronisation and atomics (and at what races), or at every access.
enum class AccessPoints : std::uint32_t { kNeeded, kAll };

/// How the program is run.
struct RunOptions {
  Races races = Races::kError;
  Samaritan samaritan = Samaritan::kNote;
  bool awaits = true;               // a loop that only looks waits until something changes (rt/threads/await.h)
  AccessPoints points = AccessPoints::kNeeded;
  std::uint32_t fair = 1;           // every k-th yield is processed; 0: no fair scheduling
  std::uint32_t reuses = 2;         // of freed memory at once, per execution
  bool spurious = false;            // wake-ups and failures that the standards allow
  bool faults = false;              // EINTR, EAGAIN, allocations that fail
  bool fresh = false;               // a new process for every execution
  bool cache = true;                // prefixes of the same happens-before order are explored once
  bool outcomes = false;            // the distinct outputs of complete executions are counted
  bool reduces = false;             // steps tell what they touch, for partial-order reduction: some have points that they have not otherwise
  std::string admissible;           // a file that executions that went well are appended to, for enforcement; empty: none
  std::uint64_t most_admissible = 0;  // traces among them, at which the search ends; 0: any number
  std::string dump;                 // a file for every complete execution (rt/session/trace_dump.h): each worker appends worker_suffix to its name; empty: none
  std::vector<std::vector<std::int64_t>> recorded;  // runs of the program by itself, which are followed first: thread, kind (enforce::Kind) and value of each event
  bool only_recorded = false;       // and no search follows
  std::uint32_t clock_jumps = 1;    // how often in an execution a thread may be held up for long before it reads a clock
  std::int32_t expect_exit = -1;    // an exit code other than this one is a failure; -1: any will do
  std::vector<std::string> suppressions;  // of races: parts of "function" or "file:line"
};

/// What a worker appends to the name of a file that each worker has one of.
inline std::string worker_suffix(std::uint32_t worker) { return ".worker-" + std::to_string(worker); }

/// A place in the code or data of the program, before it is put into words: object file and offset. Places in code are return addresses:
/// the line is that of the byte before. Where an instruction itself is meant (a crash), it is given as the address behind its first byte.
struct Place {
  std::uint32_t module = 0;         // its number
  std::uint64_t offset = 0;         // from where the module was loaded; 0: unknown
};

/// A place as one number, for plain memory.
constexpr std::uint64_t number_of_place(const Place& place) { return std::uint64_t{place.module} << 48 | place.offset; }
constexpr Place place_of_number(std::uint64_t number) { return {static_cast<std::uint32_t>(number >> 48), number & ((std::uint64_t{1} << 48) - 1)}; }

/// Code, by its places.
struct CodeSpan {
  Place from;
  std::uint64_t size = 0;
};

/// One frame of a stack is a place; the innermost comes first.
using Stack = std::vector<Place>;

/// What an operation works on, as far as the runtime can tell.
struct RecordedObject {
  std::uint64_t address = 0;          // 0: none
  std::string name;                   // where the runtime knows one: "thread 2", "heap block 3 of thread 1"
  Place variable;                     // of a global: module and offset
  Stack allocated = {};               // on the heap: by whom
  std::uint64_t offset = 0;           // in its block
  Place frame = {};                   // on a stack: where the function is whose frame it lies in,
  std::uint64_t frame_from = 0, frame_to = 0;  // and its part of the stack, as the debug information counts: from the stack pointer to the frame address
};

/// What the runtime knows of a failure beside the text of its finding: places that are not yet words. The texts may hold {0}, {1}: places to be filled in.
struct RawFailure {
  Place place = {};
  Stack stack = {};
  std::vector<Place> places = {};     // of the text
  std::vector<Place> points = {};     // accesses that were choice points, because they race, when its schedule was made
  // Of a recorded execution only, as a search has no time for it:
  std::string told = {};              // the text in more words, with {a}, {b}, … for `objects`
  std::vector<RecordedObject> objects = {};
  std::vector<Stack> stacks = {};     // of `places`, one each; empty where only the place is known
};

/// A finding with everything that is known of its failure. Its location is empty.
struct RawFinding : RawFailure {
  RawFinding() = default;
  RawFinding(Finding what, RawFailure how) : RawFailure(std::move(how)), finding(std::move(what)) {}
  Finding finding;
};

/// For a debugger: the program raises SIGTRAP where it fails.
struct Pause {
  bool wanted = false;
  RawFinding at = {};               // this one, if others come before it; without a kind: whatever comes
  std::uint64_t after_ms = 0;       // a step that does not end: so long after the start; 0: never
};

struct Request {
  enum class Job : std::uint32_t { kSearch, kReplay };
  Job job = Job::kSearch;
  RunOptions run;
  std::vector<CodeSpan> frameworks; // functions of a test framework: its clocks are not the test's
  // kSearch
  std::string search, explorer;     // names of the registry
  std::string explorer_file;        // a shared object instead of a name
  ParamValues params;
  SearchOptions engine;
  // kReplay
  std::vector<Choice> schedule;
  std::vector<Place> points;        // accesses that are choice points from the start (RawFinding)
  Pause pause;
};

struct Module {
  std::string path;
  bool instrumented = false;
  std::uint32_t number = 0;         // below 2^16, the same in every process that runs this program
};

/// What one step of an execution did: one operation, and where.
struct RecordedStep {
  std::uint32_t thread = 0;
  std::vector<std::uint32_t> values;  // data choices within it
  std::string operation;              // "lock", "read", "compare-exchange", …
  RecordedObject object;
  std::string detail;                 // values, result: "0 -> 1", "times out"
  Stack stack;
  std::string output;                 // what the program wrote in this step
  bool preempted = false;             // the thread before could have gone on
};

/// A thread, at the end of a recorded execution.
struct RecordedThread {
  std::string name;                   // as the program set it, or empty
  std::string state;                  // "running", "waits for mutex {0} held by thread 2", "ended"
  Stack stack;
  std::vector<Place> places = {};     // of the state's text
  RecordedObject object = {};         // what it waits for, where the text does not name it
};

struct Answer {
  SearchResult result;                // kReplay: the findings only. The first of these is how the execution ended, if it failed
  std::vector<RawFailure> failures;   // by Finding::failure
  // kReplay
  std::vector<RecordedStep> steps;
  std::vector<RecordedThread> threads;
  std::vector<std::uint32_t> fingerprints;  // of each step: operation and object, the same in every run
  bool still_running = false;         // the schedule was followed to its end, and the program goes on behind it
  std::uint64_t diverged_at = 0;      // the step, from 1, at which the schedule could not be followed; 0: it could
  std::string divergence;             // why, in words
  // both
  std::vector<Module> modules;
  std::string unrepeatable;           // why a schedule may lead to different executions; empty: it may not
  std::string suppressions;           // as the program has them in itself (__tsan_default_suppressions)
  std::string problem;                // not empty: it could not be done at all, and why

  /// The finding, with what `failures` has of it.
  RawFinding raw(const Finding& finding) const;
  std::vector<RawFinding> raw_findings() const;
};

std::string to_text(const Request& request);
std::string to_text(const Answer& answer);
Result<Request> request_of(const std::string& text);
Result<Answer> answer_of(const std::string& text);

}  // namespace tarry::native
