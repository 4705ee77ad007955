// P programs with what must come of them, for whoever executes P: the tables of section 4 of the language reference, each row
// with a program that triggers it and one that just does not.
//
// An outcome holds for every schedule and every choice: all that can happen must be listed and must happen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::plang::reference {

struct Case {
  std::string_view name;
  std::string_view outcome;  // "pass", a class as "R11", or all that are possible, sorted and with commas: "R01,pass"
  std::uint64_t steps;       // of every execution; 0: not stated
  std::string_view source;
  std::string_view rest =
      {};  // nothing: `source` is a whole program; else it is the entry of Main's state S, and this follows the state
};

inline constexpr std::string_view kBody = "}";  // the `rest` of a case that needs no more than its entry

inline std::string source_of(const Case& c) {
  if (c.rest.empty()) return std::string(c.source);
  return "machine Main {\n  start state S { entry {\n" + std::string(c.source) + "\n} }\n" + std::string(c.rest);
}

std::vector<Case> value_cases();    // cases_values.cc: operations on values (4.10, 4.11)
std::vector<Case> machine_cases();  // cases_machines.cc: events, states, receive, halt, monitors (4.2 to 4.9)

}  // namespace tarry::plang::reference
