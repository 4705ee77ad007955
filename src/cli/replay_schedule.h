// tarry replay FILE.schedule: a schedule of P's own checker.
#pragma once

#include <string>

#include "cli/check_options.h"

namespace tarry::cli {

struct ScheduleReplay {
  std::string file;
  std::string target;  // the P program
  std::string test;    // empty: the one that the file names, or the only one
  bool json = false;
  bool verbose = false;
  Color color = Color::kAuto;
};

/// The exit code: 1 if it shows a bug, 0 if it ends without, 70 if the program goes another way, 2 if the input is wrong.
int replay_schedule(const ScheduleReplay& options);

}  // namespace tarry::cli
