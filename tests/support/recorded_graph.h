// A graph that records which of its edges a search has taken: what the search says is then held against that part.
#pragma once

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "tests/support/graph_program.h"

namespace tarry::test {

inline std::uint64_t reachable_edges(const Graph& graph) {
  const auto seen = reachable(graph);
  return static_cast<std::uint64_t>(
      std::count_if(graph.edges.begin(), graph.edges.end(), [&](const GraphEdge& e) { return seen.contains(e.from); }));
}

/// Some steps take long, so that workers overtake each other.
class RecordedGraph final : public Program {
 public:
  explicit RecordedGraph(const GraphProgram& inner) : inner_(inner) {}
  const Shape& shape() const override { return inner_.shape(); }
  std::unique_ptr<Narrator> narrator() const override { return inner_.narrator(); }
  std::vector<Property> properties() const override { return inner_.properties(); }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }

  /// The part of the graph that was taken. A process whose edge was not taken can run all the same.
  Graph part() const {
    Graph out = inner_.graph();
    out.edges.clear();
    for (const GraphEdge& e : inner_.graph().edges) {
      if (taken_.contains({e.from, e.process, e.values})) out.edges.push_back(e);
      else out.hidden.insert({e.from, e.process});
    }
    return out;
  }

 private:
  class Space final : public StateSpace {
   public:
    explicit Space(const RecordedGraph& all) : all_(all), inner_(all.inner_.open()) {}
    StepText initial(Word* words) override { return inner_->initial(words); }
    void expand(StateView s, abi::Expansion& out) override { inner_->expand(s, out); }
    void survey(StateView s, Survey& out) override { inner_->survey(s, out); }
    void enabled(StateView s, std::span<std::uint64_t> out) override { inner_->enabled(s, out); }
    void take(StateView s, ProcessId p, std::span<const std::uint32_t> v, abi::Taken& out) override {
      inner_->take(s, p, v, out);
      if (out.outcome != abi::Outcome::kMoved) return;
      if (random_.one_in(8)) std::this_thread::sleep_for(std::chrono::microseconds(random_.below(20)));
      const std::scoped_lock lock(all_.mutex_);
      all_.taken_.insert({s[0], index(p), {v.begin(), v.end()}});
    }
    const abi::Cursor& cursor() const override { return inner_->cursor(); }

   private:
    const RecordedGraph& all_;
    std::unique_ptr<StateSpace> inner_;
    SplitMix random_{0};
  };
  const GraphProgram& inner_;
  mutable std::mutex mutex_;  // guards taken_
  mutable std::set<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::uint32_t>>> taken_;
};

}  // namespace tarry::test
