// The command line of `tarry check`, as one struct.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "cli/command_line.h"
#include "core/target.h"
#include "trace/render/renderer.h"
#include "trace/render/report.h"
#include "trace/trace_file.h"

namespace tarry::cli {

enum class Color { kAuto, kAlways, kNever };

/// What is checked and how, and what is told about it.
struct CheckOptions : TargetRequest {
  const FrontEnd* front_end = nullptr;  // that the target belongs to
  std::shared_ptr<Target> loader;       // of this front end, with its own options
  bool list_tests = false;
  bool takes_explorer = false;          // does the search?

  const Renderer* form = &renderer("text");  // that standard output gets
  std::map<std::string, std::filesystem::path> files;  // of further forms, by name: --junit FILE
  bool verbose = false;
  bool no_progress = false;
  Demand demand;                        // --fail-unless-verified, --accept
  Color color = Color::kAuto;
  std::optional<std::filesystem::path> trace;
  std::filesystem::path output = "tarry-out";
};

/// Returns the options, or the exit code to end with: help or what is wrong has been printed. `look_first` is asked when the
/// front end is known and nothing else: it may set what others follow from, or say what is wrong.
using LookFirst = std::function<std::optional<Diagnostic>(CheckOptions&)>;
std::variant<CheckOptions, int> parse_check_options(const Arguments& arguments, const LookFirst& look_first = {});

/// Returns the options that a trace was made with, for the program at `target`. A diagnostic says why they cannot be followed now.
Result<CheckOptions> options_of(const Trace& trace, const std::string& target);

/// Is it a file of the user's own rather than a name of the registry?
bool names_a_file(const std::string& explorer);

/// Options of P's own tools have two letters behind one dash: spelled out as ours are.
Arguments spelled_out(Arguments arguments);

/// For options that several commands have.
Option color_option(Color& color);
void add_color(CLI::App& app, Color& color);

}  // namespace tarry::cli
