// Writes types in the order in which functions use them, parts before wholes, each once. If the program has an alias for a named
// tuple, the tuple gets that name.
#include "plang/foreign/stubs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tarry::plang {
namespace {

/// Returns the words that C++ does not accept as names.
const std::set<std::string>& reserved_words() {
  static const std::set<std::string> kWords{
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class",
      "compl", "concept", "const", "consteval", "constexpr", "constinit", "const_cast", "continue", "co_await", "co_return", "co_yield", "decltype", "default",
      "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int",
      "long", "main", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
      "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "std", "struct", "switch",
      "tarry", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void",
      "volatile", "wchar_t", "while", "xor", "xor_eq"};
  return kWords;
}

class StubWriter {
 public:
  StubWriter(const CheckedProgram& program, const std::string& file) : file_(file) {
    for (const auto& alias : program.tree.types)
      if (alias->type != nullptr) aliases_.emplace(alias->type, alias->name.text);
  }

  void add(const Function& function) {
    const std::string name = foreign_name(function);
    std::string called = name;
    std::ranges::replace(called, '.', '_');
    called = free_name(std::move(called));
    const bool gives = function.result != nullptr && function.result->kind != TypeKind::kNull;
    const std::string result = gives ? type(*function.result, Use::kResult) : "void";
    std::string params;
    for (const auto& param : function.params) {
      const std::string what = type(*param->type, Use::kParameter);
      const bool small = what == "bool" || what == "double" || what == "std::int64_t" || param->type->kind == TypeKind::kEnum;
      params += fmt::format("{}{} /*{}*/", params.empty() ? "" : ", ", small ? what : "const " + what + "&", param->name.text);
    }
    functions_ += fmt::format("\n{} {}({}) {{\n  throw std::logic_error(\"'{}' is not written yet: fill it in, in {}\");\n}}\n", result, called, params, name, file_);
    registered_ += fmt::format("TARRY_FOREIGN(\"{}\", {})\n", name, called);
  }

  std::string text() const {
    return "// Foreign functions of the P program: replace each 'throw' by the function. See docs/p-foreign.md for types and duties.\n"
           "#include <tarry/foreign.h>\n\n"
           "#include <compare>\n#include <cstdint>\n#include <map>\n#include <optional>\n#include <set>\n#include <stdexcept>\n#include <string>\n#include <tuple>\n#include <vector>\n\n"
           "namespace {\n" + types_ + functions_ + "\n}  // namespace\n\n" + registered_;
  }

 private:
  enum class Use { kParameter, kResult, kPart };

  std::string type(const Type& t, Use use) {
    switch (t.kind) {
      case TypeKind::kBool: return "bool";
      case TypeKind::kInt: return "std::int64_t";
      case TypeKind::kFloat: return "double";
      case TypeKind::kString: return "std::string";
      case TypeKind::kEvent: return "std::optional<tarry::p::Event>";
      case TypeKind::kMachine:
      case TypeKind::kReference: return "std::optional<tarry::p::Machine>";
      case TypeKind::kSeq: return fmt::format("std::vector<{}>", type(*t.parts[0], Use::kPart));
      case TypeKind::kSet: return fmt::format("std::set<{}>", type(*t.parts[0], Use::kPart));
      case TypeKind::kMap: {
        const std::string key = type(*t.parts[0], Use::kPart);
        return fmt::format("std::map<{}, {}>", key, type(*t.parts[1], Use::kPart));
      }
      case TypeKind::kTuple: return tuple(t);
      case TypeKind::kNamedTuple: return named_tuple(t);
      case TypeKind::kEnum: return enumeration(t);
      case TypeKind::kForeign: {
        const std::string name = foreign_type(t);  // a variable of it starts as null
        return use == Use::kResult ? name : fmt::format("std::optional<{}>", name);
      }
      default: return "tarry::p::Value";
    }
  }

  std::string tuple(const Type& t) {
    std::vector<std::string> parts;
    for (const Type* part : t.parts) parts.push_back(type(*part, Use::kPart));
    return fmt::format("std::tuple<{}>", fmt::join(parts, ", "));
  }

  std::string named_tuple(const Type& t) {
    if (const auto known = known_.find(&t); known != known_.end()) return known->second;
    if (std::any_of(t.names.begin(), t.names.end(), [](const std::string& name) { return reserved_words().contains(name); })) return tuple(t);
    std::string fields;
    for (std::size_t i = 0; i < t.parts.size(); ++i) fields += fmt::format("  {} {}{{}};\n", type(*t.parts[i], Use::kPart), t.names[i]);
    const auto alias = aliases_.find(&t);
    const std::string name = free_name(alias != aliases_.end() ? alias->second : fmt::format("Tuple{}", known_.size() + 1));
    types_ += fmt::format("\nstruct {0} {{\n{1}  TARRY_NAMED_TUPLE({2})\n  friend auto operator<=>(const {0}&, const {0}&) = default;\n}};\n", name, fields,
                          fmt::join(t.names, ", "));
    return known_[&t] = name;
  }

  std::string enumeration(const Type& t) {
    if (const auto known = known_.find(&t); known != known_.end()) return known->second;
    const std::string name = free_name(t.enumeration->name.text);
    std::string elements;
    for (const auto& element : t.enumeration->elements)
      elements += fmt::format("{}{}{} = {}", elements.empty() ? "" : ", ", element->name.text, reserved_words().contains(element->name.text) ? "_" : "", element->number);
    types_ += fmt::format("\nenum class {} {{ {} }};\n", name, elements);
    return known_[&t] = name;
  }

  std::string foreign_type(const Type& t) {
    if (const auto known = known_.find(&t); known != known_.end()) return known->second;
    const std::string name = free_name(t.foreign->name.text);
    types_ += fmt::format(
        "\n// The foreign type '{1}': give it the members that it needs, and write all of them in save().\n"
        "struct {0} {{\n"
        "  std::string content;\n\n"
        "  static constexpr const char* p_type = \"{1}\";\n"
        "  std::string save() const {{ return tarry::p::pack(content); }}\n"
        "  static {0} load(std::string_view bytes) {{\n    {0} out;\n    tarry::p::unpack(bytes, out.content);\n    return out;\n  }}\n"
        "  friend auto operator<=>(const {0}&, const {0}&) = default;\n}};\n",
        name, t.foreign->name.text);
    return known_[&t] = name;
  }

  /// Returns a free name. In P, types and functions have separate name spaces; in C++ they share one.
  std::string free_name(std::string name) {
    while (reserved_words().contains(name) || !taken_.insert(name).second) name += '_';
    return name;
  }

  const std::string& file_;
  std::map<const Type*, std::string> aliases_, known_;
  std::set<std::string> taken_;
  std::string types_, functions_, registered_;
};

}  // namespace

std::string foreign_name(const Function& function) {
  return function.owner == nullptr ? function.name.text : function.owner->name.text + "." + function.name.text;
}

std::string foreign_stubs(const std::vector<const Function*>& functions, const CheckedProgram& program, const std::string& file) {
  StubWriter writer(program, file);
  for (const Function* function : functions) writer.add(*function);
  return writer.text();
}

}  // namespace tarry::plang
