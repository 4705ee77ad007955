#include "explore/walker.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/resident.h"
#include "base/units.h"

namespace tarry {
namespace {

/// Did two runs of one step come to the same? A step that failed leads nowhere, and its marks mean nothing.
template <class Result>
bool same_result(const Result& a, const Result& b) { return a.flags == b.flags && ((a.flags & abi::kFailed) != 0 || (a.marks.hot == b.marks.hot && a.marks.cold == b.marks.cold)); }

void watch_this_thread(WorkerProgress& line) { line.thread.store(static_cast<std::uint32_t>(::syscall(SYS_gettid)), std::memory_order_relaxed); }

}  // namespace

Walker::Walker(Session& session, std::uint32_t number)
    : session_(session), moves_(session.moves()), counters_(session.worker(number)), space_(session.program().open()) {
  on_this_thread();
  space_->ask_while_expanding([this](std::uint64_t bytes) { return go_on_expanding(bytes); });
}

void Walker::on_this_thread() { watch_this_thread(counters_); }

Walker::~Walker() { counters_.thread.store(0, std::memory_order_relaxed); }

/// Asks the session whether to go on, and decides when to ask again: after 128 steps, or about 20 ms.
bool Walker::look_around() {
  constexpr std::uint64_t kMost = 128;
  const auto now = std::chrono::steady_clock::now();
  const bool slow = now - last_poll_ > std::chrono::milliseconds(20);
  stride_ = slow ? std::max<std::uint64_t>(stride_ / 4, 1) : std::min(stride_ * 2, kMost);
  last_poll_ = now;
  next_poll_ = ticks_ + stride_;
  return session_.poll();
}

Narrator& Walker::narrator() {
  if (narrator_ == nullptr) narrator_ = session_.program().narrator();
  return *narrator_;
}

/// One state can have a million successors: the search stays answerable meanwhile, and keeps its memory.
Expansion::Ends Walker::go_on_expanding(std::uint64_t bytes) {
  constexpr std::uint64_t kNotCounted = 1 << 20;
  constexpr std::uint32_t kAsked = 64;  // successors; to stop in the middle of fewer would make results depend on time
  bump(counters_.beat);
  if ((successors_ += stretch_) < kAsked) return Expansion::Ends::kGoOn;
  if (tick()) return Expansion::Ends::kStop;
  const std::uint64_t held = session_.options().limits.held;
  if (bytes <= kNotCounted || held == 0) return Expansion::Ends::kGoOn;
  // They are copied while they grow, and their moves and states will take about as much again.
  if (bytes <= held / 8 && resident_bytes() + 3 * bytes <= held) return Expansion::Ends::kGoOn;
  session_.stop(StoppedBy::kMemory);
  return Expansion::Ends::kStop;
}

void Walker::expand(StateView state, Expansion& out) {
  constexpr std::uint32_t kCompared = 4096;  // more successors than that are not held twice
  if (!fill(state, out)) [[unlikely]] return;
  if (++expansions_ > 64 && expansions_ % 1024 != 0) [[likely]] return;
  if (out.count > kCompared) return;
  if (again_ == nullptr) again_ = std::make_unique<Expansion>(session_.program().shape().words);
  if (!fill(state, *again_)) return;
  const std::size_t words = std::size_t{out.count} * state.size();
  if (out.count == again_->count && out.blocked == again_->blocked && std::memcmp(out.words, again_->words, words * sizeof(Word)) == 0 &&
      std::equal(out.successors, out.successors + out.count, again_->successors, same_result<abi::Successor>))
    return;
  report_nondeterminism(path_here(), "two expansions of one state gave different successors");
}

/// Returns false if the search ends meanwhile.
bool Walker::fill(StateView state, Expansion& out) {
  if (!out.go_on) [[unlikely]] out.go_on = [this](std::uint64_t bytes) { return go_on_expanding(bytes); };
  stretch_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(stride_ / 8, 1, Expansion::kLongestStretch));
  successors_ = 0;
  out.begin(stretch_);
  space_->expand(state, out);
  if (out.cut == 0) [[likely]] return true;
  stop_in_expansion(out);
  return false;
}

/// The expansion was cut: the search was told to stop meanwhile, or there are too many successors.
void Walker::stop_in_expansion(const Expansion& out) {
  if (!session_.stopping()) session_.stop_at_limit("more than " + with_separators(out.most()) + " ways on from one state");
}

void Walker::take_again(StateView state, ProcessId process, std::span<const std::uint32_t> values, const Taken& first) {
  Taken second(session_.program().shape().words);
  bump(counters_.beat);  // the two together may take longer than --step-timeout
  space_->take(state, process, values, second);
  const bool same_state = first.outcome != abi::Outcome::kMoved || (same_result<abi::Taken>(first, second) && std::ranges::equal(first.state(), second.state()));
  if (first.outcome == second.outcome && first.flags == second.flags && same_state) return;
  report_nondeterminism(path_here(), "one step, taken twice, led to different states");
}

void Walker::report_step(std::vector<Move> path, StateView state, ProcessId process, std::span<const std::uint32_t> values,
                         std::int64_t delays) {
  path.push_back(session_.moves().make(process, values));
  StepText text = narrator().explain(state, process, values);
  if (text.kind.empty()) return report_nondeterminism(path, "a step failed, and did not fail when it was taken again");
  session_.report(path, text, delays);
}

void Walker::report_deadlock(const std::vector<Move>& path, StateView state, std::int64_t delays) {
  Survey survey(session_.program().shape().processes);
  space_->survey(state, survey);
  session_.report(path, {.label = "", .kind = "deadlock", .message = deadlock_message(survey, narrator()), .location = ""}, delays);
}

void Walker::report_nondeterminism(const std::vector<Move>& path, const std::string& what) {
  session_.report(path, {.label = "", .kind = "nondeterminism", .message = "the program is not a function of its choices: " + what, .location = ""}, -1);
}

std::vector<Move> Walker::path_here() const {
  std::vector<Move> out(path(nullptr, 0));
  path(out.data(), out.size());
  return out;
}

bool start(Session& session, Word* words) {
  watch_this_thread(session.worker(0));  // explorers are asked before there is a walker
  const StepText text = session.program().open()->initial(words);
  if (text.kind.empty()) return true;
  session.report({}, text, 0);
  return false;
}

std::size_t copy_path(const PathLog& log, PathId id, Move* out, std::size_t room) noexcept {
  std::size_t length = 0;
  for (PathId at = id; at != PathId::kRoot; at = log.parent(at)) ++length;
  std::size_t i = length;
  for (PathId at = id; at != PathId::kRoot; at = log.parent(at))
    if (--i < room) out[i] = log.move(at);
  return length;
}

}  // namespace tarry
