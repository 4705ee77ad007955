#include "tests/plang_sema/marked.h"

#include <fmt/format.h>

#include <algorithm>

namespace tarry::plang::testing_support {
namespace {

constexpr std::string_view kDeclarations = R"(
  event e; event ei: int; event et: (int, bool); event e1: (int); event ea: any; event em: machine;
  enum C { Red, Blue } enum D { Green }
  type F; type N = int; type T2 = (int, bool);
  interface I(int) receives e;
  eventset Es = { e };
  machine M { start state S { } }
  machine R receives e; { start state S { } }
  machine P { start state S { entry (p: (int, bool)) { } } }
  spec W observes e { start state S { ignore e; } }
  param gp: int;
  fun f(x: int, y: bool): int { return x; }
  fun g() { }
)";

bool is_mark(std::string_view text, std::size_t at) {
  return at + 4 < text.size() && text.substr(at, 2) == "/*" && (text[at + 2] == 'E' || text[at + 2] == 'W') &&
         text[at + 3] >= '0' && text[at + 3] <= '9';
}

std::string line_text(const Sources& sources, std::string_view id, std::uint32_t offset) {
  const LineColumn at = sources.line_column({0, offset});
  return fmt::format("{} {}:{}", id, at.line, at.column);
}

std::vector<std::string> marks_of(const std::string& program) {
  Sources sources;
  sources.add("test.p", program);
  std::vector<std::string> result;
  for (std::size_t at = 0; at < program.size(); ++at) {
    if (!is_mark(program, at)) continue;
    const std::size_t end = program.find("*/", at);
    std::size_t token = end + 2;
    while (is_mark(program, token)) token = program.find("*/", token) + 2;
    result.push_back(line_text(sources, program.substr(at + 2, end - at - 2), static_cast<std::uint32_t>(token)));
  }
  return result;
}

std::string joined(const std::vector<std::string>& lines) { return fmt::format("{}", fmt::join(lines, ", ")); }

}  // namespace

std::vector<std::string> told(const Compiled& compiled) {
  // Not the program's own sources: there is no program after an error.
  std::vector<std::string> result;
  for (std::size_t start = 0; start < compiled.messages.size();) {
    const std::size_t end = compiled.messages.find('\n', start);
    const std::string_view line = std::string_view(compiled.messages).substr(start, end - start);
    start = end + 1;
    if (line.find(": note: ") != std::string_view::npos) continue;
    const std::size_t place = line.find(':') + 1;
    const std::size_t place_end = line.find(": ", place);
    const std::size_t id = line.rfind('[') + 1;
    result.push_back(fmt::format("{} {}", line.substr(id, line.size() - id - 1), line.substr(place, place_end - place)));
  }
  return result;
}

testing::AssertionResult as_marked(const std::string& program) {
  const Compiled compiled = compile_text(program);
  std::vector<std::string> expected = marks_of(program);
  std::vector<std::string> found = told(compiled);
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  const bool has_error = std::any_of(found.begin(), found.end(), [](const std::string& one) { return one[0] == 'E'; });
  if (has_error == (compiled.program != nullptr))
    return testing::AssertionFailure() << "a program with errors, or none without\n" << program;
  if (expected == found) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected [" << joined(expected) << "], found [" << joined(found) << "] in\n"
                                     << program << "\n"
                                     << compiled.messages;
}

testing::AssertionResult body_as_marked(const std::string& body) {
  return member_as_marked("start state Start { entry {\n" + body + "\n} }");
}

testing::AssertionResult member_as_marked(const std::string& member) {
  return global_as_marked("machine Here {\n" + member + "\n}");
}

testing::AssertionResult global_as_marked(const std::string& declarations) {
  return as_marked(std::string(kDeclarations) + declarations);
}

}  // namespace tarry::plang::testing_support
