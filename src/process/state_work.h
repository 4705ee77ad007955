// The search or the replay of a subject whose states are values, as it is done in a child process, and how its result comes back: as JSON text, through the pipe of `supervise`.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/replayed.h"
#include "core/search.h"
#include "process/state_subject.h"
#include "process/supervise.h"

namespace tarry::process {

/// Loads the program and the explorer and runs the search. For the child.
std::string run_search(Shared& shared, const SearchPlan& plan, const StateSubject& subject);
std::variant<SearchResult, Diagnostic, OurFault> read_search(const std::string& said);

/// Loads the program and takes the steps of the schedule. For the child. What is known of a step is said ahead of the next one.
std::string run_replay(Shared& shared, const StateSubject& subject, const std::vector<Choice>& schedule,
                       const std::vector<std::uint32_t>& expected, const Telling& telling, const Say& say);
std::variant<Replay, Diagnostic, OurFault> read_replay(const std::string& said);
/// The steps of a replay that did not come back.
Replay read_replay_so_far(const std::string& said);

/// Each choice of a process is a step.
std::uint64_t count_steps(const std::vector<Choice>& schedule);

}  // namespace tarry::process
