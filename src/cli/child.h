// The work that is done in a child process, and how its result comes back: as JSON text, through the pipe of `supervise`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/check_options.h"
#include "cli/state_subject.h"
#include "cli/supervise.h"
#include "core/search.h"
#include "trace/replay.h"

namespace tarry::cli {

/// Loads the program and the explorer and runs the search. For the child.
std::string run_search(Shared& shared, const CheckOptions& options, const StateSubject& subject,
                       const std::optional<std::filesystem::path>& explorer);
std::variant<SearchResult, Diagnostic, OurFault> read_search(const std::string& said);

/// How far a replay goes: to the end, or only to the last step, which is told but not taken (it crashes or does not end).
enum class Upto { kEnd, kLastStep };

/// Loads the program and takes the steps of the schedule. For the child.
std::string run_replay(Shared& shared, const StateSubject& subject, const std::vector<Choice>& schedule,
                       const std::vector<std::uint32_t>& expected, Upto upto, const Telling& telling);
std::variant<Replay, Diagnostic, OurFault> read_replay(const std::string& said);

/// Each choice of a process is a step.
std::uint64_t count_steps(const std::vector<Choice>& schedule);

}  // namespace tarry::cli
