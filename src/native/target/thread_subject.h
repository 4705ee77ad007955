// C and C++ programs with threads as subjects: a program is one, or each of its GoogleTest tests is.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/target.h"
#include "native/abi/messages.h"

namespace tarry::native {

struct ThreadOptions {
  std::vector<std::string> arguments;      // of the program
  RunOptions run;
  std::string suppressions;                // a file, or empty
  bool races_given = false;                // --races was
  bool points_of_p = false;                // --points p was given, which is not for threads
  std::string fairness;                    // as it was given
  std::string input;                       // a file that is the program's standard input; empty: our own
  std::string folder;                      // where relative paths among the options begin, and the compiler runs; empty: here
  std::vector<std::string> compile_flags;  // of sources
  std::vector<std::string> link_flags;
  std::string c_compiler, cxx_compiler;    // empty: as the environment says
  bool address_sanitizer = false;
  std::vector<Place> points;       // accesses that are choice points from the start
  std::uint64_t seed = 1;                  // of what the program may see of chance
};

/// Builds what is a source, finds the tests.
Result<Subjects> thread_subjects(const TargetRequest& request, const ThreadOptions& options);

/// Returns the place that a text such as "0:1f3a" (module and offset) stands for.
Place place_of(const std::string& text);

}  // namespace tarry::native
