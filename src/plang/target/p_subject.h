// One test of a P program, as a subject.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/target.h"
#include "plang/target/compiled_project.h"
#include "plang/vm/formula_watch.h"
#include "plang/vm/ledger.h"
#include "plang/vm/world.h"
#include "process/state_subject.h"

namespace tarry::plang {

class SharedIdentities;  // foreign_files.h

/// Which of P's own files are written, and what they say.
struct OwnFiles {
  bool text = false, json = false, schedule = false;  // beside the trace of a finding
  bool any() const { return text || json || schedule; }
  std::optional<std::filesystem::path> coverage = {};  // the folder of its files
  std::string search = {};
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> fair_steps = {};        // of a fair search: its bound of steps
  std::chrono::milliseconds step_timeout{10'000};
};

/// How tests are run.
struct TestOptions {
  Points points = Points::kNeeded;
  Bounds bounds = {};
  std::string formula = {};                // --ltl; empty: none
  std::vector<std::string> notes = {};     // that every verdict comes with
  OwnFiles own_files = {};
};

class PSubject final : public process::StateSubject {
 public:
  PSubject(std::shared_ptr<CompiledProject> project, const TestCase& test, const TestOptions& options, std::optional<FormulaWatch> formula);
  ~PSubject() override;

  Result<std::unique_ptr<tarry::Program>> load(Purpose purpose) const override;
  bool complete_crash(process::Shared& shared, Purpose purpose) const override;
  void write_beside(const Finding& finding, const RerunResult& rerun, const std::filesystem::path& trace, std::vector<std::string>& notes) const override;
  bool write_about(const std::vector<Finding>& findings, std::vector<std::string>& notes) const override;

 private:
  bool calls_foreign() const { return identities_ != nullptr; }

  std::shared_ptr<CompiledProject> project_;
  const TestCase& test_;
  TestOptions options_;
  std::optional<FormulaWatch> formula_;
  std::unique_ptr<SharedIdentities> identities_;  // if it calls foreign functions
};

/// Makes subjects of the tests that are asked for: of the one called `test`, or of those whose names start with `prefix`. Compiles the foreign
/// functions that they need.
Result<Subjects> subjects_of(const std::shared_ptr<CompiledProject>& project, const std::optional<std::string>& test, const std::optional<std::string>& prefix, const TestOptions& options);

}  // namespace tarry::plang
