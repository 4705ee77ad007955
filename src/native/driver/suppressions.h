// Data races that are not to be told, as ThreadSanitizer's files have them: "race:NAME" a line, comments behind '#', '*' at the ends.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

namespace tarry::native {

struct Suppressions {
  std::vector<std::string> names;      // parts of a function's name or of file:line
  std::size_t all_at = 0;              // the line, from 1, that would suppress every race, and is none of `names`; 0: there is none
};

Suppressions read_suppressions(std::istream& in);

}  // namespace tarry::native
