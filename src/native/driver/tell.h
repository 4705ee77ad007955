// From what the runtime answers, with places in machine code, to what the rest of the tool works with: words and source lines.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/subject.h"
#include "native/driver/launch.h"
#include "native/driver/symbols.h"

namespace tarry::native {

/// "main", "thread 2", or the name that the program gave it.
std::string thread_name(std::uint32_t number, const std::string& given = "");

/// Of the answer; the loader has no name for the program itself.
std::vector<Module> modules_of(const Answer& answer, const std::filesystem::path& executable);

Finding finding_of(const RawFinding& raw, Symbols& symbols);

/// Steps, threads, how it ended. `wanted`: of several failures that showed, this one is told if it is among them. `expected`: fingerprints
/// to compare with, may be empty. `shown`: gets the failure that is told, if there is one.
Replay replay_of(const Answer& answer, const Finding& wanted, const std::vector<std::uint32_t>& expected, Symbols& symbols, RawFinding* shown = nullptr);

/// What the end of a worker is judged by.
struct Circumstances {
  std::filesystem::path executable;
  std::chrono::milliseconds step_timeout;
  std::string unseen = {};  // code of the program in which a thread may wait for another one, unseen by the runtime; empty: none
};

/// Returns what the end of a worker without an answer means: a finding of the program, what is wrong with how it is used, or our fault. A step
/// that does not end is a finding only if the runtime sees all code: a thread may wait for another one in code that is not seen.
std::variant<Finding, Diagnostic, OurFault> account_of(const WorkerEnd& end, const Circumstances& tested);

/// What all workers of a search came to, equal findings once.
/// `suppressions`: data races in a function or place whose text holds one of these are left out. `folder`: as Symbols has it.
std::variant<SearchResult, Diagnostic, OurFault> search_answer(const Launched& launched, const Circumstances& tested,
                                                            const std::vector<std::string>& suppressions = {}, const std::filesystem::path& folder = std::filesystem::current_path());

}  // namespace tarry::native
