// C and C++ programs with threads: how they are built and run, and the subjects of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/subject.h"
#include "native/abi/messages.h"

namespace tarry::cli {

struct ThreadOptions {
  std::vector<std::string> arguments;      // of the program
  native::RunOptions run;
  std::string suppressions;                // a file, or empty
  bool races_given = false;                // --races was
  std::string fairness;                    // as it was given
  std::string input;                       // a file that is the program's standard input; empty: our own
  bool keeps_out_of_input = false;         // ours is for a debugger
  std::string folder;                      // where relative paths among the options begin, and the compiler runs; empty: here
  std::vector<std::string> compile_flags;  // of sources
  std::vector<std::string> link_flags;
  std::string c_compiler, cxx_compiler;    // empty: as the environment says
  bool address_sanitizer = false;
  std::string test_prefix;                 // of GoogleTest: those whose name starts so
  std::string test;                        // only this one, by its whole name
  std::vector<native::Place> points;       // accesses that are choice points from the start
  std::uint64_t seed = 1;                  // of what the program may see of chance
};

/// Is the first of these files something that is checked as a program with threads: a source that is no model, or an executable?
bool names_a_thread_program(const std::string& file);

/// Builds what is a source, finds the tests. The program is one subject, or each of its GoogleTest tests is.
Result<Subjects> thread_subjects(const std::vector<std::string>& files, const std::vector<std::string>& defines, const ThreadOptions& options);

/// The program of a subject that is one with threads.
struct ThreadExecutable {
  std::filesystem::path executable;
  std::filesystem::path runtime;   // libtarry_rt.so
  bool tells_cxx = false;          // libtarry_cxx.so goes with it
  bool instrumented = false;
  std::vector<std::string> arguments;
};
std::optional<ThreadExecutable> executable_of(const Subject& subject);

/// Is gdb installed?
bool has_debugger();
/// Starts gdb on the program, which follows the schedule and stops where it failed. Becomes gdb; comes back only with what is wrong.
Diagnostic debug_thread_program(const Subject& subject, const Finding& finding, std::chrono::milliseconds step_timeout);

}  // namespace tarry::cli
