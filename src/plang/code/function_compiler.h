// Compiles one function, statement by statement. Expressions are in expressions.cc, statements in statements.cc.
//
// Evaluation is from left to right, with one exception that programs can observe: an operand of a binary operator, of an index or
// of `in` that is a bare variable is read when the operator is applied, after the other operand has been evaluated.
#pragma once

#include <optional>
#include <vector>

#include "plang/code/generator.h"

namespace tarry::plang {

class FunctionCompiler {
 public:
  FunctionCompiler(Generator& generator, CodeFunction& out) : generator_(generator), out_(out) {}

  void statements(const std::vector<StmtPtr>& list);
  void finish(Place end);

 private:
  // Emitting.
  std::uint32_t emit(Op op, Place place, std::uint32_t a = 0, std::uint16_t x = 0, std::uint32_t b = 0);
  std::uint32_t here() const { return static_cast<std::uint32_t>(out_.code.size()); }
  void land(std::uint32_t jump) { out_.code[jump].a = here(); }

  // Expressions.
  enum class Use { kTake, kLook };  // kLook: the next instruction only reads it
  void value(const Expr& e, Use use = Use::kTake);
  void copied(const Expr& e);
  void binary(const Expr& e, Op op);
  void operands(const Expr& left, const Expr& right, Use left_use = Use::kTake, Use right_use = Use::kTake);
  void comparison(const Expr& e);
  void arithmetic(const Expr& e);
  void logical(const Expr& e);
  void variable(const Variable& v, Place place, Use use);
  void store(const Variable& v, Place place);
  void index(const Expr& e);
  void membership(const Expr& e);
  void field(const Expr& e);
  void conversion(const Expr& e);
  void choose(const Expr& e);
  void call(const Expr& e);
  void create(const Expr& e);
  void formatted(const Expr& e);
  /// Emits a check of the type of an element of a collection or tuple, if it can differ from the static type.
  void check_element(const Type* type, Place place);
  void constant(Value v, Place place) { emit(Op::kConst, place, generator_.constant(v)); }
  /// Emits a payload: null for none, the value for one, a tuple for several.
  void payload(const std::vector<ExprPtr>& exprs, std::size_t first, Place place);

  // Statements.
  void statement(const Stmt& s);
  void assertion(const Stmt& s);
  void change(const Stmt& s);
  void loop(const Stmt& s);
  void foreach(const Stmt& s);
  void branch(const Stmt& s);
  void receive(const Stmt& s);
  void receive_case(const ReceiveCase& c);

  struct Loop {
    std::uint32_t start;
    std::vector<std::uint32_t> breaks;
    bool is_case;  // of a receive: `break` ends it
  };

  Generator& generator_;
  CodeFunction& out_;
  std::vector<Loop> loops_;
};

}  // namespace tarry::plang
