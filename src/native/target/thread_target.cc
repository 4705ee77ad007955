// The front end of programs with threads: sources in C or C++ that are no model, and executables.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

#include "base/words.h"
#include "core/points_option.h"
#include "core/target.h"
#include "core/usage.h"
#include "native/driver/inspect.h"
#include "native/driver/suppressions.h"
#include "native/target/compilers.h"
#include "native/target/thread_subject.h"
#include "toolchain/source_files.h"

namespace tarry::native {
namespace {

constexpr const char* kRunning = "Programs with threads";
constexpr const char* kCompiling = "Programs with threads: compiling sources";

/// Each value becomes a flag of the compiler, with `prefix` before it.
Take add_flag(std::vector<std::string>& out, const std::string& prefix) {
  return [&out, prefix](const std::string& text) -> std::optional<std::string> { return out.push_back(prefix + text), std::nullopt; };
}

Take add_words(std::vector<std::string>& out) {
  return [&out](const std::string& text) -> std::optional<std::string> {
    for (std::string& word : words_of(text, Quoting::kShell)) out.push_back(std::move(word));
    return std::nullopt;
  };
}

Options compile_options(ThreadOptions& o) {
  using Kind = Option::Kind;
  return {
      {.names = "-I", .kind = Kind::kList, .value = "FOLDER", .help = "looks for headers there; may be repeated", .group = kCompiling, .take = add_flag(o.compile_flags, "-I")},
      {.names = "-L", .kind = Kind::kList, .value = "FOLDER", .help = "looks for libraries there; may be repeated", .group = kCompiling, .take = add_flag(o.link_flags, "-L")},
      {.names = "-l", .kind = Kind::kList, .value = "LIBRARY", .help = "links a library; may be repeated", .group = kCompiling, .take = add_flag(o.link_flags, "-l")},
      {.names = "-O", .value = "LEVEL", .help = "how much the compiler optimizes: 0, 1, 2, 3, s, g, fast (default: 1)", .group = kCompiling, .take = add_flag(o.compile_flags, "-O")},
      {.names = "--std", .value = "STANDARD", .help = "the language: c++17, gnu++20, c11 (also: -std=…; default: gnu++20 for C++, the compiler's for C)", .group = kCompiling, .take = add_flag(o.compile_flags, "-std=")},
      {.names = "--cc", .value = "COMPILER", .help = "the compiler of C (default: $TARRY_CC, $CC, cc, gcc or clang)", .group = kCompiling, .take = set_text(o.c_compiler)},
      {.names = "--cxx", .value = "COMPILER", .help = "the compiler of C++ (default: $TARRY_CXX, $CXX, c++, g++ or clang++)", .group = kCompiling, .take = set_text(o.cxx_compiler)},
      {.names = "--cflags", .kind = Kind::kList, .value = "TEXT", .help = "further options of the compiler, as in --cflags '-Wall -funroll-loops'", .group = kCompiling, .take = add_words(o.compile_flags)},
      {.names = "--ldflags", .kind = Kind::kList, .value = "TEXT", .help = "further options for linking", .group = kCompiling, .take = add_words(o.link_flags)},
      {.names = "--asan", .kind = Kind::kFlag, .help = "compiles with AddressSanitizer instead: finds memory errors, no data races; threads are switched at synchronisation only", .group = kCompiling, .take = set_true(o.address_sanitizer)},
  };
}

Options run_options(ThreadOptions& o) {
  using Kind = Option::Kind;
  RunOptions& run = o.run;
  return {
      points_option("How to search", [&o](PointsAsked asked) {
        o.run.points = asked == PointsAsked::kAllAccesses ? AccessPoints::kAll : AccessPoints::kNeeded;
        o.points_of_p = asked == PointsAsked::kOfP;
      }),
      {.names = "--folder", .value = "FOLDER", .help = "relative paths among the options begin there, and the compiler and the program run there; traces remember it (default: the working folder)", .group = kRunning, .take = set_text(o.folder)},
      {.names = "--races", .value = "error|report|ignore", .help = "treatment of data races (default: error)", .group = kRunning, .take = one_of({"error", "report", "ignore"}, [&run](std::size_t i) { run.races = static_cast<Races>(i); })},
      {.names = "--suppressions", .value = "FILE", .help = "ignores data races: one pattern per line, matched against function or file:line; as in 'race:Queue::size'", .group = kRunning, .take = set_text(o.suppressions)},
      {.names = "--fair-scheduling", .kind = Kind::kFlagOrValue, .value = "[=K|=off]", .help = "prevents threads that yield from starving others; =K counts every K-th yield, =off turns fairness off (default: 1, doubled as long as fairness removes choices)", .group = kRunning, .take = set_text(o.fairness)},
      {.names = "--samaritan", .value = "error|note|ignore", .help = "treatment of a thread that waits in a loop without yielding (default: note)", .group = kRunning, .take = one_of({"error", "note", "ignore"}, [&run](std::size_t i) { run.samaritan = static_cast<Samaritan>(i); })},
      {.names = "--awaits", .value = "on|off", .help = "makes a thread that only reads in a loop wait until a value changes (default: on)", .group = kRunning, .take = one_of({"on", "off"}, [&run](std::size_t i) { run.awaits = i == 0; })},
      {.names = "--input", .value = "FILE", .help = "standard input of every execution (default: Tarry's own, read to its end; empty if that is a terminal)", .group = kRunning, .take = set_text(o.input)},
      {.names = "--outcomes", .kind = Kind::kFlag, .help = "lists the outputs of complete executions, each once with its count, and every bug; implies --keep-going", .group = kRunning, .take = set_true(run.outcomes)},
      {.names = "--dump-traces", .value = "FILE", .help = "writes every complete execution to FILE, as one line of JSON: its events with program order, reads-from and coherence", .group = kRunning, .take = set_text(run.dump)},
      {.names = "--reuses", .value = "N", .help = "how often per execution an allocation may reuse memory that was just freed, although another thread has its address; 0: never (default: 2)", .group = kRunning, .take = [&run](const std::string& text) -> std::optional<std::string> {
         const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), run.reuses);
         return error != std::errc() || end != text.data() + text.size() ? std::optional<std::string>("a number, as in 2") : std::nullopt;
       }},
      {.names = "--spurious", .kind = Kind::kFlag, .help = "also explores spurious wake-ups, and weak compare-exchanges that fail", .group = kRunning, .take = set_true(run.spurious)},
      {.names = "--clock-jumps", .value = "N", .help = "maximum number of clock jumps per execution: a thread is delayed, and the clock that it reads is past all deadlines (default: 1)", .group = kRunning, .take = number(run.clock_jumps, 0u, 1000u)},
      {.names = "--faults", .kind = Kind::kFlag, .help = "also explores interrupted calls (EINTR), refused calls (EAGAIN) and failed allocations", .group = kRunning, .take = set_true(run.faults)},
      {.names = "--fresh", .kind = Kind::kFlag, .help = "starts a new process for every execution: slow, and right for programs whose effects cannot be undone", .group = kRunning, .take = set_true(run.fresh)},
      {.names = "--expect-exit", .value = "N", .help = "expected exit code; any other is a bug (default: any; GoogleTest: 0)", .group = kRunning, .take = [&run](const std::string& text) -> std::optional<std::string> {
         if (number(run.expect_exit, 0, 255)(text)) return "an exit code from 0 to 255";
         return std::nullopt;
       }},
  };
}

/// Then that is what the user wants; else the number rises.
bool was_given_a_number(const std::string& fairness) { return !fairness.empty() && fairness != "true" && fairness != "on"; }

/// --fair-scheduling, --fair-scheduling=3, --fair-scheduling=off.
std::optional<Diagnostic> settle_fairness(ThreadOptions& o) {
  const std::string& text = o.fairness;
  if (!was_given_a_number(text)) return std::nullopt;
  if (text == "off" || text == "false" || text == "0") {
    o.run.fair = 0;
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), o.run.fair);
  if (error == std::errc() && end == text.data() + text.size() && o.run.fair <= 1'000'000) return std::nullopt;
  return usage_error(fmt::format("--fair-scheduling={} is not right: expected off, or a number from 1 to 1000000", text));
}

/// What is relative becomes absolute, so that a replay in another folder is the same. The folder of a trace may be gone: then this one has to do.
void settle_folder(ThreadOptions& o) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (o.folder.empty() || !fs::is_directory(o.folder, error)) o.folder = fs::current_path();
  o.folder = fs::absolute(o.folder).lexically_normal();
  for (std::string* const file : {&o.suppressions, &o.input, &o.run.dump})
    if (!file->empty()) *file = (fs::path(o.folder) / *file).lexically_normal();
  for (std::string* const compiler : {&o.c_compiler, &o.cxx_compiler})
    if (compiler->find('/') != std::string::npos && compiler->find('/') < compiler->find(' ')) *compiler = (fs::path(o.folder) / *compiler).lexically_normal();
}

std::optional<Diagnostic> take_suppressions(ThreadOptions& o) {
  if (o.suppressions.empty()) return std::nullopt;
  std::ifstream in(o.suppressions);
  if (!in) return Diagnostic{fmt::format("{}: error: cannot be read", o.suppressions)};
  Suppressions read = native::read_suppressions(in);
  if (read.all_at != 0) return Diagnostic{fmt::format("{}:{}: error: would suppress every race; use --races ignore for that", o.suppressions, read.all_at)};
  o.run.suppressions = std::move(read.names);
  return std::nullopt;
}

/// `tarry check prog <file` is `--input file`: a replay is to find it again.
void remember_input(ThreadOptions& o, GivenOptions& given) {
  std::error_code error;
  if (!o.input.empty() || !std::filesystem::is_regular_file("/proc/self/fd/0", error)) return;
  const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/fd/0", error);
  if (error || !std::filesystem::is_regular_file(file, error)) return;
  o.input = file;
  given.set("--input", {file});
}

/// Which compiler is taken may depend on the environment, what paths mean on the folder, and a replay is to do the same: from now on it is as if
/// both had been given.
std::optional<Diagnostic> remember_surroundings(ThreadOptions& o, TargetRequest& request) {
  request.given.set("--folder", {o.folder});
  const auto remember_compiler = [&request](const char* option, std::string& compiler, Language language) -> std::optional<Diagnostic> {
    if (!compiler.empty()) return std::nullopt;
    auto called = compiler_by_environment(language);
    if (!called) return called.error();
    compiler = std::move(*called);
    request.given.set(option, {compiler});
    return std::nullopt;
  };
  for (const std::string& file : request.files()) {
    std::optional<Diagnostic> wrong;
    if (is_c_source(file)) wrong = remember_compiler("--cc", o.c_compiler, Language::kC);
    if (is_cxx_source(file)) wrong = remember_compiler("--cxx", o.cxx_compiler, Language::kCxx);
    if (wrong) return wrong;
  }
  return std::nullopt;
}

class ThreadTarget final : public Target {
 public:
  Options options() override {
    Options out = run_options(options_);
    for (Option& option : compile_options(options_)) out.push_back(std::move(option));
    return out;
  }

  std::optional<Diagnostic> settle(TargetRequest& request) override {
    for (const char* name : {"--fairness", "--choices"})
      if (request.given.has(name)) return usage_error(fmt::format("{} is for liveness of models and P programs; programs with threads have --fair-scheduling", name));
    for (const char* name : {"--store", "--when-full"})
      if (request.given.has(name)) return usage_error(fmt::format("{} is for models and P programs: a program with threads has no states that could be stored", name));
    if (options_.points_of_p) return usage_error("--points p is for P programs; a program with threads has --points all");
    settle_folder(options_);
    if (auto wrong = settle_fairness(options_)) return wrong;
    if (auto wrong = take_suppressions(options_)) return wrong;
    const auto& search = Registry<Search>::find(request.search)->kind;
    if (!search.runs)
      return usage_error(fmt::format("search '{}' cannot be used on programs with threads: it {}", request.search, search.instead.empty() ? "needs states that can be captured" : search.instead));
    settle_run(request, search.reduces);
    remember_input(options_, request.given);
    return remember_surroundings(options_, request);
  }

  Result<Subjects> load(const TargetRequest& request) override {
    ThreadOptions options = options_;
    if (const auto& admissible = request.admissible) {
      if (!options.run.dump.empty()) return usage_error("--dump-traces is for 'tarry check'");
      options.run.reduces = true;
      options.run.admissible = admissible->spool;
      options.run.most_admissible = admissible->most;
      options.run.only_recorded = admissible->only_recorded;
      for (const RecordedRun& run : admissible->recorded) {
        auto& numbers = options.run.recorded.emplace_back();
        for (const RecordedEvent& event : run) numbers.insert(numbers.end(), {event.thread, event.kind, event.value});
      }
      for (const std::string& point : admissible->points) options.points.push_back(place_of(point));
    }
    return thread_subjects(request, options);
  }

  Result<std::vector<std::string>> tests(const TargetRequest& request) override {
    const auto subjects = thread_subjects(request, options_);
    if (!subjects) return subjects.error();
    if (subjects->front()->facts().test.empty()) return usage_error(fmt::format("--list-tests: '{}' has no tests of GoogleTest: it is one test by itself", request.target));
    std::vector<std::string> names;
    for (const auto& subject : *subjects) names.push_back(subject->facts().test);
    return names;
  }

 private:
  /// Options of the search that follow from those of the run, and the other way round.
  void settle_run(TargetRequest& request, bool reduces) {
    RunOptions& run = options_.run;
    run.reduces = reduces || !run.dump.empty();
    request.engine.fair = run.fair;
    request.engine.raise_fair = run.fair != 0 && !was_given_a_number(options_.fairness);
    request.engine.keep_going |= run.outcomes;
    request.engine.samaritan = run.samaritan != Samaritan::kIgnore;
    run.cache = request.engine.cache != CacheKey::kNone;
    options_.races_given = request.given.has("--races");
    options_.seed = request.engine.seed;
    options_.arguments = request.arguments;
  }

  ThreadOptions options_;
};

/// A source is a program with threads unless another front end knows better.
Claim claims(const std::string& file) {
  if (is_c_source(file)) return Claim::kYes;
  if (is_cxx_source(file)) return Claim::kUnlessAnother;
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && !is_shared_object(file) && is_elf(file) ? Claim::kYes : Claim::kNo;
}

const FrontEndRegistration entry{{
    .name = "threads",
    .plural = "programs with threads",
    .targets = "a program with threads (sources in C or C++, or an executable)",
    .rank = 20,
    .claims = claims,
    .make = [] { return std::make_unique<ThreadTarget>(); },
    .verifies = true,
}};

}  // namespace
}  // namespace tarry::native
