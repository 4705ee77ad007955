// A program composed with a delaying explorer (FSE 2015, section 2), for references that are written from the paper.
//
// Talks to the model's table directly: nothing of what is tested is used, but for the explorers themselves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tarry/explorer.h>

#include "tests/support/brute_force.h"

namespace tarry::test {

/// Who could do what in a state.
struct Around {
  std::vector<std::uint64_t> open_bits, alive_bits, idle_bits;
  std::uint32_t sealed_by = 0;  // process + 1

  ProcessSet open() const { return ProcessSet(open_bits); }
  ProcessSet alive() const { return ProcessSet(alive_bits); }
  /// A seal holds while its owner can run.
  bool sealed() const { return sealed_by != 0 && open().contains(ProcessId{sealed_by - 1}); }
  bool deadlock() const {
    if (!open().empty()) return false;
    for (std::size_t i = 0; i < alive_bits.size(); ++i)
      if ((alive_bits[i] & ~idle_bits[i]) != 0) return true;
    return false;
  }
};

/// A step, or the question for one more value.
struct Moved {
  std::uint32_t arity = 0;  // not 0: how many values there are to choose from next
  std::uint32_t flags = 0;
  Words words;
  std::vector<std::uint32_t> sent;
  std::vector<abi::OrderChange> order;

  bool failed() const { return (flags & abi::kFailed) != 0; }
};

/// A place of an execution at which something is to be chosen: a process; or, inside a step of one, the next value.
struct Point {
  Words state;
  std::uint32_t process = 0;
  std::vector<std::uint32_t> values;
  std::uint32_t arity = 0;  // 0: a process is to be chosen

  friend auto operator<=>(const Point&, const Point&) = default;
};

class Composed {
 public:
  explicit Composed(const abi::Model& model) : model_(model), self_(model.create()) {}
  ~Composed() { model_.destroy(self_); }
  Composed(const Composed&) = delete;
  Composed& operator=(const Composed&) = delete;

  std::optional<Words> initial() {
    Words words(model_.words);
    if (!model_.initial(self_, words.data(), nullptr)) return std::nullopt;
    return words;
  }

  Around around(const Words& state) {
    const std::size_t longs = (model_.max_processes + 63) / 64;
    Around out{std::vector<std::uint64_t>(longs), std::vector<std::uint64_t>(longs), std::vector<std::uint64_t>(longs)};
    abi::Survey survey{out.open_bits.data(), out.alive_bits.data(), out.idle_bits.data(), 0};
    abi::Cursor cursor{};
    model_.survey(self_, state.data(), &survey, &cursor);
    out.sealed_by = survey.sealed_by;
    return out;
  }

  Moved take(const Words& state, std::uint32_t process, const std::vector<std::uint32_t>& values) {
    Moved out;
    out.words.resize(model_.words);
    abi::Taken taken{};
    taken.words = out.words.data();
    model_.take(self_, state.data(), process, values.data(), static_cast<std::uint32_t>(values.size()), &taken, nullptr);
    if (taken.outcome == abi::Outcome::kNotOpen) throw std::logic_error("a process was taken that is not open");
    out.arity = taken.outcome == abi::Outcome::kNeedsValue ? taken.arity : 0;
    out.flags = taken.flags;
    out.sent.assign(taken.sent, taken.sent + taken.sent_count);
    out.order.assign(taken.order, taken.order + taken.order_count);
    return out;
  }

  /// |Choices|. A sealed state offers its owner only.
  static std::uint32_t choices(const Point& point, const Around& around) {
    if (point.arity != 0) return point.arity;
    return around.sealed() ? 1 : around.open().size();
  }

  static Step step(std::uint32_t process, const Around& before, const Around& after, const Moved& moved) {
    return {.process = ProcessId{process},
            .open_before = before.open(),
            .open_after = after.open(),
            .alive_before = before.alive(),
            .alive_after = after.alive(),
            .sent = moved.sent,
            .order = moved.order,
            .yielded = (moved.flags & abi::kYielded) != 0};
  }

 private:
  const abi::Model& model_;
  void* self_;
};

}  // namespace tarry::test
