#include "native/rt/session.h"

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
#include "native/rt/admissible.h"
#include "native/rt/admitted.h"
#include "native/rt/annotations.h"
#include "native/rt/covered.h"
#include "native/rt/effects/aliases.h"
#include "native/rt/effects/children.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/effects/gate.h"
#include "native/rt/effects/output.h"
#include "native/rt/execution.h"
#include "native/rt/failures.h"
#include "native/rt/happened.h"
#include "native/rt/library_calls.h"
#include "native/rt/modules.h"
#include "native/rt/own_memory.h"
#include "native/rt/process_share.h"
#include "native/rt/recorded_runs.h"
#include "native/rt/recorder.h"
#include "native/rt/posix/stream.h"
#include "native/rt/reuse.h"
#include "native/rt/real.h"
#include "native/rt/scheduler.h"
#include "native/rt/side.h"
#include "native/rt/time/clock.h"
#include "native/rt/trace_dump.h"
#include "toolchain/explorer_file.h"

namespace tarry::native::rt {
namespace {

Block* g_block = nullptr;
Common* g_common = nullptr;

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
  std::memcpy(g_block->result, text.data(), text.size());
  g_block->result_size.store(text.size(), std::memory_order_release);
  g_block->phase.store(Phase::kDone, std::memory_order_release);
}

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
  explicit NativeProgram(const RunOptions& options) : options_(options) {}
  const Shape& shape() const override { return shape_; }
  bool captures() const override { return false; }
  std::unique_ptr<StateSpace> open() const override { return nullptr; }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<ThreadNames>(); }
  std::string why_unrepeatable() const override { return rt::why_unrepeatable(); }
  std::uint64_t orders_met() const { return orders_.count(); }
  std::unique_ptr<Execution> execution(Session& session, std::uint32_t worker) const override {
    auto execution = std::make_unique<NativeExecution>(session, worker, options_, orders_);
    if (!options_.admissible.empty() && admissible_ == nullptr) admissible_ = std::make_unique<AdmissibleExecutions>(options_.admissible, options_.most_admissible, session);
    if (!options_.dump.empty() && dump_ == nullptr) dump_ = std::make_unique<TraceDump>(options_.dump + worker_suffix(g_block->worker));
    execution->observer = dump_ != nullptr ? static_cast<StepObserver*>(dump_.get()) : admissible_.get();
    return execution;
  }
  /// Returns whether all executions that were to be written down are. Call it once, behind the search.
  bool finish_dump() const { return dump_ == nullptr || dump_->finish(); }

 private:
  const RunOptions& options_;
  mutable OrdersMet orders_;  // of all its executions
  mutable std::unique_ptr<AdmissibleExecutions> admissible_;  // the same; nullptr: nobody asks for them
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

void search(const Request& request, const LoadedExplorer& explorer, Answer& answer) {
  const Entry<Search>* const entry = Registry<Search>::find(request.search);
  if (entry == nullptr) {
    answer.problem = "there is no search '" + request.search + "'";
    return;
  }
  const NativeProgram program(request.run);
  Session session(program, request.engine, explorer.make, g_common->progress, g_block->worker);
  if (!request.explorer_file.empty()) session.explorer_file = explorer.name;
  ProcessShare share(*g_common, g_block->workers);
  session.crew = {.worker = g_block->worker, .workers = g_block->workers, .share = g_block->workers > 1 ? &share : nullptr};
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
  g_watch.every_load = !run.admissible.empty();  // when the program is run by itself nobody leaves one out
  scheduler().allow_spurious = run.spurious;
  g_most_reuses = run.reuses;
  g_order_of_output = run.outcomes;
  scheduler().allow_faults = run.faults;
  scheduler().clock_jumps = run.clock_jumps;
  set_frameworks(request.frameworks);
  scheduler().allow_awaits = run.awaits;
  scheduler().selfish = run.samaritan;
}

}  // namespace

Block& block() { return *g_block; }
Common& common() { return *g_common; }

namespace {

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

bool attach() {
  const char* const value = TARRY_REAL_AS(getenv, char*(const char*))(kSessionVariable);
  int common_file = -1, block_file = -1;
  if (value == nullptr || std::sscanf(value, "%d:%d", &common_file, &block_file) != 2) return false;
  g_common = static_cast<Common*>(map_file(common_file, sizeof(Common), kSharedFrom));
  g_block = static_cast<Block*>(map_file(block_file, sizeof(Block), kSharedFrom + kOwnWindowSize / 4));
  if (g_common == nullptr || g_block == nullptr || g_block->magic != kMagic || g_block->version != kProtocolVersion) {
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

/// "1 time", "3 times".
std::string times(std::uint32_t number, const std::string& noun) { return std::to_string(number) + " " + noun + (number == 1 ? "" : "s"); }

void serve(void* /*unused*/) {
  ::uselocale(::newlocale(LC_ALL_MASK, "C", nullptr));  // not the program's, whose files may be unmapped, and whose numbers may have commas
  Answer answer;
  std::vector<std::string> notes;  // what the machine lacks, what is not controlled
  auto request = request_of(std::string(g_block->request, g_block->request_size));
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
    g_block->phase.store(Phase::kSearching, std::memory_order_release);
    if (request->job == Request::Job::kSearch) search(*request, *explorer, answer);
    else replay(*request, answer);
  }
  g_block->phase.store(Phase::kTelling, std::memory_order_release);
  using About = Assumption::About;
  std::vector<Assumption>& assumes = answer.result.assumes;
  if (fresh::on()) notes.push_back("every execution has a process of its own, which is slower: " + fresh::reason());
  if (scheduler().left_running()) notes.push_back("threads were still running when the program ended");
  for (const std::string& text : not_undone()) notes.push_back(text);
  for (const std::string& text : admitted()) notes.push_back(text);
  if (!admitted().empty()) assumes.push_back({About::kUnseen, "what Tarry controls (see the notes)"});
  if (has_aliases()) {
    assumes.push_back({About::kUnseen, "memory that is accessed under one address only"});
    notes.push_back("the program sees memory under two addresses (a file that is mapped twice, or mapped and read or written by calls, shmat, mremap, /proc/self/mem): accesses are compared by address, so races and orders between them were not looked for");
  }
  if (met_most_reuses()) {
    assumes.push_back({About::kLimit, "at most " + times(g_most_reuses, "reuse") + " of freed memory"});
    notes.push_back("memory that was freed was used again at once at most " + times(g_most_reuses, "time") + " in an execution, though there was more to use; --reuses N explores more");
  }
  if (met_most_clock_jumps() && scheduler().clock_jumps == 0) {
    assumes.push_back({About::kUnseen, "clocks on which no step depends"});
    notes.emplace_back("the program reads clocks: they were never late, and what depends on the time otherwise was not explored");
  } else if (met_most_clock_jumps()) {
    assumes.push_back({About::kLimit, "at most " + times(scheduler().clock_jumps, "long delay") + " before clocks are read"});
    notes.push_back("a thread was held up for long before it reads a clock at most " + times(scheduler().clock_jumps, "time") + " in an execution; --clock-jumps N explores more");
  }
  if (const std::string names = unseen_calls(); !names.empty()) {
    if (admitted().empty()) assumes.push_back({About::kUnseen, "what Tarry controls (see the notes)"});
    notes.push_back("these functions of libraries may read and write memory that threads share, which is not seen: races there are not found, and orders that differ only there are not told apart: " + names);
  }
  answer.unrepeatable = why_unrepeatable();
  answer.modules = modules();
  answer.suppressions = suppressions_of_program();
  answer.result.weak_atomics = g_watch.weak_atomics;
  answer.result.outcome.sealed |= scheduler().sealed_ever();
  answer.result.outcome.notes.insert(answer.result.outcome.notes.end(), notes.begin(), notes.end());
  if (!own_memory_is_whole()) give_up("the program has destroyed memory of Tarry, which runs in the same process: it writes through wild pointers, in code that is not instrumented");
  leave(answer);
  end_process();
}

void give_up(const char* problem) {
  const EngineScope engine;
  if (g_block == nullptr && !attach()) __builtin_trap();
  Answer answer;
  answer.problem = problem;
  leave(answer);
  end_process();
}

void die_of_own_fault(int signal, std::uintptr_t address, std::uintptr_t pc) {
  if (g_block != nullptr) {
    g_block->death.store(Death::kOurs);
    g_block->death_number = signal;
    std::snprintf(g_block->death_text, sizeof(g_block->death_text), "signal %d at address %#lx, pc %#lx (%s at offset %#lx)", signal, address, pc,
                  file_of(pc), static_cast<unsigned long>(place_of(pc).offset));
  }
  while (true) ::syscall(SYS_exit_group, 70);
}

}  // namespace tarry::native::rt
