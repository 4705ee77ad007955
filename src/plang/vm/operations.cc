// What instructions do with values, and how that can fail.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "plang/vm/vm.h"

namespace tarry::plang {
namespace {

const char* kind_text(Value v) {
  switch (v.tag()) {
    case Tag::kNull: return "null";
    case Tag::kBool: return "a bool";
    case Tag::kInt:
    case Tag::kBigInt: return "an int";
    case Tag::kFloat: return "a float";
    case Tag::kString: return "a string";
    case Tag::kEvent: return "an event";
    case Tag::kMachine: return "a machine";
    case Tag::kSeq: return "a seq";
    case Tag::kSet: return "a set";
    case Tag::kMap: return "a map";
    case Tag::kTuple: return "a tuple";
    case Tag::kNamedTuple: return "a named tuple";
    case Tag::kForeign: return "a foreign value";
    case Tag::kHole: break;
  }
  return "nothing";
}

/// The shallow check: kind only, and null where a reference or a collection is expected.
bool conforms(Value v, TypeKind kind) {
  switch (kind) {
    case TypeKind::kAny:
    case TypeKind::kData:
    case TypeKind::kError: return true;
    case TypeKind::kNull: return v.is_null();
    case TypeKind::kBool: return v.is(Tag::kBool);
    case TypeKind::kInt:
    case TypeKind::kEnum: return v.is(Tag::kInt) || v.is(Tag::kBigInt);
    case TypeKind::kFloat: return v.is(Tag::kFloat);
    case TypeKind::kString: return v.is(Tag::kString);
    case TypeKind::kEvent: return v.is_null() || v.is(Tag::kEvent);
    case TypeKind::kMachine:
    case TypeKind::kReference: return v.is_null() || v.is(Tag::kMachine);
    case TypeKind::kForeign: return v.is_null() || v.is(Tag::kForeign);
    case TypeKind::kSeq: return v.is_null() || v.is(Tag::kSeq);
    case TypeKind::kSet: return v.is_null() || v.is(Tag::kSet);
    case TypeKind::kMap: return v.is_null() || v.is(Tag::kMap);
    case TypeKind::kTuple: return v.is_null() || v.is(Tag::kTuple);
    case TypeKind::kNamedTuple: return v.is_null() || v.is(Tag::kNamedTuple);
  }
  return false;
}

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

std::int64_t wrapped(std::uint64_t n) { return static_cast<std::int64_t>(n); }

}  // namespace

void Vm::check_type(Value v, std::uint32_t type, const char* what) {
  const CodeType& t = world_.code.types[type];
  if (!conforms(v, t.kind)) fail("R12", fmt::format("{} is {}, where '{}' is expected", what, kind_text(v), t.text));
}

void Vm::need(Value v, Tag tag, const char* what) {
  if (v.tag() != tag) fail("R12", fmt::format("{} is expected, but the value is {}", what, kind_text(v)));
}

std::int64_t Vm::integer(Value v) {
  if (v.is(Tag::kInt)) [[likely]] return v.number();
  need(v, Tag::kBigInt, "an int");
  return heap_.integer_of(v);
}

double Vm::real(Value v) {
  need(v, Tag::kFloat, "a float");
  return heap_.real_of(v);
}

bool Vm::truth(Value v) {
  if (!v.is(Tag::kBool)) [[unlikely]] need(v, Tag::kBool, "a bool");
  return v.truth();
}

std::uint32_t Vm::size_of(Value v) {
  switch (v.tag()) {
    case Tag::kSeq: return heap_.object(v)->size;
    case Tag::kSet:
    case Tag::kMap: return count(heap_, v);
    default: need(v, Tag::kSeq, "a collection"); return 0;
  }
}

Value Vm::index_of(Op op, Value collection, Value key) {
  if (op == Op::kIndexMap) {
    need(collection, Tag::kMap, "a map");
    if (key.is_null()) fail("R11", "null cannot be a key of a map");
    const auto slot = find_slot(heap_, collection, key);
    if (!slot) fail("R11", fmt::format("the map has no key {}", text(key, TextFor::kTrace)));
    return heap_.object(collection)->items()[*slot + 1];
  }
  need(collection, op == Op::kIndexSeq ? Tag::kSeq : Tag::kSet, op == Op::kIndexSeq ? "a seq" : "a set");
  const auto at = static_cast<std::int32_t>(integer(key));
  const std::uint32_t size = size_of(collection);
  if (at < 0 || static_cast<std::uint32_t>(at) >= size) fail("R13", fmt::format("index {} is out of range: the size is {}", at, size));
  const auto n = static_cast<std::uint32_t>(at);
  return heap_.object(collection)->items()[op == Op::kIndexSeq ? n : nth_slot(heap_, collection, n)];
}

bool Vm::contains(Op op, Value key, Value collection) {
  if (op == Op::kInSeq) {
    need(collection, Tag::kSeq, "a seq");
    for (const Value item : heap_.items(collection))
      if (equal(heap_, item, key)) return true;
    return false;
  }
  need(collection, op == Op::kInMap ? Tag::kMap : Tag::kSet, op == Op::kInMap ? "a map" : "a set");
  if (op == Op::kInMap && key.is_null()) fail("R11", "null cannot be a key of a map");
  return find_slot(heap_, collection, key).has_value();
}

Value Vm::keys_or_values(Op op, Value map) {
  need(map, Tag::kMap, "a map");
  std::vector<Value> items;
  const auto slots = heap_.items(map);
  for (std::size_t i = 0; i < slots.size(); i += 2) {
    if (slots[i].is(Tag::kHole)) continue;
    const Value item = slots[i + (op == Op::kValues ? 1 : 0)];
    if (op == Op::kValues && item.is_null()) fail("R12", "the map has a null value, which 'values' cannot give");
    Heap::share(item);
    items.push_back(item);
  }
  return heap_.make(Tag::kSeq, items);
}

Value Vm::named_item(const Instr& instr, Value tuple) {
  need(tuple, Tag::kNamedTuple, "a named tuple");
  const Object* const o = heap_.object(tuple);
  if (o->extra == instr.x) return o->items()[instr.a];
  const auto& names = world_.code.shapes[o->extra];
  const std::string& name = world_.code.field_names[instr.b];
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return o->items()[i];
  fail("R18", fmt::format("the named tuple {} has no field '{}'", text(tuple, TextFor::kTrace), name));
}

Value Vm::arithmetic(Op op, Value a, Value b) {
  switch (op) {
    case Op::kAddInt: return heap_.integer(wrapped(static_cast<std::uint64_t>(integer(a)) + static_cast<std::uint64_t>(integer(b))));
    case Op::kSubInt: return heap_.integer(wrapped(static_cast<std::uint64_t>(integer(a)) - static_cast<std::uint64_t>(integer(b))));
    case Op::kMulInt: return heap_.integer(wrapped(static_cast<std::uint64_t>(integer(a)) * static_cast<std::uint64_t>(integer(b))));
    case Op::kDivInt:
      if (integer(b) == 0) fail("R14", "division by zero");
      if (integer(a) == kLeast && integer(b) == -1) fail("R14", "the quotient of the least int and -1 is no int");
      return heap_.integer(integer(a) / integer(b));
    case Op::kModInt: {
      const auto x = static_cast<std::int32_t>(integer(a)), y = static_cast<std::int32_t>(integer(b));
      if (y == 0) fail("R14", "modulo by zero");
      if (x == std::numeric_limits<std::int32_t>::min() && y == -1) fail("R14", "the quotient of the least int and -1 is no int");
      return Value::small(x % y);
    }
    case Op::kAddFloat: return heap_.real(real(a) + real(b));
    case Op::kSubFloat: return heap_.real(real(a) - real(b));
    case Op::kMulFloat: return heap_.real(real(a) * real(b));
    case Op::kDivFloat: return heap_.real(real(a) / real(b));
    case Op::kModFloat: return heap_.real(std::fmod(real(a), real(b)));
    default: {
      need(a, Tag::kString, "a string");
      need(b, Tag::kString, "a string");
      return heap_.joined(heap_.text(a), heap_.text(b));
    }
  }
}

bool Vm::less(Op op, Value a, Value b) {
  switch (op) {
    case Op::kLessInt: return integer(a) < integer(b);
    case Op::kLessEqualInt: return integer(a) <= integer(b);
    case Op::kLessFloat: return real(a) < real(b);
    case Op::kLessEqualFloat: return real(a) <= real(b);
    default:
      need(a, Tag::kString, "a string");
      need(b, Tag::kString, "a string");
      return op == Op::kLessString ? heap_.text(a) < heap_.text(b) : heap_.text(a) <= heap_.text(b);
  }
}

}  // namespace tarry::plang
