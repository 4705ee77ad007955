#include "plang/foreign/linked.h"

#include <tarry/detail/foreign_wire.h>

#include "core/whereabouts.h"

namespace tarry::plang {
namespace {

/// The answer of the foreign function.
struct Answer {
  bool answered = false;
  std::string result, problem;

  static void on_result(void* self, const char* data, std::size_t size) {
    static_cast<Answer*>(self)->answered = true;
    static_cast<Answer*>(self)->result.assign(data, size);
  }
  static void on_problem(void* self, const char* text, std::size_t size) {
    static_cast<Answer*>(self)->answered = true;
    static_cast<Answer*>(self)->problem.assign(text, size);
    if (size == 0) static_cast<Answer*>(self)->problem = "threw an exception without a message";
  }
};

/// Calls a foreign function. Announces its name first, so that the report of a crash can name it.
Answer ask(const char* name, void (*call)(abi::ForeignCall*), const std::string& arguments) {
  Answer answer;
  abi::ForeignCall c{arguments.data(), arguments.size(), &answer, &Answer::on_result, &Answer::on_problem};
  const char*& function = Whereabouts::function_of_this_thread();
  const char* const before = function;
  function = name;
  call(&c);
  function = before;
  if (!answer.answered) answer.problem = "came back without a result: build the object again";
  return answer;
}

}  // namespace

LinkedForeign::LinkedForeign(Code& code, std::span<const abi::ForeignTable> tables)
    : code_(code), tables_(code), functions_(code.functions.size()) {
  for (const abi::ForeignTable& table : tables) {
    for (const auto* f = table.functions; f != nullptr; f = f->next)
      for (std::size_t i = 0; i < functions_.size(); ++i)
        if (code.functions[i].is_foreign && functions_[i] == nullptr && code.functions[i].name == f->name) functions_[i] = f;
    for (const auto* t = table.types; t != nullptr; t = t->next)
      if (const auto found = tables_.foreign_types.find(t->name); found != tables_.foreign_types.end() && t->text != nullptr)
        types_.emplace(found->second->index, t);
  }
}

Foreign::Result LinkedForeign::call(std::uint32_t function, std::span<const Value> arguments, Heap& heap, const World& world) const {
  const abi::ForeignFunction* const f = functions_[function];
  if (f == nullptr) return {Value::null(), "has no implementation"};
  const Answer answer = ask(f->name, f->call, encode(arguments, heap, world));
  if (!answer.problem.empty()) return {Value::null(), answer.problem};
  try {
    return {decode(answer.result, code_.functions[function].source->result, heap, world, tables_), ""};
  } catch (const WrongResult& e) {
    return {Value::null(), e.what()};
  }
}

std::optional<std::string> LinkedForeign::text(std::uint32_t type, std::string_view bytes) const {
  const auto found = types_.find(type);
  if (found == types_.end()) return std::nullopt;
  p::detail::Writer argument;
  argument.kind(abi::ForeignKind::kForeign);
  argument.text(found->second->name);
  argument.text(bytes);
  const Answer answer = ask(found->second->name, found->second->text, argument.bytes());
  if (!answer.problem.empty() || answer.result.empty() || answer.result[0] != static_cast<char>(abi::ForeignKind::kString)) return std::nullopt;
  p::detail::Reader in(std::string_view(answer.result).substr(1));
  return std::string(in.text());
}

}  // namespace tarry::plang
