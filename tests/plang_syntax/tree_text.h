// What the tests of the parser share: text to tree, and the tree as text with every parenthesis.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "plang/syntax/ast.h"
#include "plang/syntax/diagnostics.h"
#include "tests/support/p_source.h"

namespace tarry::plang::testing {

struct Parsed {
  Sources sources;
  SyntaxTree tree;
  std::vector<Problem> problems;
  std::string messages;
  bool ok() const { return problems.empty(); }
};

/// Parses one file, "a.p".
Parsed parsed(std::string_view text);
/// Several: "a.p", "b.p", …
Parsed parsed_files(const std::vector<std::string>& texts);
/// What is wrong with the text, without the name of the file: "1:5: error: … [E01]\n".
std::string problems_of(std::string_view text);

std::string text_of(const TypeExpr& type);
std::string text_of(const Expr& expr);
std::string text_of(const Stmt& stmt);
std::string text_of(const std::vector<Name>& names);
std::string text_of(const ModuleExpr& module);

/// An expression, a statement list, a type or a module, as text with every parenthesis; or what is wrong with it.
std::string expression(std::string_view text);
std::string statements(std::string_view text);
std::string type(std::string_view text);
std::string module(std::string_view text);

/// The programs of litmus/, in order.
std::vector<std::filesystem::path> litmus_files();
using testing_support::file_text;

}  // namespace tarry::plang::testing
