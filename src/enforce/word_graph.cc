#include "enforce/word_graph.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/assert.h"
#include "base/hash.h"

namespace tarry::enforce {
namespace {

struct Edge {
  std::uint32_t letter, to;
  friend bool operator==(const Edge&, const Edge&) = default;
};
using Edges = std::vector<Edge>;

struct HashEdges {
  std::size_t operator()(const Edges& edges) const { return hash_of(std::span<const Edge>(edges)); }
};

/// The automaton. Node 0 is the end of every word.
class Automaton {
 public:
  Automaton() : nodes_(1) { known_.emplace(Edges{}, 0); }

  void add(std::span<const std::uint32_t> word) {
    std::size_t common = 0;
    while (common < open_.size() && common < word.size() && open_[common].letter == word[common]) ++common;
    finish(common);
    for (std::size_t i = common; i < word.size(); ++i) open_.push_back({word[i], {}});
  }
  /// Finishes the last word. Returns the root.
  std::uint32_t close() {
    finish(0);
    return node_of(std::move(first_));
  }
  const Edges& of(std::uint32_t node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Open {      // a letter of the last word, and the finished edges after it
    std::uint32_t letter;
    Edges behind;
  };
  void finish(std::size_t keep) {
    while (open_.size() > keep) {
      Open last = std::move(open_.back());
      open_.pop_back();
      Edges& before = open_.empty() ? first_ : open_.back().behind;
      before.push_back({last.letter, node_of(std::move(last.behind))});
    }
  }
  std::uint32_t node_of(Edges edges) {
    const auto [at, is_new] = known_.emplace(std::move(edges), static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back(at->first);
    return at->second;
  }

  std::vector<Edges> nodes_;
  std::unordered_map<Edges, std::uint32_t, HashEdges> known_;
  std::vector<Open> open_;
  Edges first_;
};

/// Turns chains into segments.
class Chains {
 public:
  explicit Chains(const Automaton& automaton) : automaton_(automaton), ways_in_(automaton.size()), segment_of_(automaton.size(), kNone) {
    for (std::uint32_t node = 0; node < automaton.size(); ++node)
      for (const Edge& edge : automaton.of(node)) ++ways_in_[edge.to];
  }
  std::vector<Segment> from(std::uint32_t root) {
    out_.emplace_back();
    fill(0, root);
    for (std::size_t i = 0; i < todo_.size(); ++i) fill(todo_[i].segment, todo_[i].node);
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Todo {
    std::uint32_t segment, node;
  };
  /// Extends the segment from the node, as long as there is one edge and no other edge leads to its target.
  void fill(std::uint32_t segment, std::uint32_t node) {
    while (true) {
      const Edges& edges = automaton_.of(node);
      if (edges.size() == 1 && (ways_in_[edges.front().to] == 1 || automaton_.of(edges.front().to).empty())) {
        out_[segment].letters.push_back(edges.front().letter);
        node = edges.front().to;
        continue;
      }
      for (const Edge& edge : edges) {
        const std::uint32_t child = child_of(edge);
        out_[segment].children.push_back(child);
      }
      return;
    }
  }
  /// Returns the segment that begins with the letter of this edge. If several edges lead to a node, a separate segment begins
  /// there.
  std::uint32_t child_of(const Edge& edge) {
    const auto child = static_cast<std::uint32_t>(out_.size());
    out_.push_back({{edge.letter}, {}});
    if (ways_in_[edge.to] == 1 || automaton_.of(edge.to).empty()) {
      todo_.push_back({child, edge.to});
      return child;
    }
    if (segment_of_[edge.to] == kNone) {
      segment_of_[edge.to] = static_cast<std::uint32_t>(out_.size());
      out_.emplace_back();
      todo_.push_back({segment_of_[edge.to], edge.to});
    }
    out_[child].children.push_back(segment_of_[edge.to]);
    return child;
  }

  const Automaton& automaton_;
  std::vector<std::uint32_t> ways_in_, segment_of_;
  std::vector<Segment> out_;
  std::vector<Todo> todo_;
};

}  // namespace

std::vector<Segment> graph_of(std::span<const std::vector<std::uint32_t>> words) {
  Automaton automaton;
  for (std::size_t i = 0; i < words.size(); ++i) {
    TARRY_ASSERT(i == 0 || words[i - 1] < words[i]);
    automaton.add(words[i]);
  }
  const std::uint32_t root = automaton.close();
  return Chains(automaton).from(root);
}

std::vector<std::vector<std::uint32_t>> words_of(std::span<const Segment> graph) {
  struct Place {
    std::uint32_t segment;
    std::size_t next, length;  // the next child, and the previous length of the word
  };
  std::vector<std::vector<std::uint32_t>> out;
  std::vector<std::uint32_t> word;
  std::vector<Place> path;
  const auto enter = [&](std::uint32_t segment) {
    path.push_back({segment, 0, word.size()});
    const auto& letters = graph[segment].letters;
    word.insert(word.end(), letters.begin(), letters.end());
    if (graph[segment].children.empty()) out.push_back(word);
  };
  if (!graph.empty()) enter(0);
  while (!path.empty()) {
    Place& place = path.back();
    if (place.next < graph[place.segment].children.size()) {
      enter(graph[place.segment].children[place.next++]);
      continue;
    }
    word.resize(place.length);
    path.pop_back();
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tarry::enforce
