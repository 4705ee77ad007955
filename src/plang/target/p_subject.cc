#include "plang/target/p_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "core/usage.h"
#include "plang/code/bytecode.h"
#include "plang/foreign/calls.h"
#include "plang/sema/checked_program.h"
#include "plang/target/foreign_files.h"
#include "plang/target/own_files.h"
#include "plang/vm/foreign_functions.h"
#include "plang/vm/p_program.h"

namespace tarry::plang {
namespace {

bool has_hot_state(const Machine& monitor) {
  return std::any_of(monitor.states.begin(), monitor.states.end(), [](const auto& state) { return state->temperature == Temperature::kHot; });
}

/// Returns "spec 'Progress'".
std::string named(const Machine& monitor) {
  return fmt::format("{} '{}'", monitor.kind == Machine::Kind::kScenario ? "scenario" : "spec", monitor.name.text);
}

bool calls_foreign_functions(const CompiledProject& project, const TestCase& test) { return !foreign_calls(*project.code, test).empty(); }

SubjectFacts facts_of(const CompiledProject& project, const TestCase& test, const TestOptions& options, const std::optional<FormulaWatch>& formula) {
  SubjectFacts facts;
  std::uint64_t whole = project.identity + (options.points == Points::kAll ? 1 : 0);
  facts.looks_ahead = calls_foreign_functions(project, test);
  if (facts.looks_ahead) whole = identity_with_foreign(project, whole);
  if (formula) whole = hash_of(formula->text(), whole);
  facts.identity = hash_of(test.name, whole);
  facts.test = test.name;
  for (const AttachedMonitor& attached : test.monitors)
    if (has_hot_state(*attached.monitor)) facts.undecided.push_back("liveness of " + named(*attached.monitor));
  if (formula) facts.undecided.push_back("formula '" + formula->text() + "'");
  return facts;
}

}  // namespace

PSubject::PSubject(std::shared_ptr<CompiledProject> project, const TestCase& test, const TestOptions& options, std::optional<FormulaWatch> formula)
    : StateSubject(facts_of(*project, test, options, formula), {.proves_endless_steps = true, .notes = options.notes}),
      project_(std::move(project)),
      test_(test),
      options_(options),
      formula_(std::move(formula)) {
  if (calls_foreign_functions(*project_, test_)) identities_ = std::make_unique<SharedIdentities>();
}

PSubject::~PSubject() = default;

Result<std::unique_ptr<tarry::Program>> PSubject::load(Purpose purpose) const {
  const auto how = purpose == Purpose::kSearch ? plang::Purpose::kSearch : plang::Purpose::kReplay;
  if (calls_foreign())
    if (auto problem = load_foreign_of(*project_)) return *problem;
  auto program = std::make_unique<PProgram>(*project_->code, test_, options_.points, how, options_.bounds, calls_foreign() ? project_->linked.get() : nullptr,
                                            calls_foreign() ? &**identities_ : nullptr, formula_ ? &*formula_ : nullptr);
  if (purpose == Purpose::kReplay) record_p_traces(*program, options_.own_files, facts().test);
  return std::unique_ptr<tarry::Program>(std::move(program));
}

bool PSubject::complete_crash(process::Shared& shared, Purpose purpose) const {
  return !calls_foreign() || complete_foreign_crash(shared, purpose, *this, **identities_, *project_->program);
}

void PSubject::write_beside(const Finding& finding, const RerunResult& rerun, const std::filesystem::path& trace, std::vector<std::string>& notes) const {
  write_p_traces(finding, rerun, trace, options_.own_files, notes);
}

bool PSubject::write_about(const std::vector<Finding>& findings, std::vector<std::string>& notes) const {
  return write_coverage(findings, options_.own_files, *this, notes);
}

Result<Subjects> subjects_of(const std::shared_ptr<CompiledProject>& project, const std::optional<std::string>& test, const std::optional<std::string>& prefix, const TestOptions& options) {
  std::vector<const TestCase*> tests;
  for (const TestCase& one : project->program->tests) {
    const bool wanted = test ? one.name == *test : !prefix || one.name.starts_with(*prefix);
    if (wanted) tests.push_back(&one);
  }
  if (!tests.empty()) {
    if (auto problem = build_foreign(*project, tests)) return *problem;
    Subjects subjects;
    for (const TestCase* one : tests) {
      std::optional<FormulaWatch> formula;
      if (!options.formula.empty()) {
        auto made = FormulaWatch::make(options.formula, "--ltl", *project->program, *one);
        if (!made) return usage_error(made.error().text);
        formula = std::move(*made);
      }
      subjects.push_back(std::make_unique<PSubject>(project, *one, options, std::move(formula)));
    }
    return subjects;
  }
  if (project->tests.empty())
    return usage_error("there is nothing to check: the program has no test that yields one, and a machine 'Main' counts as a test only in a program that declares none");
  const std::string name = test ? *test : prefix.value_or("");
  return usage_error(fmt::format("no test starts with '{}'{}; there are {}", name, did_you_mean(name, project->tests), fmt::join(project->tests, ", ")));
}

}  // namespace tarry::plang
