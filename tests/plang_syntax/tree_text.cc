#include "tests/plang_syntax/tree_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "plang/syntax/parser.h"

namespace tarry::plang::testing {
namespace {

// clang-format off
constexpr const char* kExprWords[] = {
    "name", "int", "float", "bool", "string", "format", "null", "halt", "this", "$", "choose", "tuple", "named", ".", ".", "[]",
    "keys", "values", "sizeof", "default", "new", "call", "neg", "!", "*", "/", "%", "+", "-", "<", ">", "<=", ">=", "in", "==",
    "!=", "&&", "||", "as", "to"};
constexpr const char* kStmtWords[] = {
    "block", "assert", "print", "return", "break", "continue", "assign", "insert", "add", "remove", "while", "foreach", "if",
    "new", "call", "raise", "send", "announce", "goto", "receive", "empty"};
constexpr const char* kTypeWords[] = {
    "seq", "set", "map", "", "", "bool", "int", "float", "string", "event", "machine", "data", "any", ""};
constexpr const char* kModuleWords[] = {"", "", "compose", "union", "hidee", "hidei", "assert", "rename", "main"};
// clang-format on

template <class List, class Text>
std::string joined(const List& list, const char* between, Text&& text) {
  std::string out;
  for (const auto& item : list) out += (out.empty() ? "" : between) + text(item);
  return out;
}

std::string params_of(const std::vector<std::unique_ptr<Variable>>& params) {
  return joined(params, ", ", [](const auto& param) { return param->name.text + ": " + text_of(*param->written_type); });
}

std::string text_of_case(const ReceiveCase& one) {
  std::string out = "case " + text_of(one.triggers);
  if (!one.params.empty()) out += " (" + params_of(one.params) + ")";
  if (!one.locals.empty()) out += " var " + params_of(one.locals);
  return out + " {" + joined(one.body, " ", [](const StmtPtr& stmt) { return text_of(*stmt); }) + "}";
}

}  // namespace

Parsed parsed_files(const std::vector<std::string>& texts) {
  Parsed result;
  char name = 'a';
  for (const std::string& text : texts) result.sources.add(std::string(1, name++) + ".p", text);
  Diagnostics diagnostics;
  result.tree = parse(result.sources, diagnostics);
  result.problems = diagnostics.sorted();
  result.messages = render(result.sources, result.problems);
  return result;
}

Parsed parsed(std::string_view text) { return parsed_files({std::string(text)}); }

std::string problems_of(std::string_view text) {
  std::string messages = parsed(text).messages;
  for (std::size_t at = 0; (at = messages.find("a.p:", at)) != std::string::npos;) messages.erase(at, 4);
  return messages;
}

std::string text_of(const std::vector<Name>& names) {
  return joined(names, ", ", [](const Name& name) { return name.text; });
}

std::string text_of(const TypeExpr& type) {
  const std::string word = kTypeWords[static_cast<std::size_t>(type.kind)];
  std::string parts;
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    if (i != 0) parts += ", ";
    if (type.kind == TypeSyntax::kNamedTuple) parts += type.names[i].text + ": ";
    parts += text_of(*type.parts[i]);
  }
  if (type.kind == TypeSyntax::kTuple || type.kind == TypeSyntax::kNamedTuple) return "(" + parts + ")";
  if (type.kind == TypeSyntax::kNamed) return type.name.text;
  return type.parts.empty() ? word : word + "[" + parts + "]";
}

std::string text_of(const Expr& expr) {
  const std::string word = kExprWords[static_cast<std::size_t>(expr.kind)];
  const std::string args = joined(expr.args, " ", [](const ExprPtr& arg) { return text_of(*arg); });
  switch (expr.kind) {
    case ExprKind::kName: return expr.name.text;
    case ExprKind::kInt: return std::to_string(expr.number);
    case ExprKind::kFloat: return fmt::format("{}f", expr.real);
    case ExprKind::kBool: return expr.number != 0 ? "true" : "false";
    case ExprKind::kString: return "\"" + expr.text + "\"";
    case ExprKind::kFormat: return "(format \"" + expr.text + "\"" + (args.empty() ? "" : " ") + args + ")";
    case ExprKind::kNull:
    case ExprKind::kHalt:
    case ExprKind::kThis:
    case ExprKind::kChoice: return word;
    case ExprKind::kNamedTuple: return "(named " + text_of(expr.names) + " = " + args + ")";
    case ExprKind::kField: return "(. " + args + " " + expr.name.text + ")";
    case ExprKind::kItem: return fmt::format("(. {} {})", args, expr.number);
    case ExprKind::kDefault: return "(default " + text_of(*expr.written_type) + ")";
    case ExprKind::kNew:
    case ExprKind::kCall: return "(" + word + " " + expr.name.text + (args.empty() ? "" : " ") + args + ")";
    case ExprKind::kAs:
    case ExprKind::kTo: return "(" + word + " " + args + " " + text_of(*expr.written_type) + ")";
    default: return "(" + word + " " + args + ")";
  }
}

std::string text_of(const Stmt& stmt) {
  std::string out = kStmtWords[static_cast<std::size_t>(stmt.kind)];
  if (!stmt.name.text.empty()) out += " " + stmt.name.text;
  for (const ExprPtr& expr : stmt.exprs) out += " " + text_of(*expr);
  for (const StmtPtr& part : stmt.body) out += " " + text_of(*part);
  for (const ReceiveCase& one : stmt.cases) out += " " + text_of_case(one);
  return "[" + out + "]";
}

std::string text_of(const ModuleExpr& module) {
  const std::string word = kModuleWords[static_cast<std::size_t>(module.kind)];
  const std::string parts = joined(module.parts, " ", [](const auto& part) { return text_of(*part); });
  if (module.kind == ModuleKind::kNamed) return module.names[0].text;
  if (module.kind == ModuleKind::kPrimitive)
    return "{" +
           joined(module.bindings, ", ",
                  [](const Binding& binding) {
                    return binding.machine.text + (binding.interface.text.empty() ? "" : " -> " + binding.interface.text);
                  }) +
           "}";
  if (module.names.empty()) return "(" + word + " " + parts + ")";
  return "(" + word + " " + text_of(module.names) + " in " + parts + ")";
}

std::string expression(std::string_view text) {
  const Parsed result = parsed(fmt::format("fun f() {{ x = {}; }}", text));
  return result.ok() ? text_of(*result.tree.functions[0]->body[0]->exprs[1]) : result.messages;
}

std::string statements(std::string_view text) {
  const Parsed result = parsed(fmt::format("fun f() {{ {} }}", text));
  if (!result.ok()) return result.messages;
  return joined(result.tree.functions[0]->body, " ", [](const StmtPtr& stmt) { return text_of(*stmt); });
}

std::string type(std::string_view text) {
  const Parsed result = parsed(fmt::format("type t = {};", text));
  return result.ok() ? text_of(*result.tree.types[0]->written) : result.messages;
}

std::string module(std::string_view text) {
  const Parsed result = parsed(fmt::format("module m = {};", text));
  return result.ok() ? text_of(*result.tree.modules[0]->module) : result.messages;
}

std::vector<std::filesystem::path> litmus_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& item : std::filesystem::directory_iterator(TARRY_TEST_SOURCE_DIR "/tests/plang_syntax/litmus"))
    if (item.path().extension() == ".p") files.push_back(item.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace tarry::plang::testing
