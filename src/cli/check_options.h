// The command line of `tarry check`, as one struct.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/command_line.h"
#include "cli/p_target.h"
#include "cli/thread_target.h"
#include "core/registry.h"
#include "core/search.h"
#include "trace/render/report.h"

namespace tarry::cli {

enum class Color { kAuto, kAlways, kNever };

/// Which of P's own files are written beside a trace.
struct PTraceForms {
  bool text = false, json = false, schedule = false;
  bool any() const { return text || json || schedule; }
};

struct CheckOptions {
  std::string target;
  std::vector<std::string> more_targets;  // further .p files
  std::vector<std::string> defines;       // "N=4"
  POptions p;
  ThreadOptions threads;
  bool list_tests = false;
  bool fairness_given = false;            // --fairness
  std::optional<std::pair<std::uint64_t, std::uint64_t>> max_steps;  // of P: unfair, fair

  std::string search;                // a name of the registry
  std::string explorer;              // a name of the registry, or a file
  bool takes_explorer = false;       // does the search?
  ParamValues params;                // of the search, as given
  SearchOptions engine;

  bool json = false;
  bool verbose = false;
  bool progress = true;
  Demand demand;                     // --fail-unless-verified, --accept
  Color color = Color::kAuto;
  std::optional<std::filesystem::path> junit;
  std::optional<std::filesystem::path> trace;
  PTraceForms p_trace;
  std::optional<std::filesystem::path> coverage;  // the folder of its files
  std::filesystem::path output = "tarry-out";
  std::chrono::milliseconds step_timeout{10'000};

  /// What was given beside target and defines, for the reader of a trace: "--search=ses".
  std::vector<std::string> given;
};

/// The options, or the exit code to end with: help or what is wrong has been printed.
std::variant<CheckOptions, int> parse_check_options(const Arguments& arguments);

/// What the options of a trace say about its P program.
POptions p_options_of(const std::vector<std::string>& given, const std::string& search);

/// Is it a file of the user's own rather than a name of the registry?
bool names_a_file(const std::string& explorer);

/// "10 s", "1.5 s".
std::string duration_text(std::chrono::milliseconds duration);

/// Options of P's own tools have two letters behind one dash: spelled out as ours are.
Arguments spelled_out(Arguments arguments);

/// What the options of a trace say about its program with threads; nothing if they can no longer be used, and why has been printed.
std::optional<ThreadOptions> thread_options_of(const std::vector<std::string>& given, std::uint64_t seed);

/// thread_options.cc: those of programs with threads, and what is wrong with them for the target.
void add_thread_options(CLI::App& app, CheckOptions& options);
std::optional<Diagnostic> settle_thread_options(CheckOptions& options);

/// Which compiler is taken may depend on the environment, what paths mean on the folder, and a replay is to do the same: from now on it is as if
/// both had been given.
std::optional<Diagnostic> remember_surroundings(CheckOptions& options);

/// For options that several commands have.
Take one_of(std::vector<std::string> names, std::function<void(std::size_t)> chosen);
void add_color(CLI::App& app, Color& color);

}  // namespace tarry::cli
