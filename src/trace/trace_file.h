// A trace: one file that holds everything needed to see a finding again.
//
// Versioned, checked, compressed. A reader refuses what it does not know, and what was cut short or changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/finding.h"
#include "core/option.h"

namespace tarry {

struct Trace {
  std::string tarry_version;
  std::string front_end;                // that the target belongs to, by name
  std::string target;                   // as an absolute path
  std::vector<std::string> files;       // and more of them, where several make the target
  std::vector<std::string> defines;     // -D
  std::vector<std::string> arguments;   // of the program itself
  std::string test;                     // of the target's tests; empty if it is the only one
  std::uint64_t identity = 0;           // of the program
  std::string search, explorer;
  std::uint64_t seed = 1;
  GivenOptions options;                 // the rest of the command line that made it
  Finding finding;
  std::vector<std::uint32_t> fingerprints;  // of the state after each step (each process choice), finding.steps of them
};

/// Writes the file whole or not at all. Does not overwrite.
Result<std::filesystem::path> write_trace(const std::filesystem::path& file, const Trace& trace);
Result<Trace> read_trace(const std::filesystem::path& file);

/// folder/<program>-<kind>-<n>.tarry with the first n that is free; what is no part of a file's name becomes _.
std::filesystem::path free_trace_name(const std::filesystem::path& folder, const std::string& program, const std::string& kind);

}  // namespace tarry
