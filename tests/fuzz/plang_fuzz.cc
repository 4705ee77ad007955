// Any bytes through the whole front end: it must say what is wrong with them, or nothing, and never break. Built by
// tests/fuzz/run.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "plang/sema/checked_program.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

tarry::plang::Compiled compiled(const std::string& text, tarry::plang::Diagnostics::Mode mode) {
  tarry::plang::Sources sources;
  sources.add("fuzz.p", text);
  return compile(std::move(sources), mode);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tarry::plang::Diagnostics;
  using tarry::plang::Severity;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto all = compiled(text, Diagnostics::Mode::kAll);
  const auto first = compiled(text, Diagnostics::Mode::kFirstOnly);
  std::size_t errors = 0;
  for (const auto& problem : all.problems) {
    errors += problem.severity == Severity::kError ? 1 : 0;
    require(problem.place.file == 0 && problem.place.offset <= size && !problem.text.empty() && !problem.id.empty());
  }
  require((errors == 0) == (all.program != nullptr));
  require(errors <= Diagnostics::kMost);
  require((first.program != nullptr) == (all.program != nullptr));
  return 0;
}
