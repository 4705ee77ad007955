// The front end of P programs: a project, a folder or files; each of its tests is a subject.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "core/points_option.h"
#include "core/registry.h"
#include "core/target.h"
#include "core/temporal_option.h"
#include "core/usage.h"
#include "plang/target/compiled_project.h"
#include "plang/target/follow_schedule.h"
#include "plang/target/p_subject.h"

namespace tarry::plang {
namespace {

constexpr const char* kGroup = "P programs";
constexpr std::uint64_t kMostSteps = ~std::uint64_t{0} >> 4;

/// Returns whether a search follows executions from start to end, and so can count their steps.
bool keeps_count(const std::string& search) {
  const Entry<Search>* const entry = Registry<Search>::find(search);
  return entry != nullptr && only_samples(*entry);
}

/// Returns the names of the searches that keep count.
std::string counting_searches() {
  std::vector<std::string> names;
  for (const Entry<Search>& search : Registry<Search>::all())
    if (only_samples(search)) names.push_back(search.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Two bounds of steps: of executions in general, and of those that a fair search follows.
struct StepBounds {
  std::uint64_t unfair = 10'000, fair = 100'000;
};

class PTarget final : public Target {
 public:
  Options options() override {
    using Kind = Option::Kind;
    return {
        {.names = "--max-steps", .value = "N[:M]", .help = "cuts executions after N steps as P counts them; random-walk, which is fair, after M (also: -ms N [M]; default: 10000:100000, M: 10 N)", .group = kGroup, .take = [this](const std::string& text) { return take_steps(text); }},
        {.names = "--temperature", .value = "N", .help = "random executions: a spec that is hot for more than N steps in a row counts as violated, which is a heuristic (default: half of the bound of steps for random-walk, else it is not looked at)", .group = kGroup, .take = number(temperature_, std::uint64_t{1}, kMostSteps)},
        {.names = "--fail-on-maxsteps", .kind = Kind::kFlag, .help = "an execution that reaches the bound of steps is a bug", .group = kGroup, .take = set_true(tests_.bounds.fail_on_max_steps)},
        {.names = "--foreign", .kind = Kind::kList, .value = "FILE", .help = "foreign functions in C++: a source with TARRY_FOREIGN in it, or an object; may be repeated (default: those of the project)", .group = kGroup, .take = [this](const std::string& file) -> std::optional<std::string> { return compile_.foreign.push_back(file), std::nullopt; }, .is_path = true},
        formula_.option("a formula of linear temporal logic that every fair execution must satisfy, over events and states of specs of a P program, or labels of a C++ model: \"G (request -> F grant)\"; several are joined by &&", kGroup),
        {.names = "--strict-errors", .kind = Kind::kFlag, .help = "stops at the first error of the program", .group = kGroup, .take = set_true(compile_.strict_errors)},
        points_option("How to search", [this](PointsAsked asked) {
          tests_.points = asked == PointsAsked::kOfP ? Points::kAll : Points::kNeeded;
          points_of_threads_ = asked == PointsAsked::kAllAccesses;
        }),
        {.names = "--p-trace", .value = "text|json|schedule|all", .help = "writes findings in P's own forms too, beside the trace", .group = kGroup, .take = one_of({"text", "json", "schedule", "all"}, [this](std::size_t i) {
           tests_.own_files.text |= i == 0 || i == 3;
           tests_.own_files.json |= i == 1 || i == 3;
           tests_.own_files.schedule |= i == 2 || i == 3;
         })},
        {.names = "--coverage", .value = "FOLDER", .help = "writes which states and handlers 1,000 random executions exercise, and which they never do", .group = kGroup, .take = [this](const std::string& folder) -> std::optional<std::string> {
           if (folder.empty()) return "the name of a file";
           tests_.own_files.coverage = folder;
           return std::nullopt;
         }},
    };
  }

  std::optional<Diagnostic> settle(TargetRequest& request) override {
    if (auto wrong = formula_.wrong()) return wrong;
    if (auto wrong = process::settle_for_states(request)) return wrong;
    if (points_of_threads_) return usage_error("--points all is for programs with threads; a P program has --points p");
    if (tests_.bounds.fail_on_max_steps && !keeps_count(request.search))
      return usage_error(fmt::format("search '{}' does not support --fail-on-maxsteps, because it does not follow executions one by one; use it with -s N, or with: {}", request.search, counting_searches()));
    if (temperature_ != 0 && !keeps_count(request.search))
      return usage_error(fmt::format("--temperature is for random executions of P programs: use it with -s N, or with: {}; the default search decides what stays hot for ever", counting_searches()));
    settle_steps(request);
    tests_.formula = formula_.text;
    tests_.notes = formula_.notes();
    tests_.own_files.search = request.search;
    tests_.own_files.seed = request.engine.seed;
    tests_.own_files.step_timeout = request.step_timeout;
    return std::nullopt;
  }

  Result<Subjects> load(const TargetRequest& request) override {
    if (!request.defines.empty()) return usage_error("-D is for C++ models and programs with threads; a P program has 'param' declarations for that");
    const auto compiled = compile_project(request.files(), compile_);
    if (!compiled) return compiled.error();
    fmt::print(stderr, "{}", (*compiled)->warnings);
    return subjects_of(*compiled, request.test, request.test_prefix, tests_);
  }

  Result<std::vector<std::string>> tests(const TargetRequest& request) override {
    const auto compiled = compile_project(request.files(), compile_);
    if (!compiled) return compiled.error();
    return (*compiled)->tests;
  }

  FollowResult follow(const TargetRequest& request, const std::filesystem::path& schedule) override { return follow_schedule(request, schedule); }

 private:
  std::optional<std::string> take_steps(const std::string& text) {
    const std::size_t colon = text.find(':');
    std::uint64_t unfair = 0, fair = 0;
    auto wrong = number(unfair, std::uint64_t{1}, kMostSteps)(text.substr(0, colon));
    if (!wrong && colon != std::string::npos) wrong = number(fair, std::uint64_t{1}, kMostSteps)(text.substr(colon + 1));
    if (wrong || (colon != std::string::npos && fair < unfair)) return "a number of steps, or two as in 1000:10000, the second not smaller";
    steps_ = {unfair, fair == 0 ? 10 * unfair : fair};
    return std::nullopt;
  }

  /// The bound of P's steps that counts for the chosen search; the engine's own bound, on its coarser steps, follows.
  void settle_steps(TargetRequest& request) {
    const StepBounds steps = steps_.value_or(StepBounds{});
    const bool fair = request.search == "random-walk";
    Bounds& bounds = tests_.bounds;
    bounds.max_steps = fair ? steps.fair : steps.unfair;
    bounds.memory = request.engine.limits.memory;
    bounds.temperature = temperature_ != 0 ? temperature_ : fair ? bounds.max_steps / 2 : 0;
    if (fair) tests_.own_files.fair_steps = bounds.max_steps;
    Limits& limits = request.engine.limits;
    if (steps_ || fair) limits.max_depth = static_cast<std::uint32_t>(std::min<std::uint64_t>(bounds.max_steps, 1'000'000'000));
    limits.max_depth_given = limits.max_depth_given || steps_.has_value();
    if (steps_) request.depth_option = "--max-steps";
  }

  CompileOptions compile_;
  TestOptions tests_;
  TemporalFormula formula_;
  std::optional<StepBounds> steps_;
  std::uint64_t temperature_ = 0;  // a spec that is hot for longer counts as violated; 0: half of the bound of a fair search, else not looked at
  bool points_of_threads_ = false;
};

const FrontEndRegistration entry{{
    .name = "p",
    .plural = "P programs",
    .targets = "a P program (.pproj, folder, .p)",
    .rank = 10,
    .claims = [](const std::string& file) { return names_a_p_program(file) ? Claim::kYes : Claim::kNo; },
    .make = [] { return std::make_unique<PTarget>(); },
    .schedules = ".schedule",
    .is_project = [](const std::filesystem::path& folder) { return has_project(folder); },
}};

}  // namespace
}  // namespace tarry::plang
