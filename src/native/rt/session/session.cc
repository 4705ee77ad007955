#include "native/rt/session/session.h"

#include <fcntl.h>
#include <locale.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/registry.h"
#include "native/rt/base/admitted.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/real.h"
#include "native/rt/base/seals.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/base/side.h"
#include "native/rt/calls/annotations.h"
#include "native/rt/calls/covered.h"
#include "native/rt/calls/library_calls.h"
#include "native/rt/effects/aliases.h"
#include "native/rt/effects/children.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/effects/gate.h"
#include "native/rt/effects/output.h"
#include "native/rt/posix/stream.h"
#include "native/rt/session/admissible.h"
#include "native/rt/session/execution.h"
#include "native/rt/session/failures.h"
#include "native/rt/session/process_post.h"
#include "native/rt/session/process_share.h"
#include "native/rt/session/recorded_runs.h"
#include "native/rt/session/recorder.h"
#include "native/rt/session/trace_dump.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/own_memory.h"
#include "native/rt/threads/reuse.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/time/clock.h"
#include "toolchain/explorer_file.h"

namespace tarry::native::rt {
namespace {

/// There are no states to tell of, but threads have names.
class ThreadNames final : public Narrator {
 public:
  Fields fields(StateView /*state*/) override { return {}; }
  StepText explain(StateView /*state*/, ProcessId /*process*/, std::span<const std::uint32_t> /*values*/) override { return {}; }
  std::string process_name(ProcessId process) override { return name_of_thread(index(process)); }
};

/// The program, as the engine sees it.
class NativeProgram final : public Program {
 public:
  /// Different orders of steps are counted while they fit into so many bytes.
  NativeProgram(const RunOptions& options, std::uint64_t bytes_of_orders) : options_(options), orders_(bytes_of_orders) {}
  const Shape& shape() const override { return shape_; }
  bool captures() const override { return false; }
  std::unique_ptr<StateSpace> open() const override { return nullptr; }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<ThreadNames>(); }
  std::string why_unrepeatable() const override { return rt::why_unrepeatable(); }
  std::uint64_t orders_met() const { return orders_.count(); }
  std::uint64_t bytes_of_orders() const { return orders_.bytes(); }
  std::unique_ptr<Execution> execution(Session& session, std::uint32_t worker) const override {
    auto execution = std::make_unique<NativeExecution>(session, worker, options_, orders_);
    if (!options_.admissible.empty() && admissible_ == nullptr) admissible_ = std::make_unique<AdmissibleExecutions>(options_.admissible, options_.most_admissible, session);
    if (!options_.dump.empty() && dump_ == nullptr) dump_ = std::make_unique<TraceDump>(options_.dump + worker_suffix(block().worker));
    execution->observer = dump_ != nullptr ? static_cast<StepObserver*>(dump_.get()) : admissible_.get();
    return execution;
  }
  /// Returns whether all executions that were to be written down are. Call it once, behind the search.
  bool finish_dump() const { return dump_ == nullptr || dump_->finish(); }

 private:
  const RunOptions& options_;
  mutable OrdersMet orders_;  // of all its executions
  mutable std::unique_ptr<AdmissibleExecutions> admissible_;  // the same; nullptr: not asked for
  mutable std::unique_ptr<TraceDump> dump_;                          // the same
  Shape shape_{.words = 1, .bits = 1, .processes = kMaxThreads, .seals = false};
};

/// The explorer that the search asks: one of the registry, or the user's own, which is loaded into this process.
Result<LoadedExplorer> explorer_of(const Request& request) {
  if (!request.explorer_file.empty()) return load_explorer(request.explorer_file);
  const Entry<Explorer>* const known = Registry<Explorer>::find(request.explorer);
  return LoadedExplorer{request.explorer, known == nullptr ? ExplorerMaker{} : known->kind.make};
}

/// How many happens-before orders were met. A portfolio that ends with partial-order reduction has met one in each of its executions.
std::uint64_t orders_of(const Outcome& outcome, const NativeProgram& program) {
  const Entry<Search>* const winner = Registry<Search>::find(outcome.winner_search);
  const bool reduced = winner != nullptr && winner->kind.reduces && outcome.complete && outcome.totals;
  return reduced ? outcome.totals->executions : program.orders_met();
}

/// What this process holds, as the kernel counts it. 0: not known.
std::uint64_t resident() {
  const int file = static_cast<int>(raw(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC));
  if (file < 0) return 0;
  char text[128] = {};
  const long size = raw(SYS_read, file, text, sizeof(text) - 1);
  raw(SYS_close, file);
  unsigned long all = 0, pages = 0;
  if (size <= 0 || std::sscanf(text, "%lu %lu", &all, &pages) != 2) return 0;
  return std::uint64_t{pages} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// --memory is for the whole process: what it holds before the search is not available for tables, nor is what no table counts (orders that were met, stacks,
/// gaps of the heap). At least half is left to the tables.
SearchOptions within_memory(SearchOptions engine, std::uint64_t bytes_of_orders) {
  engine.limits.memory -= std::min(resident() + bytes_of_orders + engine.limits.memory / 32, engine.limits.memory / 2);
  return engine;
}

void search(const Request& request, const LoadedExplorer& explorer, Answer& answer) {
  const Entry<Search>* const entry = Registry<Search>::find(request.search);
  if (entry == nullptr) {
    answer.problem = "there is no search '" + request.search + "'";
    return;
  }
  constexpr std::uint64_t kShareOfOrders = 16;  // of the memory one part in so many
  const NativeProgram program(request.run, request.engine.limits.memory / kShareOfOrders);
  const SearchOptions engine = within_memory(request.engine, program.bytes_of_orders());
  Session session(program, engine, explorer.make, common().progress, block().worker);
  if (!request.explorer_file.empty()) session.explorer_file = explorer.name;
  ProcessShare share(common(), block().workers);
  ProcessPost post(common(), block().worker, block().workers);
  const bool alone = block().workers == 1;
  session.crew = {.worker = block().worker, .workers = block().workers, .share = alone ? nullptr : &share, .post = alone ? nullptr : &post};
  follow_recorded(request.run.recorded, program, session);
  if (!request.run.only_recorded) entry->kind.make(with_defaults(entry->params, request.params))->run(session);
  share.leave();
  SearchResult& result = answer.result;
  result.outcome = session.outcome;
  result.orders = orders_of(session.outcome, program);
  if (!program.finish_dump()) result.outcome.notes.emplace_back("--dump-traces: the file could not be written, and executions are missing in it");
  result.explorer = explorer.name;
  for (const auto& [text, times] : counted_outputs()) result.outputs[text] += times;
  for (const std::string& text : covered()) result.covered.insert(text);
  for (const Finding& finding : session.findings()) met_failures().tell(finding, answer);
}

/// Do prefixes of executions get compared? Samplers have no use for it.
bool compares_orders(const Request& request) {
  const Entry<Search>* const entry = Registry<Search>::find(request.search);
  return request.job == Request::Job::kSearch && request.run.cache && request.engine.cache != CacheKey::kNone && entry != nullptr && entry->kind.complete;
}

void prepare(const Request& request) {
  const RunOptions& run = request.run;
  look_for_asan();
  if (run.races != Races::kIgnore) watch_races();
  if (compares_orders(request)) watch_order();
  g_watch.every_access = run.points == AccessPoints::kAll;
  g_watch.asks_for_regions = !run.admissible.empty();
  g_watch.every_load = !run.admissible.empty();  // when the program runs without Tarry, no load is left out
  run_rules().spurious = run.spurious;
  allow_reuses(run.reuses);
  run_rules().orders_output = run.outcomes;
  run_rules().faults = run.faults;
  run_rules().clock_jumps = run.clock_jumps;
  set_frameworks(request.frameworks);
  run_rules().awaits = run.awaits;
  run_rules().selfish = run.samaritan;
}

}  // namespace

/// "1 time", "3 times".
std::string times(std::uint32_t number, const std::string& noun) { return std::to_string(number) + " " + noun + (number == 1 ? "" : "s"); }

void serve(void* /*unused*/) {
  ::uselocale(::newlocale(LC_ALL_MASK, "C", nullptr));  // not the program's, whose files may be unmapped, and whose numbers may have commas
  Answer answer;
  std::vector<std::string> notes;  // what the machine lacks, what is not controlled
  auto request = request_of(std::string(block().request, block().request_size));
  // Before the baseline: what the loader maps stays.
  const auto explorer = request ? explorer_of(*request) : Result<LoadedExplorer>(request.error());
  if (!explorer) {
    answer.problem = explorer.error().text;
  } else {
    prepare(*request);
    for (const Place& point : request->points) {
      const std::uintptr_t place = address_of(point);
      if (place == place_of_footprints()) request->run.reduces = true;
      else make_point(place);
    }
    const bool replays = request->job == Request::Job::kReplay;
    if (replays) write_lines_at_once(), fresh::allow_all();
    scheduler().set_baseline();
    remember_outside();
    const bool closed = close_gate();
    if (!closed) notes.push_back("files that the program changes are not put back after an execution: this machine has no Syscall User Dispatch");
    if (request->run.fresh && !replays) fresh::turn_on("this was asked for");
    else if (!closed && !replays) fresh::turn_on("what the program does outside of its memory cannot be followed on this machine");
    block().phase.store(Phase::kSearching, std::memory_order_release);
    if (request->job == Request::Job::kSearch) search(*request, *explorer, answer);
    else replay(*request, answer);
  }
  block().phase.store(Phase::kTelling, std::memory_order_release);
  using About = Assumption::About;
  std::vector<Assumption>& assumes = answer.result.assumes;
  if (fresh::on()) notes.push_back("every execution has a process of its own, which is slower: " + fresh::reason());
  if (execution_end().left_running) notes.push_back("threads were still running when the program ended");
  for (const std::string& text : not_undone()) notes.push_back(text);
  for (const std::string& text : admitted()) notes.push_back(text);
  if (!admitted().empty()) assumes.push_back({About::kUnseen, "what Tarry controls (see the notes)"});
  if (has_aliases()) {
    assumes.push_back({About::kUnseen, "memory that is accessed under one address only"});
    notes.push_back("the program sees memory under two addresses (a file that is mapped twice, or mapped and read or written by calls, shmat, mremap, /proc/self/mem): accesses are compared by address, so races and orders between them were not looked for");
  }
  if (met_most_reuses()) {
    assumes.push_back({About::kLimit, "at most " + times(allowed_reuses(), "reuse") + " of freed memory"});
    notes.push_back("memory that was freed was used again at once at most " + times(allowed_reuses(), "time") + " in an execution, though there was more to use; --reuses N explores more");
  }
  if (met_most_clock_jumps() && run_rules().clock_jumps == 0) {
    assumes.push_back({About::kUnseen, "clocks on which no step depends"});
    notes.emplace_back("the program reads clocks: they were never late, and what depends on the time otherwise was not explored");
  } else if (met_most_clock_jumps()) {
    assumes.push_back({About::kLimit, "at most " + times(run_rules().clock_jumps, "long delay") + " before clocks are read"});
    notes.push_back("a thread was held up for long before it reads a clock at most " + times(run_rules().clock_jumps, "time") + " in an execution; --clock-jumps N explores more");
  }
  if (run_rules().left_out_spurious) notes.emplace_back("no thread woke up without a cause (a spurious wake-up); --spurious explores that");
  if (const std::string names = unseen_calls(); !names.empty()) {
    if (admitted().empty()) assumes.push_back({About::kUnseen, "what Tarry controls (see the notes)"});
    notes.push_back("these functions of libraries may read and write memory that threads share, which is not seen: races there are not found, and orders that differ only there are not told apart: " + names);
  }
  answer.unrepeatable = why_unrepeatable();
  answer.modules = modules();
  answer.suppressions = suppressions_of_program();
  answer.result.weak_atomics = g_watch.weak_atomics;
  answer.result.outcome.sealed |= part<Seals>().ever;
  answer.result.outcome.notes.insert(answer.result.outcome.notes.end(), notes.begin(), notes.end());
  if (!own_memory_is_whole()) give_up("the program has destroyed memory of Tarry, which runs in the same process: it writes through wild pointers, in code that is not instrumented");
  leave_answer(answer);
}

}  // namespace tarry::native::rt
