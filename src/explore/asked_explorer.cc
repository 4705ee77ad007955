#include "explore/asked_explorer.h"

#include <exception>
#include <vector>

#include "base/hash.h"

namespace tarry {
namespace {

enum class Question : std::uint64_t { kInitial, kNext, kDelay, kStep };

std::uint64_t hashed(const ProcessSet& set, std::uint64_t seed) { return hash_of(set.bits(), seed); }
std::uint64_t hashed(const Memo& memo, std::uint64_t seed) { return hash_of(memo.span(), seed); }

std::uint64_t hashed(const Step& step, std::uint64_t seed) {
  std::uint64_t hash = seed + index(step.process) * 2 + (step.yielded ? 1 : 0);
  hash = hashed(step.open_before, hash + step.place);
  hash = hashed(step.open_after, hash);
  hash = hashed(step.alive_before, hash);
  hash = hashed(step.alive_after, hash);
  return hash_of(step.order, hash_of(step.sent, hash));
}

std::uint64_t of(Question question) { return static_cast<std::uint64_t>(question); }
std::uint64_t answer_hash(const Memo& memo) { return hashed(memo, 1); }
std::uint64_t answer_hash(ProcessId process) { return index(process); }

}  // namespace

/// Asks twice, and compares with the answer to the same question of before. What throws is blamed and answers nothing.
template <class Answer, class Ask>
Answer AskedExplorer::ask_twice(const char* function, std::uint64_t question, const Ask& ask) const {
  const std::string what = "'" + std::string(function) + "' ";
  try {
    Answer first = ask();
    const Answer second = ask();
    bool same = first == second;
    {
      const std::scoped_lock lock(mutex_);
      const auto known = answers_.find(question);
      if (known != answers_.end()) same = same && known->second == answer_hash(first);
      else if (answers_.size() < kRemembered) answers_.emplace(question, answer_hash(first));
    }
    if (!same) blame(what + "gave two answers to one question; explorers are pure functions of their arguments");
    return first;
  } catch (const std::exception& e) {
    blame(what + "threw an exception: " + e.what());
  } catch (...) {
    blame(what + "threw an exception");
  }
  return {};
}

Memo AskedExplorer::checked_initial(const ProcessSet& alive) const {
  return ask_twice<Memo>("initial", hashed(alive, of(Question::kInitial)), [&] { return explorer_->initial(alive); });
}

ProcessId AskedExplorer::checked_next(const Memo& memo, const ProcessSet& open) const {
  if (faulty()) return open.at(0);
  const auto process = ask_twice<ProcessId>("next", hashed(open, hashed(memo, of(Question::kNext))), [&] { return explorer_->next(memo, open); });
  if (faulty()) return open.at(0);
  if (open.contains(process)) return process;
  blame("'next' named ", process, ", which cannot run here");
  return open.at(0);
}

Memo AskedExplorer::checked_delay(const Memo& memo, const ProcessSet& open) const {
  if (faulty()) return memo;
  return ask_twice<Memo>("delay", hashed(open, hashed(memo, of(Question::kDelay))), [&] { return explorer_->delay(memo, open); });
}

Memo AskedExplorer::checked_step(const Memo& memo, const Step& step) const {
  if (faulty()) return memo;
  return ask_twice<Memo>("step", hashed(step, hashed(memo, of(Question::kStep))), [&] { return explorer_->step(memo, step); });
}

void AskedExplorer::check_coverage(const Memo& memo, const ProcessSet& open) const {
  std::vector<std::uint64_t> left(open.bits().begin(), open.bits().end());
  Memo now = memo;
  for (std::uint32_t turn = 0, all = open.size(); turn < all && !faulty(); ++turn) {
    if (turn > 0) now = delay(now, open);
    const ProcessId process = next(now, open);
    if (faulty()) return;
    std::uint64_t& word = left[index(process) / 64];
    const std::uint64_t bit = std::uint64_t{1} << (index(process) % 64);
    if ((word & bit) == 0) return offered_twice(process, ProcessSet(left).at(0));
    word &= ~bit;
  }
}

void AskedExplorer::offered_twice(ProcessId twice, ProcessId missing) const {
  blame("it offers ", twice, " twice and ", missing, ", which can run, not at all; as many delays as there are open processes must offer each of them once");
}

void AskedExplorer::blame(std::string what, ProcessId first, std::string then, ProcessId second, std::string rest) const {
  const std::scoped_lock lock(mutex_);
  if (faulty()) return;
  blame_ = {std::move(what), std::move(then), std::move(rest), first, second};
  faulty_.store(true, std::memory_order_release);
}

StepText AskedExplorer::fault(const std::function<std::string(ProcessId)>& name) const {
  const std::scoped_lock lock(mutex_);
  const auto named = [&](ProcessId p) { return p == kNobody ? std::string() : name(p); };
  return {.label = "",
          .kind = "explorer",
          .message = "explorer '" + name_ + "' is not sound: " + blame_.what + named(blame_.first) + blame_.then + named(blame_.second) + blame_.rest,
          .location = ""};
}

}  // namespace tarry
