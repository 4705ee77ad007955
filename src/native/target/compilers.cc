#include "native/target/compilers.h"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <system_error>

#include "core/usage.h"
#include "toolchain/compiler.h"
#include "toolchain/object_build.h"
#include "toolchain/surroundings.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> words_of_variable(const char* name) { return words_of(environment_variable(name)); }

/// make exports what it is given on its command line: within `make CC="tarry cc"`, $CC is us.
bool names_tarry(const std::vector<std::string>& words) { return fs::path(words.front()).filename().string().starts_with("tarry"); }

std::string in_every_folder(std::vector<std::string> words) {
  if (words.front().find('/') != std::string::npos) words.front() = fs::absolute(words.front()).lexically_normal();
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

Result<Compiler> find_compiler_called(const std::string& text) {
  Compiler compiler{.command = words_of(text)};
  if (compiler.command.empty()) return usage_error("a compiler was to be named, but its name is empty");
  if (names_tarry(compiler.command)) return usage_error(fmt::format("the compiler is to be one that Tarry can call, but it is '{}'", text));
  const auto path = find_compiler(compiler.command.front());
  if (!path) return path.error();
  compiler.command.front() = path->string();
  if (compiler.command.size() == 1) {
    std::error_code error;
    fs::create_directories(cache_folder(), error);  // remembered there
    recognise(compiler, compiler_version(*path, cache_folder()));
  } else {
    std::vector<std::string> question = compiler.command;
    question.emplace_back("--version");
    recognise(compiler, run_process(question).output);
  }
  return compiler;
}

Result<std::string> compiler_by_environment(Language language) {
  const bool c = language == Language::kC;
  if (auto words = words_of_variable(c ? "TARRY_CC" : "TARRY_CXX"); !words.empty()) {
    if (names_tarry(words)) return usage_error(fmt::format("${} is to name a compiler, but it is '{}'", c ? "TARRY_CC" : "TARRY_CXX", words.front()));
    return in_every_folder(std::move(words));
  }
  if (auto words = words_of_variable(c ? "CC" : "CXX"); !words.empty() && !names_tarry(words)) return in_every_folder(std::move(words));
  static constexpr std::array<std::array<const char*, 3>, 2> kNames{{{"cc", "gcc", "clang"}, {"c++", "g++", "clang++"}}};
  for (const char* name : kNames[c ? 0 : 1])
    if (find_compiler(name)) return std::string(name);
  return usage_error(fmt::format("no {} compiler was found: looked for {} in PATH; on Debian, install one with: apt-get install {}", c ? "C" : "C++",
                                 c ? "cc, gcc and clang" : "c++, g++ and clang++", c ? "gcc" : "g++"));
}

Result<RuntimeFolder> runtime_folder() {
  const fs::path beside = own_executable().parent_path();
  std::error_code error;
  for (const char* way : {TARRY_BIN_TO_RUNTIME, "../lib"}) {
    const fs::path folder = (beside / way).lexically_normal();
    if (fs::is_regular_file(folder / "libtarry_rt.so", error)) {
      const auto headers = find_headers(own_executable());
      return RuntimeFolder{.path = folder, .headers = headers ? *headers : fs::path()};
    }
  }
  return usage_error("the runtime for thread programs, libtarry_rt.so, is not there: it is part of Tarry on x86-64 Linux with glibc; install tarry again");
}

}  // namespace tarry::native
