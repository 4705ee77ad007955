// Inside of the reference interpreter: one activation of a function, as a recursive walk over its tree.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tests/support/p_reference/execution.h"

namespace tarry::plang::reference {

class Walk {
 public:
  /// Requires: as many arguments as parameters. `depth` is the number of calls that this one is in.
  Walk(Execution& execution, Instance& self, const Function& function, Values args, unsigned depth);
  Value run();

 private:
  enum class Flow { kOn, kBreak, kContinue, kReturn };

  /// An lvalue on the way to be one: its index expressions are evaluated, but for bare variables.
  struct Access {
    const Expr* expr;  // kField, kItem or kIndex
    std::optional<Value> index;
  };
  struct Path {
    const Variable* root;
    std::vector<Access> accesses;
  };

  // walk_statements.cc
  Flow exec(const Stmt& stmt);
  Flow exec_all(const std::vector<StmtPtr>& body);
  Flow exec_while(const Stmt& stmt);
  Flow exec_foreach(const Stmt& stmt);
  Flow exec_receive(const Stmt& stmt);
  void exec_assert(const Stmt& stmt);
  void exec_send(const Stmt& stmt);
  void exec_announce(const Stmt& stmt);
  [[noreturn]] void exec_raise(const Stmt& stmt);
  [[noreturn]] void exec_goto(const Stmt& stmt);
  Value payload_from(const std::vector<ExprPtr>& exprs, std::size_t first);

  // walk_places.cc: what is written to
  Value& variable(const Variable& variable);
  Path begin_path(const Expr& lvalue);
  Value& locate(Path& path, std::size_t accesses);
  Value& step(Value& base, const Access& access);
  void read_bare(Path& path);
  void exec_assign(const Stmt& stmt);
  void exec_insert(const Stmt& stmt);
  void exec_add(const Stmt& stmt);
  void exec_remove(const Stmt& stmt);

  // walk_expressions.cc
  Value eval(const Expr& expr);
  Value eval_name(const Expr& expr);
  std::pair<Value, Value> operands(const Expr& expr);
  bool truth(const Expr& expr);
  Value unary(const Expr& expr);
  Value binary(const Expr& expr);
  Value index(const Expr& expr);
  Value field(const Expr& expr);
  Value keys_values_or_size(const Expr& expr);
  Value contains(const Expr& expr);
  Value choose_from(const Expr& expr);
  Value create(const Expr& expr);
  Value call(const Expr& expr);
  Value format(const Expr& expr);
  Value tuple(const Expr& expr);
  Value cast(const Expr& expr);
  Value coerce(const Expr& expr);

  MachineInstance& machine() { return static_cast<MachineInstance&>(self_); }

  Execution& execution_;
  Instance& self_;
  const Function& function_;
  unsigned depth_;
  Values slots_;  // by Variable::index
  Value result_;
};

/// Runs a handler, entry or exit function, if there is one, with the payload that its parameter, if it has one, is given.
/// Gives the raise or goto that it ended with.
std::optional<Request> run_handler(Execution& execution, Instance& self, const Function* function, const Value& payload);

// Shared by those who read and those who write.

/// A variable by itself: read late as an operand or index (4.11, evaluation order).
bool is_bare_variable(const Expr& expr);
/// R12 unless the value passes the shallow check for the static type of what was read.
Value checked(Value value, const Type& type, Place place);
/// The value as a T: R12 if it is something else, null for instance.
template <class T>
T& need(Value& value, Place place) {
  if (T* out = value.get<T>()) return *out;
  fail("R12", place, value.is_null() ? "null is used as a value" : "a value of another kind is expected");
}
/// The position as the reference truncates it. R13 unless it is below `size`.
std::size_t position(Value& index, std::size_t size, Place place);
/// R11 if it is null.
void need_key(const Value& key, Place place);
/// R18 if there is no such field.
Value& field_of(Value& base, const Expr& access);

}  // namespace tarry::plang::reference
