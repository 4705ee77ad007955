// Suggests the name or word that the user may have meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tarry::plang {

/// Words of the language, as candidates.
using Words = std::span<const std::string_view>;
inline constexpr std::string_view kDeclarationWords[] = {"type", "enum", "event", "eventset", "interface", "machine", "spec", "scenario", "fun", "param", "module", "implementation", "test"};
inline constexpr std::string_view kStateWords[] = {"start", "hot", "cold", "state"};
inline constexpr std::string_view kStatementWords[] = {"assert", "print", "return", "break", "continue", "while", "foreach", "if", "else", "new", "raise", "send", "announce", "goto", "receive", "var"};
inline constexpr std::string_view kTypeWords[] = {"bool", "int", "float", "string", "event", "machine", "data", "any", "seq", "set", "map"};
inline constexpr std::string_view kCollectionWords[] = {"seq", "set", "map"};
inline constexpr std::string_view kValueWords[] = {"true", "false", "null", "this", "halt"};
inline constexpr std::string_view kFunctionWords[] = {"sizeof", "keys", "values", "choose", "default", "format"};

/// Candidates for "did you mean …?". The nearest one wins, if it is near enough.
class Suggestions {
 public:
  explicit Suggestions(std::string_view wrong) : wrong_(wrong) {}

  void offer(std::string_view candidate);
  Suggestions& from(Words words) {
    for (const std::string_view word : words) offer(word);
    return *this;
  }
  /// Adds a table of declarations (sema/names.h).
  template <class Table>
    requires requires(const Table& table) { table.all(); }
  Suggestions& from(const Table& table) {
    for (const auto* declaration : table.all()) offer(declaration->name.text);
    return *this;
  }
  /// Returns the best candidate; empty if none is near.
  std::string_view best() const { return best_; }
  /// Returns "; did you mean 'X'?", or nothing.
  std::string text() const;

 private:
  std::string_view wrong_;
  std::string_view best_;
  std::size_t best_distance_ = 0;
};

/// Returns P's word for a type of another language: "bool" for "boolean". Empty: none.
std::string_view type_word_for(std::string_view name);

}  // namespace tarry::plang
