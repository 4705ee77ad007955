// tarry p: what is special to P programs. So far: check-syntax, which compiles and does nothing else.
#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/p_target.h"
#include "plang/sema/program.h"

namespace tarry::cli {
namespace {

const Manual kPManual{
    .usage = "Usage: tarry p check-syntax PROJECT|FILES [options]",
    .summary = "Compiles a P program and lists every error. Nothing is run.",
    .examples =
        "  tarry p check-syntax bank.pproj\n"
        "  tarry p check-syntax examples/p/bank               a folder\n"
        "  tarry p check-syntax Server.p Client.p Spec.p      these files\n",
    .closing =
        "Exit codes:\n"
        "  0    no errors\n"
        "  2    there are errors, or the command is wrong\n",
};

std::string counted(std::size_t count, const char* one) { return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s"); }

int check_syntax(const std::vector<std::string>& files, const POptions& options) {
  const auto compiled = compile_p(files, options);
  if (!compiled) return refuse(compiled.error());
  const plang::Program& program = *(*compiled)->program;
  fmt::print(stderr, "{}", (*compiled)->warnings);
  fmt::print("{}, {}, {}: no errors\n", counted(program.sources.size(), "file"), counted(program.machines.size(), "machine"),
             counted(program.tests.size(), "test"));
  return kNoBug;
}

}  // namespace

int p_command(const Arguments& arguments) {
  CLI::App app("", "tarry p");
  std::string what;
  std::vector<std::string> files;
  POptions options;
  app.add_option("COMMAND", what, "check-syntax")->type_name("")->group("What to do");
  app.add_option("FILES", files, "a .pproj, a folder, or .p files")->type_name("")->group("What to do");
  app.add_flag("--strict-errors", options.strict_errors, "stops at the first error")->group("What to do");
  if (const auto end = parse(app, kPManual, arguments)) return *end;
  if (what.empty()) return refuse(usage_error("there is nothing to do: say what, as in 'tarry p check-syntax bank.pproj'"));
  if (what != "check-syntax") return refuse(unknown_name("command", what, {"check-syntax"}));
  if (files.empty())
    return refuse(usage_error("there is nothing to compile: name a P program, as in 'tarry p check-syntax bank.pproj'"));
  return check_syntax(files, options);
}

}  // namespace tarry::cli
