#include "plang/foreign/transfer.h"

#include <fmt/format.h>
#include <tarry/detail/foreign_wire.h>

#include <algorithm>
#include <numeric>

namespace tarry::plang {
namespace {

using Kind = abi::ForeignKind;
using p::detail::Reader;
using p::detail::Writer;

// ---- Encoding.

class Encoder {
 public:
  Encoder(const Heap& heap, const World& world) : heap_(heap), world_(world) {}

  void value(Value v, unsigned depth = 0) {
    if (depth > kMaxValueDepth) throw HeapFull{HeapFull::Why::kNesting};
    switch (v.tag()) {
      case Tag::kNull:
      case Tag::kHole: return out_.kind(Kind::kNull);
      case Tag::kBool: out_.kind(Kind::kBool); return out_.byte(v.truth() ? 1 : 0);
      case Tag::kInt:
      case Tag::kBigInt: out_.kind(Kind::kInt); return out_.wide(static_cast<std::uint64_t>(heap_.integer_of(v)));
      case Tag::kFloat: out_.kind(Kind::kFloat); return out_.real(heap_.real_of(v));
      case Tag::kString: out_.kind(Kind::kString); return out_.text(heap_.text(v));
      case Tag::kEvent: out_.kind(Kind::kEvent); return out_.text(world_.event(v.event_number()));
      case Tag::kMachine: return machine(v);
      case Tag::kSeq: return items(Kind::kSeq, v, 1, depth);
      case Tag::kSet: return items(Kind::kSet, v, 1, depth);
      case Tag::kMap: return items(Kind::kMap, v, 2, depth);
      case Tag::kTuple: return items(Kind::kTuple, v, 1, depth);
      case Tag::kNamedTuple: return named_tuple(v, depth);
      case Tag::kForeign:
        out_.kind(Kind::kForeign);
        out_.text(world_.code.types[heap_.object(v)->extra].text);
        return out_.text(heap_.text(v));
    }
  }
  std::string take() { return out_.take(); }

 private:
  void items(Kind kind, Value v, std::size_t step, unsigned depth) {
    const auto all = heap_.items(v);
    std::vector<Value> taken;
    for (std::size_t i = 0; i < all.size(); i += step)
      if (!all[i].is(Tag::kHole)) taken.insert(taken.end(), all.begin() + static_cast<std::ptrdiff_t>(i), all.begin() + static_cast<std::ptrdiff_t>(i + step));
    out_.kind(kind);
    out_.size(taken.size() / step);
    for (const Value item : taken) value(item, depth + 1);
  }

  void named_tuple(Value v, unsigned depth) {
    const auto& names = world_.shape(heap_.object(v)->extra);
    out_.kind(Kind::kNamedTuple);
    out_.size(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      out_.text(names[i]);
      value(heap_.items(v)[i], depth + 1);
    }
  }

  /// Writes a machine by its ancestors, because slots differ between a search and a replay.
  void machine(Value v) {
    std::vector<Identities::Identity> way;
    for (std::uint32_t slot = v.slot(); slot != kNone; slot = way.back().parent) way.push_back(world_.identities.identity(slot));
    out_.kind(Kind::kMachine);
    out_.number(v.permissions());
    out_.size(way.size());
    for (auto step = way.rbegin(); step != way.rend(); ++step) {
      out_.number(step->nth);
      out_.number(step->interface);
    }
  }

  const Heap& heap_;
  const World& world_;
  Writer out_;
};

// ---- Decoding.

const char* text_of(Kind kind) {
  static constexpr const char* kTexts[] = {"null",  "a bool", "an int", "a float", "a string",      "an event",       "a machine",
                                           "a seq", "a set",  "a map",  "a tuple", "a named tuple", "a foreign value"};
  return kTexts[static_cast<std::size_t>(kind)];
}

bool takes_any_kind(const Type* type) {
  return type == nullptr || type->kind == TypeKind::kAny || type->kind == TypeKind::kData || type->kind == TypeKind::kError;
}

/// Returns whether a value of this kind may have the declared type.
bool fits(Kind kind, const Type* type) {
  if (takes_any_kind(type)) return true;
  switch (type->kind) {
    case TypeKind::kNull: return kind == Kind::kNull;
    case TypeKind::kBool: return kind == Kind::kBool;
    case TypeKind::kInt:
    case TypeKind::kEnum: return kind == Kind::kInt;
    case TypeKind::kFloat: return kind == Kind::kFloat;
    case TypeKind::kString: return kind == Kind::kString;
    case TypeKind::kEvent: return kind == Kind::kNull || kind == Kind::kEvent;
    case TypeKind::kMachine:
    case TypeKind::kReference: return kind == Kind::kNull || kind == Kind::kMachine;
    case TypeKind::kForeign: return kind == Kind::kNull || kind == Kind::kForeign;
    case TypeKind::kSeq: return kind == Kind::kSeq;
    case TypeKind::kSet: return kind == Kind::kSet;
    case TypeKind::kMap: return kind == Kind::kMap;
    case TypeKind::kTuple: return kind == Kind::kTuple;
    case TypeKind::kNamedTuple: return kind == Kind::kNamedTuple || kind == Kind::kTuple;  // a std::tuple: by position
    default: return false;
  }
}

class Decoder {
 public:
  Decoder(std::string_view bytes, Heap& heap, const World& world, const TransferTables& tables)
      : in_(bytes), heap_(heap), world_(world), tables_(tables) {}

  Value all(const Type* type) {
    const Value v = value(type, 0);
    if (!in_.at_end()) throw WrongResult("the result has more bytes than its value: build the object again");
    return v;
  }

 private:
  Value value(const Type* type, unsigned depth) {
    if (depth > kMaxValueDepth) throw HeapFull{HeapFull::Why::kNesting};
    const Kind kind = in_.kind();
    if (!fits(kind, type)) {
      if (type->kind == TypeKind::kNull) throw WrongResult(fmt::format("the result is {}, but the function is declared without one", text_of(kind)));
      throw WrongResult(fmt::format("{} is {}, where '{}' is declared", depth == 0 ? "the result" : "a value in the result", text_of(kind), type_text(type)));
    }
    switch (kind) {
      case Kind::kNull: return Value::null();
      case Kind::kBool: return Value::boolean(in_.byte() != 0);
      case Kind::kInt: return integer(type);
      case Kind::kFloat: return heap_.real(in_.real());
      case Kind::kString: return heap_.string(in_.text());
      case Kind::kEvent: return event();
      case Kind::kMachine: return machine(type);
      case Kind::kSeq: return heap_.make(Tag::kSeq, items(part(type, 0), part(type, 0), 1, depth));
      case Kind::kSet: return keyed(Tag::kSet, type, depth);
      case Kind::kMap: return keyed(Tag::kMap, type, depth);
      case Kind::kTuple: return tuple(type, depth);
      case Kind::kNamedTuple: return named_tuple(type, depth);
      case Kind::kForeign: return foreign(type);
    }
    return Value::null();
  }

  /// Returns the type of a part: parts of `data` are data; parts of `any` may be anything.
  static const Type* part(const Type* type, std::size_t i) { return takes_any_kind(type) ? type : type->parts[i]; }

  Value integer(const Type* type) {
    const auto n = static_cast<std::int64_t>(in_.wide());
    if (!takes_any_kind(type) && type->kind == TypeKind::kEnum) {
      const auto& elements = type->enumeration->elements;
      if (std::none_of(elements.begin(), elements.end(), [&](const auto& e) { return e->number == n; }))
        throw WrongResult(fmt::format("{} is the number of no element of enum '{}'", n, type->enumeration->name.text));
    }
    return heap_.integer(n);
  }

  Value event() {
    const std::string_view name = in_.text();
    const auto found = tables_.events.find(name);
    if (found == tables_.events.end()) throw WrongResult(fmt::format("there is no event '{}'", name));
    return Value::event(found->second);
  }

  Value machine(const Type* type) {
    const std::uint32_t permissions = in_.number();
    std::uint32_t slot = kNone;
    const std::uint32_t ancestors = in_.number();
    bool known = ancestors > 0;
    for (std::uint32_t i = 0; i < ancestors; ++i) {
      const std::uint32_t nth = in_.number(), interface = in_.number();
      if (known) slot = world_.identities.find(slot, nth, interface);
      known = known && slot != kNone;
    }
    if (!known || permissions >= tables_.code.permissions.size()) throw WrongResult("a machine in the result is none of the program's");
    if (type != nullptr && type->kind == TypeKind::kData) throw WrongResult("a machine is in the result, where 'data' is declared");
    if (type != nullptr && type->kind == TypeKind::kReference && !tables_.code.permissions[permissions]->includes(*type->events))
      throw WrongResult(fmt::format("the reference to a machine does not permit all events of '{}'", type_text(type)));
    return Value::machine(slot, permissions);
  }

  /// Reads `count` times `step` items, of types a and b in turn.
  std::vector<Value> items(const Type* a, const Type* b, std::size_t step, unsigned depth) {
    const std::size_t count = std::size_t{in_.number()} * step;
    if (count > in_.rest().size()) throw WrongResult("the result is cut short: build the object again");
    std::vector<Value> out;
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i) out.push_back(value(i % step == 0 ? a : b, depth + 1));
    return out;
  }

  Value keyed(Tag tag, const Type* type, unsigned depth) {
    const std::size_t step = tag == Tag::kMap ? 2 : 1;
    const std::vector<Value> given = items(part(type, 0), part(type, step - 1), step, depth);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < given.size(); i += step) {
      if (tag == Tag::kMap && given[i].is_null()) throw WrongResult("null cannot be a key of a map");
      order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return compare(heap_, given[a], given[b]) < 0; });
    if (std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return equal(heap_, given[a], given[b]); }) != order.end())
      throw WrongResult(tag == Tag::kMap ? "a map in the result has a key twice" : "a set in the result has an element twice");
    if (tables_.of(takes_any_kind(type) ? nullptr : type, tag == Tag::kMap ? TypeKind::kMap : TypeKind::kSet) == Keeping::kSlots) return heap_.make(tag, given);
    std::vector<Value> sorted;
    for (const std::size_t i : order) sorted.insert(sorted.end(), given.begin() + static_cast<std::ptrdiff_t>(i), given.begin() + static_cast<std::ptrdiff_t>(i + step));
    return heap_.make(tag, sorted);
  }

  Value tuple(const Type* type, unsigned depth) {
    const std::uint32_t count = in_.number();
    if (!takes_any_kind(type) && count != type->parts.size())
      throw WrongResult(fmt::format("a tuple has {} items, where '{}' is declared", count, type_text(type)));
    std::vector<Value> out;
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(value(part(type, i), depth + 1));
    if (!takes_any_kind(type) && type->kind == TypeKind::kNamedTuple) return heap_.make(Tag::kNamedTuple, out, tables_.shapes[type->index]);
    return heap_.make(Tag::kTuple, out);
  }

  Value named_tuple(const Type* type, unsigned depth) {
    const std::uint32_t count = in_.number();
    if (!takes_any_kind(type) && count != type->names.size())
      throw WrongResult(fmt::format("a named tuple has {} fields, where '{}' is declared", count, type_text(type)));
    std::vector<std::string> names;
    std::vector<Value> out;
    std::vector<bool> seen(count);
    if (!takes_any_kind(type)) out.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string_view name = in_.text();
      if (takes_any_kind(type)) {
        names.emplace_back(name);
        out.push_back(value(type, depth + 1));
        continue;
      }
      const auto at = static_cast<std::size_t>(std::find(type->names.begin(), type->names.end(), name) - type->names.begin());
      if (at == count || seen[at])
        throw WrongResult(fmt::format("a named tuple has field '{}'{}, where '{}' is declared", name, at == count ? "" : " twice", type_text(type)));
      seen[at] = true;
      out[at] = value(type->parts[at], depth + 1);
    }
    if (!takes_any_kind(type)) return heap_.make(Tag::kNamedTuple, out, tables_.shapes[type->index]);
    const auto shape = std::find(tables_.code.shapes.begin(), tables_.code.shapes.end(), names);
    if (shape == tables_.code.shapes.end()) throw WrongResult(fmt::format("the program has no named tuple ({})", fmt::join(names, ", ")));
    return heap_.make(Tag::kNamedTuple, out, static_cast<std::uint32_t>(shape - tables_.code.shapes.begin()));
  }

  Value foreign(const Type* type) {
    const std::string_view name = in_.text();
    const auto found = tables_.foreign_types.find(name);
    if (found == tables_.foreign_types.end()) throw WrongResult(fmt::format("the program has no foreign type '{}'", name));
    if (!takes_any_kind(type) && found->second != type) throw WrongResult(fmt::format("a '{}' is in the result, where '{}' is declared", name, type_text(type)));
    if (type != nullptr && type->kind == TypeKind::kData) throw WrongResult(fmt::format("a '{}' is in the result, where 'data' is declared", name));
    return heap_.bytes(Tag::kForeign, in_.text(), found->second->index);
  }

  Reader in_;
  Heap& heap_;
  const World& world_;
  const TransferTables& tables_;
};

}  // namespace

TransferTables::TransferTables(Code& of) : code(of), shapes(of.program->types.size()), orders_(*of.program) {
  const CheckedProgram& program = *of.program;
  for (const Event* event : program.events)
    if (event->index != kNullEvent) events.emplace(event->name.text, event->index);
  for (std::uint32_t i = 0; i < program.types.size(); ++i) {
    const Type& type = program.types.at(i);
    if (type.kind == TypeKind::kForeign) foreign_types.emplace(type.foreign->name.text, &type);
    if (type.kind == TypeKind::kNamedTuple) shapes[i] = shape_number(type.names, of);
    if (type.kind == TypeKind::kSet && orders_.of(&type) == Keeping::kSlots) observes_sets_ = true;
    if (type.kind == TypeKind::kMap && orders_.of(&type) == Keeping::kSlots) observes_maps_ = true;
  }
}

Keeping TransferTables::of(const Type* type, TypeKind kind) const {
  if (type != nullptr) return orders_.of(type);
  return (kind == TypeKind::kSet ? observes_sets_ : observes_maps_) ? Keeping::kSlots : Keeping::kSorted;
}

std::string encode(std::span<const Value> values, const Heap& heap, const World& world) {
  Encoder encoder(heap, world);
  for (const Value v : values) encoder.value(v);
  return encoder.take();
}

Value decode(std::string_view bytes, const Type* type, Heap& heap, const World& world, const TransferTables& tables) {
  try {
    return Decoder(bytes, heap, world, tables).all(type);
  } catch (const p::Mismatch& e) {
    throw WrongResult(e.what());
  }
}

}  // namespace tarry::plang
