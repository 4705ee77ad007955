#include "native/driver/inline_assembly.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>

#include "trace/whole_file.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 2'000;  // of one source; more are not read

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

template <std::size_t kCount>
bool is_among(std::string_view word, const std::array<std::string_view, kCount>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 3> kAssemblyWords = {"asm", "__asm", "__asm__"};
constexpr std::array<std::string_view, 6> kQualifiers = {"volatile", "__volatile__", "__volatile", "goto", "inline", "__inline__"};
constexpr std::array<std::string_view, 9> kHarmlessInstructions = {"", "pause", "nop", "rep", "rep nop", "yield", "mfence", "lfence", "sfence"};

/// Goes through a text word by word.
class AssemblyReader {
 public:
  explicit AssemblyReader(std::string_view text) : text_(text) {}

  bool has_assembly() {
    while (at_ < text_.size()) {
      if (skip_blank()) continue;
      if (text_[at_] == '"' || (text_[at_] == '\'' && (at_ == 0 || !is_in_word(text_[at_ - 1])))) {  // 1'000 is a number
        literal();
      } else if (is_in_word(text_[at_])) {
        if (is_among(word(), kAssemblyWords) && accesses_memory()) return true;
      } else {
        ++at_;
      }
    }
    return false;
  }

 private:
  /// White space, a comment, or the end of a line that goes on. False: there is none here.
  bool skip_blank() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//")) at_ = std::min(text_.find('\n', at_), text_.size());
    else if (rest.starts_with("/*")) at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
    else if (rest.starts_with("\\\n") || rest.starts_with("\\\r")) at_ += 2;
    else if (!rest.empty() && std::isspace(static_cast<unsigned char>(rest[0])) != 0) ++at_;
    else return false;
    return true;
  }
  std::string_view word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && is_in_word(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  /// In quotes; escapes are blanks.
  std::string literal() {
    const char quote = text_[at_++];
    std::string out;
    for (; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') ++at_, out += text_.substr(at_).starts_with('n') ? '\n' : ' ';
      else out += text_[at_];
    }
    ++at_;
    return out;
  }

  /// Behind the word.
  bool accesses_memory() {
    bool is_statement = false;
    while (true) {
      if (skip_blank()) continue;
      const std::size_t from = at_;
      if (at_ == text_.size() || !is_among(word(), kQualifiers)) {
        at_ = from;
        break;
      }
      is_statement = true;
    }
    if (at_ == text_.size() || text_[at_] != '(') return at_ < text_.size() && text_[at_] == '{';
    ++at_;
    std::string instructions;
    while (at_ < text_.size()) {
      if (skip_blank()) continue;
      if (text_[at_] != '"') break;
      instructions += literal();
    }
    const bool has_operands = at_ < text_.size() && text_[at_] == ':';
    if (!has_operands && (at_ == text_.size() || text_[at_] != ')')) return true;  // made by a macro
    if (!has_operands && !is_statement && std::all_of(instructions.begin(), instructions.end(), [](char c) { return is_in_word(c) || c == '.' || c == '@'; })) return false;  // a name
    return !is_harmless(instructions);
  }

  static bool is_harmless(std::string_view instructions) {
    bool was_blank = false;
    while (!instructions.empty()) {
      const std::size_t end = std::min(instructions.find_first_of(";\n"), instructions.size());
      std::string one;  // with one blank between words
      for (const char c : instructions.substr(0, end)) {
        const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!blank && !one.empty() && was_blank) one += ' ';
        if (!blank) one += c;
        was_blank = blank;
      }
      if (!is_among(one, kHarmlessInstructions)) return false;
      instructions.remove_prefix(std::min(end + 1, instructions.size()));
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The names in its #include lines.
std::vector<std::string> included_by(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; (at = text.find("include", at)) != std::string_view::npos; at += 7) {
    const std::size_t line = text.rfind('\n', at) + 1;  // 0 if there is none
    const std::string_view before = text.substr(line, at - line);
    if (before.find('#') == std::string_view::npos || before.find_first_not_of(" \t#") != std::string_view::npos) continue;
    const std::size_t open = text.find_first_of("\"<\n", at);
    if (open == std::string_view::npos || text[open] == '\n') continue;
    const std::size_t close = text.find_first_of("\">\n", open + 1);
    if (close != std::string_view::npos && text[close] != '\n') out.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return out;
}

bool is_system_header(const fs::path& file) {
  const std::string path = file.string();
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/");
}

/// A source with its headers.
class SourceWithHeaders {
 public:
  explicit SourceWithHeaders(const std::vector<fs::path>& folders) : folders_(folders) {}

  bool has_assembly(const fs::path& file) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(file, error);
    if (error || is_system_header(whole) || seen_.size() == kMostFiles || !fs::is_regular_file(whole, error) || !seen_.insert(whole).second) return false;
    const auto text = read_whole(whole);
    if (!text) return false;
    if (text->find("asm") != std::string::npos && is_text_with_assembly(*text)) return true;
    for (const std::string& name : included_by(*text)) {
      if (has_assembly(whole.parent_path() / name)) return true;
      for (const fs::path& folder : folders_)
        if (has_assembly(folder / name)) return true;
    }
    return false;
  }

 private:
  const std::vector<fs::path>& folders_;
  std::set<fs::path> seen_;
};

}  // namespace

bool is_text_with_assembly(std::string_view text) { return AssemblyReader(text).has_assembly(); }

bool has_assembly(const fs::path& source, const std::vector<fs::path>& folders) { return SourceWithHeaders(folders).has_assembly(source); }

}  // namespace tarry::native
