// What all commands share: exit codes, errors in our words, help that begins with examples.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tarry::cli {

// DESIGN section 7.
inline constexpr int kNoBug = 0;
inline constexpr int kBug = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kOurFault = 70;
inline constexpr int kInterrupted = 130;

using Arguments = std::vector<std::string>;

/// One command of the tool; main.cc has the list.
struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments& arguments);
};
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

/// `tarry cc --help` is the compiler's; this is ours.
void print_cc_help();

/// What the help of a command says before and after its options.
struct Manual {
  std::string usage;
  std::string summary;
  std::string examples;
  std::string closing;
};

/// Reads the arguments into what the options of `app` are bound to. Nothing: go on. A number: the command ends here with that
/// exit code, and the help or what is wrong has been printed.
std::optional<int> parse(CLI::App& app, const Manual& manual, const Arguments& arguments);

/// Adds an option with one value. `take` returns what would have been right, or nothing if it took the text.
using Take = std::function<std::optional<std::string>(const std::string& text)>;
CLI::Option* add_value(CLI::App& app, const std::string& names, const std::string& value, const std::string& help, Take take);

/// `tarry: error: …`.
Diagnostic usage_error(const std::string& text);
/// Ends the parsing of the command line with `tarry: error: …`.
[[noreturn]] void throw_usage_error(const std::string& text);

/// Prints what is wrong; the exit code. Where JSON was asked for, it is an object on standard output too.
int refuse(const Diagnostic& diagnostic);
/// What an error puts on standard output: an object with --json, nothing else.
std::string error_output(const std::string& kind, const std::string& message, int code);
/// The same for what is Tarry's own fault. `more` is not part of the message in JSON.
int admit(const std::string& message, const std::string& more);

/// Said once, by main, before a command runs.
void tell_errors_as_json();

/// "; did you mean 'x'?" if one of the names is near enough, else "".
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);
/// "unknown search 'x'; did you mean 'y'? There are a, b and c".
Diagnostic unknown_name(const std::string& what, const std::string& name, const std::vector<std::string>& names);

}  // namespace tarry::cli
