// From what the runtime answers, with places in machine code, to what the rest of the tool works with: words and source lines.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "native/driver/launch.h"
#include "native/driver/symbols.h"
#include "trace/replay.h"

namespace tarry::native {

/// "main", "thread 2", or the name that the program gave it.
std::string thread_name(std::uint32_t number, const std::string& given = "");

/// Of the answer; the loader has no name for the program itself.
std::vector<Module> modules_of(const Answer& answer, const std::filesystem::path& executable);

Finding finding_of(const RawFinding& raw, Symbols& symbols);

/// Steps, threads, how it ended. `wanted`: of several failures that showed, this one is told if it is among them. `expected`: fingerprints
/// to compare with, may be empty. `shown`: gets the failure that is told, if there is one.
Replay replay_of(const Answer& answer, const Finding& wanted, const std::vector<std::uint32_t>& expected, Symbols& symbols, RawFinding* shown = nullptr);

/// Tarry's own fault: in words.
struct Fault {
  std::string text;
};

/// A worker that is gone without an answer: a finding of the program's, what is wrong with how it is used, or ours.
std::variant<Finding, Diagnostic, Fault> account_of(const WorkerEnd& end, const std::filesystem::path& executable, std::chrono::milliseconds step_timeout);

/// What all workers of a search came to.
struct SearchAnswer {
  Outcome outcome;
  std::vector<Finding> findings;  // equal ones once
  std::string explorer;
  bool weak_atomics = false;
  std::vector<std::string> assumes = {};
  std::map<std::string, std::uint64_t> outputs;  // of complete executions, if that was asked for
  std::set<std::string> covered;  // what the program said that it came to
  std::uint64_t orders = 0;       // different happens-before orders of complete executions, where they are told
};
/// `suppressions`: data races in a function or place whose text holds one of these are left out. `folder`: as Symbols has it.
std::variant<SearchAnswer, Diagnostic, Fault> search_answer(const Launched& launched, const std::filesystem::path& executable, std::chrono::milliseconds step_timeout,
                                                            const std::vector<std::string>& suppressions = {}, const std::filesystem::path& folder = std::filesystem::current_path());

}  // namespace tarry::native
