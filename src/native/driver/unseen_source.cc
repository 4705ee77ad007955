#include "native/driver/unseen_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>

#include "trace/whole_file.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

template <std::size_t kCount>
bool is_among(std::string_view word, const std::array<std::string_view, kCount>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 6> kQualifiers = {"volatile", "__volatile__", "__volatile", "goto", "inline", "__inline__"};
constexpr std::array<std::string_view, 9> kHarmlessInstructions = {"", "pause", "nop", "rep", "rep nop", "yield", "mfence", "lfence", "sfence"};
constexpr std::array<std::string_view, 2> kAttributeWithNames = {"no_sanitize", "__no_sanitize__"};

/// The words to look for: those of the compilers, and macros that stand for them.
struct UnseenWords {
  std::set<std::string, std::less<>> assembly = {"asm", "__asm", "__asm__"};
  std::set<std::string, std::less<>> exempt = {"no_sanitize_thread", "__no_sanitize_thread__", "disable_sanitizer_instrumentation"};

  bool may_be_in(std::string_view text) const {
    const auto is_there = [&](const std::string& word) { return text.find(word) != std::string_view::npos; };
    return std::any_of(assembly.begin(), assembly.end(), is_there) || std::any_of(exempt.begin(), exempt.end(), is_there) || text.find("no_sanitize") != std::string_view::npos;
  }
  std::size_t count() const { return assembly.size() + exempt.size(); }
};

/// Goes through a text word by word. Adds the macros that it finds to the words.
class SourceReader {
 public:
  SourceReader(std::string_view text, UnseenWords& words) : text_(text), words_(words) {}

  UnseenSource read() {
    UnseenSource found;
    while (at_ < text_.size()) {
      if (skip_blank()) continue;
      if (text_[at_] == '"' || (text_[at_] == '\'' && (at_ == 0 || !is_in_word(text_[at_ - 1])))) {  // 1'000 is a number
        literal();
      } else if (text_[at_] == '#') {
        ++at_;
        found.assembly |= macro().assembly;
      } else if (is_in_word(text_[at_])) {
        const std::string_view one = word();
        if (words_.assembly.contains(one)) found.assembly |= accesses_memory();
        else found.exempt |= words_.exempt.contains(one) || (is_among(one, kAttributeWithNames) && names_threads());
      } else {
        ++at_;
      }
    }
    return found;
  }

 private:
  /// Behind a '#'. Reads the definition of a macro without parameters; all others are text like the rest.
  UnseenSource macro() {
    while (skip_blank_in_line()) {}
    const std::size_t from = at_;
    if (word() != "define") {
      at_ = from;
      return {};
    }
    while (skip_blank_in_line()) {}
    const std::string_view name = word();
    if (at_ == text_.size() || text_[at_] == '(') return {};
    const std::string_view body = text_.substr(at_, end_of_line() - at_);
    at_ += body.size();
    if (stands_for_assembly(body)) {
      words_.assembly.emplace(name);
      return {};
    }
    const UnseenSource found = SourceReader(body, words_).read();
    if (found.exempt) words_.exempt.emplace(name);
    return found;
  }

  bool skip_blank_in_line() { return at_ < text_.size() && text_[at_] != '\n' && skip_blank(); }

  /// Of this line and those that go on with it.
  std::size_t end_of_line() const {
    std::size_t end = text_.find('\n', at_);
    while (end != std::string_view::npos && end > 0 && (text_[end - 1] == '\\' || text_.substr(0, end).ends_with("\\\r"))) end = text_.find('\n', end + 1);
    return std::min(end, text_.size());
  }

  /// The word of a statement, without the statement.
  bool stands_for_assembly(std::string_view body) const {
    SourceReader reader(body, words_);
    bool is_assembly = false;
    while (reader.at_ < body.size()) {
      if (reader.skip_blank()) continue;
      const std::string_view one = reader.word();
      if (one.empty() || !(words_.assembly.contains(one) || is_among(one, kQualifiers))) return false;
      is_assembly |= words_.assembly.contains(one);
    }
    return is_assembly;
  }

  /// Behind the word no_sanitize: the names in parentheses.
  bool names_threads() {
    while (skip_blank()) {}
    if (at_ == text_.size() || text_[at_] != '(') return false;
    for (++at_; at_ < text_.size() && text_[at_] != ')';) {
      if (skip_blank()) continue;
      if (text_[at_] != '"') {
        ++at_;
        continue;
      }
      const std::string names = literal();
      if (names.find("thread") != std::string::npos || names == "all") return true;
    }
    return false;
  }

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
  UnseenWords& words_;
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

  UnseenSource read(const fs::path& source) {
    // A macro may be defined behind a file that was read already.
    for (std::size_t known = 0; known != words_.count();) {
      known = words_.count();
      seen_.clear();
      found_ = {};
      look_at(source);
    }
    return found_;
  }

 private:
  void look_at(const fs::path& file) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(file, error);
    if (error || is_system_header(whole) || !fs::is_regular_file(whole, error) || !seen_.insert(whole).second) return;
    const auto text = read_whole(whole);
    if (!text) return;
    if (words_.may_be_in(*text)) {
      const UnseenSource here = SourceReader(*text, words_).read();
      found_.assembly |= here.assembly;
      found_.exempt |= here.exempt;
    }
    for (const std::string& name : included_by(*text)) {
      look_at(whole.parent_path() / name);
      for (const fs::path& folder : folders_) look_at(folder / name);
    }
  }

  const std::vector<fs::path>& folders_;
  UnseenWords words_;
  std::set<fs::path> seen_;
  UnseenSource found_;
};

}  // namespace

UnseenSource unseen_in_text(std::string_view text) {
  UnseenWords words;
  UnseenSource found;
  for (std::size_t known = 0; known != words.count();) {
    known = words.count();
    found = SourceReader(text, words).read();
  }
  return found;
}

UnseenSource unseen_in(const fs::path& source, const std::vector<fs::path>& folders) { return SourceWithHeaders(folders).read(source); }

}  // namespace tarry::native
