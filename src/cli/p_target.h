// P programs: from a project, a folder or files to tests that can be checked.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/subject.h"
#include "cppmodel/build.h"

namespace tarry::plang {
struct Program;
struct Code;
class Foreign;
}  // namespace tarry::plang

namespace tarry::cli {

struct POptions {
  std::optional<std::string> test_prefix;  // -tc: every test whose name starts with it
  std::optional<std::string> test;         // exactly this one: of a trace
  std::vector<std::string> foreign;        // --foreign: sources and objects with foreign functions
  bool strict_errors = false;
  bool all_points = false;                 // --points p
  std::uint64_t max_steps = 0;             // as P counts them; 0: no bound
  bool fail_on_max_steps = false;
  std::uint64_t memory = 0;                // --memory
  std::string ltl;                         // --ltl: a formula; empty: none
  std::uint32_t formulas = 0;              // so many --ltl were joined to it
  std::uint64_t temperature = 0;           // --temperature: a spec that is hot for longer counts as violated; 0: half of the bound of a fair search, else not looked at
  bool fair = false;                       // the search is: a spec that stays hot for half the bound is violated
};

/// A compiled program. Shared by the subjects that are its tests.
struct PTarget {
  std::unique_ptr<plang::Program> program;
  std::unique_ptr<plang::Code> code;
  std::uint64_t identity = 0;
  std::vector<std::string> named;          // what the user calls it: a project, a folder, files
  std::string warnings;                    // of the compiler, as the user will read them
  std::vector<std::string> tests;
  std::vector<std::filesystem::path> foreign_files;  // sources and objects with foreign functions
  std::vector<BuiltObject> foreign;                  // of these, once they are needed
  std::unique_ptr<plang::Foreign> linked;            // in a child that has loaded them
  ~PTarget();
};

/// Is it a .p, a .pproj or a folder?
bool names_a_p_program(const std::filesystem::path& file);

/// Is there a project file in the folder?
bool has_project(const std::filesystem::path& folder);

/// Reads, parses and checks. A diagnostic holds all errors.
Result<std::shared_ptr<PTarget>> compile_p(const std::vector<std::string>& files, const POptions& options);

/// The tests that are asked for.
Result<Subjects> p_subjects(std::shared_ptr<PTarget> target, const POptions& options);

}  // namespace tarry::cli
