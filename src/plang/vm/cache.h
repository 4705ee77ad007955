// What a worker remembers of steps, so that it need not run them again. All of it can be forgotten at any time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "plang/vm/step.h"

namespace tarry::plang {

/// From a 64-bit key to a 32-bit value: open addressing, forgotten as a whole when it would grow too large.
class SmallCache {
 public:
  explicit SmallCache(std::size_t most = std::size_t{1} << 20) : most_(most), slots_(1024) {}

  /// Null if it is not known.
  const std::uint32_t* find(std::uint64_t key) const {
    for (std::size_t at = mix64(key) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key + 1) return &slots_[at].value;
      if (slots_[at].key == 0) return nullptr;
    }
  }
  void insert(std::uint64_t key, std::uint32_t value) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    place(key + 1, value);
    ++count_;
  }
  void clear() {
    slots_.assign(1024, {});
    count_ = 0;
  }
  std::size_t size() const { return count_; }

 private:
  struct Slot {
    std::uint64_t key = 0;  // + 1, so that 0 is empty
    std::uint32_t value = 0;
  };
  void place(std::uint64_t stored, std::uint32_t value) {
    std::size_t at = mix64(stored - 1) & (slots_.size() - 1);
    while (slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {stored, value};
  }
  void grow() {
    if (slots_.size() >= most_) return clear();
    std::vector<Slot> before(slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.key != 0) place(slot.key, slot.value);
  }
  std::size_t most_;
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

/// The steps that a machine can take, one for each combination of its data choices.
class StepCache {
 public:
  struct Outcome {
    std::uint32_t config, inbox;
    std::uint32_t first_effect, first_value;
    std::uint16_t effects, values;
    bool failed, exclusive, passed;  // passed: over some scheduling point
    std::uint32_t steps;
  };
  struct Entry {
    std::uint32_t first, count;
  };

  /// Null if it is not known.
  const Entry* find(std::uint32_t config, std::uint32_t inbox) const {
    const std::uint32_t* at = index_.find(key(config, inbox));
    return at == nullptr ? nullptr : &entries_[*at];
  }
  std::span<const Outcome> outcomes(const Entry& e) const { return {outcomes_.data() + e.first, e.count}; }
  std::span<const Effect> effects(const Outcome& o) const { return {effects_.data() + o.first_effect, o.effects}; }
  std::span<const std::uint32_t> values(const Outcome& o) const { return {values_.data() + o.first_value, o.values}; }
  std::span<const std::uint32_t> arities(const Outcome& o) const { return {arities_.data() + o.first_value, o.values}; }

  /// Start an entry, add its outcomes in order, and finish it. In between nothing else is added.
  void begin() {
    if (outcomes_.size() > kMost || effects_.size() > kMost || values_.size() > kMost) clear();
    first_ = static_cast<std::uint32_t>(outcomes_.size());
  }
  void add(const StepResult& r) {
    outcomes_.push_back({.config = r.config,
                         .inbox = r.inbox,
                         .first_effect = static_cast<std::uint32_t>(effects_.size()),
                         .first_value = static_cast<std::uint32_t>(values_.size()),
                         .effects = static_cast<std::uint16_t>(r.effects.size()),
                         .values = static_cast<std::uint16_t>(r.values.size()),
                         .failed = r.end == StepResult::End::kFailed,
                         .exclusive = r.exclusive,
                         .passed = r.passed > 0,
                         .steps = r.steps});
    effects_.insert(effects_.end(), r.effects.begin(), r.effects.end());
    values_.insert(values_.end(), r.values.begin(), r.values.end());
    arities_.insert(arities_.end(), r.arities.begin(), r.arities.end());
  }
  const Entry& end(std::uint32_t config, std::uint32_t inbox) {
    index_.insert(key(config, inbox), static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back({first_, static_cast<std::uint32_t>(outcomes_.size()) - first_});
    return entries_.back();
  }

 private:
  static std::uint64_t key(std::uint32_t config, std::uint32_t inbox) { return config | std::uint64_t{inbox} << 32; }
  void clear() {
    index_.clear();
    entries_.clear();
    outcomes_.clear();
    effects_.clear();
    values_.clear();
    arities_.clear();
  }
  static constexpr std::size_t kMost = std::size_t{1} << 20;

  SmallCache index_{std::size_t{1} << 30};
  std::vector<Entry> entries_;
  std::vector<Outcome> outcomes_;
  std::vector<Effect> effects_;
  std::vector<std::uint32_t> values_, arities_;
  std::uint32_t first_ = 0;
};

}  // namespace tarry::plang
