// How the words of a state are laid out.
//
//   two words for each of the first `slots` machines: configuration, inbox
//   one word for the machine that must run next (slot + 1), because it is at a data choice
//   one word for the machines beyond, as a list in the pool (0: none)
//   one word per monitor, and one for the formula that is watched, if there is one (formula_watch.h)
//
// Which of them the store folds with which is chosen by a sample of states (store/fold_plan.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/program.h"
#include "plang/vm/value_heap.h"

namespace tarry::plang {

class Layout {
 public:
  Layout() : Layout(1, 0) {}
  Layout(std::uint32_t slots, std::uint32_t monitors, bool watches = false) : slots_(slots), monitors_(monitors), watches_(watches) {}

  std::uint32_t slots() const { return slots_; }
  std::uint32_t monitors() const { return monitors_; }
  bool watches() const { return watches_; }
  std::uint32_t words() const { return 2 * slots_ + 2 + monitors_ + (watches_ ? 1 : 0); }
  /// Where the words are. The inbox of a machine is next to its configuration.
  std::uint32_t slot(std::uint32_t n) const { return 2 * n; }
  std::uint32_t exclusive() const { return 2 * slots_; }
  std::uint32_t rest() const { return 2 * slots_ + 1; }
  std::uint32_t monitor(std::uint32_t n) const { return 2 * slots_ + 2 + n; }
  std::uint32_t formula() const { return monitor(monitors_); }

 private:
  std::uint32_t slots_, monitors_;
  bool watches_ = false;
};

/// The machines that have no words of their own: slot, configuration and inbox of each, in order of their slots. In the pool they are chunks of kChunk slots
/// and a list of the chunks, so that a step makes one new chunk: an execution with thousands of machines has a state for each of its steps. Where the
/// slots are in more than one group of kGroup, the list is one of groups, and each group is a list of its chunks.
///
/// Nothing is read that is not asked for: most steps are about one or two machines of thousands.
class Rest {
 public:
  struct Machine {
    std::uint32_t slot, config, inbox;
  };
  /// Slots from first to first + kChunk - 1.
  struct Chunk {
    std::uint32_t first;
    std::uint32_t id;  // in the pool
  };
  static constexpr std::uint32_t kChunk = 64, kGroup = 64 * kChunk;

  // What is in the pool.
  template <class Function>
  static void for_each_chunk(const Pool& pool, std::uint32_t id, Function&& f) {
    if (id == 0) return;
    for (const std::uint64_t entry : pool.words(id)) {
      if ((entry & kIsGroup) == 0) f(chunk_of(entry));
      else
        for (const std::uint64_t inner : pool.words(static_cast<std::uint32_t>(entry))) f(chunk_of(inner));
    }
  }
  template <class Function>
  static void for_each(const Pool& pool, Chunk chunk, Function&& f) {
    const auto words = pool.words(chunk.id);
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) f(machine_of(words[i], words[i + 1]));
  }
  template <class Function>
  static void for_each(const Pool& pool, std::uint32_t id, Function&& f) {
    for_each_chunk(pool, id, [&](Chunk chunk) { for_each(pool, chunk, f); });
  }
  /// Absent if there is no such machine.
  static Machine find(const Pool& pool, std::uint32_t id, std::uint32_t slot);
  static std::uint32_t count(const Pool& pool, std::uint32_t id);

  // What is changed.
  void load(const Pool& pool, std::uint32_t id);
  /// A new machine is absent. Valid until the next call.
  Machine& at(const Pool& pool, std::uint32_t slot);
  std::uint32_t save(Pool& pool);

 private:
  static constexpr std::uint64_t kIsGroup = std::uint64_t{1} << 63;  // in an entry: number of the chunk or group, and its id
  struct Open {
    std::uint32_t first;
    std::array<Machine, kChunk> machines;
  };

  static Chunk chunk_of(std::uint64_t entry) { return {static_cast<std::uint32_t>(entry >> 32) * kChunk, static_cast<std::uint32_t>(entry)}; }
  static Machine machine_of(std::uint64_t slot, std::uint64_t words) { return {static_cast<std::uint32_t>(slot), static_cast<std::uint32_t>(words), static_cast<std::uint32_t>(words >> 32)}; }
  Open& open(const Pool& pool, std::uint32_t first);
  void close(Pool& pool, const Open& chunk);

  std::vector<Chunk> chunks_;  // in order; those that are open may be older
  std::vector<Open> open_;
  std::size_t last_ = 0;  // of open_, where the last machine was
  std::vector<std::uint64_t> words_, groups_;
};

}  // namespace tarry::plang
