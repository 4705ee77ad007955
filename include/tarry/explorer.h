// Delaying explorers: where to go first, and what to give up next.
//
// An explorer is a tuple (D, Next, Step, Delay, d0) of pure functions over a short value, the memo. Searches ask it for the
// process to run; a delay costs one unit and moves on to another one. Everything that an execution does is reached by some
// number of delays, and few delays reach what the explorer thinks of first. See docs/writing-an-explorer.md.
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

/// A unit that can be scheduled. Numbered in order of creation where the program creates them one after the other.
enum class ProcessId : std::uint32_t {};

constexpr std::uint32_t index(ProcessId p) { return static_cast<std::uint32_t>(p); }

/// A set of processes, looked at.
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
  /// The n-th member, in ascending order. Requires: n < size().
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

/// What an explorer remembers: a short sequence of numbers. Up to 16 of them need no memory of their own.
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
  /// Where n stands, or size().
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

/// Attempts of a process to take what others have: it takes a part, finds the next part taken, gives everything back, and begins anew.
enum class Contest : std::uint8_t {
  kNone,
  kContends,   // it gave something back, and has not got everything since
  kBacksOff,   // it did so in this step, and stands as it stood when it did so before
  kGivesWay,   // the same, and it goes on by waiting for the part that it did not get
};

/// What a step did, as far as explorers learn of it.
struct Step {
  ProcessId process;                        // who ran
  ProcessSet open_before, open_after;       // who could run
  ProcessSet alive_before, alive_after;     // who had been created and not ended
  std::span<const std::uint32_t> sent;      // to whom it sent, in order
  std::span<const abi::OrderChange> order;  // what the program asked the priority explorer for
  bool yielded = false;
  std::uint32_t place = 0;                  // where in the program it was, as a number, if the program tells
  bool recurs = false;                      // it yielded, and its process stands as it stood at an earlier yield (registers, stack)
  Contest contest = Contest::kNone;
  std::uint64_t digest = 0;                 // of what the process read in it and how it stands after it; 0 if the program does not tell

  bool created(ProcessId p) const { return alive_after.contains(p) && !alive_before.contains(p); }
  bool finished(ProcessId p) const { return !alive_after.contains(p) && alive_before.contains(p); }
  bool blocked() const { return !open_after.contains(process); }
};

/// A delaying explorer. Its functions are pure: the same arguments give the same result, on every thread.
class Explorer {
 public:
  virtual ~Explorer() = default;

  /// d0, given the processes that are alive at the start.
  virtual Memo initial(const ProcessSet& alive) const = 0;

  /// The process to run now. Requires: `open` is not empty. Ensures: the result is in `open`.
  virtual ProcessId next(const Memo& memo, const ProcessSet& open) const = 0;

  /// Gives up the current `next`. Ensures: |open| delays in a row offer every process of `open` once (soundness).
  virtual Memo delay(const Memo& memo, const ProcessSet& open) const = 0;

  /// Learns what a step did.
  virtual Memo step(const Memo& memo, const Step& step) const = 0;
};

// What explorers that keep all live processes in a queue have in common.
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

/// Takes out who finished; gives each process that was created to `insert(memo, process)`.
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

/// What a user's explorer exports as `tarry_explorer_v1`.
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

/// Makes the class the explorer of this file; it is constructed from (std::uint64_t seed) or from nothing.
#define TARRY_EXPLORER(Type)                                                                                   \
  extern "C" {                                                                                                 \
  extern __attribute__((visibility("default"))) const ::tarry::abi::ExplorerEntry tarry_explorer_v1;           \
  const ::tarry::abi::ExplorerEntry tarry_explorer_v1 = {::tarry::abi::kExplorerVersion, #Type,                \
                                                         ::tarry::abi::make_explorer<Type>};                   \
  }
