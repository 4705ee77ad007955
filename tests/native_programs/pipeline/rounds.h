// Counting in rounds: some threads share sentences among them, and meet at a barrier after each round; then one puts together
// what all have counted.
#pragma once

#include <vector>

#include "counts.h"
#include "dictionary.h"
#include "tokenizer.h"

namespace pipeline {

/// Counts the sentences with `threads` threads, `per_round` sentences each in a round. `rounds` is how many there were.
Counts count_in_rounds(const std::vector<Sentence>& sentences, Dictionary& dictionary, int threads, std::size_t per_round,
                       int& rounds);

}  // namespace pipeline
