#include "plang/vm/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "plang/vm/failure_text.h"

namespace tarry::plang {
namespace {

/// In what is remembered of a monitor, beside its word: it entered a cold state.
constexpr std::uint32_t kCooled = std::uint32_t{1} << 31;
static_assert(monitor_word(Pool::kMostObjects - 1, true) < kCooled);

void point_at(abi::Cursor& cursor, std::uint32_t slot, std::span<const std::uint32_t> values) {
  cursor.running = slot + 1;
  cursor.made = static_cast<std::uint32_t>(std::min<std::size_t>(values.size(), abi::kMaxValues));
  std::copy_n(values.begin(), cursor.made, cursor.values);
}

}  // namespace

PSpace::PSpace(World& world, Layout layout, Bounds bounds) : world_(world), layout_(layout), vm_(world), notes_heard_(bounds.temperature != 0), ledger_(*this, bounds) {}

PSpace::~PSpace() {
  if (!world_.follows_one_execution && steps_.next() > 0 && !met_limit_ && !world_.code.pool->full()) world_.leave(std::make_shared<StepCache>(std::move(steps_)));
}

void PSpace::take_over() {
  if (const auto steps = world_.left()) steps_ = std::move(*steps);
}

StepText PSpace::initial(Word* words) {
  std::fill_n(words, layout_.words(), 0);
  for (std::uint32_t m = 0; m < layout_.monitors(); ++m) {
    const auto started = vm_.start_monitor(m);
    if (started.failure) return text_of_failure(*started.failure, world_);
    words[layout_.monitor(m)] = started.config;
  }
  if (layout_.watches()) words[layout_.formula()] = world_.formula->first(states_of_specs(words));
  const std::uint32_t main = vm_.fresh(0, world_.test.main->index, Value::null());
  if (layout_.slots() > 0) {
    words[layout_.slot(0)] = main;
  } else {
    rest_.load(vm_.pool(), 0);
    rest_.at(vm_.pool(), 0).config = main;
    words[layout_.rest()] = rest_.save(vm_.pool());
  }
  return {};
}

PSpace::MachineWords PSpace::machine(StateView state, std::uint32_t slot) {
  if (slot < layout_.slots()) return {slot, state[layout_.slot(slot)], state[layout_.slot(slot) + 1]};
  const Rest::Machine m = Rest::find(vm_.pool(), state[layout_.rest()], slot);
  return {slot, m.config, m.inbox};
}

std::pair<std::vector<PSpace::MachineWords>, std::vector<PSpace::MachineWords>> PSpace::differing(StateView a, StateView b) {
  const auto chunks_of = [&](StateView state) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    Rest::for_each_chunk(vm_.pool(), state[layout_.rest()], [&](Rest::Chunk chunk) { out.emplace_back(chunk.first, chunk.id); });
    return out;
  };
  const auto in_a = chunks_of(a), in_b = chunks_of(b);
  const auto machines_of = [&](StateView state, const auto& mine, const auto& others) {
    std::vector<MachineWords> out;
    for (std::uint32_t s = 0; s < layout_.slots(); ++s)
      if (const Word* const at = &state[layout_.slot(s)]; *at != 0) out.push_back({s, at[0], at[1]});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> only_here;
    std::ranges::set_difference(mine, others, std::back_inserter(only_here));
    for (const auto& [first, id] : only_here)
      Rest::for_each(vm_.pool(), Rest::Chunk{first, id}, [&](const Rest::Machine& m) { out.push_back({m.slot, m.config, m.inbox}); });
    return out;
  };
  return {machines_of(a, in_a, in_b), machines_of(b, in_b, in_a)};
}

bool PSpace::can_run(std::uint32_t config, std::uint32_t inbox) {
  const Standing how = standing(config);
  if (how == Standing::kReady) return true;
  if (inbox == 0 || how == Standing::kAbsent || how == Standing::kHalted) return false;
  if (const std::uint32_t* known = can_run_.find(config, inbox)) return *known != 0;
  const bool can = vm_.can_run(config, inbox);
  can_run_.insert(config, inbox, can ? 1 : 0);
  return can;
}

std::uint32_t PSpace::append(std::uint32_t inbox, std::uint32_t message) {
  if (const std::uint32_t* known = appended_.find(inbox, message)) return *known;
  const std::uint32_t after = vm_.append(inbox, message);
  appended_.insert(inbox, message, after);
  return after;
}

bool PSpace::ignores(std::uint32_t slot) {
  if (slot >= ignores_.size()) ignores_.resize(slot + 1, -1);
  if (ignores_[slot] < 0) ignores_[slot] = world_.machine_in(slot).ignores_something ? 1 : 0;
  return ignores_[slot] > 0;
}

/// False if the event vanishes.
bool PSpace::enqueue(std::uint32_t slot, std::uint32_t& config, std::uint32_t& inbox, std::uint32_t message) {
  const Standing how = standing(config);
  if (how == Standing::kHalted || how == Standing::kAbsent) return false;
  if (how == Standing::kIdle && world_.points == Points::kNeeded && ignores(slot) && vm_.drops(config, message) && !can_run(config, inbox))
    return false;
  inbox = append(inbox, message);
  return true;
}

std::span<const std::uint32_t> PSpace::states_of_specs(const Word* state) {
  spec_states_.clear();
  for (const std::uint32_t m : world_.formula->specs()) spec_states_.push_back(vm_.monitor_state(state[layout_.monitor(m)]));
  return spec_states_;
}

void PSpace::tell_formula(Word* out, std::uint32_t event) {
  Word& word = out[layout_.formula()];
  const FormulaWatch::Seen seen = world_.formula->see(word, event, states_of_specs(out));
  word = seen.word;
  marks_.hot |= seen.hot << world_.first_of_formula();
  marks_.cold |= seen.cold << world_.first_of_formula();
}

bool PSpace::tell_monitors(Word* out, const Effect& told, std::vector<LogEntry>* log) {
  const std::uint32_t interface = told.a, message = told.b;
  for (const std::uint32_t m : world_.observers[interface][vm_.event_of(message)]) {
    if (m == World::kFormula) {
      tell_formula(out, vm_.event_of(message));
      continue;
    }
    Word& config = out[layout_.monitor(m)];
    const std::uint32_t* const known = log == nullptr ? observed_.find(config, message) : nullptr;
    std::uint32_t next = 0;
    if (known != nullptr) {
      next = *known;
    } else {
      const auto after = vm_.observe(m, config, message, log);
      if (after.failure) {
        failure_ = *after.failure;
        return false;
      }
      next = after.config | (after.cooled ? kCooled : 0);
      if (log == nullptr) observed_.insert(config, message, next);
    }
    config = next & ~kCooled;
    const std::uint32_t property = world_.property_of[m];
    if (is_hot(config)) marks_.hot |= property;
    if ((next & kCooled) != 0) marks_.cold |= property;
    if (notes_heard_) heard_.push_back({m, told.steps, config, (next & kCooled) != 0});
  }
  return true;
}

PSpace::Applied PSpace::apply(StateView state, std::uint32_t slot, const StepCache::Outcome& step, std::span<const Effect> effects, Word* out, std::vector<LogEntry>* log) {
  std::memcpy(out, state.data(), state.size_bytes());
  heard_.clear();
  created_.clear();
  renamed_.clear();
  marks_ = {};
  for (const std::uint32_t m : world_.properties)
    if (is_hot(state[layout_.monitor(m)])) marks_.hot |= world_.property_of[m];
  if (layout_.watches() && is_hot(state[layout_.formula()])) marks_.hot |= world_.ends_badly();
  bool wide = false;  // machines beyond the layout are touched
  const auto words_of = [&](std::uint32_t s) -> std::pair<std::uint32_t*, std::uint32_t*> {
    if (s < layout_.slots()) return {&out[layout_.slot(s)], &out[layout_.slot(s) + 1]};
    if (!wide) rest_.load(vm_.pool(), out[layout_.rest()]);
    wide = true;
    Rest::Machine& m = rest_.at(vm_.pool(), s);
    return {&m.config, &m.inbox};
  };
  if (step.failed == 0) {
    const auto [own_config, own_inbox] = words_of(slot);
    *own_config = step.config;
    *own_inbox = step.inbox;
  }
  out[layout_.exclusive()] = step.exclusive != 0 ? slot + 1 : 0;
  std::vector<LogEntry> merged;
  std::uint32_t logged = 0;
  Applied result{step.failed != 0, false, step.steps};
  for (const Effect& effect : effects) {
    switch (effect.kind) {
      case Effect::Kind::kSelf: break;
      case Effect::Kind::kEnqueue: {
        const auto [to, box] = words_of(effect.a);
        enqueue(effect.a, *to, *box, effect.b);
        break;
      }
      case Effect::Kind::kCreate:
        *words_of(effect.a).first = effect.b;
        created_.push_back(effect.a);
        break;
      case Effect::Kind::kObserve: {
        std::vector<LogEntry> heard;
        const bool fine = tell_monitors(out, effect, log == nullptr ? nullptr : &heard);
        if (log != nullptr) {
          merged.insert(merged.end(), log->begin() + logged, log->begin() + effect.log);
          merged.insert(merged.end(), heard.begin(), heard.end());
          logged = effect.log;
        }
        if (fine) break;
        if (log != nullptr) *log = std::move(merged);
        return {true, true, effect.steps};
      }
    }
  }
  if (log != nullptr) {
    merged.insert(merged.end(), log->begin() + logged, log->end());
    *log = std::move(merged);
  }
  if (wide) out[layout_.rest()] = rest_.save(vm_.pool());
  if (step.failed == 0 && world_.reuses_identities() && lets_go(state, slot, {out, layout_.words()})) {
    forget_the_dead(out);
    shorten_chains(state, out);
  }
  if (step.failed == 0 && world_.has_hot_states && hot_at_end({out, layout_.words()})) result.failed = true;
  return result;
}

std::optional<std::uint32_t> PSpace::hot_at_end(StateView state) {
  std::optional<std::uint32_t> hot;
  for (std::uint32_t m = 0; m < layout_.monitors() && !hot; ++m)
    if (is_hot(state[layout_.monitor(m)])) hot = m;
  if (!hot && layout_.watches() && is_hot(state[layout_.formula()])) hot = World::kFormula;
  if (!hot) return std::nullopt;
  bool over = true;
  for_each_open(state, [&](const MachineWords&) { over = false; }, [&](std::uint32_t) { over = false; });
  return over ? hot : std::nullopt;
}

/// What a step depends on beside the configuration: the inbox and, where the program can see it, how many machines there are.
std::uint32_t PSpace::second_key(std::uint32_t inbox) {
  if (!world_.numbered) return inbox;
  const std::uint64_t words[2] = {inbox, machines_ | std::uint64_t{1} << 63};
  return vm_.pool().intern(words);
}

std::uint32_t PSpace::machines_in(StateView state) {
  std::uint32_t out = Rest::count(vm_.pool(), state[layout_.rest()]);
  for (std::uint32_t s = 0; s < layout_.slots(); ++s) out += state[layout_.slot(s)] != 0 ? 1 : 0;
  return out;
}

void PSpace::count_machines(StateView state) {
  if (world_.numbered) machines_ = machines_in(state);
}

PSpace::ChunkSurvey PSpace::survey_of(Rest::Chunk chunk) {
  constexpr std::size_t kMost = std::size_t{1} << 13;
  if (const ChunkSurvey* const known = surveys_.find(chunk.id)) return *known;
  ChunkSurvey out{};
  Rest::for_each(vm_.pool(), chunk, [&](const Rest::Machine& m) {
    const std::uint64_t bit = std::uint64_t{1} << (m.slot - chunk.first);
    const Standing how = standing(m.config);
    if (how == Standing::kHalted) return;
    out.alive |= bit;
    if (can_run(m.config, m.inbox)) out.open |= bit;
    else if (how == Standing::kIdle) out.idle |= bit;
  });
  if (surveys_.size() >= kMost) surveys_.clear();
  surveys_.insert(chunk.id, out);
  return out;
}

template <class Function, class Blocked>
void PSpace::for_each_open(StateView state, Function&& f, Blocked&& blocked) {
  for (std::uint32_t s = 0; s < layout_.slots(); ++s) {
    const Word* const at = &state[layout_.slot(s)];
    if (*at == 0) continue;
    if (can_run(at[0], at[1])) f(MachineWords{s, at[0], at[1]});
    else if (standing(at[0]) == Standing::kBlocked) blocked(1);
  }
  Rest::for_each_chunk(vm_.pool(), state[layout_.rest()], [&](Rest::Chunk chunk) {
    const ChunkSurvey has = survey_of(chunk);
    if (const std::uint64_t waits = has.alive & ~has.open & ~has.idle; waits != 0) blocked(static_cast<std::uint32_t>(std::popcount(waits)));
    if (has.open == 0) return;
    Rest::for_each(vm_.pool(), chunk, [&](const Rest::Machine& m) {
      if ((has.open >> (m.slot - chunk.first) & 1) != 0) f(MachineWords{m.slot, m.config, m.inbox});
    });
  });
}

/// Does nothing that others could notice, and nothing that others could prevent.
bool PSpace::is_local(std::uint32_t config, const StepResult& result) const {
  return result.end == StepResult::End::kMoved && !result.exclusive && !vm_.minds_empty_inbox(config) &&
         std::all_of(result.effects.begin(), result.effects.end(),
                     [&](const Effect& e) { return e.kind == Effect::Kind::kCreate && !world_.numbered; });
}

void PSpace::note_local(std::uint32_t config, const StepResult& result, StepCache::Entry& entry) const {
  entry.local = is_local(config, result);
  entry.makes = entry.local == 1 && !result.effects.empty();
}

/// Has it more creators above it than those of programs that end?
bool PSpace::is_deep(std::uint32_t slot) {
  if (slot >= is_deep_.size()) is_deep_.resize(slot + 1, -1);
  if (is_deep_[slot] < 0) {
    std::uint32_t creators = 0;
    for (std::uint32_t at = slot; creators < world_.deep && (at = world_.identities.identity(at).parent) != kNone;) ++creators;
    is_deep_[slot] = creators == world_.deep ? 1 : 0;
  }
  return is_deep_[slot] > 0;
}

/// A chain of local steps has no end only if machines make machines without end. Each machine starts once and its inbox is finite, so such a chain goes down
/// the tree of creators without end. Where each machine makes several, there are too many of them before it is deep: hence the second bound.
bool PSpace::may_go_first(StateView state, std::uint32_t slot, const StepCache::Entry& step) {
  constexpr std::uint32_t kMany = 256;
  if (step.makes == 0) return true;
  return !is_deep(slot) && machines_in(state) < kMany;
}

void PSpace::remember(const StepResult& result) {
  met_limit_ |= result.end == StepResult::End::kFailed && result.failure.kind == kLimitKind;
  steps_.add(result);
}

void PSpace::add_outcome(std::uint32_t config, const StepResult& result, StepCache::Entry& entry) {
  remember(result);
  if (++entry.count == 1 && result.values.empty()) note_local(config, result, entry);
}

StepCache::Entry PSpace::steps_of(const MachineWords& m, bool exclusive, Listing listing, abi::Cursor& cursor) {
  const std::uint32_t key = second_key(m.inbox);
  const StepCache::Entry* known = steps_.find(m.config, key);
  if (known != nullptr && (known->listed == 1 || listing == Listing::kFirst)) return *known;
  if (known == nullptr) steps_.make_room();
  StepCache::Entry entry;
  entry.first = steps_.next();
  cursor.running = m.slot + 1;
  vm_.cursor = &cursor;
  cursor.made = 0;
  if (listing == Listing::kFirst) {
    vm_.step({machines_, m.config, m.inbox, exclusive}, {.missing = Vm::Missing::kAsk}, result_);
    entry.listed = result_.end != StepResult::End::kNeedsValue;
    if (entry.listed == 1) add_outcome(m.config, result_, entry);
  } else {
    for (const StepResult& result : vm_.steps({machines_, m.config, m.inbox, exclusive})) add_outcome(m.config, result, entry);
  }
  cursor.running = 0;
  vm_.cursor = nullptr;
  if (StepCache::Entry* const there = steps_.find(m.config, key)) *there = entry;
  else steps_.insert(m.config, key, entry);
  return entry;
}

void PSpace::add_successors(StateView state, const MachineWords& m, bool exclusive, abi::Expansion& out) {
  const StepCache::Entry entry = steps_of(m, exclusive, Listing::kAll, out.cursor);
  for (const StepCache::Outcome& o : steps_.outcomes(entry)) {
    if (out.count == out.capacity || out.value_count + abi::kMaxValues > out.value_capacity) out.grow(&out);
    if (out.cut != 0) return;
    const auto values = steps_.values(o);
    std::copy(values.begin(), values.end(), out.values + out.value_count);
    Word* const words = out.words + std::size_t{out.count} * layout_.words();
    if (world_.foreign != nullptr) point_at(out.cursor, m.slot, values);  // specs may call foreign functions, too
    const Applied applied = carry_out(state, m, o, steps_.effects(o), values, words);
    out.cursor.running = 0;
    out.successors[out.count++] = {m.slot, applied.failed ? abi::kFailed : 0u, out.value_count, o.values, marks_, {o.fair, 0}};
    out.value_count += o.values;
  }
}

std::uint32_t PSpace::goes_first(StateView state) {
  const std::uint32_t only = state[layout_.exclusive()];
  if (only != 0 || world_.points == Points::kAll || world_.follows_one_execution) return only;
  std::uint32_t first = 0;
  count_machines(state);
  cursor_ = &own_cursor_;
  for_each_open(state, [&](const MachineWords& m) {
    if (first != 0) return;
    const StepCache::Entry step = steps_of(m, false, Listing::kFirst, own_cursor_);
    if (step.local == 1 && may_go_first(state, m.slot, step)) first = m.slot + 1;
  }, [](std::uint32_t) {});
  return first;
}

void PSpace::expand(StateView state, abi::Expansion& out) {
  out.cursor.running = 0;
  out.count = out.value_count = out.blocked = out.cut = 0;
  const std::uint32_t only = goes_first(state);
  const bool exclusive = state[layout_.exclusive()] != 0;
  count_machines(state);
  cursor_ = &out.cursor;
  if (only != 0) {
    const MachineWords m = machine(state, only - 1);
    if (can_run(m.config, m.inbox)) add_successors(state, m, exclusive, out);
    else if (standing(m.config) == Standing::kBlocked) ++out.blocked;
    return;
  }
  for_each_open(state, [&](const MachineWords& m) { add_successors(state, m, exclusive, out); }, [&](std::uint32_t n) { out.blocked += n; });
}

/// Its size depends on the state only: equal surveys are equal bits.
void PSpace::survey(StateView state, Survey& out) {
  const std::uint32_t only = goes_first(state);
  std::uint32_t last = 0;  // slot + 1
  for (std::uint32_t s = 0; s < layout_.slots(); ++s)
    if (const std::uint32_t config = state[layout_.slot(s)]; config != 0 && config != kHaltedWord) last = s + 1;
  Rest::for_each_chunk(vm_.pool(), state[layout_.rest()], [&](Rest::Chunk chunk) {
    if (const std::uint64_t alive = survey_of(chunk).alive; alive != 0) last = chunk.first + static_cast<std::uint32_t>(std::bit_width(alive));
  });
  out.fit(last);
  const std::uint32_t longs = out.longs();
  const std::span<std::uint64_t> bits = out.bits();
  for (std::uint32_t s = 0; s < layout_.slots(); ++s) {
    const Word* const at = &state[layout_.slot(s)];
    const Standing how = standing(*at);
    if (how == Standing::kAbsent || how == Standing::kHalted) continue;
    const std::uint64_t bit = std::uint64_t{1} << (s % 64);
    bits[longs + s / 64] |= bit;
    if (can_run(at[0], at[1])) bits[s / 64] |= bit;
    else if (how == Standing::kIdle) bits[2 * longs + s / 64] |= bit;
  }
  Rest::for_each_chunk(vm_.pool(), state[layout_.rest()], [&](Rest::Chunk chunk) {
    const ChunkSurvey has = survey_of(chunk);
    if (has.alive == 0) return;
    bits[chunk.first / 64] |= has.open;
    bits[longs + chunk.first / 64] |= has.alive;
    bits[2 * longs + chunk.first / 64] |= has.idle;
  });
  if (only == 0) return;
  std::fill_n(bits.begin(), longs, 0);
  if (const MachineWords m = machine(state, only - 1); can_run(m.config, m.inbox)) bits[m.slot / 64] |= std::uint64_t{1} << (m.slot % 64);
}

void PSpace::enabled(StateView state, std::span<std::uint64_t> out) {
  std::fill(out.begin(), out.end(), 0);
  for_each_open(state, [&](const MachineWords& m) { out[m.slot / 64] |= std::uint64_t{1} << (m.slot % 64); }, [](std::uint32_t) {});
}

/// A foreign function that a spec calls may crash, and that step could not be taken again from point to point.
bool PSpace::may_crash_late(bool passed, std::span<const Effect> effects) const {
  return passed && world_.foreign != nullptr && std::any_of(effects.begin(), effects.end(), [](const Effect& e) { return e.kind == Effect::Kind::kObserve; });
}

PSpace::Applied PSpace::carry_out(StateView state, const MachineWords& m, const StepCache::Outcome& o, std::span<const Effect> effects,
                                  std::span<const std::uint32_t> values, Word* out) {
  if (!may_crash_late(o.passed, effects)) {
    const Applied applied = apply(state, m.slot, o, effects, out);
    if (!applied.by_monitor || !o.passed) return applied;
  }
  if (world_.follows_one_execution) world_.identities.forget(known_);
  StepResult single;
  vm_.step({machines_, m.config, m.inbox, state[layout_.exclusive()] != 0}, {.values = values, .pace = Vm::Pace::kSingle}, single);
  return apply(state, m.slot, StepCache::of(single), single.effects, out);
}

PSpace::Applied PSpace::step_with_log(StateView state, const MachineWords& m, std::span<const std::uint32_t> values, Vm::Missing missing,
                                      StepResult& out, Word* next, std::vector<LogEntry>& log) {
  count_machines(state);
  const bool exclusive = state[layout_.exclusive()] != 0;
  const std::uint32_t known = world_.identities.size();
  std::vector<std::uint32_t> made;
  for (const Vm::Pace pace : {Vm::Pace::kUsual, Vm::Pace::kSingle}) {
    if (pace == Vm::Pace::kSingle && world_.follows_one_execution) world_.identities.forget(known);
    log.clear();
    vm_.step({machines_, m.config, m.inbox, exclusive}, {.values = values, .missing = missing, .log = &log, .pace = pace}, out);
    if (out.end == StepResult::End::kNeedsValue) return {};
    if (pace == Vm::Pace::kUsual) made = out.values;
    else out.values = made;  // the move is the same, though it goes less far
    if (may_crash_late(out.passed > 0, out.effects)) continue;
    const Applied applied = apply(state, m.slot, StepCache::of(out), out.effects, next, &log);
    if (!applied.by_monitor || out.passed == 0) return applied;
  }
  return {};
}

void PSpace::take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) {
  cursor_ = &out.cursor;
  out.flags = 0;
  out.sent_count = out.order_count = 0;
  const std::uint32_t slot = index(process);
  const std::uint32_t only = state[layout_.exclusive()];
  const MachineWords m = machine(state, slot);  // a local step need not come first here: the caller has checked that
  if ((only != 0 && slot + 1 != only) || !can_run(m.config, m.inbox)) {
    out.outcome = abi::Outcome::kNotOpen;
    return;
  }
  const auto finish = [&](const StepCache::Outcome& o, std::span<const Effect> effects) {
    if (world_.foreign != nullptr) point_at(out.cursor, slot, values);
    const Applied applied = carry_out(state, m, o, effects, values, out.words);
    out.cursor.running = 0;
    out.outcome = abi::Outcome::kMoved;
    out.flags = applied.failed ? abi::kFailed : 0u;
    out.marks = marks_;
    out.resolved = {o.fair, 0};
    counted_ = applied.steps;
    for (const Effect& e : effects)
      if ((e.kind == Effect::Kind::kEnqueue || e.kind == Effect::Kind::kSelf) && out.sent_count < abi::kMaxMarks) out.sent[out.sent_count++] = e.a;
  };
  count_machines(state);
  const std::uint32_t key = second_key(m.inbox);
  known_ = world_.identities.size();
  if (const StepCache::Entry* known = steps_.find(m.config, key); known != nullptr && known->listed == 1) {
    const auto outcomes = steps_.outcomes(*known);
    const auto at = std::lower_bound(outcomes.begin(), outcomes.end(), values, [&](const StepCache::Outcome& o, std::span<const std::uint32_t> wanted) {
      const auto has = steps_.values(o);
      return std::lexicographical_compare(has.begin(), has.end(), wanted.begin(), wanted.end());
    });
    if (at != outcomes.end()) {
      const auto has = steps_.values(*at);
      const bool starts = has.size() >= values.size() && std::equal(values.begin(), values.end(), has.begin());
      if (starts && has.size() > values.size()) {
        out.outcome = abi::Outcome::kNeedsValue;
        out.arity = steps_.arities(*at)[values.size()];
        return;
      }
      if (starts) return finish(*at, steps_.effects(*at));
    }
  }
  out.cursor.running = slot + 1;
  out.cursor.made = 0;
  vm_.cursor = &out.cursor;
  vm_.step({machines_, m.config, m.inbox, only != 0}, {.values = values, .missing = Vm::Missing::kAsk}, result_);
  out.cursor.running = 0;
  vm_.cursor = nullptr;
  if (result_.end == StepResult::End::kNeedsValue) {
    out.outcome = abi::Outcome::kNeedsValue;
    out.arity = result_.arity;
    return;
  }
  if (result_.values.empty() && !world_.follows_one_execution && steps_.find(m.config, key) == nullptr) {  // it has only this one outcome
    steps_.make_room();
    StepCache::Entry entry;
    entry.first = steps_.next();
    entry.count = 1;
    note_local(m.config, result_, entry);
    remember(result_);
    steps_.insert(m.config, key, entry);
  }
  finish(StepCache::of(result_), result_.effects);
}

}  // namespace tarry::plang
