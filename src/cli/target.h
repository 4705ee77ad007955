// From what the user named to what can be checked.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/p_target.h"
#include "cli/subject.h"
#include "cli/thread_target.h"
#include "cppmodel/build.h"

namespace tarry::cli {

/// What was named, and how it is to be made ready.
struct TargetOptions {
  std::vector<std::string> files;    // one, or several .p files or sources
  std::vector<std::string> defines;  // of models and programs with threads
  POptions p;                        // of P programs
  ThreadOptions threads;             // of programs with threads
};

/// The tests of a P program, the model in a source or an object, a program with threads. What is something else is refused with a hint.
Result<Subjects> prepare(const TargetOptions& options);

/// Foreign functions of a P program, in a source or an object.
Result<BuiltObject> prepare_foreign(const std::string& file);

/// An explorer of the user's own.
Result<BuiltObject> prepare_explorer(const std::string& file);

}  // namespace tarry::cli
