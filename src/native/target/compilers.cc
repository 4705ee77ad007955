#include "native/target/compilers.h"

#include <fmt/format.h>

#include <algorithm>
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
  if (compiler.command.empty()) return usage_error("expected the name of a compiler, found none");
  if (names_tarry(compiler.command)) return usage_error(fmt::format("expected a compiler that Tarry can call, found '{}'", text));
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

Result<Compiler> find_compiler_with_pass(Language language, const RuntimeFolder& runtime) {
  constexpr std::uint32_t kFirst = 14, kLast = 19;  // as cmake/pass.cmake
  std::error_code error;
  std::vector<std::uint32_t> versions;
  for (std::uint32_t version = kFirst; version <= kLast; ++version)
    if (fs::is_regular_file(runtime.pass(version), error)) versions.push_back(version);
  if (versions.empty())
    return usage_error("--enforce: this build of Tarry has no pass for clang; install llvm-dev and clang, and build Tarry again. Without --enforce programs are enforced, too, with a call at every access");
  const auto has_pass = [&](const Compiler& compiler) {
    return compiler.family == Compiler::Family::kClang && std::find(versions.begin(), versions.end(), compiler.version) != versions.end();
  };
  const bool c = language == Language::kC;
  for (const char* const variable : {c ? "TARRY_CC" : "TARRY_CXX", c ? "CC" : "CXX"}) {
    const auto words = words_of_variable(variable);
    if (words.empty() || (names_tarry(words) && variable[0] != 'T')) continue;
    const auto called = compiler_by_environment(language);
    if (!called) return called.error();
    auto compiler = find_compiler_called(*called);
    if (compiler && !has_pass(*compiler))
      return usage_error(fmt::format("--enforce: ${} names '{}', and this build of Tarry has a pass for clang {} only", variable, *called, fmt::join(versions, ", ")));
    return compiler;
  }
  std::vector<std::string> names = {c ? "clang" : "clang++"};
  for (const std::uint32_t version : versions) names.push_back(fmt::format("{}-{}", names.front(), version));
  for (const std::string& name : names) {
    if (!find_compiler(name)) continue;
    auto compiler = find_compiler_called(name);
    if (compiler && has_pass(*compiler)) return compiler;
  }
  return usage_error(fmt::format("--enforce: no clang was found that this build of Tarry has a pass for: looked for {} in PATH", fmt::join(names, ", ")));
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
