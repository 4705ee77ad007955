// The reference that searches are compared with: every state of a model, one after the other.
//
// Breadth first over a std::map, without reduction or compression of any kind, so that it can be seen to be right. It goes on
// after a failure: where a search stops at the first finding, this one knows them all. A failed step counts as a transition,
// but the state it leads to is not visited: an execution ends there.
//
// The distances are shortest: states are reached in order of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tarry/model_abi.h>

namespace tarry::test {

using Words = std::vector<std::uint32_t>;

/// One way on from a state.
struct Successor {
  std::uint32_t process = 0;
  std::vector<std::uint32_t> values;  // of its data choices
  std::uint32_t flags = 0;
  Words words;

  bool failed() const { return (flags & abi::kFailed) != 0; }
};

/// A model with the buffers it writes to.
class Instance {
 public:
  explicit Instance(const abi::Model& model) : model_(model), self_(model.create()) {}
  ~Instance() { model_.destroy(self_); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// Nothing when the model fails before its first step.
  std::optional<Words> initial() {
    Words words(model_.words);
    if (!model_.initial(self_, words.data(), nullptr)) return std::nullopt;
    return words;
  }

  struct Expanded {
    std::vector<Successor> successors;
    bool blocked = false;  // somebody waits who must not wait for ever
  };
  Expanded expand(const Words& state) {
    buffers_.grow = grow;
    buffers_.words_of_a_state = model_.words;
    model_.expand(self_, state.data(), &buffers_);
    Expanded out{.successors = {}, .blocked = buffers_.blocked != 0};
    for (std::uint32_t i = 0; i < buffers_.count; ++i) {
      const abi::Successor& s = buffers_.successors[i];
      const std::uint32_t* words = buffers_.words + std::size_t{i} * model_.words;
      const std::uint32_t* values = buffers_.values + s.first_value;
      out.successors.push_back({s.process, {values, values + s.value_count}, s.flags, {words, words + model_.words}});
    }
    return out;
  }

  /// The step of `expand` once more, by itself. The kind of the finding is written to `kind` when it fails.
  Successor take(const Words& state, std::uint32_t process, const std::vector<std::uint32_t>& values, std::string* kind) {
    Successor out{process, values, 0, Words(model_.words)};
    abi::Taken taken{};
    taken.words = out.words.data();
    abi::Detail detail{kind, keep_kind, [](void*, std::uint32_t) {}};
    model_.take(self_, state.data(), process, values.data(), static_cast<std::uint32_t>(values.size()), &taken,
                kind == nullptr ? nullptr : &detail);
    out.flags = taken.flags;
    return out;
  }

 private:
  struct Buffers : abi::Expansion {
    std::size_t words_of_a_state = 0;
    std::vector<std::uint32_t> all_words, all_values;
    std::vector<abi::Successor> all_successors;
  };
  static void grow(abi::Expansion* expansion) {
    auto& b = static_cast<Buffers&>(*expansion);
    b.capacity = 2 * b.capacity + 1;
    b.value_capacity = 2 * b.value_capacity + abi::kMaxValues;
    b.all_words.resize(b.capacity * b.words_of_a_state);
    b.all_successors.resize(b.capacity);
    b.all_values.resize(b.value_capacity);
    b.words = b.all_words.data();
    b.successors = b.all_successors.data();
    b.values = b.all_values.data();
  }
  static void keep_kind(void* kind, abi::Text what, const char* data, std::size_t size) {
    if (what == abi::Text::kKind) *static_cast<std::string*>(kind) = std::string(data, size);
  }

  const abi::Model& model_;
  void* self_;
  Buffers buffers_{};
};

struct Everything {
  std::map<Words, std::uint32_t> states;  // with their distance from the initial state
  std::uint64_t transitions = 0;
  std::map<std::string, std::uint32_t> failures;  // every kind that can happen, with the fewest steps to it
  bool initial_failed = false;
  bool complete = true;

  bool verified() const { return complete && failures.empty(); }
  /// Steps of the shortest execution that fails. Requires: there are failures.
  std::uint32_t shortest_failure() const {
    std::uint32_t least = UINT32_MAX;
    for (const auto& [kind, steps] : failures) least = std::min(least, steps);
    return least;
  }
};

/// Gives up, with `complete` false, when there are more than `most` states.
inline Everything brute_force(const abi::Model& model, std::size_t most = SIZE_MAX) {
  Everything out;
  Instance instance(model);
  const std::optional<Words> initial = instance.initial();
  if (!initial) {
    out.initial_failed = true;
    out.failures["initial"] = 0;
    return out;
  }
  out.states[*initial] = 0;
  std::deque<Words> queue{*initial};
  while (!queue.empty()) {
    if (out.states.size() > most) {
      out.complete = false;
      break;
    }
    const Words state = queue.front();
    queue.pop_front();
    const std::uint32_t distance = out.states[state];
    const Instance::Expanded ways = instance.expand(state);
    if (ways.successors.empty() && ways.blocked) out.failures.emplace("deadlock", distance);
    for (const Successor& next : ways.successors) {
      ++out.transitions;
      if (next.failed()) {
        std::string kind;
        instance.take(state, next.process, next.values, &kind);
        out.failures.emplace(kind, distance + 1);
      } else if (out.states.emplace(next.words, distance + 1).second) {
        queue.push_back(next.words);
      }
    }
  }
  return out;
}

}  // namespace tarry::test
