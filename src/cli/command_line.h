// What all commands share: exit codes, errors in our words, help that begins with examples.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/option.h"
#include "core/usage.h"
#include "process/unattended.h"

namespace tarry::cli {

// DESIGN section 7.
inline constexpr int kNoBug = 0;
inline constexpr int kBug = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kOurFault = 70;
inline constexpr int kInterrupted = 130;

using Arguments = std::vector<std::string>;

enum class Passes { kNothing, kItsArguments };

/// One command of the tool; main.cc has the list.
struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments& arguments);
  Passes passes = Passes::kNothing;  // its arguments go to another program, so it has no options of its own
};

// What a command with options prints if it is called with this word alone: for the build and for shells.
inline constexpr const char* kManualFlag = "--manual";  // its section of the man page
inline constexpr const char* kWordsFlag = "--words";    // its options, a line each
int check_command(const Arguments& arguments);
int replay_command(const Arguments& arguments);
int p_command(const Arguments& arguments);
int list_command(const Arguments& arguments);
int cc_command(const Arguments& arguments);
int cxx_command(const Arguments& arguments);
int build_command(const Arguments& arguments);
int verify_command(const Arguments& arguments);
int run_command(const Arguments& arguments);
int schedules_command(const Arguments& arguments);
int bench_command(const Arguments& arguments);

/// `tarry cc --help` is the compiler's; this is ours.
void print_cc_help();

/// What the help of a command says before and after its options.
struct Manual {
  std::string usage;
  std::string summary;
  std::string examples;
  std::string closing;
  std::vector<std::string> common = {};  // names of options that --help shows, in this order; --help-all shows all. Empty: --help shows all
};

/// Reads the arguments into what the options of `app` are bound to. Nothing: go on. A number: the command ends here with that
/// exit code, and the help or what is wrong has been printed.
std::optional<int> parse(CLI::App& app, const Manual& manual, const Arguments& arguments);

/// Adds options that are only collected: their setters run later. Returns the parser's own, in the same order.
std::vector<CLI::Option*> add_options(CLI::App& app, const Options& options);
/// Returns those that were given. Requires: `parsed` came from `add_options`, and the parser is done.
GivenOptions given_options(const Options& options, const std::vector<CLI::Option*>& parsed);

/// Adds an option with one value, which is taken at once.
CLI::Option* add_value(CLI::App& app, const std::string& names, const std::string& value, const std::string& help, Take take);

/// Ends the parsing of the command line with `tarry: error: …`.
[[noreturn]] void throw_usage_error(const std::string& text);

/// Prints what is wrong; the exit code. Where JSON was asked for, it is an object on standard output too.
int refuse(const Diagnostic& diagnostic);
/// What an error puts on standard output: an object with --json, nothing else.
std::string error_output(const std::string& kind, const std::string& message, int code);
/// The same for what is Tarry's own fault. `more` is not part of the message in JSON.
int admit(const std::string& message, const std::string& more);

/// While it lives, Ctrl-C and SIGTERM end the command with a word about it. Searches and reruns listen for themselves meanwhile.
process::EndsWhenInterrupted ends_when_interrupted();

/// Said once, by main, before a command runs.
void tell_errors_as_json();

}  // namespace tarry::cli
