// Words as one graph that has exactly them: common beginnings and common ends are there once.
//
// It is the smallest acyclic automaton of the words (each is a path from the root to an end), with chains of nodes that have one way in and one way out put
// together to segments. Words come sorted; what no later word can extend is looked up among the finished nodes, and used again if an equal one is there.
//
// Paper: Daciuk, Mihov, Watson, Watson. Incremental Construction of Minimal Acyclic Finite-State Automata. Computational Linguistics 26(1), 2000: sorted words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tarry::enforce {

/// Letters one after the other, and what may follow them. One without children is the end of a word.
struct Segment {
  std::vector<std::uint32_t> letters;
  std::vector<std::uint32_t> children;
};

/// Requires: words are sorted, different, and none is the beginning of another. The first segment is the root, whose letters all words begin with.
std::vector<Segment> graph_of(std::span<const std::vector<std::uint32_t>> words);

/// The words that the graph has, sorted.
std::vector<std::vector<std::uint32_t>> words_of(std::span<const Segment> graph);

}  // namespace tarry::enforce
