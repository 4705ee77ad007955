// What a worker remembers of steps, so that it need not run them again. All of it can be forgotten at any time.
//
// Searches look at similar states one after the other, so what was met lately is enough: caches that fit the processor's are faster than larger ones
// (German N=4, all points: 2.0 s with these limits, 2.5 s with sixteen times as much, which took 23 MB more).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "plang/vm/step.h"

namespace tarry::plang {

/// From a 64-bit key to a value: open addressing, at most three quarters full. The key ~0 is not used.
template <class Value>
class KeyTable {
 public:
  KeyTable() : slots_(kFirst) {}

  /// Null if it is not there. Valid until the next insertion.
  Value* find(std::uint64_t key) {
    for (std::size_t at = mix64(key) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key + 1) return &slots_[at].value;
      if (slots_[at].key == 0) return nullptr;
    }
  }
  /// Requires: it is not there.
  void insert(std::uint64_t key, const Value& value) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow();
    place(key + 1, value);
    ++count_;
  }
  void clear() {
    slots_.assign(kFirst, {});
    slots_.shrink_to_fit();
    count_ = 0;
  }
  std::size_t size() const { return count_; }

 private:
  static constexpr std::size_t kFirst = 256;
  struct Slot {
    std::uint64_t key = 0;  // + 1, so that 0 is empty
    Value value{};
  };
  void place(std::uint64_t stored, const Value& value) {
    std::size_t at = mix64(stored - 1) & (slots_.size() - 1);
    while (slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {stored, value};
  }
  void grow() {
    std::vector<Slot> before(slots_.size() * 2);
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.key != 0) place(slot.key, slot.value);
  }
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

/// From two numbers to a third, forgotten as a whole when it would grow too large.
class SmallCache {
 public:
  const std::uint32_t* find(std::uint32_t a, std::uint32_t b) { return table_.find(a | std::uint64_t{b} << 32); }
  void insert(std::uint32_t a, std::uint32_t b, std::uint32_t value) {
    if (table_.size() >= kMost) table_.clear();
    table_.insert(a | std::uint64_t{b} << 32, value);
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 13;
  KeyTable<std::uint32_t> table_;
};

/// The steps that a machine can take from a configuration with an inbox, one for each combination of its data choices.
class StepCache {
 public:
  struct Outcome {
    std::uint32_t config, inbox;
    std::uint32_t first_effect, first_value;
    std::uint16_t effects;
    std::uint8_t values, fair;  // fair: bit i: the i-th value is of a `$$`
    std::uint32_t steps : 29;
    std::uint32_t failed : 1, exclusive : 1, passed : 1;  // passed: over some scheduling point
  };
  struct Entry {
    std::uint32_t first = 0;
    std::uint32_t count : 29 = 0;
    std::uint32_t local : 1 = 0;   // it commutes with all steps of others
    std::uint32_t makes : 1 = 0;   // local, and it makes machines
    std::uint32_t listed : 1 = 1;  // no: it has data choices, and the outcomes are not there yet
  };

  /// Null if it is not known. Valid until something is added.
  Entry* find(std::uint32_t config, std::uint32_t inbox) { return index_.find(key(config, inbox)); }
  std::span<const Outcome> outcomes(const Entry& e) const { return {outcomes_.data() + e.first, e.count}; }
  std::span<const Effect> effects(const Outcome& o) const { return {effects_.data() + o.first_effect, o.effects}; }
  std::span<const std::uint32_t> values(const Outcome& o) const { return {values_.data() + o.first_value, o.values}; }
  std::span<const std::uint32_t> arities(const Outcome& o) const { return {arities_.data() + o.first_value, o.values}; }

  /// Call it before something is added: where it would grow too large, everything is forgotten.
  void make_room() {
    if (outcomes_.size() < kMost && effects_.size() < kMost && values_.size() < kMost && index_.size() < kMost) return;
    index_.clear();
    outcomes_.clear();
    effects_.clear();
    values_.clear();
    arities_.clear();
  }
  std::uint32_t next() const { return static_cast<std::uint32_t>(outcomes_.size()); }
  void add(const StepResult& r) {
    outcomes_.push_back(of(r));
    outcomes_.back().first_effect = static_cast<std::uint32_t>(effects_.size());
    outcomes_.back().first_value = static_cast<std::uint32_t>(values_.size());
    effects_.insert(effects_.end(), r.effects.begin(), r.effects.end());
    values_.insert(values_.end(), r.values.begin(), r.values.end());
    arities_.insert(arities_.end(), r.arities.begin(), r.arities.end());
  }
  void insert(std::uint32_t config, std::uint32_t inbox, const Entry& entry) { index_.insert(key(config, inbox), entry); }

  /// Without its effects and values.
  static Outcome of(const StepResult& r) {
    Outcome o{};
    o.config = r.config;
    o.inbox = r.inbox;
    o.effects = static_cast<std::uint16_t>(r.effects.size());
    o.values = static_cast<std::uint8_t>(r.values.size());
    o.fair = static_cast<std::uint8_t>(r.fair);
    o.steps = r.steps & ((1u << 29) - 1);
    o.failed = r.end == StepResult::End::kFailed;
    o.exclusive = r.exclusive;
    o.passed = r.passed > 0;
    return o;
  }

 private:
  static std::uint64_t key(std::uint32_t config, std::uint32_t inbox) { return config | std::uint64_t{inbox} << 32; }
  static constexpr std::size_t kMost = std::size_t{1} << 14;

  KeyTable<Entry> index_;
  std::vector<Outcome> outcomes_;
  std::vector<Effect> effects_;
  std::vector<std::uint32_t> values_, arities_;
};

}  // namespace tarry::plang
