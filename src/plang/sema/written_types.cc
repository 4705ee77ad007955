// Turns written types into types of the table, and resolves aliases.
//
// Aliases are resolved in the order of their dependencies. So resolving a name never recurses into another declaration, and a
// cycle is found before anything is built.
#include "plang/sema/written_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "plang/sema/dependency_order.h"
#include "plang/sema/event_sets.h"

namespace tarry::plang {
namespace {

/// Limit on the size of types: larger ones are not written by hand, and their defaults would fill the memory.
constexpr std::uint32_t kMostTypeNodes = 10'000;

const Type* resolve_part(const SemaContext& context, const TypeExpr& written);

const Type* resolve_name(const SemaContext& context, const Name& name) {
  const GlobalNames& global = context.global;
  TypeTable& types = context.types();
  if (const Enum* found = global.enums.find(name.text)) return types.enumeration(found);
  if (const TypeDecl* found = global.types.find(name.text)) return found->type != nullptr ? found->type : context.poison();
  if (const EventSetDecl* found = global.event_sets.find(name.text)) return types.reference(found->set, name.text);
  if (const Interface* found = global.interfaces.find(name.text)) return types.reference(found->receive_set, name.text);
  if (const Machine* found = global.machines.find(name.text)) return types.reference(found->receive_set, name.text);
  if (const Event* found = global.events.find(name.text)) {
    EventSet only;
    add_event(only, found->index);
    return types.reference(types.events(std::move(only)), name.text);
  }
  if (const std::string_view word = type_word_for(name.text); !word.empty() && !other_meaning(name.text, global, nullptr)) {
    context.error("E07", name.place, fmt::format("no type is named '{}'; did you mean '{}'?", name.text, word));
    return context.poison();
  }
  context.not_found(name, "type", nullptr, Words(kTypeWords), global.enums, global.types, global.event_sets, global.interfaces, global.events);
  return context.poison();
}

const Type* resolve_named_tuple(const SemaContext& context, const TypeExpr& written) {
  const bool repeats = report_repeated_fields(context, written.names);
  std::vector<const Type*> parts;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < written.parts.size(); ++i) {
    parts.push_back(resolve_part(context, *written.parts[i]));
    names.push_back(written.names[i].text);
  }
  return repeats ? context.poison() : context.types().named_tuple(std::move(parts), std::move(names));
}

const Type* resolve_tuple(const SemaContext& context, const TypeExpr& written) {
  std::vector<const Type*> parts;
  for (const auto& part : written.parts) parts.push_back(resolve_part(context, *part));
  return context.types().tuple(std::move(parts));
}

const Type* resolve_part(const SemaContext& context, const TypeExpr& written) {
  TypeTable& types = context.types();
  switch (written.kind) {
    case TypeSyntax::kSeq: return types.sequence(resolve_part(context, *written.parts[0]));
    case TypeSyntax::kSet: return types.set(resolve_part(context, *written.parts[0]));
    case TypeSyntax::kMap: {
      const Type* key = resolve_part(context, *written.parts[0]);
      return types.map(key, resolve_part(context, *written.parts[1]));
    }
    case TypeSyntax::kTuple: return resolve_tuple(context, written);
    case TypeSyntax::kNamedTuple: return resolve_named_tuple(context, written);
    case TypeSyntax::kBool: return types.basic(TypeKind::kBool);
    case TypeSyntax::kInt: return types.basic(TypeKind::kInt);
    case TypeSyntax::kFloat: return types.basic(TypeKind::kFloat);
    case TypeSyntax::kString: return types.basic(TypeKind::kString);
    case TypeSyntax::kEvent: return types.basic(TypeKind::kEvent);
    case TypeSyntax::kMachine: return types.basic(TypeKind::kMachine);
    case TypeSyntax::kData: return types.basic(TypeKind::kData);
    case TypeSyntax::kAny: return types.basic(TypeKind::kAny);
    case TypeSyntax::kNamed: return resolve_name(context, written.name);
  }
  return context.poison();
}

void collect_aliases(const SemaContext& context, const TypeExpr& written,
                     const std::unordered_map<const TypeDecl*, std::uint32_t>& numbers, std::vector<std::uint32_t>& out) {
  if (written.kind == TypeSyntax::kNamed && context.global.enums.find(written.name.text) == nullptr) {
    const auto at = numbers.find(context.global.types.find(written.name.text));
    if (at != numbers.end()) out.push_back(at->second);
  }
  for (const auto& part : written.parts) collect_aliases(context, *part, numbers, out);
}

void report_alias_cycle(const SemaContext& context, std::vector<TypeDecl*> cycle) {
  const auto earlier = [](const TypeDecl* a, const TypeDecl* b) {
    return std::tie(a->name.place.file, a->name.place.offset) < std::tie(b->name.place.file, b->name.place.offset);
  };
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end(), earlier), cycle.end());
  std::vector<Note> notes;
  for (std::size_t i = 1; i < std::min<std::size_t>(cycle.size(), 6); ++i)
    notes.push_back({cycle[i]->name.place, fmt::format("'{}' is a part of the circle", cycle[i]->name.text)});
  context.error("E08", cycle[0]->name.place,
                fmt::format("type '{}' is defined by itself; P has no recursive types", cycle[0]->name.text), std::move(notes));
}

}  // namespace

bool report_repeated_fields(const SemaContext& context, const std::vector<Name>& names) {
  std::unordered_map<std::string_view, Place> seen;
  bool repeats = false;
  for (const Name& name : names) {
    const auto [at, is_new] = seen.try_emplace(name.text, name.place);
    if (is_new) continue;
    repeats = true;
    context.error("E09", name.place, fmt::format("field '{}' is there already; give it another name", name.text),
                  {{at->second, fmt::format("the first '{}' is here", name.text)}});
  }
  return repeats;
}

const Type* SemaContext::resolve(const TypeExpr& written) const {
  const Type* type = resolve_part(*this, written);
  if (type->height <= kMaxHeight && type->size <= kMostTypeNodes) return type;
  error("E08", written.place,
        fmt::format("this type is too large with its aliases written out: at most {} parts, nested at most {} deep",
                    kMostTypeNodes, kMaxHeight));
  return poison();
}

void resolve_aliases(SemaContext& context) {
  std::vector<TypeDecl*> aliases;
  std::unordered_map<const TypeDecl*, std::uint32_t> numbers;
  for (const auto& type : context.program.tree.types) {
    if (type->written == nullptr) {
      type->type = context.types().foreign(type.get());
      continue;
    }
    numbers.emplace(type.get(), static_cast<std::uint32_t>(aliases.size()));
    aliases.push_back(type.get());
  }
  std::vector<std::vector<std::uint32_t>> needs(aliases.size());
  for (std::size_t i = 0; i < aliases.size(); ++i) collect_aliases(context, *aliases[i]->written, numbers, needs[i]);
  const DependencyOrder found = order_by_dependency(needs);
  for (const auto& cycle : found.cycles) {
    std::vector<TypeDecl*> members;
    for (const std::uint32_t member : cycle) members.push_back(aliases[member]);
    for (TypeDecl* member : members) member->type = context.poison();
    report_alias_cycle(context, std::move(members));
  }
  for (const std::uint32_t alias : found.order) {
    const Type* type = context.resolve(*aliases[alias]->written);  // also reports other errors in a cycle
    if (aliases[alias]->type == nullptr) aliases[alias]->type = type;
  }
}

}  // namespace tarry::plang
