// Words as one graph that contains exactly these words: common prefixes and suffixes are stored once.
//
// The graph is the smallest acyclic automaton of the words (each word is a path from the root to an end). Chains of nodes with
// one incoming and one outgoing edge are merged into segments. Words arrive sorted. A node that no later word can extend is
// looked up among the finished nodes, and replaced by an equal one if there is one.
//
// Paper: Daciuk, Mihov, Watson, Watson. Incremental Construction of Minimal Acyclic Finite-State Automata. Computational
// Linguistics 26(1), 2000: sorted words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tarry::enforce {

/// A sequence of letters, and the segments that may follow. A segment without children ends a word.
struct Segment {
  std::vector<std::uint32_t> letters;
  std::vector<std::uint32_t> children;
};

/// Builds the graph. Requires: words are sorted and different, and none is a prefix of another. The first segment is the root;
/// its letters are the common prefix of all words.
std::vector<Segment> graph_of(std::span<const std::vector<std::uint32_t>> words);

/// Returns the words of the graph, sorted.
std::vector<std::vector<std::uint32_t>> words_of(std::span<const Segment> graph);

}  // namespace tarry::enforce
