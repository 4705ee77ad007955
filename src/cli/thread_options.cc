// The options of `tarry check` that are about programs with threads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "cli/check_options.h"
#include "cli/compilers.h"
#include "cli/thread_build.h"
#include "native/driver/suppressions.h"

namespace tarry::cli {
namespace {

/// As a shell would take it apart, without anything being replaced.
std::vector<std::string> shell_words(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
      else word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (std::exchange(inside, false)) out.push_back(std::exchange(word, {}));
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) out.push_back(word);
  return out;
}

Take words_to(std::vector<std::string>& out) {
  return [&out](const std::string& text) -> std::optional<std::string> {
    for (std::string& word : shell_words(text)) out.push_back(std::move(word));
    return std::nullopt;
  };
}

/// An option that may be repeated: each value becomes a flag.
void add_flags(CLI::App& app, const std::string& name, const std::string& value, const std::string& help, const std::function<void(const std::string&)>& take) {
  app.add_option_function<std::vector<std::string>>(
         name, [take](const std::vector<std::string>& values) { for (const std::string& one : values) take(one); }, help)
      ->type_name(value)
      ->allow_extra_args(false)
      ->group("Programs with threads: compiling sources");
}

void add_compiling(CLI::App& app, ThreadOptions& o) {
  const std::string group = "Programs with threads: compiling sources";
  add_flags(app, "-I", "FOLDER", "looks for headers there; may be repeated", [&o](const std::string& text) { o.compile_flags.push_back("-I" + text); });
  add_flags(app, "-L", "FOLDER", "looks for libraries there; may be repeated", [&o](const std::string& text) { o.link_flags.push_back("-L" + text); });
  add_flags(app, "-l", "LIBRARY", "links a library; may be repeated", [&o](const std::string& text) { o.link_flags.push_back("-l" + text); });
  add_value(app, "-O", "LEVEL", "how much the compiler optimizes: 0, 1, 2, 3, s, g, fast (default: 1)",
            [&o](const std::string& text) -> std::optional<std::string> { return o.compile_flags.push_back("-O" + text), std::nullopt; })->group(group);
  add_value(app, "--std", "STANDARD", "the language: c++17, gnu++20, c11 (also: -std=…; default: gnu++20 for C++, the compiler's for C)",
            [&o](const std::string& text) -> std::optional<std::string> { return o.compile_flags.push_back("-std=" + text), std::nullopt; })->group(group);
  add_value(app, "--cc", "COMPILER", "the compiler of C (default: $TARRY_CC, $CC, cc, gcc or clang)",
            [&o](const std::string& text) -> std::optional<std::string> { return o.c_compiler = text, std::nullopt; })->group(group);
  add_value(app, "--cxx", "COMPILER", "the compiler of C++ (default: $TARRY_CXX, $CXX, c++, g++ or clang++)",
            [&o](const std::string& text) -> std::optional<std::string> { return o.cxx_compiler = text, std::nullopt; })->group(group);
  add_flags(app, "--cflags", "TEXT", "further options of the compiler, as in --cflags '-Wall -funroll-loops'", [&o](const std::string& text) { words_to(o.compile_flags)(text); });
  add_flags(app, "--ldflags", "TEXT", "further options for linking", [&o](const std::string& text) { words_to(o.link_flags)(text); });
  app.add_flag("--asan", o.address_sanitizer, "compiles with AddressSanitizer instead: finds memory errors, no data races; threads are switched at synchronisation only")->group(group);
}

void add_running(CLI::App& app, CheckOptions& o, const std::string& group) {
  native::RunOptions& run = o.threads.run;
  add_value(app, "--folder", "FOLDER", "relative paths among the options begin there, and the compiler and the program run there; traces remember it (default: the working folder)",
            [&o](const std::string& text) { return o.threads.folder = text, std::nullopt; })->group(group);
  add_value(app, "--races", "WHAT", "error, report or ignore: what a data race is (default: error)",
            one_of({"error", "report", "ignore"}, [&run](std::size_t i) { run.races = static_cast<native::Races>(i); }))->group(group);
  add_value(app, "--suppressions", "FILE", "data races to be passed over: a part of a function's name or of file:line a line; as in 'race:Queue::size'",
            [&o](const std::string& text) { return o.threads.suppressions = text, std::nullopt; })->group(group);
  app.add_flag("--fair-scheduling", o.threads.fairness, "no thread is kept waiting for ever by another that yields; =K: every K-th yield counts, =off: no fairness (default: 1, and twice as many again and again while fairness removes choices)")->group(group);
  add_value(app, "--samaritan", "WHAT", "error, note or ignore: what a thread is that waits in a loop without yielding (default: note)",
            one_of({"error", "note", "ignore"}, [&run](std::size_t i) { run.samaritan = static_cast<native::Samaritan>(i); }))->group(group);
  add_value(app, "--awaits", "WHAT", "on or off: whether a thread that goes round a loop and only looks waits until something changes (default: on)",
            one_of({"on", "off"}, [&run](std::size_t i) { run.awaits = i == 0; }))->group(group);
  add_value(app, "--input", "FILE", "what every execution reads from its standard input (default: what comes from ours, to its end; nothing if that is a terminal)",
            [&o](const std::string& text) { return o.threads.input = text, std::nullopt; })->group(group);
  app.add_flag("--outcomes", run.outcomes, "lists what complete executions write, each text once with how often, and every bug: implies --explore")->group(group);
  add_value(app, "--reuses", "N", "how often in an execution memory that was just freed, and whose address another thread has, may be used again at once; 0: never (default: 2)",
            [&run](const std::string& text) -> std::optional<std::string> {
              const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), run.reuses);
              return error != std::errc() || end != text.data() + text.size() ? std::optional<std::string>("a number, as in 2") : std::nullopt;
            })->group(group);
  app.add_flag("--spurious", run.spurious, "explores wake-ups without a reason, and weak compare-exchanges that fail, too")->group(group);
  add_value(app, "--clock-jumps", "N", "how often in an execution a thread may be held up, so that a clock that it reads has jumped past all deadlines (default: 1)",
            [&run](const std::string& text) -> std::optional<std::string> {
              const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), run.clock_jumps);
              if (error != std::errc() || end != text.data() + text.size() || run.clock_jumps > 1000) return "a number from 0 to 1000";
              return std::nullopt;
            })->group(group);
  app.add_flag("--faults", run.faults, "explores interrupted calls (EINTR), refused ones (EAGAIN) and allocations that fail, too")->group(group);
  app.add_flag("--fresh", run.fresh, "starts a new process for every execution: slow, and right for programs whose effects cannot be undone")->group(group);
  add_value(app, "--expect-exit", "N", "another exit code than N is a bug (default: any will do; of GoogleTest: 0)",
            [&run](const std::string& text) -> std::optional<std::string> {
              std::int32_t code = 0;
              const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
              if (error != std::errc() || end != text.data() + text.size() || code < 0 || code > 255) return "an exit code from 0 to 255";
              run.expect_exit = code;
              return std::nullopt;
            })->group(group);
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
  for (std::string* const file : {&o.suppressions, &o.input})
    if (!file->empty()) *file = (fs::path(o.folder) / *file).lexically_normal();
  for (std::string* const compiler : {&o.c_compiler, &o.cxx_compiler})
    if (compiler->find('/') != std::string::npos && compiler->find('/') < compiler->find(' ')) *compiler = (fs::path(o.folder) / *compiler).lexically_normal();
}

std::optional<Diagnostic> read_suppressions(ThreadOptions& o) {
  if (o.suppressions.empty()) return std::nullopt;
  std::ifstream in(o.suppressions);
  if (!in) return Diagnostic{fmt::format("{}: error: cannot be read", o.suppressions)};
  native::Suppressions read = native::read_suppressions(in);
  if (read.all_at != 0) return Diagnostic{fmt::format("{}:{}: error: would suppress every race; use --races ignore for that", o.suppressions, read.all_at)};
  o.run.suppressions = std::move(read.names);
  return std::nullopt;
}

/// `tarry check prog <file` is `--input file`: a replay is to find it again.
void remember_input(CheckOptions& o) {
  std::error_code error;
  if (!o.threads.input.empty() || !std::filesystem::is_regular_file("/proc/self/fd/0", error)) return;
  const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/fd/0", error);
  if (error || !std::filesystem::is_regular_file(file, error)) return;
  o.threads.input = file;
  o.given.insert(std::find(o.given.begin(), o.given.end(), "--"), "--input=" + file.string());
}

bool was_given(const CheckOptions& o, std::string_view name) {
  for (const std::string& given : o.given)
    if (given == name || given.starts_with(std::string(name) + "=")) return true;
  return false;
}

}  // namespace

void add_thread_options(CLI::App& app, CheckOptions& o) {
  add_running(app, o, "Programs with threads");
  add_compiling(app, o.threads);
}

std::optional<Diagnostic> remember_surroundings(CheckOptions& o) {
  if (!names_a_thread_program(o.target)) return std::nullopt;
  std::erase_if(o.given, [](const std::string& given) { return given.starts_with("--folder="); });
  o.given.insert(std::find(o.given.begin(), o.given.end(), "--"), "--folder=" + o.threads.folder);
  std::vector<std::string> files = {o.target};
  files.insert(files.end(), o.more_targets.begin(), o.more_targets.end());
  const auto settle = [&o](const char* option, std::string& compiler, native::Language language) -> std::optional<Diagnostic> {
    if (!compiler.empty()) return std::nullopt;
    auto called = compiler_by_environment(language);
    if (!called) return called.error();
    compiler = std::move(*called);
    o.given.insert(std::find(o.given.begin(), o.given.end(), "--"), fmt::format("{}={}", option, compiler));
    return std::nullopt;
  };
  for (const std::string& file : files) {
    std::optional<Diagnostic> wrong;
    if (is_c_source(file)) wrong = settle("--cc", o.threads.c_compiler, native::Language::kC);
    if (is_cxx_source(file)) wrong = settle("--cxx", o.threads.cxx_compiler, native::Language::kCxx);
    if (wrong) return wrong;
  }
  return std::nullopt;
}

std::optional<Diagnostic> settle_thread_options(CheckOptions& o) {
  ThreadOptions& threads = o.threads;
  const bool is_one = names_a_thread_program(o.target);
  if (!is_one) {
    if (Registry<Search>::find(o.search)->kind.reduces) return usage_error(fmt::format("search '{}' is for programs with threads, and '{}' is none; for models and P programs there are bfs and ses", o.search, o.target));
    static constexpr std::array kOnlyThreads{"--folder", "--races", "--suppressions", "--fair-scheduling", "--samaritan", "--awaits", "--reuses", "--spurious", "--clock-jumps", "--faults", "--fresh", "--expect-exit", "--input", "--outcomes", "--asan", "--cc", "--cxx", "--cflags", "--ldflags", "--std"};
    for (const char* name : kOnlyThreads)
      if (was_given(o, name)) return usage_error(fmt::format("{} is for programs with threads, and '{}' is none", name, o.target));
    if (!threads.arguments.empty()) return usage_error(fmt::format("'{}' takes no arguments, but there is something behind '--'", o.target));
    if (was_given(o, "--points=all")) return usage_error("--points all is for programs with threads; a P program has --points p");
    return std::nullopt;
  }
  if (was_given(o, "--points=p")) return usage_error("--points p is for P programs; a program with threads has --points all");
  settle_folder(threads);
  if (const auto wrong = settle_fairness(threads)) return wrong;
  if (const auto wrong = read_suppressions(threads)) return wrong;
  const auto& search = Registry<Search>::find(o.search)->kind;
  if (!search.runs)
    return usage_error(fmt::format("search '{}' cannot be used on programs with threads: it {}", o.search, search.instead.empty() ? "needs states that can be captured" : search.instead));
  threads.run.reduces = search.reduces;
  if (search.reduces) o.engine.jobs = 1;
  remember_input(o);
  threads.races_given = was_given(o, "--races");
  o.engine.fair = threads.run.fair;
  o.engine.raise_fair = threads.run.fair != 0 && !was_given_a_number(threads.fairness);
  o.engine.keep_going |= threads.run.outcomes;
  o.engine.samaritan = threads.run.samaritan != native::Samaritan::kIgnore;
  threads.run.cache = o.engine.cache != CacheKey::kNone;
  threads.seed = o.engine.seed;
  threads.test_prefix = o.p.test_prefix.value_or("");
  return std::nullopt;
}

}  // namespace tarry::cli
