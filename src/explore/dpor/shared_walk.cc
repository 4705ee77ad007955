#include "explore/dpor/shared_walk.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace tarry {

void SharedWalk::run() {
  begin_round(post_.state());
  while (!session_.stopping()) {
    if (const std::uint64_t state = post_.state(); state != state_) {
      if ((state ^ state_) >= kRound) begin_round(state);
      state_ = state;
    }
    if ((state_ & (kExplored | kHopeless)) != 0) break;
    go_on();
  }
  post_.set_idle(false);
  walk_.done_ = (state_ & (kExplored | kHopeless)) != 0;
  walk_.conclude();
}

/// The first worker has the whole tree.
void SharedWalk::begin_round(std::uint64_t state) {
  if (state >= kRound) walk_.runner_.begin_anew();
  state_ = state;
  walk_.start_over();
  walk_.trouble_ = TraceWalk::Trouble::kNone;
  waiting_.clear();
  runs_ = session_.crew.worker == 0;
}

/// All workers. If another worker has begun a round meanwhile, this one joins it.
void SharedWalk::begin_anew(std::uint64_t how) {
  const std::uint64_t kept = state_ & kAlone;
  post_.change_state(state_, (state_ / kRound + 1) * kRound | kept | how);
}

void SharedWalk::go_on() {
  read_letters();
  if (!runs_ && !choose_part()) {
    post_.set_idle((state_ & kAlone) == 0);
    post_.wait();
    session_.poll();
    return;
  }
  post_.set_idle(false);
  walk_.run_once();
  if ((++executions_ & 15) == 0) {
    walk_.count_memory();
    if (walk_.budget_.exceeded()) session_.stop(StoppedBy::kMemory);
    session_.poll();
  }
  if (!session_.stopping()) after_execution();
}

void SharedWalk::after_execution() {
  using enum TraceWalk::Trouble;
  switch (walk_.trouble_) {
    case kPoints: return begin_anew(0);
    case kStrange: return begin_anew(kAlone);
    case kNone: break;
  }
  if (walk_.surprise_ != nullptr) return post_.change_state(state_, state_ | kHopeless);
  if (walk_.done_) {
    walk_.done_ = false;
    end_part();
  } else if (post_.anyone_idle()) {
    give();
  }
}

/// The part of the walk has nothing to run now.
void SharedWalk::end_part() {
  runs_ = false;
  Part& part = walk_.part_;
  if (part.node_count > part.first) {
    waiting_.push_back(std::move(part));
  } else if (part.first == 0) {
    post_.change_state(state_, state_ | kExplored);
  } else {
    for (std::uint32_t i = 0; i < part.first; ++i) walk_.plans_.drop(part.nodes[i].planned);
    begin_letter(kExploredPart, part.number_of_giver);
    letter_.put(part.first - 1);
    post_.send(part.giver, letter_.words());
  }
  part = {};
}

/// A part that waited and has something to run becomes that of the walk. False: there is none.
bool SharedWalk::choose_part() {
  for (std::size_t i = waiting_.size(); i-- > 0;) {
    std::swap(walk_.part_, waiting_[i]);
    if (!walk_.part_.repeated.empty() || walk_.backtrack()) {
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      return runs_ = true;
    }
    if (walk_.part_.node_count > walk_.part_.first) {
      std::swap(walk_.part_, waiting_[i]);
      continue;
    }
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    end_part();
  }
  return false;
}

// ---------------------------------------------------------------- letters

void SharedWalk::begin_letter(Kind kind, std::uint32_t number) {
  letter_.begin();
  letter_.put(static_cast<std::uint32_t>(kind));
  letter_.put(state_ / kRound);
  letter_.put(number);
}

/// A letter of a later round tells this worker that there is one. Letters of earlier rounds are void.
void SharedWalk::read_letters() {
  while (const auto words = post_.receive()) {
    const std::uint64_t round = (*words)[1] | std::uint64_t{(*words)[2]} << 32;
    if (round > state_ / kRound) begin_round(post_.state());
    if (round == state_ / kRound) read(*words);
  }
}

void SharedWalk::read(std::span<const std::uint32_t> words) {
  LetterReader letter(words.subspan(3), walk_.events_);
  const std::uint32_t number = letter.word();
  if (words[0] == kGiven) return read_part(letter, number);
  // A part that waits takes the place of that of the walk meanwhile.
  const bool runs = runs_ && walk_.part_.number == number;
  const auto place = std::find_if(waiting_.begin(), waiting_.end(), [&](const Part& part) { return part.number == number; });
  TARRY_ASSERT(runs || place != waiting_.end());
  if (!runs) std::swap(walk_.part_, *place);
  if (words[0] == kReversals) {
    read_reversals(letter);
  } else if (words[0] == kSequences) {
    read_sequences(letter);
  } else {
    Node& node = walk_.part_.nodes[letter.word()];
    TARRY_ASSERT(node.given > 0);
    --node.given;
  }
  if (!runs) std::swap(walk_.part_, *place);
}

void SharedWalk::put_steps(const PartialOrder& trace) {
  letter_.put(trace.size());
  for (std::uint32_t i = 0; i < trace.size(); ++i) letter_.put(trace.event(i));
}

void SharedWalk::send_reversals(const PartialOrder& trace, std::span<const Reversal> reversals) {
  begin_letter(kReversals, walk_.part_.number_of_giver);
  letter_.put(trace.met());
  for (std::uint32_t process = 0; process < trace.met(); ++process) letter_.put(trace.born(process));
  put_steps(trace);
  letter_.put(static_cast<std::uint32_t>(reversals.size()));
  for (const Reversal& reversal : reversals) {
    letter_.put(reversal.early);
    letter_.put(reversal.late);
    letter_.put(*reversal.event);
  }
  post_.send(walk_.part_.giver, letter_.words());
}

void SharedWalk::read_reversals(LetterReader& letter) {
  std::vector<std::uint32_t> born(letter.word());
  for (std::uint32_t& one : born) one = letter.word();
  const auto meet = [&](std::uint32_t steps) {
    for (std::uint32_t process = 0; process < born.size(); ++process)
      if (born[process] == steps + 1) theirs_.meet(process);
  };
  theirs_.truncate(0);
  const std::uint32_t steps = letter.word();
  for (std::uint32_t i = 0; i < steps; ++i) {
    meet(i);
    theirs_.add(letter.event());
  }
  meet(steps);
  theirs_.order();
  std::vector<Reversal> for_giver;
  for (std::uint32_t left = letter.word(); left > 0; --left) {
    Reversal reversal{};
    reversal.early = letter.word();
    reversal.late = letter.word();
    reversal.event = &letter.event();
    const PartialOrder& ours = walk_.part_.trace;
    const Event* taken = reversal.early < ours.size() ? &ours.event(reversal.early) : nullptr;
    if (taken == &theirs_.event(reversal.early)) taken = nullptr;
    if (walk_.plan_first(theirs_, reversal, taken) && reversal.early < walk_.part_.first) for_giver.push_back(reversal);
  }
  if (!for_giver.empty()) send_reversals(theirs_, for_giver);
}

void SharedWalk::send_sequences(std::span<const Sequence> sequences) {
  begin_letter(kSequences, walk_.part_.number_of_giver);
  letter_.put(walk_.part_.first - 1);
  letter_.put(static_cast<std::uint32_t>(sequences.size()));
  for (const Sequence& sequence : sequences) {
    letter_.put(sequence.node);
    letter_.put(static_cast<std::uint32_t>(sequence.events.size()));
    for (const Event* event : sequence.events) letter_.put(*event);
  }
  post_.send(walk_.part_.giver, letter_.words());
}

void SharedWalk::read_sequences(LetterReader& letter) {
  const std::uint32_t at = letter.word();  // behind this node the part was given
  const PartialOrder& ours = walk_.part_.trace;
  std::vector<Sequence> for_giver;
  for (std::uint32_t left = letter.word(); left > 0; --left) {
    Sequence sequence{.node = letter.word(), .events = std::vector<const Event*>(letter.word())};
    for (const Event*& event : sequence.events) event = &letter.event();
    const Event* const taken = sequence.node == at && at < ours.size() ? &ours.event(at) : nullptr;
    if (!walk_.plan_sent(sequence.node, sequence.events, taken) || sequence.node >= walk_.part_.first) continue;
    sequence.events = walk_.plans_.inserted();
    for_giver.push_back(std::move(sequence));
  }
  if (!for_giver.empty()) send_sequences(for_giver);
}

// ---------------------------------------------------------------- parts

/// The first own node behind which no part is given and that has more to be explored than what lies behind it. The last node: there is none.
std::uint32_t SharedWalk::place_to_split() const {
  const Part& part = walk_.part_;
  const std::uint32_t last = part.node_count - 1;
  std::uint32_t from = part.first;
  for (std::uint32_t i = from; i <= last; ++i)
    if (part.nodes[i].given > 0) from = i;
  for (std::uint32_t i = from; i < last; ++i)
    if (part.nodes[i].planned != 0 || (walk_.explores_all_values(part.nodes[i]) && part.nodes[i].has_more_values())) return i;
  return last;
}

/// Everything behind node `at` is given away. What is planned at that node counts as asleep in the copy.
void SharedWalk::put_node(const Node& node, std::uint32_t number, std::uint32_t at) {
  std::vector<const Event*> sleep = node.sleep;
  if (number == at && walk_.method_ == TraceWalk::Method::kOptimal)
    walk_.plans_.any(node.planned, [&](const Event& event) { return event.certain ? sleep.push_back(&event) : void(), false; });
  letter_.put(node.alternatives);
  letter_.put(node.next_value);
  letter_.put(node.all_values || walk_.dropped_ ? 1u : 0u);
  letter_.put(node.late || walk_.dropped_ ? 1u : 0u);
  letter_.put(walk_.dropped_ ? static_cast<std::uint32_t>(node.sleep.size()) : node.open);
  letter_.put(static_cast<std::uint32_t>(sleep.size()));
  for (const Event* event : sleep) letter_.put(*event);
  walk_.plans_.put(number > at ? node.planned : 0, letter_);
  walk_.plans_.put(number > at ? node.with_any : 0, letter_);
  letter_.put(number > at ? static_cast<std::uint32_t>(node.chosen.size()) : 0u);
  if (number > at)
    for (const std::uint32_t value : node.chosen) letter_.put(value);
}

void SharedWalk::read_node(LetterReader& letter, Node& node) {
  node.alternatives = letter.word();
  node.next_value = letter.word();
  node.all_values = letter.word() != 0;
  node.late = letter.word() != 0;
  node.open = letter.word();
  node.sleep.resize(letter.word());
  for (const Event*& event : node.sleep) event = &letter.event();
  node.planned = walk_.plans_.read(letter);
  node.with_any = walk_.plans_.read(letter);
  node.chosen.resize(letter.word());
  for (std::uint32_t& value : node.chosen) value = letter.word();
}

void SharedWalk::give() {
  Part& part = walk_.part_;
  const std::uint32_t at = place_to_split(), last = part.node_count - 1;
  if (at == last) return;
  const auto worker = post_.claim_idle();
  if (!worker) return;
  begin_letter(kGiven, part.number);
  letter_.put(session_.crew.worker);
  letter_.put(at + 1);
  put_steps(part.trace);
  letter_.put(static_cast<std::uint32_t>(part.trace.races().size()));
  for (const Race& race : part.trace.races()) letter_.put(race.settled);
  for (std::uint32_t i = 0; i <= last; ++i) put_node(part.nodes[i], i, at);
  post_.send(*worker, letter_.words());
  cut_off(at);
}

/// What lies behind a node is given away.
void SharedWalk::cut_off(std::uint32_t at) {
  Part& part = walk_.part_;
  for (std::uint32_t i = at + 1; i < part.node_count; ++i) {
    TARRY_ASSERT(!part.nodes[i].in_part);
    walk_.plans_.drop(part.nodes[i].planned);
    walk_.plans_.drop(part.nodes[i].with_any);
  }
  Node& node = part.nodes[at];
  TARRY_ASSERT(!node.in_part);
  node.late = true;
  if (node.alternatives == 0) node.sleep.push_back(&part.trace.event(at));
  ++node.given;
  part.node_count = at + 1;
  part.trace.truncate(at);
  part.complete = part.new_from = at;
}

void SharedWalk::read_part(LetterReader& letter, std::uint32_t number_of_giver) {
  Part part;
  part.number = ++parts_;
  part.number_of_giver = number_of_giver;
  part.giver = letter.word();
  part.first = letter.word();
  part.repeated.resize(letter.word());
  for (const Event*& event : part.repeated) event = &letter.event();
  part.settled.resize(letter.word());
  for (std::uint32_t& one : part.settled) one = letter.word();
  part.new_from = static_cast<std::uint32_t>(part.repeated.size());
  part.node_count = part.new_from + 1;
  part.nodes.resize(part.node_count);
  for (Node& node : part.nodes) read_node(letter, node);
  waiting_.push_back(std::move(part));
}

}  // namespace tarry
