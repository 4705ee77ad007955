// The table of types, and the rules of assignment.
//
// A type is made once: the key of its kind, parts and names finds it again. So the checker compares addresses first. A type that
// was written as aliases of aliases is a graph with shared parts, whatever the size of the tree it stands for.
#include "plang/sema/types.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "plang/sema/event_sets.h"

namespace tarry::plang {
namespace {

constexpr std::size_t kBasicTypes = static_cast<std::size_t>(TypeKind::kAny) + 1;

void put_number(std::string& key, std::uint64_t number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); }

std::string key_of(const Type& type) {
  std::string key(1, static_cast<char>(type.kind));
  put_number(key, type.parts.size());
  for (const Type* part : type.parts) put_number(key, part->index);
  for (const std::string& name : type.names) key.append(name).push_back(' ');
  put_number(key, reinterpret_cast<std::uintptr_t>(type.enumeration));
  put_number(key, reinterpret_cast<std::uintptr_t>(type.foreign));
  put_number(key, reinterpret_cast<std::uintptr_t>(type.events));
  return key.append(type.name);
}

bool is_data(const Type& type) {
  switch (type.kind) {
    case TypeKind::kMachine:
    case TypeKind::kAny:
    case TypeKind::kForeign: return false;
    case TypeKind::kReference: return type.events->empty();
    default: return std::all_of(type.parts.begin(), type.parts.end(), [](const Type* part) { return part->is_data; });
  }
}

void measure(Type& type) {
  type.is_data = is_data(type);
  std::uint64_t size = 1;
  for (const Type* part : type.parts) {
    type.height = std::max(type.height, part->height + 1);
    size += part->size;
  }
  type.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, kHugeType));
}

}  // namespace

struct TypeTable::Inside {
  std::deque<Type> types;  // their addresses do not change
  std::deque<EventSet> sets;
  std::unordered_map<std::string, const Type*> by_key;
  std::unordered_map<std::string, const EventSet*> sets_by_key;

  const Type* intern(Type type) {
    const auto [at, is_new] = by_key.try_emplace(key_of(type), nullptr);
    if (is_new) {
      type.index = static_cast<std::uint32_t>(types.size());
      measure(type);
      at->second = &types.emplace_back(std::move(type));
    }
    return at->second;
  }
};

TypeTable::TypeTable() : inside_(std::make_unique<Inside>()) {
  for (std::size_t kind = 0; kind < kBasicTypes; ++kind) inside_->intern({.kind = static_cast<TypeKind>(kind)});
}
TypeTable::~TypeTable() = default;
TypeTable::TypeTable(TypeTable&&) noexcept = default;
TypeTable& TypeTable::operator=(TypeTable&&) noexcept = default;

const Type* TypeTable::basic(TypeKind kind) const { return &inside_->types[static_cast<std::size_t>(kind)]; }
const Type* TypeTable::enumeration(const Enum* declaration) {
  return inside_->intern({.kind = TypeKind::kEnum, .enumeration = declaration});
}
const Type* TypeTable::foreign(const TypeDecl* declaration) {
  return inside_->intern({.kind = TypeKind::kForeign, .foreign = declaration});
}
const Type* TypeTable::reference(const EventSet* events, const std::string& name) {
  return inside_->intern({.kind = TypeKind::kReference, .events = events, .name = name});
}
const Type* TypeTable::sequence(const Type* element) { return inside_->intern({.kind = TypeKind::kSeq, .parts = {element}}); }
const Type* TypeTable::set(const Type* element) { return inside_->intern({.kind = TypeKind::kSet, .parts = {element}}); }
const Type* TypeTable::map(const Type* key, const Type* value) {
  return inside_->intern({.kind = TypeKind::kMap, .parts = {key, value}});
}
const Type* TypeTable::tuple(std::vector<const Type*> parts) {
  return inside_->intern({.kind = TypeKind::kTuple, .parts = std::move(parts)});
}
const Type* TypeTable::named_tuple(std::vector<const Type*> parts, std::vector<std::string> names) {
  return inside_->intern({.kind = TypeKind::kNamedTuple, .parts = std::move(parts), .names = std::move(names)});
}

const EventSet* TypeTable::events(EventSet set) {
  while (!set.bits.empty() && set.bits.back() == 0) set.bits.pop_back();
  std::string key(reinterpret_cast<const char*>(set.bits.data()), set.bits.size() * sizeof(std::uint64_t));
  const auto [at, is_new] = inside_->sets_by_key.try_emplace(std::move(key), nullptr);
  if (is_new) at->second = &inside_->sets.emplace_back(std::move(set));
  return at->second;
}

std::uint32_t TypeTable::size() const { return static_cast<std::uint32_t>(inside_->types.size()); }
const Type& TypeTable::at(std::uint32_t index) const { return inside_->types[index]; }

namespace {

bool parts_assignable(const Type* target, const Type* source) {
  if (target->parts.size() != source->parts.size() || target->names != source->names) return false;
  for (std::size_t i = 0; i < target->parts.size(); ++i) {
    if (!assignable(target->parts[i], source->parts[i])) return false;
  }
  return true;
}

}  // namespace

bool assignable(const Type* target, const Type* source) {
  if (target == source || target->kind == TypeKind::kError || source->kind == TypeKind::kError) return true;
  switch (target->kind) {
    case TypeKind::kAny: return true;
    case TypeKind::kData: return source->is_data;
    case TypeKind::kMachine: return source->kind == TypeKind::kNull || source->kind == TypeKind::kReference;
    case TypeKind::kEvent: return source->kind == TypeKind::kNull;
    case TypeKind::kReference: return source->kind == TypeKind::kReference && source->events == target->events;
    case TypeKind::kSeq:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kTuple:
    case TypeKind::kNamedTuple: return source->kind == target->kind && parts_assignable(target, source);
    default: return false;  // equal types are one object
  }
}

bool same_type(const Type* a, const Type* b) { return a == b || (assignable(a, b) && assignable(b, a)); }

const EventSet* permissions(const Type* type, TypeTable& table) {
  switch (type->kind) {
    case TypeKind::kMachine:
    case TypeKind::kAny:
    case TypeKind::kForeign: return nullptr;
    case TypeKind::kReference: return type->events;
    default: break;
  }
  EventSet all;
  for (const Type* part : type->parts) {
    const EventSet* of_part = permissions(part, table);
    if (of_part == nullptr) return nullptr;
    add_events(all, *of_part);
  }
  return table.events(std::move(all));
}

namespace {

/// Longer texts are cut, because they do not help.
constexpr std::size_t kLongestText = 300;

void write_type(const Type* type, std::string& out);

void write_parts(const Type* type, std::string& out) {
  for (std::size_t i = 0; i < type->parts.size(); ++i) {
    if (i > 0) out += ", ";
    if (out.size() > kLongestText) {
      out += "...";
      return;
    }
    if (!type->names.empty()) out.append(type->names[i]).append(": ");
    write_type(type->parts[i], out);
  }
}

std::string_view word_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kError: return "(error)";
    case TypeKind::kNull: return "(no value)";
    case TypeKind::kBool: return "bool";
    case TypeKind::kInt: return "int";
    case TypeKind::kFloat: return "float";
    case TypeKind::kString: return "string";
    case TypeKind::kEvent: return "event";
    case TypeKind::kMachine: return "machine";
    case TypeKind::kData: return "data";
    case TypeKind::kAny: return "any";
    case TypeKind::kSeq: return "seq";
    case TypeKind::kSet: return "set";
    case TypeKind::kMap: return "map";
    default: return "";
  }
}

void write_type(const Type* type, std::string& out) {
  switch (type->kind) {
    case TypeKind::kEnum: out += type->enumeration->name.text; return;
    case TypeKind::kForeign: out += type->foreign->name.text; return;
    case TypeKind::kReference: out += type->name; return;
    default: break;
  }
  out += word_of(type->kind);
  if (type->parts.empty()) return;
  const bool is_tuple = type->kind == TypeKind::kTuple || type->kind == TypeKind::kNamedTuple;
  out += is_tuple ? '(' : '[';
  write_parts(type, out);
  out += is_tuple ? ')' : ']';
}

}  // namespace

std::string type_text(const Type* type) {
  std::string out;
  write_type(type, out);
  return out;
}

}  // namespace tarry::plang
