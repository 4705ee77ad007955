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
    contends_.assign(longs, 0);
    alive_.assign(longs, 0);
    yields_.assign(std::size_t{longs} * 64, 0);
  } else if (any_window_ || any_contest_ || counted_) {
    for_each_bit(behind_, [&](std::uint32_t p) {
      std::fill_n(set(kP, p), longs_, 0);
      std::fill_n(set(kB, p), longs_, 0);
    });
    std::fill(contends_.begin(), contends_.end(), 0);
    std::fill(windows_.begin(), windows_.end(), 0);
    std::fill(behind_.begin(), behind_.end(), 0);
    std::fill(yields_.begin(), yields_.end(), 0);
  }
  any_window_ = any_edge_ = any_contest_ = counted_ = false;
}

/// Removes the edges of this kind that lead to `onto`, so that no process is behind it.
void Fairness::remove_edges(Kind kind, std::uint32_t onto) {
  const std::uint64_t bit = std::uint64_t{1} << (onto % 64);
  for_each_bit(behind_, [&](std::uint32_t u) {
    set(kind, u)[onto / 64] &= ~bit;
    if (!any({set(kP, u), longs_}) && !any({set(kB, u), longs_})) behind_[u / 64] &= ~(std::uint64_t{1} << (u % 64));
  });
  any_edge_ = any(behind_);
}

void Fairness::update(const Step& step) {
  const std::uint32_t t = index(step.process);
  const std::uint32_t word = t / 64;
  const std::uint64_t bit = std::uint64_t{1} << (t % 64);
  const std::uint64_t* const before = step.open_before.bits().data();
  const std::uint64_t* const after = step.open_after.bits().data();

  if (any_edge_) remove_edges(kP, t);  // line 13: no process is behind t any longer
  if (step.contest != Contest::kNone) {
    contends_[word] |= bit;
    any_contest_ = true;
  } else if ((contends_[word] & bit) != 0) {
    contends_[word] &= ~bit;
    remove_edges(kB, t);
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
  const bool yields = step.yielded || step.contest >= Contest::kBacksOff;
  counted_ = counted_ || yields;
  if (yields && ++yields_[t] >= every_) close_window(step, t);  // lines 23 to 28
  std::copy(step.alive_after.bits().begin(), step.alive_after.bits().end(), alive_.begin());
  if (!step.alive_after.contains(step.process)) forget(t);
}

/// Whom t kept waiting goes before it, and a new window begins.
void Fairness::close_window(const Step& step, std::uint32_t t) {
  const std::uint64_t bit = std::uint64_t{1} << (t % 64);
  std::uint64_t *const e = set(kE, t), *const d = set(kD, t), *const s = set(kS, t), *const p = set(kP, t);
  const bool had_window = (windows_[t / 64] & bit) != 0;
  for (std::uint32_t i = 0; i < longs_; ++i) {
    if (had_window) p[i] |= (e[i] | d[i]) & ~s[i];
    e[i] = step.open_after.bits()[i];
    d[i] = s[i] = 0;
  }
  if (any_contest_) {  // a process that gives way to t does not go before it
    std::vector<std::uint64_t> first(p, p + longs_);
    for_each_bit(first, [&](std::uint32_t u) {
      if (is_behind(u, t)) p[u / 64] &= ~(std::uint64_t{1} << (u % 64));
    });
  }
  if (step.contest == Contest::kGivesWay) give_way(t);
  if (any({p, longs_}) || any({set(kB, t), longs_})) {
    behind_[t / 64] |= bit;
    any_edge_ = true;
  }
  windows_[t / 64] |= bit;
  any_window_ = true;
  yields_[t] = 0;
}

/// All others that contend go before t, as far as they are not behind it already.
void Fairness::give_way(std::uint32_t t) {
  for_each_bit(contends_, [&](std::uint32_t u) {
    if (u != t && !is_behind(u, t)) set(kB, t)[u / 64] |= std::uint64_t{1} << (u % 64);
  });
}

/// By P and B, over others too.
bool Fairness::is_behind(std::uint32_t process, std::uint32_t other) const {
  std::vector<std::uint64_t> met(longs_, 0);
  std::vector<std::uint32_t> left{process};
  while (!left.empty()) {
    const std::uint32_t u = left.back();
    left.pop_back();
    for (std::uint32_t i = 0; i < longs_; ++i) {
      const std::uint64_t further = (set(kP, u)[i] | set(kB, u)[i]) & ~met[i];
      met[i] |= further;
      for_each_bit({&further, 1}, [&](std::uint32_t bit) { left.push_back(i * 64 + bit); });
    }
  }
  return (met[other / 64] >> (other % 64) & 1) != 0;
}

void Fairness::forget(std::uint32_t t) {
  const std::uint64_t bit = std::uint64_t{1} << (t % 64);
  std::fill_n(set(kP, t), longs_, 0);
  std::fill_n(set(kB, t), longs_, 0);
  if ((contends_[t / 64] & bit) != 0) remove_edges(kB, t);
  contends_[t / 64] &= ~bit;
  behind_[t / 64] &= ~bit;
  windows_[t / 64] &= ~bit;
  yields_[t] = 0;
  any_edge_ = any(behind_);
}

void Fairness::schedulable(std::span<const std::uint64_t> open, std::uint64_t* out) const {
  std::copy(open.begin(), open.end(), out);
  for_each_bit(behind_, [&](std::uint32_t t) {
    const std::uint64_t *const p = set(kP, t), *const b = set(kB, t);
    std::uint64_t first = 0;
    for (std::uint32_t i = 0; i < longs_; ++i) first |= (p[i] | b[i]) & open[i];
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
        if (any_contest_) add(set(kB, u)[i] & alive_[i]);
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
  open_.assign(first.open().bits().begin(), first.open().bits().end());
  open_since_.assign(std::size_t{first.longs()} * 64, 0);
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
  const bool yields = step.yielded || step.contest >= Contest::kBacksOff;
  if (yields) {
    const std::uint64_t bit = std::uint64_t{1} << (index(step.process) % 64);
    std::uint64_t& word = recurring_[index(step.process) / 64];
    word = step.recurs || step.contest >= Contest::kBacksOff ? word | bit : word & ~bit;
  }
  note_open(step);
  marks_.push_back({index(step.process), step.place, step.yielded, step.blocked(), step.digest});
  if (restricted_now_ || yields || fairness_.restricts()) return stepped_behind(step);
  fairness_.stepped(step);
  inner_->stepped(step);
}

void FairPolicy::note_open(const Step& step) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const std::uint64_t now = step.open_after.bits()[i];
    for (std::uint64_t opened = now & ~open_[i]; opened != 0; opened &= opened - 1)
      open_since_[i * 64 + static_cast<std::size_t>(std::countr_zero(opened))] = static_cast<std::uint32_t>(marks_.size()) + 1;
    open_[i] = now;
  }
}

/// Tells the policy the same open processes around the step as at the points before and after it.
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

struct Runs {
  std::vector<std::uint64_t> steps, yields;  // of each process, in there

  explicit Runs(std::span<const StepMark> part) {
    for (const StepMark& mark : part) {
      if (mark.process >= steps.size()) steps.resize(mark.process + 1), yields.resize(mark.process + 1);
      ++steps[mark.process];
      if (mark.yielded) ++yields[mark.process];
    }
  }
  bool all_yield() const {
    for (std::size_t p = 0; p < steps.size(); ++p)
      if (steps[p] > 0 && yields[p] == 0) return false;
    return true;
  }
};

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > 8) out += " and " + std::to_string(names.size() - 8) + " more";
  return out;
}

}  // namespace

/// Returns whether a process could have run all the time from this step on, while others go round, and never did. If the running processes yield, k is too
/// large for their yields to have counted: the schedule is not fair so far.
bool FairPolicy::starves(std::size_t from, std::span<const StepMark> period) const {
  const Runs runs(period);
  if (!runs.all_yield()) return false;
  for (std::uint32_t p = 0; p < open_since_.size(); ++p) {
    const bool open = (open_[p / 64] >> (p % 64) & 1) != 0;
    if (open && open_since_[p] <= from && (p >= runs.steps.size() || runs.steps[p] == 0)) return true;
  }
  return false;
}

bool FairPolicy::goes_round() const {
  const std::span<const StepMark> told = told_marks(marks_);
  if (told.empty()) return true;
  const auto repetition = repetition_near_end(told);
  return repetition && !starves(repetition->from + marks_.size() - told.size(), told.subspan(repetition->from, repetition->period));
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

  const std::span<const StepMark> period = std::span<const StepMark>(marks_).subspan(out.from, out.to - out.from);
  if (repetition && !told.empty() && starves(out.from, period)) return std::nullopt;
  const Runs runs(period);
  std::vector<std::string> all, selfish;
  for (std::uint32_t p = 0; p < runs.steps.size(); ++p) {
    if (runs.steps[p] == 0) continue;
    all.push_back(name(ProcessId{p}));
    if (runs.yields[p] == 0 && (repetition || runs.steps[p] >= 3)) selfish.push_back(all.back());
  }
  const std::string part = repetition ? "steps " + with_separators(out.from + 1) + " to " + with_separators(out.to) + " repeat " + with_separators(out.times) + " times"
                                      : "nothing repeats exactly in steps " + with_separators(out.from + 1) + " to " + with_separators(out.to);
  const std::string after = "after " + with_separators(n) + " steps of a fair schedule the program still runs: " + part;
  if (selfish.empty()) {
    out.text.kind = "livelock";
    out.text.message = after + "; " + listed(all) + (all.size() == 1 ? " runs and yields" : " all run and yield") +
                       ", and no thread makes progress (if the test is only long, raise --max-depth)";
    out.text.who = all;
  } else {
    out.text.kind = "good-samaritan";
    out.text.message = after + ", and " + listed(selfish) + (selfish.size() == 1 ? " runs" : " run") +
                       " in there without ever yielding: a thread that waits in a loop must yield, sleep or block (if the test is only long, raise --max-depth)";
    out.text.who = selfish;
  }
  return out;
}

}  // namespace tarry
