// Slots for machines are handed out as machines are met, and a state has a fixed number of words. So before a search starts a few thousand states are
// explored, always the same ones: the machines met there have words of their own, in an order that does not depend on how the search
// goes. Machines that turn up later share one word (layout.h). The states met there also tell how they are best folded (store/fold_plan.h).
//
// Foreign functions may crash in that first look, so it leaves a trail: the report has the schedule that led there, as one of the search would.
#include "plang/vm/p_program.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <optional>
#include <set>
#include <string_view>

#include "base/rng.h"
#include "core/patience.h"
#include "core/whereabouts.h"
#include "plang/vm/creation_order.h"
#include "plang/vm/follow.h"
#include "plang/vm/narrator.h"
#include "plang/vm/space.h"
#include "plang/vm/tandem.h"
#include "store/fold_plan.h"

namespace tarry::plang {
namespace {

constexpr std::size_t kFirstLook = 3000;     // states
constexpr std::size_t kMostWork = 2'000'000;  // machines in all of them, at most: where there are thousands of machines, fewer states will do
constexpr std::uint64_t kShareOfFirstLook = 8;  // of the memory one part in so many: what is met stays in the pool, and the search needs the rest
constexpr std::uint32_t kReplaySlots = 16;
constexpr std::uint32_t kMostSlots = 64;     // with words of their own

constexpr std::uint64_t kWalks = 16;
constexpr unsigned kWalkLength = 500;
constexpr unsigned kSampleStride = 3;  // of the states met there: the folding is chosen by these
// Foreign functions may be slow.
constexpr std::size_t kFirstForeignLook = 500;
constexpr std::uint64_t kForeignWalks = 2;

/// How every state of the first look was reached.
class Trail final : public Whereabouts {
 public:
  Trail(const PSpace& space, std::uint32_t machines) : space_(space), moves_(machines) {}

  static constexpr std::size_t kStart = 0;
  std::size_t add(std::size_t from, const abi::Successor& s, const Expansion& expansion) {
    steps_.push_back({from, moves_.make(ProcessId{s.process}, expansion.values_of(s))});
    return steps_.size();
  }
  std::size_t at = kStart;  // the state that is looked at

  std::size_t path(Move* out, std::size_t room) const noexcept override {
    std::size_t length = 0;
    for (std::size_t i = at; i != kStart; i = steps_[i - 1].from) ++length;
    std::size_t n = length;
    for (std::size_t i = at; i != kStart; i = steps_[i - 1].from)
      if (--n < room) out[n] = steps_[i - 1].move;
    return length;
  }
  const Moves& moves() const noexcept override { return moves_; }
  const abi::Cursor& cursor() const noexcept override { return space_.cursor(); }

 private:
  struct Step {
    std::size_t from;
    Move move;
  };
  const PSpace& space_;
  std::vector<Step> steps_;  // number n is at n - 1
  Moves moves_;
};

/// Until it has had its share of memory and of time.
bool goes_on_looking(PSpace& space) { return !space.vm().pool().full() && Patience::go_on(); }

/// Deeper than a look around the start.
void walk_at_random(PSpace& space, const std::vector<Word>& first, std::uint64_t number, Trail& trail, std::vector<std::vector<Word>>& met) {
  Rng rng(1, number);
  std::vector<Word> state = first;
  trail.at = Trail::kStart;
  Expansion expansion(static_cast<std::uint32_t>(state.size()));
  for (unsigned step = 0; step < kWalkLength && goes_on_looking(space); ++step) {
    space.expand(state, expansion);
    if (expansion.count == 0) return;
    const auto chosen = static_cast<std::uint32_t>(rng.below(expansion.count));
    if ((expansion.successors[chosen].flags & abi::kFailed) != 0) return;
    const StateView next = expansion.state(chosen);
    std::copy(next.begin(), next.end(), state.begin());
    if (step % kSampleStride == 0) met.push_back(state);
    trail.at = trail.add(trail.at, expansion.successors[chosen], expansion);
  }
}

/// States in the layout of the search.
template <class States>
std::vector<std::vector<Word>> laid_out(const States& states, PSpace& space, const Layout& layout) {
  std::vector<std::vector<Word>> out;
  out.reserve(states.size());
  for (const std::vector<Word>& state : states) {
    std::vector<Word>& words = out.emplace_back(layout.words());
    space.for_each_machine(state, [&](const PSpace::MachineWords& m) {
      if (m.slot >= layout.slots()) return;
      words[layout.slot(m.slot)] = m.config;
      words[layout.slot(m.slot) + 1] = m.inbox;
    });
    for (std::uint32_t i = 0; i < layout.monitors(); ++i) words[layout.monitor(i)] = state[space.layout().monitor(i)];
    if (layout.watches()) words[layout.formula()] = state[space.layout().formula()];
    words[layout.exclusive()] = state[space.layout().exclusive()];
  }
  return out;
}

std::uint32_t rounded_up(std::uint32_t n) { return (n + 63) / 64 * 64; }

/// Returns 0 if the text is no number.
std::uint32_t number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : 0;
}

/// Returns whether a text may name a machine: "Server(3)".
bool names_a_number(const std::string& text) {
  for (std::size_t open = text.find('('); open != std::string::npos; open = text.find('(', open + 1))
    if (const std::size_t close = text.find(')', open); close != std::string::npos && number_in(std::string_view(text).substr(open + 1, close - open - 1)) > 0) return true;
  return false;
}

}  // namespace

PProgram::PProgram(Code& code, const TestCase& test, Points points, Purpose purpose, Bounds bounds, const Foreign* foreign,
                   Identities::Mirror* mirror, const FormulaWatch* formula)
    : code_(code),
      test_(test),
      points_(points),
      bounds_(bounds),
      foreign_(foreign),
      formula_(formula),
      world_(std::make_unique<World>(code, test, points, foreign, mirror, formula)) {
  layout_ = Layout(kReplaySlots, world_->monitors(), formula_ != nullptr);
  shape_.processes = bounds_.machines == 0 ? Identities::kMost : bounds_.machines;
  world_->identities.limit(shape_.processes);
  world_->follows_one_execution = purpose == Purpose::kReplay;
  world_->deep = bounds_.deep;
  if (purpose == Purpose::kSearch) {
    if (bounds_.memory != 0) code_.pool->limit(bounds_.memory / kShareOfFirstLook, bounds_.memory);
    get_to_know_machines();
    if (bounds_.memory != 0) code_.pool->limit(bounds_.memory / 2, bounds_.memory);
  }
  world_->identities.limit(shape_.processes);
  shape_.words = layout_.words();
  shape_.bits = shape_.words * 32;
  shape_.seals = false;
  shape_.stays_enabled = true;
}

PProgram::~PProgram() = default;

/// Breadth first, from the first state.
void PProgram::get_to_know_machines() {
  PSpace space(*world_, layout_);
  std::vector<Word> first(layout_.words());
  if (!space.initial(first.data()).kind.empty()) return;
  std::set<std::vector<Word>> seen{first};
  std::deque<std::pair<std::vector<Word>, std::size_t>> frontier{{first, Trail::kStart}};
  Expansion expansion(layout_.words());
  Trail trail(space, shape_.processes);
  std::optional<WhereaboutsScope> here;
  if (foreign_ != nullptr) here.emplace(trail);
  const std::size_t enough = foreign_ == nullptr ? kFirstLook : kFirstForeignLook;
  bool goes_on = true;
  std::size_t work = 0;
  while (!frontier.empty() && seen.size() < enough && work < kMostWork && (goes_on = goes_on_looking(space))) {
    const std::vector<Word> state = std::move(frontier.front().first);
    trail.at = frontier.front().second;
    frontier.pop_front();
    space.expand(state, expansion);
    work += std::size_t{expansion.count} * world_->identities.size();
    for (std::uint32_t i = 0; i < expansion.count; ++i) {
      if ((expansion.successors[i].flags & abi::kFailed) != 0) continue;
      const StateView next = expansion.state(i);
      std::vector<Word> copy(next.begin(), next.end());
      if (seen.insert(copy).second) frontier.emplace_back(std::move(copy), trail.add(trail.at, expansion.successors[i], expansion));
    }
  }
  const std::uint64_t walks = foreign_ == nullptr ? kWalks : kForeignWalks;
  std::vector<std::vector<Word>> met;  // far from the start, where most states are
  for (std::uint64_t walk = 0; walk < walks && !frontier.empty() && goes_on; ++walk) walk_at_random(space, first, walk, trail, met);
  const std::uint32_t known = world_->identities.size();
  const bool all = frontier.empty() && !code_.pool->full();  // a step that is refused for want of memory leads somewhere
  layout_ = Layout(std::min(kMostSlots, known), world_->monitors(), formula_ != nullptr);
  shape_.folds = fold_by_sample(all ? laid_out(seen, space, layout_) : laid_out(met, space, layout_), layout_.words());
  if (all) shape_.processes = std::min(rounded_up(known), shape_.processes);  // else as many as a replay has room for
}

std::string PProgram::why_unrepeatable() const { return code_.pool->exhausted() ? "the values of the program need more memory than --memory leaves" : ""; }

std::vector<std::string> PProgram::caveats() const {
  if (!world_->has_hot_states || bounds_.temperature != 0) return {};
  return {"hot states of specs are looked at where an execution ends; executions that go on for ever with a spec hot are not reported"};
}

std::unique_ptr<StateSpace> PProgram::open() const {
  auto space = std::make_unique<PSpace>(*world_, layout_, bounds_);
  space->take_over();
  return space;
}

std::unique_ptr<Narrator> PProgram::narrator() const {
  return make_narrator(*world_, layout_, make_listener_ ? make_listener_(*this) : nullptr);
}

std::vector<Property> PProgram::properties() const {
  std::vector<Property> out;
  for (const std::uint32_t m : world_->properties) {
    const std::string name = "spec '" + world_->monitor(m).source->name.text + "'";
    out.push_back({.name = name, .owed = name + " stays hot"});
  }
  for (std::uint32_t n = 0; formula_ != nullptr && n < formula_->properties(); ++n) {
    const std::string name = "formula '" + formula_->text() + "'";
    out.push_back({.name = name, .owed = name + " does not hold"});
  }
  return out;
}

// The schedule is walked in the numbers of the search, mostly through the steps that the search remembers. In a replay the n-th machine that is created has number n, so its
// numbers are counted, not looked up in a replay. Only a message that names machines by other numbers makes one more execution necessary, because its text
// may list machines in their order.
void PProgram::make_portable(Finding& finding) const {
  code_.pool->lift_limit();  // the search is over, and so are its tables
  CreationOrder order(*this);
  if (!order.start()) return;
  std::vector<Choice> schedule = finding.schedule;
  for (auto at = schedule.begin(); at != schedule.end();) {
    const std::uint32_t slot = at->number;
    const auto number = order.number_of(slot);
    if (!number) return;
    at->number = *number;
    std::vector<std::uint32_t> values;
    for (++at; at != schedule.end() && at->kind == Choice::Kind::kValue; ++at) values.push_back(at->number);
    if (!order.step(slot, values)) return;
  }
  finding.schedule = std::move(schedule);
  if (world_->numbered || order.agrees()) return;  // its words are those of a replay
  for (std::string& sentence : finding.why) sentence = with_numbers_of(sentence, order);
  if (names_a_number(finding.message)) take_words_of_replay(finding);
}

/// Requires: the schedule is portable.
void PProgram::take_words_of_replay(Finding& finding) const {
  const PProgram replayed(code_, test_, points_, Purpose::kReplay, bounds_, foreign_, nullptr, formula_);
  const FollowedRun run = follow(replayed, finding.schedule, [](const FollowedStep&) {});
  if (!run.complete || (run.ending.kind == "deadlock" && finding.kind != "deadlock") || run.ending.kind.empty()) return;
  finding.kind = run.ending.kind;
  finding.message = run.ending.message;
  if (finding.kind != "deadlock") finding.location = run.ending.location;
}

/// Names of machines with the numbers that they have in the replay.
std::string PProgram::with_numbers_of(const std::string& sentence, const CreationOrder& order) const {
  std::string out;
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t open = sentence.find('(', at), close = sentence.find(')', open);
    if (close == std::string::npos) return out + sentence.substr(at);
    out += sentence.substr(at, open + 1 - at);
    const std::string inside = sentence.substr(open + 1, close - open - 1);
    const std::uint32_t number = number_in(inside);
    const bool is_name = number > 0 && number <= world_->identities.size() &&
                         out.ends_with(world_->code.program->interfaces[world_->identities.identity(number - 1).interface]->name.text + "(");
    const auto there = is_name ? order.number_of(number - 1) : std::nullopt;
    out += there ? std::to_string(*there + 1) : inside;
    at = close;
  }
  return out;
}

bool PProgram::closes(const std::vector<Choice>& schedule, std::uint64_t loop) const {
  const PProgram replayed(code_, test_, points_, Purpose::kReplay, bounds_, foreign_, nullptr, formula_);
  PProgram again(code_, test_, points_, Purpose::kReplay, bounds_, foreign_, nullptr, formula_);
  again.world_->follows_one_execution = false;  // identities are used again
  Tandem both(replayed, again);
  if (!both.start()) return false;
  std::vector<Word> first;
  std::uint64_t step = 0;
  for (std::size_t i = 0; i < schedule.size();) {
    if (++step == loop) first = both.second().state;
    const std::uint32_t process = schedule[i].number;
    std::vector<std::uint32_t> values;
    for (++i; i < schedule.size() && schedule[i].kind == Choice::Kind::kValue; ++i) values.push_back(schedule[i].number);
    if (!both.step(process, values)) return false;
  }
  return first == both.second().state;
}

}  // namespace tarry::plang
