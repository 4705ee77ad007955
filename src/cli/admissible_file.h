// Files of admissible schedules (src/enforce), as commands read and write them.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "enforce/schedule_set.h"

namespace tarry::cli {

/// The bytes of a file that was found to be whole and unchanged.
Result<std::string> read_schedules(const std::filesystem::path& file);
Result<enforce::ScheduleSet> load_schedules(const std::filesystem::path& file);

/// "4 traces".
std::string number_of(std::uint64_t n, const std::string& noun);

}  // namespace tarry::cli
