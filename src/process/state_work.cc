#include "process/state_work.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <new>

#include "base/resident.h"
#include "core/patience.h"
#include "core/registry.h"
#include "core/whereabouts.h"
#include "process/account.h"
#include "process/inherited_limits.h"
#include "process/wire.h"
#include "toolchain/explorer_file.h"
#include "trace/replayer.h"

namespace tarry::process {
namespace {

/// Loads the program and goes as far as its first state, each under its own phase, so that a crash is told apart.
Result<std::unique_ptr<Program>> open(Shared& shared, const StateSubject& subject, StateSubject::Purpose purpose) {
  shared.phase = Phase::kLoading;
  auto program = subject.load(purpose);
  if (!program) return program;
  shared.phase = Phase::kStarting;
  const Shape& shape = (*program)->shape();
  std::vector<Word> words(shape.words);
  if (!(*program)->open()->initial(words.data()).kind.empty()) return program;  // the search will tell
  const auto narrator = (*program)->narrator();
  for (std::uint32_t i = 0; i < std::min(shape.processes, abi::kMaxProcesses); ++i) {
    const std::string name = narrator->process_name(ProcessId{i});
    std::strncpy(shared.names[i].data(), name.c_str(), shared.names[i].size() - 1);
  }
  return program;
}

/// A look at the program before the search takes at most so long, and at most a quarter of --time: the search needs the rest.
constexpr auto kFirstLook = std::chrono::seconds(10);

/// What a program does before its first step obeys the time limit and Ctrl-C, and shows that it moves.
std::function<bool()> asked_meanwhile(Shared& shared, std::chrono::steady_clock::time_point end) {
  return [&shared, end] {
    ++shared.beat;
    return !shared.progress.stop.load(std::memory_order_relaxed) && std::chrono::steady_clock::now() < end;
  };
}

/// The program, with an eye on the step that runs.
class Watched final : public Program, public Whereabouts {
 public:
  Watched(const Program& program, Shared& shared) : program_(program), shared_(shared) {}
  const Shape& shape() const override { return program_.shape(); }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }
  std::unique_ptr<Narrator> narrator() const override { return program_.narrator(); }
  std::vector<Property> properties() const override { return program_.properties(); }
  bool closes(const std::vector<Choice>& schedule, std::uint64_t loop) const override { return program_.closes(schedule, loop); }

  std::size_t path(Move* /*out*/, std::size_t /*room*/) const noexcept override { return 0; }  // the parent has the schedule
  const Moves& moves() const noexcept override { return moves_; }
  const abi::Cursor& cursor() const noexcept override { return space_ == nullptr ? nowhere_ : space_->cursor(); }

 private:
  class Space final : public StateSpace {
   public:
    explicit Space(const Watched& program) : program_(program), space_(program.program_.open()) { program_.space_ = space_.get(); }
    ~Space() override { program_.space_ = nullptr; }
    StepText initial(Word* words) override { return space_->initial(words); }
    void expand(StateView state, abi::Expansion& out) override { space_->expand(state, out); }
    void survey(StateView state, Survey& out) override {
      ++program_.shared_.step;  // a process that crashes here does so in its next step
      space_->survey(state, out);
      --program_.shared_.step;
    }
    void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
      space_->take(state, process, values, out);
    }
    void enabled(StateView state, std::span<std::uint64_t> out) override { space_->enabled(state, out); }
    std::uint32_t owed(StateView state) override { return space_->owed(state); }
    const abi::Cursor& cursor() const override { return space_->cursor(); }
    Ledger* ledger() override { return space_->ledger(); }

   private:
    const Watched& program_;
    std::unique_ptr<StateSpace> space_;
  };

  const Program& program_;
  Shared& shared_;
  mutable const StateSpace* space_ = nullptr;
  Moves moves_;
  abi::Cursor nowhere_{};
};

/// --memory is for the whole process: what it holds before the search is not available for tables, nor is a reserve for memory that is not counted (stacks,
/// gaps of the heap). At least half is left to the tables.
SearchOptions within_memory(SearchOptions engine, const Program& program) {
  engine.limits.held = engine.limits.memory;
  engine.limits.memory -= std::min(resident_bytes() + engine.limits.memory / 32, engine.limits.memory / 2);
  if (engine.when_full == WhenFull::kReplace && program.bytes() > 0) engine.limits.memory = engine.limits.memory / 3 * 2;  // full tables stay full: the program needs room beside them
  return engine;
}

/// Exceptions of ours do not leave the child.
template <class Work>
std::string guarded(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc& e) {
    if (const auto limit = limit_behind(e))
      return wire::diagnostic({fmt::format("tarry: error: {}, or give the search less with --memory", *limit)});
    return wire::failure("out of memory; give it less with --memory, or fewer workers with --jobs");
  } catch (const std::exception& e) {
    if (const auto limit = limit_behind(e)) return wire::diagnostic({"tarry: error: " + *limit});
    return wire::failure(e.what());
  }
}

/// The tables of a search are counted; if they are not what made the process large, the program is.
void note_memory(Outcome& outcome, std::uint64_t most) {
  const std::uint64_t held = resident_bytes();
  if (outcome.stopped_by != StoppedBy::kMemory || held <= most || outcome.bytes > held / 2) return;
  outcome.notes.push_back(memory_note(held, outcome.bytes));
}

/// The search itself. Throws OutOfPatience if the time is up before it begins.
std::string search(Shared& shared, const SearchPlan& plan, const StateSubject& subject) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::optional<Clock::time_point> end;
  if (plan.engine.limits.time) end = start + *plan.engine.limits.time;
  const PatienceScope patience(asked_meanwhile(shared, start + std::min<Clock::duration>(kFirstLook, plan.engine.limits.time.value_or(std::chrono::hours(1)) / 4)),
                               asked_meanwhile(shared, end.value_or(Clock::time_point::max())));
  const auto program = open(shared, subject, StateSubject::Purpose::kSearch);
  if (!program) return wire::diagnostic(program.error());
  ExplorerMaker make_explorer;
  std::string explorer_name = plan.explorer;
  if (plan.explorer_object) {
    shared.phase = Phase::kLoading;
    const auto loaded = load_explorer(*plan.explorer_object);
    if (!loaded) return wire::diagnostic(loaded.error());
    record_module(Module::kExplorer, *plan.explorer_object);
    make_explorer = loaded->make;
    explorer_name = loaded->name;
    std::strncpy(shared.explorer.data(), explorer_name.c_str(), shared.explorer.size() - 1);
  } else {
    make_explorer = Registry<Explorer>::find(plan.explorer)->kind.make;
  }
  const auto& entry = *Registry<Search>::find(plan.search);
  const auto search = entry.kind.make(with_defaults(entry.params, plan.params));
  shared.phase = Phase::kSearching;
  SearchOptions engine = within_memory(plan.engine, **program);
  if (end) engine.limits.time = std::max(std::chrono::milliseconds(0), std::chrono::duration_cast<std::chrono::milliseconds>(*end - Clock::now()));
  Session session(**program, engine, make_explorer, shared.progress);
  if (plan.explorer_object) session.explorer_file = explorer_name;
  search->run(session);
  note_memory(session.outcome, engine.limits.held);
  if (session.findings().empty() && !session.outcome.live && !entry.kind.decides_liveness)
    for (std::string& caveat : (*program)->caveats()) session.outcome.notes.push_back(std::move(caveat));
  std::vector<Finding> findings = session.findings();
  for (Finding& finding : findings) (*program)->make_portable(finding);
  SearchResult result{session.outcome, std::move(findings), explorer_name};
  result.checks = (*program)->checks();
  for (const Property& property : (*program)->properties())  // a formula has several, of one name
    if (result.properties.empty() || result.properties.back() != property.name) result.properties.push_back(property.name);
  return wire::search_result(result);
}

}  // namespace

std::uint64_t count_steps(const std::vector<Choice>& schedule) {
  return static_cast<std::uint64_t>(
      std::count_if(schedule.begin(), schedule.end(), [](const Choice& choice) { return choice.kind == Choice::Kind::kProcess; }));
}

std::string run_search(Shared& shared, const SearchPlan& plan, const StateSubject& subject) {
  return guarded([&] {
    try {
      return search(shared, plan, subject);
    } catch (const OutOfPatience& out) {
      SearchResult result;
      result.explorer = plan.explorer;
      result.outcome.stopped_by = shared.progress.stop.load() ? StoppedBy::kInterrupt : StoppedBy::kTime;
      result.outcome.notes.push_back("the search had to end while " + out.meanwhile);
      return wire::search_result(result);
    }
  });
}

std::string run_replay(Shared& shared, const StateSubject& subject, const std::vector<Choice>& schedule,
                       const std::vector<std::uint32_t>& expected, const Telling& telling, const Say& say) {
  return guarded([&] {
    const auto program = open(shared, subject, StateSubject::Purpose::kReplay);
    if (!program) return wire::diagnostic(program.error());
    shared.phase = Phase::kReplaying;
    Watched watched(**program, shared);
    const WhereaboutsScope here(watched);
    wire::Replayed told;
    const auto tell = [&](std::uint64_t step, const Replay& so_far) {
      shared.step = step;
      say(wire::replay_so_far(so_far, told));
      told = {so_far.steps.size(), so_far.fingerprints.size(), true};
    };
    const Replay done = replay(watched, schedule, expected, tell, telling);
    shared.phase = Phase::kDone;
    return wire::replay_result(done, told);
  });
}

}  // namespace tarry::process
