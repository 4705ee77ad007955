#include "explore/liveness/deep_graph.h"

#include <algorithm>
#include <mutex>

namespace tarry {

DeepGraph::Shared::Shared(Session& session, Keeps what)
    : properties(session.program().properties()),
      budget(session.options().limits.memory),
      graph(session, budget),
      delays(session, budget),
      surveys(budget),
      first(graph.capacity(), graph.pages()),
      enabled(graph.capacity(), graph.pages()),
      arriving(graph.capacity(), graph.pages()),
      keeps(what) {}

DeepGraph::DeepGraph(Session& session, Keeps keeps) : DeepGraph(session, std::make_shared<Shared>(session, keeps), 0) {}

DeepGraph::DeepGraph(Session& session, DeepGraph& first, std::uint32_t number) : DeepGraph(session, first.owner_, number) {}

DeepGraph::DeepGraph(Session& session, std::shared_ptr<Shared> shared, std::uint32_t number)
    : Walker(session, number),
      owner_(std::move(shared)),
      shared_(*owner_),
      graph_(shared_.graph),
      delays_(shared_.delays),
      first_(shared_.first),
      writer_(graph_),
      before_(session.program().shape().processes),
      after_(session.program().shape().processes),
      enabled_bits_((session.program().shape().processes + 63) / 64),
      words_(session.program().shape().words),
      taken_(session.program().shape().words) {}

void DeepGraph::WaitingValues::put(EdgeId edge, const Waiting& how) {
  Shard& in = shard(edge);
  const std::scoped_lock lock(in.lock);
  in.edges[edge] = how;
}

DeepGraph::Waiting DeepGraph::WaitingValues::at(EdgeId edge) {
  Shard& in = shard(edge);
  const std::scoped_lock lock(in.lock);
  return in.edges.at(edge);
}

void DeepGraph::WaitingValues::erase(EdgeId edge) {
  Shard& in = shard(edge);
  const std::scoped_lock lock(in.lock);
  in.edges.erase(edge);
}

bool DeepGraph::begin() {
  space().initial(words_.data());
  space().survey(words_, after_);
  graph_.add(graph_.store().key(words_), StateGraph::kOutside, Move{});
  session().count_state(counters());
  const std::uint32_t survey = intern(after_);
  first_[0] = {.memo = delays_.initial(after_), .survey = survey, .cost = 0, .depth = 0};
  return meet(0, survey) && !faulty();
}

/// A state that is new, in words_ and after_: what is wrong with it, and how many turns it has. False: the search is over.
bool DeepGraph::meet(Id state, std::uint32_t survey) {
  First& first = first_[state];
  first.survey = survey;
  here_ = state;
  if (shared_.keeps.who_can_run) {
    space().enabled(words_, enabled_bits_);
    shared_.enabled[state] = shared_.surveys.intern(std::span<const std::uint64_t>(enabled_bits_));
  }
  if (after_.deadlock()) {
    report_deadlock(path_here(), words_, first.cost);
    return false;
  }
  first.turns = after_.sealed() ? 1 : after_.open().size();
  const Limits& limits = session().options().limits;
  if (first.turns == 0) {
    const std::uint32_t owed = space().owed(words_);
    for (std::size_t i = 0; i < shared_.properties.size(); ++i)
      if ((owed >> i & 1) != 0) {
        session().report(path_here(), {.label = "", .kind = "liveness", .message = ended_message(shared_.properties[i]), .location = ""}, first.cost);
        return false;
      }
  } else if (limits.max_depth_given && first.depth >= limits.max_depth) {
    shared_.cut.fetch_add(1, std::memory_order_relaxed);
    first.turns = 0;
  }
  if (out_of_memory()) session().stop(StoppedBy::kMemory);
  return !session().stopping();
}

bool DeepGraph::out_of_memory() const {
  const std::uint64_t room = graph_.size() * shared_.room.per_state + graph_.edge_count() * shared_.room.per_edge;
  return graph_.full() || shared_.budget.used() + room > shared_.budget.limit();
}

DeepGraph::EdgeId DeepGraph::next(Id state, EdgeId after, std::uint64_t bound, bool& beyond) {
  found_new_ = false;
  EdgeId e = after == StateGraph::kNone ? graph_.first_edge(state) : graph_.edge(after).next;
  while (!session().stopping()) {
    if (e == StateGraph::kNone) {
      const First& first = first_[state];
      if (first.turn >= first.turns) return StateGraph::kNone;
      if (std::uint64_t{first.cost} + first.turn > bound) {
        beyond = true;
        return StateGraph::kNone;
      }
      e = take_turn(state);
      continue;
    }
    if (graph_.edge(e).to != StateGraph::kOutside) return e;
    const Waiting how = shared_.waiting.at(e);
    if (how.cost > bound) {
      beyond = true;
      e = graph_.edge(e).next;
      continue;
    }
    shared_.waiting.erase(e);
    shared_.budget.give(WaitingValues::kBytes);
    const Move move = graph_.edge(e).move;
    here_ = state;
    if (tick()) break;
    follow(state, e, session().moves().process(move), session().moves().values(move), how, true);
  }
  return StateGraph::kNone;
}

/// Takes the next turn of a state. The first edge that came of it.
DeepGraph::EdgeId DeepGraph::take_turn(Id state) {
  here_ = state;
  if (tick()) return StateGraph::kNone;
  const First first = first_[state];
  load(first.survey, before_);
  const ProcessId process = delays_.pick(first.memo, before_, first.turn);
  if (first.turn + 1 < first.turns) first_[state].memo = delays_.pass(first.memo, before_, process);
  ++first_[state].turn;
  if (faulty()) return StateGraph::kNone;
  const EdgeId last = first.last;
  follow(state, last, process, {}, {first.memo, first.survey, std::uint64_t{first.cost} + first.turn}, false);
  if (session().stopping()) return StateGraph::kNone;
  return last == StateGraph::kNone ? graph_.first_edge(state) : graph_.edge(last).next;
}

/// Takes a step whose first values are given, with 0 for the others; what else could be chosen waits. The edge goes behind `at`, or in its place. Gives the last
/// edge.
DeepGraph::EdgeId DeepGraph::follow(Id state, EdgeId at, ProcessId process, std::vector<std::uint32_t> values, const Waiting& how, bool in_place) {
  graph_.words(state, words_.data(), &folding_);
  const std::size_t given = values.size();
  std::vector<std::uint32_t> arities;
  while (true) {
    take(words_, process, values, taken_);
    if (taken_.outcome != abi::Outcome::kNeedsValue) break;
    arities.push_back(taken_.arity);
    values.push_back(0);
  }
  if (taken_.outcome == abi::Outcome::kNotOpen) return report_nondeterminism(path_here(), "a process that could run before cannot run now"), at;
  bump(counters().transitions);
  if (taken_.failed()) return report_step(path_here(), words_, process, values, static_cast<std::int64_t>(how.cost)), at;
  const Move move = session().moves().make(process, values);
  const EdgeLabel label{taken_.marks, taken_.resolved};
  const Id to = arrive(state, move, how, index(process));
  if (session().stopping()) return at;
  if (shared_.keeps.arriving) std::atomic_ref(shared_.arriving[to]).fetch_add(1, std::memory_order_relaxed);
  EdgeId last = at;
  if (in_place) graph_.redirect(writer_, at, to, move, label);
  else last = graph_.connect_behind(writer_, at, state, to, move, label);
  const bool unit = session().options().choice_cost == ChoiceCost::kUnit;
  for (std::size_t i = arities.size(); i-- > 0;) {  // the last choice first: that is their order
    values.resize(given + i + 1);
    for (std::uint32_t value = 1; value < arities[i]; ++value) {
      values.back() = value;
      last = graph_.connect_behind(writer_, last, state, StateGraph::kOutside, session().moves().make(process, values), label);
      shared_.budget.force(WaitingValues::kBytes);
      shared_.waiting.put(last, {how.memo, how.survey, how.cost + (unit ? 1 : value)});
    }
  }
  First& first = first_[state];
  if (graph_.edge(last).next == StateGraph::kNone) first.last = last;
  return last;
}

/// The state in taken_, which may be new.
DeepGraph::Id DeepGraph::arrive(Id state, Move move, const Waiting& how, std::uint32_t process) {
  const auto [to, fresh] = graph_.add(writer_, graph_.store().key(taken_.state(), &folding_), state, move);
  if (!fresh) return to;
  found_new_ = true;
  session().count_state(counters());
  const std::uint32_t depth = first_[state].depth + 1;
  saw_depth(depth);
  space().survey(taken_.state(), after_);
  load(how.survey, before_);
  const std::uint32_t memo = delays_.step(how.memo, step_between(ProcessId{process}, before_, after_, taken_));
  if (faulty()) return to;
  if (to % 4096 == 0) {
    const std::size_t kept = (shared_.keeps.who_can_run ? 1 : 0) + (shared_.keeps.arriving ? 1 : 0);
    shared_.budget.force(4096 * (sizeof(First) + kept * sizeof(std::uint32_t)));
    session().progress().memory = shared_.budget.used();
  }
  first_[to] = {.memo = memo, .survey = 0, .cost = static_cast<std::uint32_t>(how.cost), .depth = depth};
  std::copy(taken_.state().begin(), taken_.state().end(), words_.begin());
  meet(to, intern(after_));
  here_ = state;
  return to;
}

void DeepGraph::conclude(Bound bound) {
  Outcome& outcome = session().outcome;
  outcome.bound = bound;
  outcome.sealed = session().program().shape().seals;
  outcome.cut = shared_.cut;
  outcome.bytes = shared_.budget.peak();
  outcome.complete = !session().stopping() && outcome.cut == 0;
  outcome.live = outcome.complete && !shared_.properties.empty();
  if (!session().stopping() && outcome.cut > 0) outcome.stopped_by = StoppedBy::kBound;
}

std::uint32_t DeepGraph::intern(const Survey& survey) {
  survey_bits_.assign(survey.bits().begin(), survey.bits().end());
  survey_bits_.push_back(survey.sealed() ? survey.sealed_by : 0);
  return shared_.surveys.intern(std::span<const std::uint64_t>(survey_bits_));
}

void DeepGraph::load(std::uint32_t id, Survey& out) const {
  const auto bits = shared_.surveys.get<std::uint64_t>(id);
  out.assign(bits.first(bits.size() - 1));
  out.sealed_by = static_cast<std::uint32_t>(bits.back());
}

bool DeepGraph::faulty() {
  const AskedExplorer* const explorer = delays_.explorer();
  if (explorer == nullptr || !explorer->faulty()) return false;
  const std::uint32_t processes = session().program().shape().processes;
  const auto name = [&](ProcessId p) { return index(p) < processes ? narrator().process_name(p) : "process " + std::to_string(index(p)); };
  if (!session().stopping()) session().report(path_here(), explorer->fault(name), -1);
  return true;
}

std::vector<DeepGraph*> workers_on(DeepGraph& first, Session& session, std::vector<std::unique_ptr<DeepGraph>>& owned) {
  const std::uint32_t jobs = session.options().jobs;
  if (jobs == 1) return {&first};
  owned.resize(jobs);
  run_workers(jobs, [&](std::uint32_t i) { owned[i] = std::make_unique<DeepGraph>(session, first, i); });
  std::vector<DeepGraph*> out;
  for (const auto& worker : owned) out.push_back(worker.get());
  return out;
}

}  // namespace tarry
