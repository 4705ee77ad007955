// Which words of a state the store folds with which.
//
// A state becomes one number by a tree of pairs (store/pair_table.h); every pair that is met takes memory, the root's is the state's own entry. So a
// tree is good if few different pairs are met below the root: best two halves that vary independently of each other, since k
// and m values of the halves then make up to k * m states. Which words vary together depends on the program; a sample of its states tells.
#pragma once

#include <cstdint>
#include <vector>

#include "core/program.h"

namespace tarry {

/// Neighbours, then neighbours of these, and so on: for words of which nothing is known. Requires: words > 1.
std::vector<Fold> fold_neighbours(std::uint32_t words);

/// A tree with few different pairs in these states. They should be different ones and from all over; a few thousand are enough. Deterministic.
/// Requires: words > 1 and each state has that many.
std::vector<Fold> fold_by_sample(const std::vector<std::vector<Word>>& sample, std::uint32_t words);

}  // namespace tarry
