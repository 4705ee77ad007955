// Liveness by strongly connected components, with fairness inside: Tarry's own way, and the default where a program has liveness properties.
//
// The graph is built breadth first, every step once, and kept (explore/liveness/state_graph.h). Whenever it has doubled, and at the end, the parts of it in
// which a property could be violated for ever are looked for (explore/liveness/fair_components.h). So a violation near the start is found early, and all
// looks together take no more than two of the whole graph. Bugs of safety are found on the way, by shortest schedules.
//
// One worker. Everything has to be remembered: it stops when memory is spent.
#include <fmt/format.h>

#include <algorithm>

#include "core/registry.h"
#include "explore/liveness/lasso.h"
#include "explore/walker.h"

namespace tarry {
namespace {

class FairCycleWorker final : public Walker {
 public:
  explicit FairCycleWorker(Session& session)
      : Walker(session, 0),
        properties_(session.program().properties()),
        budget_(session.options().limits.memory),
        graph_(session, budget_),
        expansion_(session.program().shape().words),
        words_(session.program().shape().words) {}

  void run(StateView first) {
    const WhereaboutsScope here(*this);
    const Inside inside(graph_.store().gate());
    graph_.add(graph_.store().key(first), 0, Move{});
    session().count_state(counters());
    build();
    Outcome& outcome = session().outcome;
    outcome.bound = "depth";
    outcome.sealed = session().program().shape().seals;
    outcome.cut = cut_;
    if (!session().stopping()) look_for_cycles();
    outcome.bytes = budget_.peak();
    outcome.complete = !session().stopping() && cut_ == 0;
    outcome.live = outcome.complete && !properties_.empty();
    if (!session().stopping() && cut_ > 0) outcome.stopped_by = StoppedBy::kBound;
    if (outcome.live) note_fair_choices();
  }

  std::size_t path(Move* out, std::size_t room) const noexcept override { return copy_path(graph_.log(), PathId{here_}, out, room); }

 private:
  using Id = StateGraph::Id;

  void build() {
    const Limits& limits = session().options().limits;
    Id level_end = 1, next_look = 1024;
    std::uint64_t depth = 0;
    for (here_ = 0; here_ < graph_.size(); ++here_) {
      if (tick()) return;
      if (here_ == level_end) {
        saw_depth(++depth);
        session().outcome.reached = depth;
        session().outcome.reached_any = true;
        level_end = graph_.size();
        session().progress().bound = depth;
        session().progress().frontier = level_end - here_;
        session().progress().memory = budget_.used();
      }
      expand_here(limits.max_depth_given && depth >= limits.max_depth);
      if (session().stopping()) return;
      if (budget_.exceeded() || graph_.out_of_numbers()) return session().stop(StoppedBy::kMemory);
      if (here_ >= next_look) {
        next_look = here_ * 2;
        look_for_cycles();
      }
    }
    here_ = 0;
  }

  void expand_here(bool at_limit) {
    StateStore& store = graph_.store();
    graph_.words(here_, words_.data(), &folding_);
    expand(words_, expansion_);
    if (expansion_.deadlock()) return report_deadlock(path_here(), words_, -1);
    if (expansion_.count == 0) return look_at_end();
    if (at_limit) {
      ++cut_;
      return;
    }
    bump(counters().transitions, std::uint64_t{expansion_.count});
    const bool folded = words_.size() > 2;
    for (std::uint32_t i = 0; i < expansion_.count; ++i) {
      const abi::Successor& successor = expansion_.successors[i];
      const auto values = expansion_.values_of(successor);
      if ((successor.flags & abi::kFailed) != 0) [[unlikely]] return report_step(path_here(), words_, ProcessId{successor.process}, values, -1);
      const StateKey key = store.key(expansion_.state(i), folded ? &folding_ : nullptr, folded ? &successor_folding_ : nullptr);
      const Move move = session().moves().make(ProcessId{successor.process}, values);
      const auto [to, fresh] = graph_.add(key, here_, move);
      if (fresh) session().count_state(counters());
      graph_.connect(here_, to, move, {successor.marks, successor.resolved});
    }
  }

  /// An execution ends here. Does it owe something?
  void look_at_end() {
    const std::uint32_t owed = space().owed(words_);
    for (std::size_t i = 0; i < properties_.size(); ++i)
      if ((owed >> i & 1) != 0) return session().report(path_here(), {.label = "", .kind = "liveness", .message = ended_message(properties_[i]), .location = ""}, -1);
  }

  void look_for_cycles() {
    const std::uint64_t bytes = std::uint64_t{graph_.size()} * 16 + graph_.edge_count() / 8;
    budget_.force(bytes);
    Enabled enabled(graph_, space(), session().program().shape());
    FairComponents components(graph_, enabled, rules(), [&] { return session().poll(); });
    for (std::uint32_t i = 0; i < properties_.size() && !session().stopping(); ++i)
      if (components.find(i)) {
        report_lasso(make_lasso(graph_, components, enabled, narrator()), i);
        break;
      }
    budget_.give(bytes);
  }

  FairnessRules rules() const { return {session().options().fairness, session().options().choices}; }

  void report_lasso(Lasso lasso, std::uint32_t property) {
    Finding finding{.kind = "liveness", .message = endless_message(properties_[property]), .location = "", .schedule = {}};
    finding.loop = lasso.stem.size() + 1;
    finding.why = std::move(lasso.why);
    lasso.stem.insert(lasso.stem.end(), lasso.loop.begin(), lasso.loop.end());
    finding.steps = lasso.stem.size();
    finding.schedule = choices_of(session().moves(), lasso.stem);
    session().add_finding(std::move(finding));
    session().stop(StoppedBy::kFinding);
  }

  /// A proof that rests on fair data choices says so, and where.
  void note_fair_choices() {
    if (rules().choices != LoopChoices::kFair) return;
    Enabled enabled(graph_, space(), session().program().shape());
    FairComponents components(graph_, enabled, {rules().fairness, LoopChoices::kDemonic}, [&] { return session().poll(); });
    for (std::uint32_t i = 0; i < properties_.size() && !session().stopping(); ++i) {
      if (!components.find(i)) continue;
      const Lasso lasso = make_lasso(graph_, components, enabled, narrator());
      session().outcome.notes.push_back(fmt::format("{} holds because data choices are fair: {} could go against it for ever; --choices demonic shows how", properties_[i].name, place_of_choice(lasso)));
    }
  }

  /// The first step of the loop with a data choice, in words.
  std::string place_of_choice(const Lasso& lasso) {
    std::vector<Word> state(words_.size());
    space().initial(state.data());
    Taken taken(static_cast<std::uint32_t>(state.size()));
    for (std::size_t i = 0; i < lasso.stem.size() + lasso.loop.size(); ++i) {
      const Move move = i < lasso.stem.size() ? lasso.stem[i] : lasso.loop[i - lasso.stem.size()];
      const ProcessId process = session().moves().process(move);
      const auto values = session().moves().values(move);
      if (i >= lasso.stem.size() && !values.empty()) {
        const StepText text = narrator().explain(state, process, values);
        std::string place;
        for (const Happening& happening : text.happenings)
          if (place.empty() && !happening.location.empty()) place = happening.location;
        if (place.empty() && !text.label.empty()) place = fmt::format("'{}'", text.label);
        return fmt::format("the choice of {}{}{}", narrator().process_name(process), place.empty() ? "" : " at ", place);
      }
      space().take(state, process, values, taken);
      std::copy(taken.state().begin(), taken.state().end(), state.begin());
    }
    return "a choice";
  }

  std::vector<Property> properties_;
  MemoryBudget budget_;
  StateGraph graph_;
  Expansion expansion_;
  std::vector<Word> words_;
  FoldedState folding_, successor_folding_;
  Id here_ = 0;
  std::uint64_t cut_ = 0;
};

class FairCycle final : public Search {
 public:
  void run(Session& session) override {
    std::vector<Word> words(session.program().shape().words);
    if (!start(session, words.data())) return;
    FairCycleWorker(session).run(words);
  }
};

const Registration<Search> entry{{
    .name = "fair-cycle",
    .summary = "decides liveness: strongly connected components that are fair; the default where there is liveness to decide",
    .paper = "Couvreur, FM 1999; Courcoubetis and Yannakakis, JACM 1995",
    .kind = {.decides_liveness = true, .complete = true, .limits = {"fairness", "choices"}, .make = [](const ParamValues&) { return std::make_unique<FairCycle>(); }},
}};

}  // namespace
}  // namespace tarry
