// Changing what a variable holds, somewhere inside: x.f[i] = v, x[k] += (v), …
//
// Each object on the way is made the variable's own first (Heap::own), so that no other variable sees the change.
#include <fmt/format.h>

#include "plang/vm/vm.h"

namespace tarry::plang {

/// The place that the first `parts` parts of the path lead to.
Value& Vm::walk(const Path& path, Value& root, std::span<const Value> operands, std::size_t parts) {
  Value* at = &root;
  for (std::size_t i = 0; i < parts; ++i) {
    const Path::Part& part = path.parts[i];
    std::uint32_t position = part.number;
    switch (part.step) {
      case Path::Step::kItem:
        need(*at, Tag::kTuple, "a tuple");
        if (position >= heap_.object(*at)->size) fail("R18", fmt::format("the tuple has no field {}", position));
        break;
      case Path::Step::kNamedItem: {
        need(*at, Tag::kNamedTuple, "a named tuple");
        const std::uint32_t shape = heap_.object(*at)->extra;
        if (shape == part.shape) break;
        const auto& names = world_.code.shapes[shape];
        const std::string& name = world_.code.field_names[part.name];
        for (position = 0; position < names.size() && names[position] != name;) ++position;
        if (position == names.size()) fail("R18", fmt::format("the named tuple {} has no field '{}'", text(*at, TextFor::kTrace), name));
        break;
      }
      case Path::Step::kSeq: {
        need(*at, Tag::kSeq, "a seq");
        const auto index = static_cast<std::int32_t>(integer(operands[part.number]));
        const std::uint32_t size = heap_.object(*at)->size;
        if (index < 0 || static_cast<std::uint32_t>(index) >= size) fail("R13", fmt::format("index {} is out of range: the size is {}", index, size));
        position = static_cast<std::uint32_t>(index);
        break;
      }
      case Path::Step::kMap: {
        need(*at, Tag::kMap, "a map");
        const Value key = operands[part.number];
        if (key.is_null()) fail("R11", "null cannot be a key of a map");
        const auto slot = find_slot(heap_, *at, key);
        if (!slot) fail("R11", fmt::format("the map has no key {}", text(key, TextFor::kTrace)));
        position = *slot + 1;
        break;
      }
    }
    at = &heap_.own(*at)->items()[position];
  }
  return *at;
}

void Vm::change_seq(Op op, Value& seq, Value index, Value value) {
  need(seq, Tag::kSeq, "a seq");
  const auto at = static_cast<std::int32_t>(integer(index));
  const std::uint32_t size = heap_.object(seq)->size;
  const bool inserts = op == Op::kInsertSeq;
  if (at < 0 || static_cast<std::uint32_t>(at) > size || (!inserts && static_cast<std::uint32_t>(at) == size))
    fail("R13", fmt::format("index {} is out of range: the size is {}", at, size));
  const auto n = static_cast<std::uint32_t>(at);
  Object* const o = heap_.own(seq, inserts ? 1 : 0);
  if (inserts) {
    std::memmove(o->items() + n + 1, o->items() + n, (size - n) * sizeof(Value));
    o->items()[n] = value;
    ++o->size;
  } else {
    std::memmove(o->items() + n, o->items() + n + 1, (size - n - 1) * sizeof(Value));
    --o->size;
  }
}

void Vm::change(const Instr& instr) {
  const Path& path = world_.code.paths[instr.a];
  const std::size_t first = m_.stack.size() - path.operands;
  const std::span<const Value> operands(m_.stack.data() + first, path.operands);
  Value& root = path.root == Path::Root::kLocal ? m_.stack[m_.frames.back().base + path.variable] : m_.fields[path.variable];
  const Value key = operands[path.key], value = operands[path.value];
  const bool assigns_entry = instr.op == Op::kAssign && path.parts.back().step == Path::Step::kMap;
  Value& place = walk(path, root, operands, path.parts.size() - (assigns_entry ? 1 : 0));
  switch (instr.op) {
    case Op::kAssign:
      if (!assigns_entry) {
        place = value;
        break;
      }
      {
        need(place, Tag::kMap, "a map");
        const Value entry = operands[path.parts.back().number];
        if (entry.is_null()) fail("R11", "null cannot be a key of a map");
        if (const auto slot = find_slot(heap_, place, entry)) heap_.own(place)->items()[*slot + 1] = value;
        else map_add(heap_, place, entry, value, path.keeping);
      }
      break;
    case Op::kInsertMap:
      need(place, Tag::kMap, "a map");
      if (key.is_null()) fail("R11", "null cannot be a key of a map");
      if (find_slot(heap_, place, key)) fail("R11", fmt::format("the map has the key {} already", text(key, TextFor::kTrace)));
      map_add(heap_, place, key, value, path.keeping);
      break;
    case Op::kAddSet:
      need(place, Tag::kSet, "a set");
      if (value.is_null()) fail("R12", "null cannot be in a set");
      set_add(heap_, place, value, path.keeping);
      break;
    case Op::kRemoveMap:
      need(place, Tag::kMap, "a map");
      if (value.is_null()) fail("R11", "null cannot be a key of a map");
      remove_key(heap_, place, value, path.keeping);
      break;
    case Op::kRemoveSet:
      need(place, Tag::kSet, "a set");
      remove_key(heap_, place, value, path.keeping);
      break;
    default: change_seq(instr.op, place, key, value); break;
  }
  m_.stack.resize(first);
}

}  // namespace tarry::plang
