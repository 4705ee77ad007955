#include "explore/fair.h"

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "base/rng.h"
#include "base/units.h"

namespace tarry {

namespace {

template <class Function>
void for_each_bit(std::span<const std::uint64_t> bits, Function&& f) {
  ProcessSet(bits).for_each([&](ProcessId p) { f(index(p)); });
}

bool any(std::span<const std::uint64_t> bits) { return !ProcessSet(bits).empty(); }

}  // namespace

void Fairness::begin(std::uint32_t longs) {
  if (longs != longs_) {
    longs_ = longs;
    sets_.assign(std::size_t{longs} * 64 * kKinds * longs, 0);
    windows_.assign(longs, 0);
    behind_.assign(longs, 0);
    alive_.assign(longs, 0);
    yields_.assign(std::size_t{longs} * 64, 0);
  } else if (any_window_ || counted_) {
    for_each_bit(behind_, [&](std::uint32_t p) { std::fill_n(set(kP, p), longs_, 0); });
    std::fill(windows_.begin(), windows_.end(), 0);
    std::fill(behind_.begin(), behind_.end(), 0);
    std::fill(yields_.begin(), yields_.end(), 0);
  }
  any_window_ = any_edge_ = counted_ = false;
}

void Fairness::update(const Step& step) {
  const std::uint32_t t = index(step.process);
  const std::uint32_t word = t / 64;
  const std::uint64_t bit = std::uint64_t{1} << (t % 64);
  const std::uint64_t* const before = step.open_before.bits().data();
  const std::uint64_t* const after = step.open_after.bits().data();

  if (any_edge_) {  // line 13: whoever was behind t is no longer
    for_each_bit(behind_, [&](std::uint32_t u) {
      std::uint64_t* const p = set(kP, u);
      p[word] &= ~bit;
      if (!any({p, longs_})) behind_[u / 64] &= ~(std::uint64_t{1} << (u % 64));
    });
    any_edge_ = any(behind_);
  }
  for_each_bit(windows_, [&](std::uint32_t u) {  // lines 15 and 21
    std::uint64_t* const e = set(kE, u);
    for (std::uint32_t i = 0; i < longs_; ++i) e[i] &= after[i];
    set(kS, u)[word] |= bit;
  });
  if ((windows_[word] & bit) != 0) {  // line 17
    std::uint64_t* const d = set(kD, t);
    for (std::uint32_t i = 0; i < longs_; ++i) d[i] |= before[i] & ~after[i];
  }
  counted_ = counted_ || step.yielded;
  if (step.yielded && ++yields_[t] >= every_) close_window(step, t);  // lines 23 to 28
  std::copy(step.alive_after.bits().begin(), step.alive_after.bits().end(), alive_.begin());
  if (!step.alive_after.contains(step.process)) forget(t);
}

/// Whom t kept waiting goes before it, and a new window begins.
void Fairness::close_window(const Step& step, std::uint32_t t) {
  const std::uint64_t bit = std::uint64_t{1} << (t % 64);
  std::uint64_t *const e = set(kE, t), *const d = set(kD, t), *const s = set(kS, t), *const p = set(kP, t);
  const bool had_window = (windows_[t / 64] & bit) != 0;
  std::uint64_t edges = 0;
  for (std::uint32_t i = 0; i < longs_; ++i) {
    if (had_window) p[i] |= (e[i] | d[i]) & ~s[i];
    edges |= p[i];
    e[i] = step.open_after.bits()[i];
    d[i] = s[i] = 0;
  }
  if (edges != 0) {
    behind_[t / 64] |= bit;
    any_edge_ = true;
  }
  windows_[t / 64] |= bit;
  any_window_ = true;
  yields_[t] = 0;
}

void Fairness::forget(std::uint32_t t) {
  const std::uint64_t bit = std::uint64_t{1} << (t % 64);
  std::fill_n(set(kP, t), longs_, 0);
  behind_[t / 64] &= ~bit;
  windows_[t / 64] &= ~bit;
  yields_[t] = 0;
  any_edge_ = any(behind_);
}

void Fairness::schedulable(std::span<const std::uint64_t> open, std::uint64_t* out) const {
  std::copy(open.begin(), open.end(), out);
  for_each_bit(behind_, [&](std::uint32_t t) {
    const std::uint64_t* const p = set(kP, t);
    std::uint64_t first = 0;
    for (std::uint32_t i = 0; i < longs_; ++i) first |= p[i] & open[i];
    if (first != 0) out[t / 64] &= ~(std::uint64_t{1} << (t % 64));
  });
}

Signature Fairness::signature() const {
  Signature out;
  const auto add = [&](std::uint64_t value) {
    out.high = mix64(out.high + value + 0x9e3779b97f4a7c15u);
    out.low = mix64(out.low ^ (value * 0xd6e8feb86659fd93u)) + 0x632be59bd9b4e019u;
  };
  if (any_window_) {
    for_each_bit(windows_, [&](std::uint32_t u) {
      add(u);
      for (std::uint32_t i = 0; i < longs_; ++i) {
        add(set(kE, u)[i]);
        add(set(kD, u)[i] & alive_[i]);
        add(set(kS, u)[i] & alive_[i]);
        add(set(kP, u)[i] & alive_[i]);
      }
    });
  }
  if (every_ > 1)
    for (std::uint32_t u = 0; u < yields_.size(); ++u)
      if (yields_[u] != 0) add(std::uint64_t{u} << 32 | yields_[u]);
  return out;
}

void FairPolicy::begin(const Survey& first) {
  if (first.longs() != restricted_.longs()) restricted_ = Survey(first.longs() * 64);
  before_.resize(first.longs());
  recurring_.assign(first.longs(), 0);
  after_.resize(first.longs());
  fairness_.begin(first.longs());
  restricted_now_ = false;
  marks_.clear();
  inner_->begin(first);
}

std::uint32_t FairPolicy::pick(const ChoicePoint& point) {
  if (!fairness_.restricts() || point.survey.sealed()) return inner_->pick(point);
  restricted_ = point.survey;
  fairness_.schedulable(point.survey.open().bits(), restricted_.bits().data());
  if (point.values == 0) count_removed(point.survey);
  return inner_->pick({restricted_, point.values, point.process, point.order});
}

void FairPolicy::count_removed(const Survey& all) {
  for (std::uint32_t i = 0; i < all.longs(); ++i) {
    const std::uint64_t gone = all.open().bits()[i] & ~restricted_.open().bits()[i];
    removed_.choices += static_cast<std::uint64_t>(std::popcount(gone));
    removed_.of_bounded += static_cast<std::uint64_t>(std::popcount(gone & ~recurring_[i]));
  }
}

void FairPolicy::stepped(const Step& step) {
  if (step.yielded) {
    const std::uint64_t bit = std::uint64_t{1} << (index(step.process) % 64);
    std::uint64_t& word = recurring_[index(step.process) / 64];
    word = step.recurs ? word | bit : word & ~bit;
  }
  marks_.push_back({index(step.process), step.place, step.yielded, step.blocked(), step.digest});
  if (restricted_now_ || step.yielded || fairness_.restricts()) return stepped_behind(step);
  fairness_.stepped(step);
  inner_->stepped(step);
}

/// The policy is told of who could run what it was told at the points around the step.
void FairPolicy::stepped_behind(const Step& step) {
  Step told = step;
  if (restricted_now_) told.open_before = ProcessSet(before_);
  fairness_.stepped(step);
  restricted_now_ = fairness_.restricts();
  if (restricted_now_) {
    fairness_.schedulable(step.open_after.bits(), after_.data());
    told.open_after = ProcessSet(after_);
  }
  inner_->stepped(told);
  before_.swap(after_);
}

namespace {

/// An end of the sequence that is at least three times the same, and a good part of it all.
struct Repetition {
  std::size_t from, period, times;
};

std::optional<Repetition> repetition_at_end(std::span<const StepMark> marks) {
  // Knuth, Morris, Pratt, read from the end: `border` of a stretch is the longest proper start of it that is also its end; the rest is its period.
  const std::size_t n = marks.size();
  const auto at = [&](std::size_t i) { return marks[n - 1 - i]; };
  std::vector<std::uint32_t> border(n + 1, 0);
  for (std::size_t i = 1, k = 0; i < n; ++i) {
    while (k > 0 && at(i) != at(k)) k = border[k];
    if (at(i) == at(k)) ++k;
    border[i + 1] = static_cast<std::uint32_t>(k);
  }
  for (std::size_t length = n; length >= 3 && length * 4 >= n; --length)
    if (const std::size_t period = length - border[length]; period * 3 <= length) return Repetition{n - length, period, length / period};
  return std::nullopt;
}

/// A search that comes back from the bound changes the last steps first; then the repetition ends a little before the end.
std::optional<Repetition> repetition_near_end(std::span<const StepMark> marks) {
  for (const std::size_t spared : {std::size_t{0}, marks.size() / 16, marks.size() / 4})
    if (const auto found = repetition_at_end(marks.first(marks.size() - spared))) return found;
  return std::nullopt;
}

/// Those that tell what was read, at the end; none if the program does not tell.
std::span<const StepMark> told_marks(std::span<const StepMark> marks) {
  std::size_t first = marks.size();
  while (first > 0 && marks[first - 1].digest != 0) --first;
  return marks.subspan(first);
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > 8) out += " and " + std::to_string(names.size() - 8) + " more";
  return out;
}

}  // namespace

bool FairPolicy::goes_round() const {
  const std::span<const StepMark> told = told_marks(marks_);
  return told.empty() || repetition_near_end(told).has_value();
}

std::optional<Endless> FairPolicy::endless(const std::function<std::string(ProcessId)>& name) const {
  Endless out;
  const std::size_t n = marks_.size();
  const std::span<const StepMark> told = told_marks(marks_);
  auto repetition = repetition_near_end(told.empty() ? std::span<const StepMark>(marks_) : told);
  if (!told.empty()) {
    if (!repetition) return std::nullopt;
    repetition->from += n - told.size();
  }
  out.from = repetition ? repetition->from : n / 2;
  out.to = repetition ? out.from + repetition->period : n;
  out.times = repetition ? repetition->times : 0;

  std::vector<std::uint64_t> runs, yields;  // of each process, in there
  for (std::uint64_t i = out.from; i < out.to; ++i) {
    const std::uint32_t process = marks_[i].process;
    if (process >= runs.size()) runs.resize(process + 1), yields.resize(process + 1);
    ++runs[process];
    if (marks_[i].yielded) ++yields[process];
  }
  std::vector<std::string> all, selfish;
  for (std::uint32_t p = 0; p < runs.size(); ++p) {
    if (runs[p] == 0) continue;
    all.push_back(name(ProcessId{p}));
    if (yields[p] == 0 && (repetition || runs[p] >= 3)) selfish.push_back(all.back());
  }
  const std::string part = repetition ? "steps " + with_separators(out.from + 1) + " to " + with_separators(out.to) + " repeat " + with_separators(out.times) + " times"
                                      : "nothing repeats exactly in steps " + with_separators(out.from + 1) + " to " + with_separators(out.to);
  const std::string after = "after " + with_separators(n) + " steps of a fair schedule the program still runs: " + part;
  if (selfish.empty()) {
    out.text.kind = "livelock";
    out.text.message = after + "; " + listed(all) + (all.size() == 1 ? " runs and yields" : " all run and yield") +
                       ", and nobody gets any further (if the test is only long, raise --max-depth)";
    out.text.who = all;
  } else {
    out.text.kind = "good-samaritan";
    out.text.message = after + ", and " + listed(selfish) + (selfish.size() == 1 ? " runs" : " run") +
                       " in there without ever yielding: whoever waits in a loop must yield, sleep or block (if the test is only long, raise --max-depth)";
    out.text.who = selfish;
  }
  return out;
}

}  // namespace tarry
