// tarry p: what is special to P programs: check-syntax compiles and does nothing else, foreign-stubs writes a C++ file to fill in.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command_line.h"
#include "plang/foreign/stubs.h"
#include "plang/sema/checked_program.h"
#include "plang/target/compiled_project.h"
#include "plang/target/foreign_files.h"
#include "trace/whole_file.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

const Manual kPManual{
    .usage = "Usage: tarry p check-syntax|foreign-stubs PROJECT|FILES [options]",
    .summary = "check-syntax compiles a P program and lists every error.\n"
               "foreign-stubs writes a C++ file with the foreign functions that have no implementation, for you to fill in.\n"
               "Nothing is run. Without a project, the .pproj of the current folder is taken.",
    .examples =
        "  tarry p check-syntax bank.pproj\n"
        "  tarry p check-syntax examples/p/bank               a folder\n"
        "  tarry p check-syntax Server.p Client.p Spec.p      these files\n"
        "  tarry p foreign-stubs bank.pproj                   writes Queue.cpp beside Queue.p, which declares the first function\n"
        "  tarry p foreign-stubs bank.pproj -o PForeign/queue.cpp\n",
    .closing =
        "Exit codes:\n"
        "  0    no errors\n"
        "  2    there are errors, or the command is wrong\n",
};

std::string counted(std::size_t count, const char* one) { return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s"); }

int check_syntax(const plang::CompiledProject& project) {
  const plang::CheckedProgram& program = *project.program;
  fmt::print("{}, {}, {}: no errors\n", counted(program.sources.size(), "file"), counted(program.machines.size(), "machine"),
             counted(program.tests.size(), "test"));
  return kNoBug;
}

/// Beside the .p file that declares the function: there it is found without being named.
fs::path beside_declaration(const plang::Function& function, const plang::CheckedProgram& program) {
  return fs::path(program.sources.file(function.name.place.file).name).replace_extension(".cpp");
}

int write_stubs(const plang::CompiledProject& project, const std::string& wanted) {
  const auto functions = plang::unwritten_foreign(project);
  if (!functions) return refuse(functions.error());
  if (functions->empty()) {
    fmt::print("there is nothing to write: the program has no foreign function without an implementation\n");
    return kNoBug;
  }
  const fs::path file = wanted.empty() ? beside_declaration(*functions->front(), *project.program) : fs::path(wanted);
  if (fs::exists(file)) return refuse(usage_error(fmt::format("'{}' is there already; name another file with -o", file.string())));
  if (const auto problem = write_whole(file, plang::foreign_stubs(*functions, *project.program, file.filename().string()), Existing::kKeep)) return refuse(*problem);
  fmt::print("{} to fill in: {}\n", counted(functions->size(), "foreign function"), file.string());
  return kNoBug;
}

}  // namespace

int p_command(const Arguments& arguments) {
  CLI::App app("", "tarry p");
  std::string what, output;
  std::vector<std::string> files;
  plang::CompileOptions options;
  app.add_option("COMMAND", what, "check-syntax or foreign-stubs")->type_name("")->group("What to do");
  app.add_option("FILES", files, "a .pproj, a folder, or .p files")->type_name("")->group("What to do");
  app.add_flag("--strict-errors", options.strict_errors, "stops at the first error")->group("What to do");
  app.add_option("-o,--output", output, "foreign-stubs: the file to write (default: beside the .p file that declares the first function)")
      ->type_name("FILE")
      ->take_last()
      ->group("What to do");
  app.add_option("--foreign", options.foreign, "foreign-stubs: C++ that is there already; may be repeated (default: that of the project)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group("What to do");
  if (const auto end = parse(app, kPManual, arguments)) return *end;
  if (what.empty()) return refuse(usage_error("there is nothing to do: say what, as in 'tarry p check-syntax bank.pproj'"));
  if (what != "check-syntax" && what != "foreign-stubs") return refuse(unknown_name("command", what, {"check-syntax", "foreign-stubs"}));
  if (files.empty() && plang::has_project(".")) files = {"."};
  if (files.empty())
    return refuse(usage_error(fmt::format("there is nothing to compile: name a P program, as in 'tarry p {} bank.pproj'", what)));
  const auto compiled = plang::compile_project(files, options);
  if (!compiled) return refuse(compiled.error());
  fmt::print(stderr, "{}", (*compiled)->warnings);
  return what == "check-syntax" ? check_syntax(**compiled) : write_stubs(**compiled, output);
}

}  // namespace tarry::cli
