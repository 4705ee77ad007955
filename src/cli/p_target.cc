#include "cli/p_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/hash.h"
#include "cli/command_line.h"
#include "cli/p_foreign.h"
#include "cli/state_subject.h"
#include "plang/code/bytecode.h"
#include "plang/foreign/calls.h"
#include "plang/project/project.h"
#include "plang/sema/program.h"
#include "plang/vm/foreign.h"
#include "plang/vm/p_program.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

bool has_hot_state(const plang::Machine& monitor) {
  return std::any_of(monitor.states.begin(), monitor.states.end(), [](const auto& state) { return state->temperature == plang::Temperature::kHot; });
}

/// "spec 'Progress'".
std::string named(const plang::Machine& monitor) {
  return fmt::format("{} '{}'", monitor.kind == plang::Machine::Kind::kScenario ? "scenario" : "spec", monitor.name.text);
}

class PSubject final : public StateSubject {
 public:
  PSubject(std::shared_ptr<PTarget> target, const plang::TestCase& test, const POptions& options, std::optional<plang::FormulaWatch> formula)
      : target_(std::move(target)),
        test_(test),
        points_(options.all_points ? plang::Points::kAll : plang::Points::kNeeded),
        formula_(std::move(formula)) {
    bounds_.max_steps = options.max_steps;
    bounds_.fail_on_max_steps = options.fail_on_max_steps;
    bounds_.memory = options.memory;
    bounds_.temperature = options.temperature != 0 ? options.temperature : options.fair ? options.max_steps / 2 : 0;
    if (!plang::foreign_calls(*target_->code, test_).empty()) identities_ = std::make_unique<SharedIdentities>();
  }

  std::uint64_t identity() const override {
    std::uint64_t whole = target_->identity + (points_ == plang::Points::kAll ? 1 : 0);
    if (calls_foreign()) whole = identity_with_foreign(*target_, whole);
    if (formula_) whole = hash_of(formula_->text(), whole);
    return hash_of(test_.name, whole);
  }
  const std::string& test() const override { return test_.name; }
  Result<std::unique_ptr<Program>> load(Purpose purpose) const override {
    const auto how = purpose == Purpose::kSearch ? plang::Purpose::kSearch : plang::Purpose::kReplay;
    if (calls_foreign())
      if (auto problem = load_foreign_of(*target_)) return *problem;
    return std::unique_ptr<Program>(std::make_unique<plang::PProgram>(*target_->code, test_, points_, how, bounds_, calls_foreign() ? target_->linked.get() : nullptr,
                                                                      calls_foreign() ? &**identities_ : nullptr, formula_ ? &*formula_ : nullptr));
  }
  bool complete_crash(Shared& shared, Purpose purpose) const override {
    return !calls_foreign() || complete_p_crash(shared, purpose, *this, **identities_, *target_->program);
  }
  bool looks_ahead() const override { return calls_foreign(); }
  bool proves_endless_steps() const override { return true; }
  std::vector<std::string> undecided() const override {
    std::vector<std::string> out;
    for (const plang::AttachedMonitor& attached : test_.monitors)
      if (has_hot_state(*attached.monitor)) out.push_back("liveness of " + named(*attached.monitor));
    if (formula_) out.push_back("formula '" + formula_->text() + "'");
    return out;
  }

 private:
  bool calls_foreign() const { return identities_ != nullptr; }

  std::shared_ptr<PTarget> target_;
  const plang::TestCase& test_;
  plang::Points points_;
  plang::Bounds bounds_;
  std::optional<plang::FormulaWatch> formula_;
  std::unique_ptr<SharedIdentities> identities_;  // if it calls foreign functions
};

/// Of names and texts, in order.
std::uint64_t identity_of(const plang::Sources& sources) {
  std::uint64_t hash = 0;
  for (std::uint32_t i = 0; i < sources.size(); ++i) hash = hash_of(sources.file(i).text, hash_of(fs::path(sources.file(i).name).filename().string(), hash));
  return hash;
}

/// The ending of its name, in small letters.
std::string kind_of(const fs::path& file) {
  std::string kind = file.extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kind;
}

/// Messages end with a newline; diagnostics do not.
std::string without_newline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

PTarget::~PTarget() = default;

bool names_a_p_program(const fs::path& file) {
  std::error_code ignored;
  return kind_of(file) == ".p" || kind_of(file) == ".pproj" || fs::is_directory(file, ignored);
}

bool has_project(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (kind_of(at->path()) == ".pproj" && !at->path().filename().string().starts_with('.')) return true;
  return false;
}

Result<std::shared_ptr<PTarget>> compile_p(const std::vector<std::string>& files, const POptions& options) {
  const auto project = plang::open_project({files.begin(), files.end()});
  if (!project) return project.error();
  auto sources = plang::read_sources(*project);
  if (!sources) return sources.error();
  auto target = std::make_shared<PTarget>();
  target->identity = identity_of(*sources);
  target->named = files;
  using Mode = plang::Diagnostics::Mode;
  auto compiled = plang::compile(std::move(*sources), options.strict_errors ? Mode::kFirstOnly : Mode::kAll);
  if (compiled.program == nullptr) return Diagnostic{without_newline(compiled.messages)};
  target->warnings = compiled.messages;
  for (const std::string& note : project->notes) target->warnings += note + "\n";
  target->foreign_files = foreign_files_of(*project, options.foreign, target->warnings);
  target->program = std::move(compiled.program);
  target->code = plang::generate(*target->program);
  for (const plang::TestCase& test : target->program->tests) target->tests.push_back(test.name);
  return target;
}

Result<Subjects> p_subjects(std::shared_ptr<PTarget> target, const POptions& options) {
  std::vector<const plang::TestCase*> tests;
  for (const plang::TestCase& test : target->program->tests) {
    const bool wanted = options.test ? test.name == *options.test : !options.test_prefix || test.name.starts_with(*options.test_prefix);
    if (wanted) tests.push_back(&test);
  }
  if (!tests.empty()) {
    if (auto problem = build_foreign(*target, tests)) return *problem;
    Subjects subjects;
    for (const plang::TestCase* test : tests) {
      std::optional<plang::FormulaWatch> formula;
      if (!options.ltl.empty()) {
        auto made = plang::FormulaWatch::make(options.ltl, "--ltl", *target->program, *test);
        if (!made) return Diagnostic{"tarry: error: " + made.error().text};
        formula = std::move(*made);
      }
      subjects.push_back(std::make_unique<PSubject>(target, *test, options, std::move(formula)));
    }
    return subjects;
  }
  if (target->tests.empty()) return Diagnostic{"tarry: error: the program has no test that can be run, no implementation, and no machine 'Main' beside them: there is nothing to check"};
  const std::string name = options.test ? *options.test : options.test_prefix.value_or("");
  return Diagnostic{fmt::format("tarry: error: no test starts with '{}'{}; there are {}", name, did_you_mean(name, target->tests), fmt::join(target->tests, ", "))};
}

}  // namespace tarry::cli
