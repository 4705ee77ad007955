#include "cppmodel/load.h"

#include <fmt/format.h>

#include <string_view>

#include "cppmodel/model_program.h"
#include "toolchain/shared_object.h"
#include "trace/whole_file.h"

namespace tarry {
namespace {

constexpr std::uint32_t kMostWords = 1u << 20;  // 4 MiB a state: nobody searches that

std::string implausible(const abi::Model& model) {
  if (model.words == 0 || model.words > kMostWords)
    return fmt::format("says that a state has {} words: expected 1 to {}", model.words, kMostWords);
  if (model.bits > std::uint64_t{model.words} * 32)
    return fmt::format("says that {} words have {} bits", model.words, model.bits);
  if (model.max_processes == 0 || model.max_processes > abi::kMaxProcesses)
    return fmt::format("says that it has {} processes: expected 1 to {}", model.max_processes, abi::kMaxProcesses);
  const bool whole = model.name != nullptr && model.source != nullptr && model.create != nullptr && model.destroy != nullptr &&
                     model.initial != nullptr && model.expand != nullptr && model.survey != nullptr && model.take != nullptr &&
                     model.describe != nullptr && model.process_name != nullptr && model.reached != nullptr;
  return whole ? "" : "leaves out functions of the model interface";
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

bool uses_macro(const std::filesystem::path& source, std::string_view macro) {
  const auto bytes = read_whole(source);
  if (!bytes) return false;
  const std::string code = CodeOnly(*bytes).strip();
  for (std::size_t at = code.find(macro); at != std::string::npos; at = code.find(macro, at + 1)) {
    const std::size_t next = code.find_first_not_of(" \t\r\n", at + macro.size());
    if ((at == 0 || !in_word(code[at - 1])) && next != std::string::npos && code[next] == '(') return true;
  }
  return false;
}

}  // namespace

bool is_model_source(const std::filesystem::path& source) { return uses_macro(source, "TARRY_MODEL"); }
bool is_foreign_source(const std::filesystem::path& source) { return uses_macro(source, "TARRY_FOREIGN"); }

Result<std::unique_ptr<Program>> load_model(const std::filesystem::path& object, const std::string& formula) {
  const auto symbol =
      exported(object, kModelSymbol, "the object of a C++ model, which #includes <tarry/model.h> and says TARRY_MODEL(Type)",
                  kExplorerSymbol, "; this is an explorer: give it to --explorer");
  if (!symbol) return symbol.error();
  const auto& model = *static_cast<const abi::Model*>(*symbol);
  if (model.magic != abi::kMagic)
    return wrong_object(object, fmt::format("exports '{}', but it is no model: build it again", kModelSymbol));
  if (model.version != abi::kVersion) return wrong_version(object, model.version, "model", abi::kVersion);
  if (const std::string problem = implausible(model); !problem.empty()) return wrong_object(object, problem + "; build it again");
  if (formula.empty()) return std::unique_ptr<Program>(make_model_program(model));
  auto program = with_formula(make_model_program(model), formula, "--ltl");
  if (!program) return Diagnostic{"tarry: error: " + program.error().text};
  return program;
}

Result<abi::ForeignTable> load_foreign(const std::filesystem::path& object) {
  const auto symbol = exported(object, kForeignSymbol,
                                  "the object of foreign functions, which #includes <tarry/foreign.h> and says TARRY_FOREIGN(\"Name\", function)",
                                  kModelSymbol, "; this is a model: give it to tarry check");
  if (!symbol) return symbol.error();
  abi::ForeignTable table{};
  reinterpret_cast<void (*)(abi::ForeignTable*)>(const_cast<void*>(*symbol))(&table);
  if (table.magic != abi::kForeignMagic) return wrong_object(object, fmt::format("exports '{}', but it has no foreign functions: build it again", kForeignSymbol));
  if (table.version != abi::kForeignVersion) return wrong_version(object, table.version, "foreign function", abi::kForeignVersion);
  for (const auto* f = table.functions; f != nullptr; f = f->next)
    if (f->name == nullptr || f->call == nullptr) return wrong_object(object, "leaves out parts of the foreign function interface; build it again");
  return table;
}

}  // namespace tarry
