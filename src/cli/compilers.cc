#include "cli/compilers.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include "cli/command_line.h"
#include "cli/machine.h"
#include "cppmodel/compiler.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;
using native::Language;

std::vector<std::string> words_of_variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  std::istringstream in(value == nullptr ? "" : value);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

/// make exports what it is given on its command line: within `make CC="tarry cc"`, $CC is us.
bool names_tarry(const std::vector<std::string>& words) { return fs::path(words.front()).filename().string().starts_with("tarry"); }

Result<native::Compiler> recognised(std::vector<std::string> words) {
  const auto path = find_compiler(words.front());
  if (!path) return path.error();
  native::Compiler compiler{.command = std::move(words)};
  compiler.command.front() = path->string();
  if (compiler.command.size() == 1) {
    std::error_code error;
    fs::create_directories(cache_folder(), error);  // remembered there
    native::recognise(compiler, compiler_version(*path, cache_folder()));
  } else {
    std::vector<std::string> question = compiler.command;
    question.emplace_back("--version");
    native::recognise(compiler, run_process(question).output);
  }
  return compiler;
}

}  // namespace

Result<native::Compiler> find_compiler_for(Language language) {
  const bool c = language == Language::kC;
  if (auto words = words_of_variable(c ? "TARRY_CC" : "TARRY_CXX"); !words.empty()) {
    if (names_tarry(words)) return usage_error(fmt::format("${} is to name a compiler, but it is '{}'", c ? "TARRY_CC" : "TARRY_CXX", words.front()));
    return recognised(std::move(words));
  }
  if (auto words = words_of_variable(c ? "CC" : "CXX"); !words.empty() && !names_tarry(words)) return recognised(std::move(words));
  static constexpr std::array<std::array<const char*, 3>, 2> kNames{{{"cc", "gcc", "clang"}, {"c++", "g++", "clang++"}}};
  for (const char* name : kNames[c ? 0 : 1])
    if (find_compiler(name)) return recognised({name});
  return usage_error(fmt::format("no {} compiler was found: looked for {} in PATH; on Debian, install one with: apt-get install {}", c ? "C" : "C++",
                                 c ? "cc, gcc and clang" : "c++, g++ and clang++", c ? "gcc" : "g++"));
}

Result<fs::path> runtime_folder() {
  const fs::path beside = own_executable().parent_path();
  std::error_code error;
  for (const char* way : {TARRY_BIN_TO_RUNTIME, "../lib"}) {
    const fs::path folder = (beside / way).lexically_normal();
    if (fs::is_regular_file(folder / "libtarry_rt.so", error)) return folder;
  }
  return usage_error("the runtime for thread programs, libtarry_rt.so, is not there: it is part of Tarry on x86-64 Linux with glibc; install tarry again");
}

}  // namespace tarry::cli
