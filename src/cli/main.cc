// tarry: the commands, and what is printed when none is named.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "base/version.h"
#include "cli/command_line.h"
#include "cli/manual.h"
#include "core/registry.h"
#include "process/inherited_limits.h"

namespace tarry::cli {
namespace {

constexpr Command kCommands[] = {
    {"check", "explores the schedules of a program, and reports one that breaks it", check_command},
    {"replay", "runs the schedule of a trace again, and shows it step by step", replay_command},
    {"verify", "verifies the schedules of a program with threads, and keeps the correct ones", verify_command},
    {"run", "runs a program on verified schedules only", run_command},
    {"schedules", "shows, compares and merges files of verified schedules", schedules_command},
    {"cc", "the C compiler; adds Tarry's instrumentation", cc_command, Passes::kItsArguments},
    {"c++", "the C++ compiler; adds Tarry's instrumentation", cxx_command, Passes::kItsArguments},
    {"build", "runs a build command with these compilers instead of those in PATH", build_command, Passes::kItsArguments},
    {"p", "compiles a P program, and lists its errors", p_command},
    {"bench", "measures a table of a paper again, beside the paper's figures", bench_command},
    {"list", "lists searches and explorers", list_command},
};

void print_help(std::FILE* to) {
  fmt::print(to,
             "tarry finds the schedule that breaks a concurrent program, or proves that there is none.\n\n"
             "  tarry check queue_test.cpp                   checks a C or C++ program with threads (docs/threads.md)\n"
             "  tarry check ./queue_test -- arguments        the same, compiled with 'tarry c++'\n"
             "  tarry check model.cpp                        checks a C++ model (docs/models.md)\n"
             "  tarry check Project.pproj                    checks the tests of a P program (docs/p.md)\n"
             "  tarry check model.cpp -D N=8 --time 5m       the same, larger and for longer\n"
             "  tarry replay tarry-out/model-deadlock-1.tarry\n"
             "  tarry verify ./queue -o queue.schedules      verifies schedules, so that 'tarry run' runs on these only (docs/enforce.md)\n\n"
             "Commands:\n");
  for (const Command& command : kCommands) fmt::print(to, "  {:10}{}\n", command.name, command.summary);
  fmt::print(to,
             "  {:10}{}\n  {:10}{}\n\n"
             "tarry COMMAND --help says more about one.\n",
             "help", "the same as --help", "version", "prints the version");
}

/// Prints the parts of the man page that follow from the commands and their options; docs/man/tarry.1 has the rest.
int print_manual() {
  fmt::print(".SH COMMANDS\n");
  for (const Command& command : kCommands) fmt::print(".TP\n\\fBtarry {}\\fR\n{}.\n", escaped_for_manual(command.name), escaped_for_manual(command.summary));
  for (const Command& command : kCommands)
    if (command.passes == Passes::kNothing) command.run({kManualFlag});
  fmt::print(".SH SEARCHES\nParameters stand behind the name of a search: \\-\\-search pct:depth=5,steps=100.\n");
  for (const Entry<Search>& search : Registry<Search>::all()) {
    fmt::print(".TP\n\\fB{}\\fR\n{}.\n", escaped_for_manual(search.name), escaped_for_manual(search.summary));
    for (const Param& param : search.params)
      fmt::print(".br\n{}={} to {}, default {}: {}.\n", escaped_for_manual(param.name), param.min, param.max, param.fallback, escaped_for_manual(param.help));
  }
  fmt::print(".SH EXPLORERS\n");
  for (const Entry<Explorer>& explorer : Registry<Explorer>::all()) fmt::print(".TP\n\\fB{}\\fR\n{}.\n", escaped_for_manual(explorer.name), escaped_for_manual(explorer.summary));
  return kNoBug;
}

/// Prints the commands for shells, as --words of a command prints its options.
int print_commands() {
  for (const Command& command : kCommands) fmt::print("{}\t\t{}\n", command.name, command.summary);
  fmt::print("help\t\tthe same as --help\nversion\t\tprints the version\n");
  return kNoBug;
}

int run(Arguments arguments) {
  if (arguments.empty()) {
    print_help(stderr);
    return kBadInput;
  }
  if (arguments[0] == "help" && arguments.size() > 1 && !arguments[1].starts_with("-")) {
    if (arguments[1] == "cc" || arguments[1] == "c++") return print_cc_help(), kNoBug;
    arguments = {arguments[1], "--help"};
  }
  const std::string name = arguments[0];
  if (arguments == Arguments{"help", kManualFlag}) return print_manual();
  if (arguments == Arguments{"help", kWordsFlag}) return print_commands();
  const auto own = std::find(arguments.begin(), arguments.end(), "--");  // what follows is the program's
  if ((name == "check" || name == "replay" || name == "list") && std::find(arguments.begin(), own, "--json") != own) tell_errors_as_json();
  if (name == "--help" || name == "-h" || name == "help") {
    print_help(stdout);
    return kNoBug;
  }
  if (name == "--version" || name == "version") {
    fmt::print("tarry {}\n", kVersion);
    return kNoBug;
  }
  for (const Command& command : kCommands)
    if (name == command.name) return command.run(Arguments(arguments.begin() + 1, arguments.end()));
  std::vector<std::string> names = {"help", "version"};
  for (const Command& command : kCommands) names.emplace_back(command.name);
  std::sort(names.begin(), names.end());
  if (name.starts_with("-")) return refuse(usage_error(fmt::format("unknown option '{}'; see tarry --help", name)));
  return refuse(unknown_name("command", name, names));
}

}  // namespace
}  // namespace tarry::cli

namespace {

/// The same code whatever was found: a bug whose report is lost is not reported.
int output_lost() {
  std::fputs("tarry: error: the output could not be written\n", stderr);  // not fmt::print, which throws if that cannot be written either
  return tarry::cli::kBadInput;
}

int guarded(int argc, char** argv) {
  try {
    tarry::cli::Arguments arguments(argv + 1, argv + argc);
    // Called tarry-cc: CMake wants a compiler's name in one word.
    const std::string name = std::filesystem::path(argc > 0 ? argv[0] : "").filename();
    if (name == "tarry-cc" || name == "tarry-c++") arguments.insert(arguments.begin(), name.substr(6));
    const int code = tarry::cli::run(std::move(arguments));
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    return output_lost();
  } catch (const std::filesystem::filesystem_error& e) {  // a name that is too long, a folder that may not be read
    return tarry::cli::refuse({fmt::format("{}: error: {}", e.path1().string(), e.code().message())});
  } catch (const std::exception& e) {
    if (std::ferror(stdout) != 0) return output_lost();  // fmt::print throws if it is long
    if (const auto limit = tarry::process::limit_behind(e)) return tarry::cli::refuse({"tarry: error: " + *limit});
    return tarry::cli::admit(fmt::format("tarry: internal error: {}; please report this with the command you ran", e.what()), "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  tarry::process::fail_at_limit_of_files();
  try {
    return guarded(argc, argv);
  } catch (const std::exception&) {  // not even the message about an error could be written
    return tarry::cli::kBadInput;
  }
}
