// Delaying explorers: an explorer decides which process runs next, and which process follows when that one is delayed.
//
// An explorer is a tuple (D, Next, Step, Delay, d0) of pure functions over a short value, the memo. A search asks the explorer
// for the process to run. A delay costs one unit and moves on to another process. Some number of delays reaches every execution.
// Few delays reach the executions that are close to the explorer's order. See docs/writing-an-explorer.md.
//
// Paper: Desai, Qadeer, Seshia. Systematic Testing of Asynchronous Reactive Systems. FSE 2015, section 2 and figure 8.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <tarry/model_abi.h>

namespace tarry {

/// Identifies a unit that can be scheduled. Processes are numbered in order of creation if the program creates them one after the
/// other.
enum class ProcessId : std::uint32_t {};

constexpr std::uint32_t index(ProcessId p) { return static_cast<std::uint32_t>(p); }

/// A read-only view of a set of processes.
class ProcessSet {
 public:
  constexpr ProcessSet() = default;
  constexpr explicit ProcessSet(std::span<const std::uint64_t> bits) : bits_(bits) {}

  constexpr bool contains(ProcessId p) const {
    return index(p) / 64 < bits_.size() && (bits_[index(p) / 64] >> (index(p) % 64) & 1) != 0;
  }
  constexpr std::uint32_t size() const {
    std::uint32_t n = 0;
    for (std::uint64_t word : bits_) n += static_cast<std::uint32_t>(std::popcount(word));
    return n;
  }
  constexpr bool empty() const {
    return std::all_of(bits_.begin(), bits_.end(), [](std::uint64_t word) { return word == 0; });
  }
  /// Returns the n-th member, in ascending order. Requires: n < size().
  constexpr ProcessId at(std::uint32_t n) const {
    for (std::uint32_t i = 0;; ++i) {
      const auto here = static_cast<std::uint32_t>(std::popcount(bits_[i]));
      if (n < here) {
        std::uint64_t word = bits_[i];
        while (n-- > 0) word &= word - 1;
        return ProcessId{i * 64 + static_cast<std::uint32_t>(std::countr_zero(word))};
      }
      n -= here;
    }
  }
  template <class Function>
  constexpr void for_each(Function&& f) const {
    for (std::uint32_t i = 0; i < bits_.size(); ++i)
      for (std::uint64_t word = bits_[i]; word != 0; word &= word - 1)
        f(ProcessId{i * 64 + static_cast<std::uint32_t>(std::countr_zero(word))});
  }
  constexpr std::span<const std::uint64_t> bits() const { return bits_; }

 private:
  std::span<const std::uint64_t> bits_;
};

/// The memory of an explorer: a short sequence of numbers. Up to 16 numbers are stored inline, without allocation.
class Memo {
 public:
  Memo() = default;
  Memo(std::initializer_list<std::uint16_t> numbers) { for (std::uint16_t n : numbers) push_back(n); }
  explicit Memo(std::span<const std::uint16_t> numbers) { assign(numbers); }

  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const std::uint16_t* begin() const { return data(); }
  const std::uint16_t* end() const { return data() + size_; }
  std::uint16_t* begin() { return data(); }
  std::uint16_t* end() { return data() + size_; }
  std::uint16_t operator[](std::uint32_t i) const { return data()[i]; }
  std::uint16_t& operator[](std::uint32_t i) { return data()[i]; }
  std::span<const std::uint16_t> span() const { return {data(), size_}; }

  void assign(std::span<const std::uint16_t> numbers) {
    size_ = static_cast<std::uint32_t>(numbers.size());
    more_.clear();
    if (size_ <= kInline) std::memcpy(inline_, numbers.data(), numbers.size_bytes());
    else more_.assign(numbers.begin(), numbers.end());
  }
  void push_back(std::uint16_t n) { insert(size_, n); }
  void insert(std::uint32_t at, std::uint16_t n) {
    if (size_ == kInline && more_.empty()) more_.assign(inline_, inline_ + kInline);
    if (size_ < kInline) std::memmove(inline_ + at + 1, inline_ + at, (size_ - at) * sizeof(n)), inline_[at] = n;
    else more_.insert(more_.begin() + at, n);
    ++size_;
  }
  void erase(std::uint32_t at) {
    std::memmove(data() + at, data() + at + 1, (size_ - at - 1) * sizeof(std::uint16_t));
    --size_;
    if (!more_.empty()) {
      more_.pop_back();
      if (size_ == kInline) std::copy(more_.begin(), more_.end(), inline_), more_.clear();
    }
  }
  /// Returns the position of n, or size() if n is not there.
  std::uint32_t find(std::uint16_t n) const { return static_cast<std::uint32_t>(std::find(begin(), end(), n) - begin()); }

  friend bool operator==(const Memo& a, const Memo& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  static constexpr std::uint32_t kInline = 16;
  const std::uint16_t* data() const { return more_.empty() ? inline_ : more_.data(); }
  std::uint16_t* data() { return more_.empty() ? inline_ : more_.data(); }

  std::uint32_t size_ = 0;
  std::uint16_t inline_[kInline];
  std::vector<std::uint16_t> more_;
};

/// Describes attempts of a process to take several locks: it takes some of them, finds the next one taken, releases all, and
/// starts again.
enum class Contest : std::uint8_t {
  kNone,
  kContends,   // it released a lock, and has not taken all of its locks since
  kBacksOff,   // it released a lock in this step, with the same registers and stack as at its previous release
  kGivesWay,   // the same, and it continues by waiting for the lock that it did not get
};

/// What a step did, as far as explorers can observe it.
struct Step {
  ProcessId process;                        // the process that ran
  ProcessSet open_before, open_after;       // the processes that could run
  ProcessSet alive_before, alive_after;     // the processes that were created and had not ended
  std::span<const std::uint32_t> sent;      // the receivers of its messages, in order
  std::span<const abi::OrderChange> order;  // the requests of the program to the priority explorer
  bool yielded = false;
  std::uint32_t place = 0;                  // its place in the program, as a number, if the program tells
  bool recurs = false;                      // it yielded with the same registers and stack as at an earlier yield
  Contest contest = Contest::kNone;
  std::uint64_t digest = 0;                 // of what the process read in the step, and of its state after it; 0 if the program does not tell

  bool created(ProcessId p) const { return alive_after.contains(p) && !alive_before.contains(p); }
  bool finished(ProcessId p) const { return !alive_after.contains(p) && alive_before.contains(p); }
  bool blocked() const { return !open_after.contains(process); }
};

/// A delaying explorer. Its functions are pure: the same arguments give the same result, on every thread.
class Explorer {
 public:
  virtual ~Explorer() = default;

  /// Returns d0, given the processes that are alive at the start.
  virtual Memo initial(const ProcessSet& alive) const = 0;

  /// Returns the process to run now. Requires: `open` is not empty. Ensures: the result is in `open`.
  virtual ProcessId next(const Memo& memo, const ProcessSet& open) const = 0;

  /// Delays the current `next`. Returns the new memo. Ensures: |open| delays in a row offer every process of `open` once
  /// (soundness).
  virtual Memo delay(const Memo& memo, const ProcessSet& open) const = 0;

  /// Observes what a step did. Returns the new memo.
  virtual Memo step(const Memo& memo, const Step& step) const = 0;
};

// Functions for explorers that keep all live processes in a queue.
namespace queue {

inline Memo of(const ProcessSet& alive) {
  Memo memo;
  alive.for_each([&](ProcessId p) { memo.push_back(static_cast<std::uint16_t>(index(p))); });
  return memo;
}

inline ProcessId first_open(const Memo& memo, const ProcessSet& open) {
  for (std::uint16_t p : memo)
    if (open.contains(ProcessId{p})) return ProcessId{p};
  return open.at(0);  // not reached while the memo holds every live process
}

inline void to_tail(Memo& memo, ProcessId p) {
  const std::uint32_t at = memo.find(static_cast<std::uint16_t>(index(p)));
  if (at < memo.size()) std::rotate(memo.begin() + at, memo.begin() + at + 1, memo.end());
}

inline void to_front(Memo& memo, ProcessId p) {
  const std::uint32_t at = memo.find(static_cast<std::uint16_t>(index(p)));
  if (at < memo.size()) std::rotate(memo.begin(), memo.begin() + at, memo.begin() + at + 1);
}

/// Removes the processes that finished, and calls `insert(memo, process)` for each process that was created.
template <class Insert>
void update(Memo& memo, const Step& step, Insert&& insert) {
  if (std::equal(step.alive_before.bits().begin(), step.alive_before.bits().end(), step.alive_after.bits().begin(),
                 step.alive_after.bits().end()))
    return;
  for (std::uint32_t i = memo.size(); i-- > 0;)
    if (!step.alive_after.contains(ProcessId{memo[i]})) memo.erase(i);
  step.alive_after.for_each([&](ProcessId p) {
    if (!step.alive_before.contains(p)) insert(memo, p);
  });
}

}  // namespace queue

namespace abi {
inline constexpr std::uint32_t kExplorerVersion = 1;

/// The entry that a user's explorer exports as `tarry_explorer_v1`.
struct ExplorerEntry {
  std::uint32_t version;
  const char* name;
  Explorer* (*make)(std::uint64_t seed);
};

template <class Type>
Explorer* make_explorer([[maybe_unused]] std::uint64_t seed) {
  if constexpr (std::is_constructible_v<Type, std::uint64_t>) return new Type(seed);
  else return new Type();
}
}  // namespace abi

}  // namespace tarry

/// Makes the class the explorer of this file. The class is constructed from (std::uint64_t seed), or by default.
#define TARRY_EXPLORER(Type)                                                                                   \
  extern "C" {                                                                                                 \
  extern __attribute__((visibility("default"))) const ::tarry::abi::ExplorerEntry tarry_explorer_v1;           \
  const ::tarry::abi::ExplorerEntry tarry_explorer_v1 = {::tarry::abi::kExplorerVersion, #Type,                \
                                                         ::tarry::abi::make_explorer<Type>};                   \
  }
