#include "toolchain/source_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "trace/whole_file.h"

namespace tarry {
namespace {

namespace fs = std::filesystem;

template <std::size_t N>
bool has_ending(const fs::path& file, const std::array<const char*, N>& endings) {
  const std::string ending = file.extension();
  return std::any_of(endings.begin(), endings.end(), [&](const char* one) { return ending == one; });
}

bool in_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// Walks over C++ text and gives it without comments and without what strings and characters hold.
class CodeOnly {
 public:
  explicit CodeOnly(std::string_view text) : text_(text) {}

  std::string strip() {
    while (at_ < text_.size()) {
      if (starts_with("//")) skip_line();
      else if (starts_with("/*")) skip_to("*/");
      else if (starts_with("R\"") && raw_prefix()) skip_raw();
      else if (text_[at_] == '"') skip_quoted('"');
      else if (text_[at_] == '\'' && !(at_ > 0 && in_word(text_[at_ - 1]) && digit_separator())) skip_quoted('\'');
      else out_ += text_[at_++];
    }
    return std::move(out_);
  }

 private:
  bool starts_with(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;  // a backslash continues the comment
  }
  void skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_ + 2);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    out_ += ' ';
  }
  /// Is the R at the start of a raw string, and not the end of a name? u8R, uR, UR and LR are prefixes too.
  bool raw_prefix() const {
    std::size_t start = at_;
    while (start > 0 && in_word(text_[start - 1])) --start;
    const std::string_view before = text_.substr(start, at_ - start);
    return before.empty() || before == "u8" || before == "u" || before == "U" || before == "L";
  }
  void skip_raw() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos || open - at_ > 18) {
      at_ += 1;
      return;
    }
    at_ = open - 2;  // so that the search starts at the bracket
    skip_to(")" + std::string(text_.substr(raw_start(open), open - raw_start(open))) + "\"");
  }
  std::size_t raw_start(std::size_t open) const { return text_.rfind('"', open) + 1; }
  void skip_quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n';) at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    out_ += ' ';
  }
  /// In 1'000, not in u'x'.
  bool digit_separator() const {
    std::size_t start = at_;
    while (start > 0 && (in_word(text_[start - 1]) || text_[start - 1] == '\'')) --start;
    return text_[start] >= '0' && text_[start] <= '9';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

bool is_c_source(const fs::path& file) { return file.extension() == ".c"; }
bool is_cxx_source(const fs::path& file) { return has_ending(file, std::array{".cpp", ".cc", ".cxx", ".C", ".c++", ".cp"}); }
bool is_shared_object(const fs::path& file) { return file.extension() == ".so"; }
bool is_for_linker(const fs::path& file) { return has_ending(file, std::array{".o", ".a", ".so"}); }

Diagnostic wrong_file(const std::string& file, const std::string& what) { return {fmt::format("{}: error: {}", file, what)}; }

std::optional<Diagnostic> unreadable(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return wrong_file(file, "no such file");
  if (error) return wrong_file(file, fmt::format("cannot be read: {}", error.message()));
  if (status.type() == fs::file_type::directory) return wrong_file(file, "is a folder without a P program; name a program, a source or a model");
  if (status.type() != fs::file_type::regular) return wrong_file(file, "is not a regular file; name a program, a source or a model");
  if (::access(file.c_str(), R_OK) != 0) return wrong_file(file, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  return std::nullopt;
}

bool uses_macro(const fs::path& source, std::string_view macro) {
  const auto bytes = read_whole(source);
  if (!bytes) return false;
  const std::string code = CodeOnly(*bytes).strip();
  for (std::size_t at = code.find(macro); at != std::string::npos; at = code.find(macro, at + 1)) {
    const std::size_t next = code.find_first_not_of(" \t\r\n", at + macro.size());
    if ((at == 0 || !in_word(code[at - 1])) && next != std::string::npos && code[next] == '(') return true;
  }
  return false;
}

}  // namespace tarry
