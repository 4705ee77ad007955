// Decides which words of a state the store folds together.
//
// A tree of pairs turns a state into one number (store/pair_table.h). Every different pair takes memory; the pair at the root is
// the state's own entry. So a tree is good if few different pairs occur below the root. The best tree has two halves that vary
// independently: k and m values of the halves make up to k * m states. Which words vary together depends on the program, so the
// plan uses a sample of its states.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"

namespace tarry {

/// Returns a tree of neighbours, then neighbours of these, and so on, for words about which nothing is known. Requires: words >
/// 1.
std::vector<Fold> fold_neighbours(std::uint32_t words);

/// Returns a tree with few different pairs in these states. Deterministic. The states should be different and from all parts of
/// the state space; a few thousand are enough. Requires: words > 1, and each state has that many words.
std::vector<Fold> fold_by_sample(const std::vector<std::vector<Word>>& sample, std::uint32_t words);

}  // namespace tarry
