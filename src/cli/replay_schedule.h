// tarry replay of a schedule that another tool wrote, as P's own checker does: a front end follows it.
#pragma once

#include <string>

#include "cli/check_options.h"
#include "core/target.h"

namespace tarry::cli {

struct ScheduleReplay {
  std::string file;
  std::string target;  // the program
  std::string test;    // empty: the test that the file names, or the only test
  bool json = false;
  bool verbose = false;
  Color color = Color::kAuto;
};

/// Returns the front end that follows schedules of this kind, or nullptr.
const FrontEnd* reader_of(const std::filesystem::path& schedule);

/// Returns the exit code: 1 if it shows a bug, 0 if it ends without, 70 if the program goes another way, 2 if the input is wrong.
int replay_schedule(const FrontEnd& front_end, const ScheduleReplay& options);

}  // namespace tarry::cli
