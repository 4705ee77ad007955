#include "native/driver/suppressions.h"

#include <algorithm>

namespace tarry::native {
namespace {

/// Of a line what is left to look for; empty: nothing. `all`: everything.
std::string name_in(std::string line, bool& all) {
  line.erase(std::min(line.find('#'), line.size()));
  while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r' || line.back() == '*')) line.pop_back();
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string::npos) return "";
  line.erase(0, start);
  const std::size_t colon = line.find(':');
  const std::string kind = line.substr(0, colon);
  if (kind == "race" || kind == "race_top") line.erase(0, colon + 1);
  else if (kind == "thread" || kind == "mutex" || kind == "signal" || kind == "deadlock" || kind == "called_from_lib") return "";
  while (line.starts_with('*')) line.erase(0, 1);
  all = line.empty();
  return line;
}

}  // namespace

Suppressions read_suppressions(std::istream& in) {
  Suppressions out;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    bool all = false;
    std::string name = name_in(line, all);
    if (all && out.all_at == 0) out.all_at = number;
    if (!name.empty()) out.names.push_back(std::move(name));
  }
  return out;
}

}  // namespace tarry::native
