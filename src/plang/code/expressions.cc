#include "plang/code/function_compiler.h"

namespace tarry::plang {
namespace {

bool is_bare(const Expr& e) { return e.kind == ExprKind::kName && e.variable != nullptr; }

/// Returns whether evaluating the expression could change a variable.
bool has_call(const Expr& e) {
  if (e.kind == ExprKind::kCall) return true;
  for (const ExprPtr& arg : e.args)
    if (has_call(*arg)) return true;
  return false;
}

/// Splits a format string into texts and arguments. Braces in the text are doubled, as the checker ensures.
Format parse_format(const std::string& text, std::uint32_t count) {
  Format format;
  format.count = count;
  format.texts.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      format.texts.back() += c;
      ++i;
    } else if (c == '{') {
      std::uint32_t number = 0;
      for (++i; i < text.size() && text[i] != '}'; ++i) number = number * 10 + static_cast<std::uint32_t>(text[i] - '0');
      format.arguments.push_back(number);
      format.texts.emplace_back();
    } else {
      format.texts.back() += c;
    }
  }
  return format;
}

}  // namespace

std::uint32_t FunctionCompiler::emit(Op op, Place place, std::uint32_t a, std::uint16_t x, std::uint32_t b) {
  out_.code.push_back({.op = op, .x = x, .a = a, .b = b});
  out_.places.push_back(place);
  return here() - 1;
}

void FunctionCompiler::copied(const Expr& e) {
  value(e);
  if (generator_.orders().needs_dense(e.type)) emit(Op::kDense, e.place);
}

void FunctionCompiler::variable(const Variable& v, Place place, Use use) {
  const auto look = static_cast<std::uint16_t>(use == Use::kLook ? 1 : 0);
  switch (v.kind) {
    case Variable::Kind::kLocal: emit(Op::kLocal, place, v.index, look); break;
    case Variable::Kind::kField: emit(Op::kField, place, v.index, look); break;
    case Variable::Kind::kGlobalParam: emit(Op::kParam, place, v.index); break;
  }
}

void FunctionCompiler::store(const Variable& v, Place place) {
  emit(v.kind == Variable::Kind::kLocal ? Op::kSetLocal : Op::kSetField, place, v.index);
}

void FunctionCompiler::operands(const Expr& left, const Expr& right, Use left_use, Use right_use) {
  if (is_bare(left) && has_call(right)) {
    value(right, right_use);
    value(left, left_use);
    emit(Op::kSwap, left.place);
  } else {
    value(left, is_bare(left) ? left_use : Use::kTake);
    value(right, is_bare(right) ? right_use : Use::kTake);
  }
}

void FunctionCompiler::binary(const Expr& e, Op op) {
  operands(*e.args[0], *e.args[1]);
  emit(op, e.place);
}

void FunctionCompiler::value(const Expr& e, Use use) {
  switch (e.kind) {
    case ExprKind::kName:
      if (e.variable != nullptr) variable(*e.variable, e.place, use);
      else if (e.element != nullptr) constant(Value::small(e.element->number), e.place);
      else constant(Value::event(e.event->index), e.place);
      break;
    case ExprKind::kInt: constant(generator_.heap().integer(e.number), e.place); break;
    case ExprKind::kFloat: constant(generator_.heap().intern(generator_.heap().real(e.real)), e.place); break;
    case ExprKind::kBool: constant(Value::boolean(e.number != 0), e.place); break;
    case ExprKind::kString:
    case ExprKind::kFormat: formatted(e); break;
    case ExprKind::kNull: constant(Value::null(), e.place); break;
    case ExprKind::kHalt: constant(Value::event(kHaltEvent), e.place); break;
    case ExprKind::kThis: emit(Op::kThis, e.place); break;
    case ExprKind::kChoice:
    case ExprKind::kChooseFrom: choose(e); break;
    case ExprKind::kTuple:
    case ExprKind::kNamedTuple: {
      std::vector<std::string> names;
      for (const ExprPtr& arg : e.args) copied(*arg);
      for (const Name& name : e.names) names.push_back(name.text);
      const auto count = static_cast<std::uint32_t>(e.args.size());
      if (e.kind == ExprKind::kTuple) emit(Op::kTuple, e.place, count);
      else emit(Op::kNamedTuple, e.place, count, 0, generator_.shape(names));
      break;
    }
    case ExprKind::kField:
    case ExprKind::kItem: field(e); break;
    case ExprKind::kIndex: index(e); break;
    case ExprKind::kKeys:
    case ExprKind::kValues:
    case ExprKind::kSizeof:
      value(*e.args[0], Use::kLook);
      emit(e.kind == ExprKind::kKeys ? Op::kKeys : e.kind == ExprKind::kValues ? Op::kValues : Op::kSizeof, e.place);
      break;
    case ExprKind::kDefault: constant(generator_.default_of(e.target), e.place); break;
    case ExprKind::kNew: create(e); break;
    case ExprKind::kCall: call(e); break;
    case ExprKind::kNegate:
      value(*e.args[0]);
      emit(e.type->kind == TypeKind::kFloat ? Op::kNegFloat : Op::kNegInt, e.place);
      break;
    case ExprKind::kNot:
      value(*e.args[0]);
      emit(Op::kNot, e.place);
      break;
    case ExprKind::kMul:
    case ExprKind::kDiv:
    case ExprKind::kMod:
    case ExprKind::kAdd:
    case ExprKind::kSub: arithmetic(e); break;
    case ExprKind::kLess:
    case ExprKind::kGreater:
    case ExprKind::kLessEqual:
    case ExprKind::kGreaterEqual: comparison(e); break;
    case ExprKind::kIn: membership(e); break;
    case ExprKind::kEqual:
    case ExprKind::kNotEqual:
      operands(*e.args[0], *e.args[1], Use::kLook, Use::kLook);
      emit(e.kind == ExprKind::kEqual ? Op::kEqual : Op::kNotEqual, e.place);
      break;
    case ExprKind::kAnd:
    case ExprKind::kOr: logical(e); break;
    case ExprKind::kAs:
    case ExprKind::kTo: conversion(e); break;
  }
}

void FunctionCompiler::arithmetic(const Expr& e) {
  const TypeKind kind = e.args[0]->type->kind;
  const bool real = kind == TypeKind::kFloat;
  switch (e.kind) {
    case ExprKind::kAdd: return binary(e, kind == TypeKind::kString ? Op::kConcat : real ? Op::kAddFloat : Op::kAddInt);
    case ExprKind::kSub: return binary(e, real ? Op::kSubFloat : Op::kSubInt);
    case ExprKind::kMul: return binary(e, real ? Op::kMulFloat : Op::kMulInt);
    case ExprKind::kDiv: return binary(e, real ? Op::kDivFloat : Op::kDivInt);
    default: return binary(e, real ? Op::kModFloat : Op::kModInt);
  }
}

void FunctionCompiler::comparison(const Expr& e) {
  const TypeKind kind = e.args[0]->type->kind;
  const bool strict = e.kind == ExprKind::kLess || e.kind == ExprKind::kGreater;
  const Op op = kind == TypeKind::kString  ? (strict ? Op::kLessString : Op::kLessEqualString)
                : kind == TypeKind::kFloat ? (strict ? Op::kLessFloat : Op::kLessEqualFloat)
                                           : (strict ? Op::kLessInt : Op::kLessEqualInt);
  operands(*e.args[0], *e.args[1]);
  if (e.kind == ExprKind::kGreater || e.kind == ExprKind::kGreaterEqual) emit(Op::kSwap, e.place);
  emit(op, e.place);
}

void FunctionCompiler::logical(const Expr& e) {
  value(*e.args[0]);
  const bool is_and = e.kind == ExprKind::kAnd;
  const std::uint32_t decided = emit(is_and ? Op::kJumpIfNot : Op::kJumpIf, e.place);
  value(*e.args[1]);
  const std::uint32_t end = emit(Op::kJump, e.place);
  land(decided);
  constant(Value::boolean(!is_and), e.place);
  land(end);
}

void FunctionCompiler::index(const Expr& e) {
  operands(*e.args[0], *e.args[1], Use::kLook);
  const TypeKind kind = e.args[0]->type->kind;
  emit(kind == TypeKind::kMap ? Op::kIndexMap : kind == TypeKind::kSet ? Op::kIndexSet : Op::kIndexSeq, e.place);
  check_element(e.type, e.place);
}

void FunctionCompiler::membership(const Expr& e) {
  operands(*e.args[0], *e.args[1], Use::kTake, Use::kLook);
  const TypeKind kind = e.args[1]->type->kind;
  emit(kind == TypeKind::kMap ? Op::kInMap : kind == TypeKind::kSet ? Op::kInSet : Op::kInSeq, e.place);
}

void FunctionCompiler::field(const Expr& e) {
  value(*e.args[0], Use::kLook);
  const auto position = static_cast<std::uint32_t>(e.number);
  if (e.kind == ExprKind::kItem) {
    emit(Op::kItem, e.place, position);
    check_element(e.type, e.place);
    return;
  }
  const auto shape = static_cast<std::uint16_t>(generator_.shape(e.args[0]->type->names));
  emit(Op::kNamedItem, e.place, position, shape, generator_.field_name(e.name.text));
  check_element(e.type, e.place);
}

void FunctionCompiler::check_element(const Type* type, Place place) {
  if (generator_.orders().may_be_mistyped() && type->kind != TypeKind::kAny && type->kind != TypeKind::kData) emit(Op::kCast, place, type->index);
}

void FunctionCompiler::conversion(const Expr& e) {
  value(*e.args[0]);
  if (e.kind == ExprKind::kAs) {
    emit(Op::kCast, e.place, e.target->index);
    return;
  }
  const TypeKind from = e.args[0]->type->kind;
  switch (e.target->kind) {
    case TypeKind::kInt:
      if (from == TypeKind::kFloat) emit(Op::kToInt, e.place);
      break;
    case TypeKind::kFloat:
      if (from != TypeKind::kFloat) emit(Op::kToFloat, e.place);
      break;
    default: emit(Op::kToReference, e.place, generator_.permissions(e.target->events)); break;
  }
}

void FunctionCompiler::choose(const Expr& e) {
  if (e.kind == ExprKind::kChoice) {
    emit(Op::kChoose, e.place, static_cast<std::uint32_t>(e.number));
    return;
  }
  value(*e.args[0], Use::kLook);
  switch (e.args[0]->type->kind) {
    case TypeKind::kSeq: emit(Op::kChooseSeq, e.place); break;
    case TypeKind::kSet: emit(Op::kChooseSet, e.place); break;
    case TypeKind::kMap: emit(Op::kChooseMap, e.place); break;
    default: emit(Op::kChooseInt, e.place); return;
  }
  check_element(e.type, e.place);
}

void FunctionCompiler::call(const Expr& e) {
  for (const ExprPtr& arg : e.args) copied(*arg);
  emit(e.function->is_foreign ? Op::kCallForeign : Op::kCall, e.place, e.function->index);
}

void FunctionCompiler::create(const Expr& e) {
  payload(e.args, 0, e.place);
  emit(Op::kNew, e.place, e.interface->index);
}

void FunctionCompiler::payload(const std::vector<ExprPtr>& exprs, std::size_t first, Place place) {
  for (std::size_t i = first; i < exprs.size(); ++i) copied(*exprs[i]);
  if (exprs.size() == first) constant(Value::null(), place);
  else if (exprs.size() > first + 1) emit(Op::kTuple, place, static_cast<std::uint32_t>(exprs.size() - first));
}

void FunctionCompiler::formatted(const Expr& e) {
  Format format = parse_format(e.text, static_cast<std::uint32_t>(e.args.size()));
  if (e.args.empty()) {
    constant(generator_.heap().intern(generator_.heap().string(format.texts[0])), e.place);
    return;
  }
  for (const ExprPtr& arg : e.args) value(*arg);
  emit(Op::kFormat, e.place, generator_.format(std::move(format)));
}

}  // namespace tarry::plang
