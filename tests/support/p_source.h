// P programs of tests: from their text, or from the litmus programs of the language reference.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "plang/code/bytecode.h"
#include "plang/sema/checked_program.h"

namespace tarry::plang::testing_support {

inline Compiled compile_text(std::string text) {
  Sources sources;
  sources.add("test.p", std::move(text));
  return compile(std::move(sources));
}

/// A program with its code.
struct Ready {
  Compiled compiled;
  std::unique_ptr<Code> code;
  const TestCase& test(std::size_t i = 0) const { return compiled.program->tests.at(i); }
};

/// Requires: the program has no errors.
inline Ready make_ready(std::string text) {
  Ready out{compile_text(std::move(text)), nullptr};
  if (out.compiled.program == nullptr) throw std::runtime_error(out.compiled.messages);
  out.code = generate(*out.compiled.program);
  return out;
}

inline std::string file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("there is no " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

/// 1 to 30; 19 and 20 have an error each.
inline std::string litmus_text(int number) {
  return file_text(std::filesystem::path(TARRY_TEST_SOURCE_DIR) / "tests/plang_syntax/litmus" / ((number < 10 ? "0" : "") + std::to_string(number) + ".p"));
}

}  // namespace tarry::plang::testing_support
