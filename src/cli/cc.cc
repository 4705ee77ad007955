// tarry cc, tarry c++: the user's compiler, so that what it makes can be checked. Everything is passed on, and it becomes the
// compiler itself: exit code, messages and files are the compiler's own.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/command_line.h"
#include "native/driver/compile.h"
#include "native/driver/host_machine.h"
#include "native/driver/plain_inputs.h"
#include "native/target/compilers.h"

namespace tarry::cli {
namespace {

constexpr const char* kHelp =
    "Usage: tarry cc OPTIONS-OF-THE-COMPILER…\n"
    "       tarry c++ OPTIONS-OF-THE-COMPILER…\n"
    "\n"
    "The C or C++ compiler, with what Tarry needs added: every access to memory is made visible, and the program is linked\n"
    "with Tarry's runtime, which stands aside unless 'tarry check' runs it. All else is up to the compiler.\n"
    "\n"
    "Examples:\n"
    "  make CC=\"tarry cc\" CXX=\"tarry c++\"\n"
    "  cmake -B build -DCMAKE_C_COMPILER=tarry-cc -DCMAKE_CXX_COMPILER=tarry-c++\n"
    "  tarry c++ -O1 queue.cpp queue_test.cpp -o queue_test && tarry check ./queue_test\n"
    "  CXX=clang++ tarry c++ …                             with another compiler\n"
    "\n"
    "--enforce: for programs that 'tarry run' runs on verified schedules. An access costs one test of a flag unless threads race there, and\n"
    "the program is nearly as fast as without Tarry. Needs clang; other clangs than the default one are named by $TARRY_CXX.\n"
    "\n"
    "Which compiler: $TARRY_CC or $TARRY_CXX; else $CC or $CXX, unless that is tarry itself; else what is installed of cc, gcc,\n"
    "clang or of c++, g++, clang++.\n";

int become(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  return refuse(usage_error(fmt::format("'{}' could not be started: {}", command[0], std::generic_category().message(errno))));
}

Result<native::Compiler> compiler_for(native::Language language, bool enforce, const native::RuntimeFolder& runtime) {
  if (enforce) return native::find_compiler_with_pass(language, runtime);
  const auto called = native::compiler_by_environment(language);
  if (!called) return called.error();
  return native::find_compiler_called(*called);
}

int wrap(native::Language language, Arguments arguments) {
  const bool enforce = std::erase(arguments, "--enforce") > 0;
  const auto runtime = native::runtime_folder();
  if (enforce && !runtime) return refuse(runtime.error());
  const auto compiler = compiler_for(language, enforce, runtime ? *runtime : native::RuntimeFolder());
  if (!compiler) return refuse(compiler.error());
  const native::CompilerJob job = native::job_of(arguments);
  if (!job.compiles && !job.links) {  // a question
    std::vector<std::string> command = compiler->command;
    command.insert(command.end(), arguments.begin(), arguments.end());
    return become(command);
  }
  if (const auto wrong = native::refusal(job)) return refuse(*wrong);
  if (const auto why = native::refusal(native::this_machine())) return refuse(usage_error(*why));
  if (const auto text = native::remark(job)) fmt::print(stderr, "{}\n", *text);
  if (!runtime) return refuse(runtime.error());
  if (enforce && job.has_other_sanitizer) return refuse(usage_error("--enforce: a program that is built with AddressSanitizer cannot be enforced; build it without"));
  const auto what = enforce ? native::Instrumentation::kSites : native::Instrumentation::kThreads;
  return become(native::instrumented_command(*compiler, arguments, *runtime, what, native::plain_inputs(arguments, native::is_completed(*compiler, *runtime))));
}

}  // namespace

int cc_command(const Arguments& arguments) { return wrap(native::Language::kC, arguments); }
int cxx_command(const Arguments& arguments) { return wrap(native::Language::kCxx, arguments); }

void print_cc_help() { fmt::print("{}", kHelp); }

}  // namespace tarry::cli
