#include "native/target/thread_subject.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/hash.h"
#include "base/resident.h"
#include "core/usage.h"
#include "native/driver/dumped_traces.h"
#include "native/driver/inspect.h"
#include "native/driver/launch.h"
#include "native/driver/plain_inputs.h"
#include "native/driver/host_machine.h"
#include "native/driver/tell.h"
#include "native/target/compilers.h"
#include "native/target/program_build.h"
#include "process/inherited_limits.h"
#include "toolchain/compiler.h"
#include "toolchain/source_files.h"
#include "toolchain/surroundings.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

/// What the user can do about code that is not instrumented.
std::string how_to_see(const std::vector<std::string>& plain) {
  const auto has = [&](auto&& is_of_kind) { return std::any_of(plain.begin(), plain.end(), is_of_kind); };
  std::vector<std::string_view> out;
  if (has([](const std::string& name) { return !is_inline_assembly(name) && !is_exempt(name) && !is_incomplete(name); })) out.emplace_back("compile it with 'tarry cc' or 'tarry c++'");
  if (has(is_inline_assembly)) out.emplace_back("use builtin functions of the compiler instead of assembly");
  if (has(is_exempt)) out.emplace_back("remove the attribute no_sanitize");
  if (has(is_incomplete)) out.emplace_back("use g++ or clang of a version that this build of Tarry completes (docs/threads.md): others do not show all accesses of structs");
  return fmt::format("{}", fmt::join(out, ", and "));
}

/// What all tests of a program share.
struct ThreadProgram {
  fs::path executable;
  fs::path runtime;
  std::uint64_t identity = 0;
  bool instrumented = false;
  bool debug_information = false;
  bool static_cxx = false;
  bool open_mp = false;
  bool open_mp_watched = false;  // by the user's wish, with races
  std::vector<std::string> plain;  // objects in it that are not instrumented
  bool may_order = false;          // some of them are inline assembly or exempt functions, which may order what the others access
  std::vector<CodeSpan> frameworks;
  bool shared_cxx = false;
  std::uint32_t lacks = 0;
  ThreadOptions options;
  File input;
  bool dumps = false;  // the file of --dump-traces was begun
};

std::vector<Choice> without_last_step(const std::vector<Choice>& schedule) {
  std::vector<Choice> out = schedule;
  while (!out.empty() && out.back().kind == Choice::Kind::kValue) out.pop_back();
  if (!out.empty()) out.pop_back();
  return out;
}

/// How long an execution may take that is run again, in all. Stacks are recorded, so it is slower than in the search.
std::chrono::milliseconds replay_limit(const RerunOptions& how) { return std::min(6 * how.step_timeout, how.time.value_or(6 * how.step_timeout)); }

/// The identity of one test: a replay is refused where it differs.
std::uint64_t identity_of(const ThreadProgram& program, const std::string& test) {
  const RunOptions& run = program.options.run;
  std::uint64_t hash = hash_of(std::string_view(test), program.identity);
  for (const std::string& argument : program.options.arguments) hash = hash_of(std::string_view(argument), hash + 1);
  const std::uint64_t choices = (run.points == AccessPoints::kAll ? 1u : 0u) | (run.spurious ? 2u : 0u) | (run.faults ? 4u : 0u) | (run.awaits ? 0u : 8u) | (run.reduces ? 16u : 0u) | (std::uint64_t{run.reuses} ^ 2) << 16 | (run.outcomes ? std::uint64_t{1} << 48 : 0);
  return hash + choices + (std::uint64_t{run.clock_jumps} - 1) * 16;
}

/// What is launched for one test.
LaunchedProgram launched_program(const ThreadProgram& program, const std::string& test) {
  LaunchedProgram out{.executable = program.executable, .arguments = program.options.arguments, .folder = program.options.folder, .runtime = program.runtime, .tells_cxx = program.instrumented && program.shared_cxx && !program.options.address_sanitizer, .standard_input = program.input.number(), .address_sanitizer = program.options.address_sanitizer, .open_mp = program.open_mp || program.open_mp_watched, .lacks = program.lacks};
  if (!test.empty())
    for (const std::string& argument : {"--gtest_filter=" + test, std::string("--gtest_print_time=0"), std::string("--gtest_color=no")}) out.arguments.push_back(argument);
  return out;
}

SubjectFacts facts_of(const ThreadProgram& program, const std::string& test) {
  return {.identity = identity_of(program, test), .test = test, .executable = Executable{program.executable, launched_program(program, test).arguments, program.instrumented}};
}

/// The memory of a worker. --memory is for the tool and all workers together, and the launcher ends a search that holds more (driver/launch.cc). So that full tables do not
/// end it, they leave some room.
std::uint64_t for_worker(const SearchOptions& engine) {
  const std::uint64_t all = engine.limits.memory - std::min(resident_bytes(), engine.limits.memory / 4);
  return all / engine.jobs / 16 * 15;
}

class ThreadSubject final : public Subject {
 public:
  ThreadSubject(std::shared_ptr<ThreadProgram> program, const std::string& test) : Subject(facts_of(*program, test)), program_(std::move(program)) {}

  SearchEnd search(const SearchPlan& plan, const Tick& tick) const override {
    Request request{.job = Request::Job::kSearch, .run = run_options(), .search = plan.search, .explorer = plan.explorer};
    request.frameworks = program_->frameworks;
    request.points = program_->options.points;
    if (plan.explorer_object) request.explorer_file = *plan.explorer_object;
    request.params = plan.params;
    request.engine = plan.engine;
    request.engine.jobs = 1;  // of a process; there are as many processes as workers
    request.engine.limits.memory = for_worker(plan.engine);
    const std::string& dump = request.run.dump;
    if (!dump.empty() && !std::exchange(program_->dumps, true))
      if (const auto wrong = begin_dump(dump)) return *wrong;
    Launched launched = launch(program(), request, {.workers = plan.engine.jobs, .step_timeout = plan.step_timeout, .memory = plan.engine.limits.memory, .tick = tick});
    if (!dump.empty())
      if (const auto wrong = collect_dump(dump, plan.engine.jobs, facts().test, plan.search)) return *wrong;
    auto answer = search_answer(launched, circumstances(plan.step_timeout), request.run.suppressions, program_->options.folder);
    if (auto* diagnostic = std::get_if<Diagnostic>(&answer)) return *diagnostic;
    if (auto* fault = std::get_if<OurFault>(&answer)) return *fault;
    auto& found = std::get<SearchResult>(answer);
    report_only(found);
    add_notes(found);
    return Searched{std::move(found), {launched.totals, launched.interrupted_by, launched.peak_rss, launched.seconds}};
  }

  Diagnostic debug(const Finding& finding, std::chrono::milliseconds step_timeout) const override;

  RerunResult rerun(const Finding& finding, const std::vector<std::uint32_t>& expected, const RerunOptions& how) const override {
    Rerun out;
    out.schedule = finding.schedule;
    const Launched launched = launch(program(), replay_request(finding, finding.schedule), {.workers = 1, .step_timeout = how.step_timeout, .replay_limit = replay_limit(how)});
    const WorkerEnd& end = launched.workers.front();
    if (launched.interrupted_by != 0) return GivenUp{"interrupted", launched.interrupted_by};
    if (launched.out_of_time && !end.answer && end.death != Death::kHang) return too_late(how);
    if (!end.answer) return crashed(finding, expected, end, how, launched.seconds);
    if (!end.answer->problem.empty()) return Diagnostic{fmt::format("{}: error: {}", program_->executable.string(), end.answer->problem)};
    Symbols symbols(modules_of(*end.answer, program_->executable), program_->options.folder);
    out.replay = replay_of(*end.answer, finding, expected, symbols);
    out.unrepeatable = end.answer->unrepeatable;
    out.ending = out.replay.ending;
    out.steps = out.replay.steps.size();
    // An execution that never ends shows itself by going on behind the last step, and may have had races, and threads that wait in loops.
    const bool endless = finding.kind == "livelock" || finding.kind == "good-samaritan";
    if (endless && end.answer->still_running && (out.ending.kind.empty() || out.ending.kind == "data-race" || out.ending.kind == "spin-wait"))
      out.ending = {.label = "", .kind = finding.kind, .message = finding.message, .location = finding.location};
    if (launched.out_of_time && !shows(out, finding)) return too_late(how);  // it was called off on the way
    return out;
  }

 private:
  LaunchedProgram program() const { return launched_program(*program_, facts().test); }

  Request replay_request(const Finding& finding, const std::vector<Choice>& schedule) const {
    Request request{.job = Request::Job::kReplay, .run = run_options()};
    request.frameworks = program_->frameworks;
    request.engine.seed = program_->options.seed;
    request.engine.fair = request.run.fair;
    request.schedule = schedule;
    for (const std::string& point : finding.points) request.points.push_back(place_of(point));
    return request;
  }

  /// Where a debugger is to stop: the failure as the runtime knows it, from a replay.
  Pause pause_at(const Finding& finding, std::chrono::milliseconds step_timeout) const {
    Pause pause{.wanted = true};
    if (finding.kind == "nontermination") {
      pause.after_ms = static_cast<std::uint64_t>(step_timeout.count());
      return pause;
    }
    const Launched launched = launch(program(), replay_request(finding, finding.schedule), {.workers = 1, .step_timeout = step_timeout});
    const auto& answer = launched.workers.front().answer;
    if (!answer) return pause;
    Symbols symbols(modules_of(*answer, program_->executable), program_->options.folder);
    replay_of(*answer, finding, {}, symbols, &pause.at);
    return pause;
  }

  Circumstances circumstances(std::chrono::milliseconds step_timeout) const {
    return {program_->executable, step_timeout, program_->instrumented ? fmt::format("{}", fmt::join(program_->plain, ", ")) : "the program is not instrumented"};
  }

  RunOptions run_options() const {
    RunOptions run = program_->options.run;
    if (program_->options.address_sanitizer) run.clock_jumps = 0;  // its own run-time looks at clocks, and not always
    if (!facts().test.empty() && run.expect_exit < 0) run.expect_exit = 0;  // how a test of GoogleTest says that it failed
    return run;
  }

  static RerunResult too_late(const RerunOptions& how) {
    const std::string why = fmt::format("its schedule, run again to be recorded, did not come to its end within {}", duration_text(replay_limit(how)));
    if (how.time) return GivenUp{why, 0};
    return Diagnostic{why};
  }

  /// It did not come back: tells the steps before the last one from another run.
  RerunResult crashed(const Finding& finding, const std::vector<std::uint32_t>& expected, const WorkerEnd& end, const RerunOptions& how, double took) const {
    auto account = account_of(end, circumstances(how.step_timeout));
    if (auto* diagnostic = std::get_if<Diagnostic>(&account)) return *diagnostic;
    if (auto* fault = std::get_if<OurFault>(&account)) return *fault;
    const auto& shown = std::get<Finding>(account);
    Rerun out;
    out.crashed = true;
    out.ending.kind = shown.kind;
    out.ending.message = shown.message;
    out.ending.location = shown.location;
    out.steps = shown.steps;
    out.schedule = shown.schedule;
    const auto left = std::max(replay_limit(how) - std::chrono::milliseconds(static_cast<std::int64_t>(took * 1000)), std::chrono::milliseconds(1000));
    const Launched before = launch(program(), replay_request(finding, without_last_step(shown.schedule)), {.workers = 1, .step_timeout = how.step_timeout, .replay_limit = left});
    if (before.interrupted_by != 0) return GivenUp{"interrupted", before.interrupted_by};
    if (const auto& answer = before.workers.front().answer) {
      Symbols symbols(modules_of(*answer, program_->executable), program_->options.folder);
      out.replay = replay_of(*answer, finding, expected, symbols);
    }
    return out;
  }

  /// What a replay says of it.
  std::string in_more_words(const Finding& finding, std::chrono::milliseconds time) const {
    const auto result = rerun(finding, {}, {.time = time});
    const auto* again = std::get_if<Rerun>(&result);
    return again != nullptr && shows(*again, finding) ? again->ending.message : finding.message;
  }

  /// What the user does not take for a bug becomes a note. In the words of the search where all replays would take too long.
  void report_only(SearchResult& found) const {
    const RunOptions& run = program_->options.run;
    const auto until = std::chrono::steady_clock::now() + (found.outcome.stopped_by == StoppedBy::kInterrupt ? kInterruptedLimit : std::chrono::milliseconds(kConfirmingLimit));
    const auto words_of = [&](const Finding& finding) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      return left.count() > 0 ? in_more_words(finding, left) : finding.message;
    };
    const char* const may_be_ordered = program_->may_order && !program_->options.races_given ? "; inline assembly or a function with no_sanitize may order the accesses, so this is no finding (--races error makes it one)" : "";
    std::erase_if(found.findings, [&](const Finding& finding) {
      const bool noted = (finding.kind == "data-race" && run.races == Races::kReport) || finding.kind == "spin-wait";
      if (noted) found.outcome.notes.push_back(finding.kind == "spin-wait" ? fmt::format("{} (--samaritan error makes a bug of it, ignore says nothing)", finding.message) : fmt::format("{} ({}){}", words_of(finding), finding.location, may_be_ordered));
      return noted;
    });
    if (found.findings.empty() && found.outcome.stopped_by == StoppedBy::kFinding) found.outcome.stopped_by = StoppedBy::kNothing;
  }

  /// Where not every access and atomic operation is a point, the verdict says so.
  void add_notes(SearchResult& found) const {
    Outcome& outcome = found.outcome;
    const bool ignored = program_->options.run.races == Races::kIgnore && program_->options.run.points == AccessPoints::kNeeded;  // so which ones would have to be points is not known
    const bool unseen = ignored || program_->options.address_sanitizer || !program_->instrumented || program_->open_mp || program_->open_mp_watched || !program_->plain.empty();
    const Assumption controlled{Assumption::About::kUnseen, "what Tarry controls (see the notes)"};
    if (unseen && std::find(found.assumes.begin(), found.assumes.end(), controlled) == found.assumes.end()) found.assumes.push_back(controlled);
    if (!program_->plain.empty() && program_->instrumented)
      outcome.notes.push_back(fmt::format("code that is not instrumented: {}: its accesses and atomic operations are not seen, and orders that differ only there are not explored; {}", fmt::join(program_->plain, ", "), how_to_see(program_->plain)));
    if (program_->options.address_sanitizer) outcome.notes.emplace_back("with AddressSanitizer threads are switched at synchronisation only, data races are not looked for, and clocks do not jump");
    else if (!program_->instrumented)
      outcome.notes.emplace_back("the program was not instrumented, so it was checked at its synchronisation calls only, and data races go unseen; build it with 'tarry cc' or 'tarry c++'");
    else if (program_->open_mp)
      outcome.notes.emplace_back("the program uses OpenMP, whose runtime library is not instrumented and orders more than is seen, so it was checked at synchronisation calls only; --races error looks for data races, and may find some that are none");
    else if (program_->open_mp_watched)
      outcome.notes.emplace_back("the program uses OpenMP, whose runtime library is not instrumented: what its locks and barriers order is seen only where a thread sleeps");
    else if (program_->static_cxx && program_->options.run.races != Races::kIgnore)
      outcome.notes.emplace_back("the standard library of C++ is linked into the program statically, so Tarry does not see who frees an exception that several threads hold, and may report that as a data race; link it as a shared library");
    else if (ignored)
      outcome.notes.emplace_back("with --races ignore plain accesses that race are no scheduling points, so orders that differ only there were not explored; --races report makes them points, --points all all accesses");
    if (!program_->debug_information) outcome.notes.emplace_back("the program has no debug information, so places in it are shown without lines; compile it with -g, and do not strip it");
  }

  std::shared_ptr<ThreadProgram> program_;
};

/// Text as gdb's echo takes it.
std::string for_echo(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c == '\n') out += "\\n";
    else if (c == '\\' || c == '"') out += {'\\', c};
    else out += c;
  return out;
}

Diagnostic ThreadSubject::debug(const Finding& finding, std::chrono::milliseconds step_timeout) const {
  const auto gdb = find_compiler("gdb");
  if (!gdb) return usage_error("gdb was not found; on Debian, install it with: apt-get install gdb");
  LaunchedProgram program = this->program();
  if (!facts().test.empty()) program.arguments.emplace_back("--gtest_break_on_failure");  // where an EXPECT_… fails, not where the program ends
  Request request = replay_request(finding, finding.schedule);
  request.pause = pause_at(finding, step_timeout);
  const DebuggerSession session = make_debugger_session(program, request);
  std::vector<std::string> command = {gdb->string(), "-q", "-x", (program.runtime.parent_path() / "gdb.py").string()};
  const auto tell = [&](const std::string& text) {
    command.emplace_back("-ex");
    command.push_back(text);
  };
  for (const std::string& variable : session.environment) tell("set environment " + variable.substr(0, variable.find('=')) + " = " + variable.substr(variable.find('=') + 1));
  tell("set cwd " + program.folder.string());
  tell(fmt::format("echo tarry: {}: {}\\n", finding.kind.name(), for_echo(finding.message)));
  tell("echo tarry: the program stops there; 'tarry threads' shows all of its threads, 'tarry failure' comes back to this place\\n");
  if (request.pause.after_ms != 0) tell(fmt::format("echo tarry: that is so after {:g} s, in the middle of the step that does not end\\n", static_cast<double>(step_timeout.count()) / 1000));
  tell("run");
  tell("tarry failure");
  command.emplace_back("--args");
  command.push_back(program.executable.string());
  command.insert(command.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::fflush(nullptr);
  ::execv(argv[0], argv.data());
  return usage_error(fmt::format("'{}' could not be started: {}", command[0], std::generic_category().message(errno)));
}

/// Whether a library of the program needs the standard library of C++, though the program itself does not: one in C, with a library in C++.
bool needs_cxx_by_library(const fs::path& executable) {
  constexpr const char* kLoader = "/lib64/ld-linux-x86-64.so.2";
  const ProcessResult run = run_process({kLoader, "--list", executable.string()});
  return run.started && run.exit_code == 0 && run.output.find("libstdc++.so") != std::string::npos;
}

/// The same for its libraries, without those of the system: objects that are not instrumented.
std::vector<std::string> plain_objects_of_libraries(const fs::path& executable) {
  const ProcessResult run = run_process({"/lib64/ld-linux-x86-64.so.2", "--list", executable.string()});
  std::vector<std::string> out;
  std::istringstream lines(run.started && run.exit_code == 0 ? run.output : "");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t from = line.find("=> /"), to = line.rfind(" (0x");
    if (from == std::string::npos || to == std::string::npos || to < from) continue;
    const std::string path = line.substr(from + 3, to - from - 3);
    if (path.starts_with("/lib") || path.starts_with("/usr/lib")) continue;
    for (std::string& name : plain_objects_of(path)) out.push_back(std::move(name));
  }
  return out;
}

/// The tests as `--gtest_list_tests` has them: a line a suite, then its tests with two spaces before.
std::vector<std::string> google_tests(const ThreadProgram& program, std::string& problem) {
  std::vector<std::string> command = {program.executable.string()};
  command.insert(command.end(), program.options.arguments.begin(), program.options.arguments.end());
  command.emplace_back("--gtest_list_tests");
  constexpr std::chrono::seconds kLimit{30};
  const ProcessResult run = run_process(command, {}, kLimit);
  if (run.signal == SIGKILL) problem = fmt::format("its tests cannot be listed: '--gtest_list_tests' did not end within {} s", kLimit.count());
  else if (!run.started || run.exit_code != 0) problem = fmt::format("its tests cannot be listed: '--gtest_list_tests' failed\n{}", run.output);
  std::vector<std::string> tests;
  std::istringstream lines(run.output);
  std::string suite;
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find("  #"), line.size()));  // types and values
    while (line.ends_with(' ')) line.pop_back();
    if (line.starts_with("  ")) tests.push_back(suite + line.substr(2));
    else if (line.ends_with('.')) suite = line;
  }
  return tests;
}

/// For tests: what is to be done without, though the machine has it.
std::string without() { return environment_variable("TARRY_WITHOUT"); }

/// Read once, and given to every execution.
std::optional<Diagnostic> take_input(ThreadProgram& program, bool leaves_input_alone) {
  const std::string& file = program.options.input;
  if (file.empty() && leaves_input_alone) return std::nullopt;
  const File opened(file.empty() ? -1 : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.empty() && opened.number() < 0) return Diagnostic{fmt::format("{}: error: cannot be read: {}", file, std::generic_category().message(errno))};
  program.input = copy_of_input(file.empty() ? STDIN_FILENO : opened.number(), [] {
    fmt::print(stderr, "tarry: reading standard input, which every execution will get; end it, or use </dev/null if the program needs none\n");
  });
  return std::nullopt;
}

Result<Subjects> subjects_of(const TargetRequest& request, std::shared_ptr<ThreadProgram> program, bool google_test) {
  const std::string prefix = request.test_prefix.value_or("");
  Subjects subjects;
  if (!google_test) {
    if (!prefix.empty()) return usage_error(fmt::format("--testcase: '{}' has no tests of GoogleTest", program->executable.string()));
    subjects.push_back(std::make_unique<ThreadSubject>(std::move(program), ""));
    return subjects;
  }
  if (request.test) {
    subjects.push_back(std::make_unique<ThreadSubject>(program, *request.test));
    return subjects;
  }
  std::string problem;
  const std::vector<std::string> tests = google_tests(*program, problem);
  if (!problem.empty()) return Diagnostic{fmt::format("{}: error: {}", program->executable.string(), problem)};
  for (const std::string& test : tests)  // GoogleTest itself passes over tests whose names its users have marked so
    if (test.starts_with(prefix) && test.find("DISABLED_") == std::string::npos) subjects.push_back(std::make_unique<ThreadSubject>(program, test));
  if (subjects.empty()) return Diagnostic{fmt::format("{}: error: it has no test{}", program->executable.string(), prefix.empty() ? "" : fmt::format(" whose name starts with '{}'", prefix))};
  return subjects;
}

}  // namespace

Place place_of(const std::string& text) {
  unsigned module = 0;
  unsigned long offset = 0;
  return std::sscanf(text.c_str(), "%u:%lx", &module, &offset) == 2 ? Place{module, offset} : Place{};
}

Result<Subjects> thread_subjects(const TargetRequest& request, const ThreadOptions& options) {
  if (const auto problem = unreadable(request.target)) return *problem;
  const std::vector<std::string> files = request.files();
  const std::vector<std::string>& defines = request.defines;
  if (const auto why = refusal(this_machine())) return usage_error(*why);
  if (const auto why = process::too_small_limit(kAddressSpace, kWritableSpace, sizeof(Block))) return usage_error("a program with threads " + *why);
  const auto runtime = runtime_folder();
  if (!runtime) return runtime.error();
  auto program = std::make_shared<ThreadProgram>();
  program->lacks = machine_lacks(without());
  for (const std::string& words : words_for_lacks(program->lacks)) fmt::print(stderr, "tarry: note: {}\n", words);
  program->options = options;
  program->runtime = runtime->path / "libtarry_rt.so";
  const std::string& first = files.front();
  const bool from_source = is_c_source(first) || is_cxx_source(first);
  if (from_source) {
    ProgramBuild build{.folder = options.folder, .files = files, .compile_flags = options.compile_flags, .link_flags = options.link_flags, .address_sanitizer = options.address_sanitizer, .c_compiler = options.c_compiler, .cxx_compiler = options.cxx_compiler};
    for (const std::string& define : defines) build.compile_flags.push_back("-D" + define);
    auto built = build_program(build);
    if (!built) return built.error();
    program->executable = built->executable;
    program->identity = built->identity;
  } else {
    if (!defines.empty() || !options.c_compiler.empty() || !options.cxx_compiler.empty() || !options.compile_flags.empty() || !options.link_flags.empty() || options.address_sanitizer)
      return usage_error(fmt::format("options of the compiler need a source to compile, but '{}' is compiled already", first));
    if (files.size() > 1) return usage_error(fmt::format("'{}' is a program by itself; arguments after '--' are passed to it, as in: tarry check {} -- {}", first, first, files[1]));
    program->executable = fs::absolute(first);
  }
  const auto facts = inspect(program->executable);
  if (!facts) return facts.error();
  if (::access(program->executable.c_str(), X_OK) != 0) return Diagnostic{fmt::format("{}: error: cannot be run: {}", first, std::generic_category().message(errno))};
  if (!from_source) program->identity = facts->identity;
  program->instrumented = facts->instrumented || (from_source && !options.address_sanitizer);  // a source may have no access that calls anything
  program->debug_information = facts->debug_information;
  program->static_cxx = facts->static_cxx;
  program->open_mp = facts->open_mp && !options.races_given;
  program->open_mp_watched = facts->open_mp && options.races_given;
  program->plain = facts->plain;
  if (facts->instrumented)
    for (std::string& name : plain_objects_of_libraries(program->executable)) program->plain.push_back(std::move(name));
  program->may_order = std::any_of(program->plain.begin(), program->plain.end(), [](const std::string& name) { return is_inline_assembly(name) || is_exempt(name); });
  if (program->may_order && !options.races_given) program->options.run.races = Races::kReport;  // what such code orders is not seen
  if (program->open_mp) {  // what its threads wait for in loops is not seen either
    program->options.run.races = Races::kIgnore;
    program->options.run.awaits = false;
  }
  program->frameworks = facts->frameworks;
  program->shared_cxx = facts->shared_cxx || (facts->instrumented && !facts->static_cxx && needs_cxx_by_library(program->executable));
  program->options.address_sanitizer |= facts->address_sanitizer;
  if (const auto wrong = take_input(*program, request.leaves_input_alone)) return *wrong;
  return subjects_of(request, std::move(program), facts->google_test);
}

}  // namespace tarry::native
