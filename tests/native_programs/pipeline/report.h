// What was found, in an order that does not depend on the schedule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "counts.h"
#include "dictionary.h"

namespace pipeline {

struct Ranked {
  std::string text;
  std::uint64_t count = 0;
};

/// The most frequent, then by alphabet.
std::vector<Ranked> top_words(const Counts& counts, const Dictionary& dictionary, std::size_t how_many);
std::vector<Ranked> top_pairs(const Counts& counts, const Dictionary& dictionary, std::size_t how_many);

/// A number for all counts.
std::uint64_t digest(const Counts& counts, const Dictionary& dictionary);

}  // namespace pipeline
