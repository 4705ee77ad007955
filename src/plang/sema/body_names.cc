// Scopes of a function: its parameters and locals, those of receive cases inside it, then the names of the machine and the global
// names.
#include <fmt/format.h>

#include "plang/sema/body.h"
#include "plang/sema/phases.h"

namespace tarry::plang {

void BodyChecker::run() {
  for (const auto& param : function_.params) declare(*param);
  for (const auto& local : function_.locals) declare(*local);
  statements(function_.body);
  if (!has_result() || function_.is_foreign || surely_returns(function_.body)) return;
  const std::string expected =
      function_.result->kind == TypeKind::kError ? "a value" : fmt::format("'{}'", type_text(function_.result));
  context_.error(
      "E40", function_.body_end,
      fmt::format("the end of '{}' can be reached without a return, but it has to return {}", function_.name.text, expected),
      declared_here(function_.name));
}

void BodyChecker::fill_type(Variable& variable) {
  if (variable.type != nullptr) return;  // a parameter
  if (variable.written_type.get() != last_written_) {
    last_written_ = variable.written_type.get();
    last_type_ = context_.resolve(*last_written_);
  }
  variable.type = last_type_;
}

void BodyChecker::declare(Variable& variable) {
  fill_type(variable);
  variable.index = static_cast<std::uint32_t>(function_.frame.size());
  function_.frame.push_back(&variable);
  const Name& name = variable.name;
  std::vector<Local>& same_name = locals_[name.text];
  if (!same_name.empty() && same_name.back().depth == cases_) {
    context_.error("E03", name.place, fmt::format("'{}' is declared already; give one of the two another name", name.text),
                   {{same_name.back().variable->name.place, fmt::format("the first '{}' is declared here", name.text)}});
    return;
  }
  if (const Variable* param = context_.global.params.find(name.text))
    context_.error("E03", name.place,
                   fmt::format("'{}' is a global param, and nothing may hide one; rename the variable", name.text),
                   declared_here(param->name));
  same_name.push_back({&variable, cases_});
  open_.push_back(&variable);
}

void BodyChecker::close_scope(std::size_t variables_before) {
  for (; open_.size() > variables_before; open_.pop_back()) locals_[open_.back()->name.text].pop_back();
}

const Variable* BodyChecker::find_variable(std::string_view name) const {
  const auto at = locals_.find(name);
  if (at != locals_.end() && !at->second.empty()) return at->second.back().variable;
  if (machine_ != nullptr) {
    if (const Variable* field = context_.machine_names[machine_->index].fields.find(name)) return field;
  }
  return context_.global.params.find(name);
}

Function* BodyChecker::find_function(std::string_view name) const {
  if (machine_ != nullptr) {
    if (Function* method = context_.machine_names[machine_->index].functions.find(name)) return method;
  }
  return context_.global.functions.find(name);
}

void BodyChecker::value_not_found(const Name& name, std::string_view what) const {
  if (context_.is_full()) return context_.error("E07", name.place, "");
  Suggestions suggestions(name.text);
  for (auto local = open_.rbegin(); local != open_.rend(); ++local) suggestions.offer((*local)->name.text);
  if (machine_ != nullptr) suggestions.from(context_.machine_names[machine_->index].fields);
  suggestions.from(context_.global.params);
  if (what != "variable") suggestions.from(Words(kValueWords)).from(context_.global.elements).from(context_.global.events);
  context_.report_not_found(name, what, machine_, suggestions);
}

void BodyChecker::forbid_in_monitor(std::string_view id, Place place, std::string_view what) const {
  if (!in_monitor()) return;
  context_.error(id, place,
                 fmt::format("{} is not allowed in a monitor, and '{}' is one: monitors only watch", what, machine_->name.text));
}

void check_bodies(SemaContext& context) {
  for (Function* function : context.functions) BodyChecker(context, *function).run();
}

}  // namespace tarry::plang
