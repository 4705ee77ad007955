#include "tests/support/p_reference/values.h"

#include <algorithm>

#include "base/assert.h"

namespace tarry::plang::reference {

std::size_t Slots::size() const { return order().size(); }

std::optional<std::size_t> Slots::find(const Value& value) const {
  for (const std::size_t slot : order()) {
    if (equal(items_[slot], value)) return slot;
  }
  return std::nullopt;
}

std::size_t Slots::insert(Value value) {
  if (free_.empty()) {
    items_.push_back(std::move(value));
    used_.push_back(true);
    return items_.size() - 1;
  }
  const std::size_t slot = free_.back();
  free_.pop_back();
  items_[slot] = std::move(value);
  used_[slot] = true;
  return slot;
}

void Slots::erase(std::size_t slot) {
  items_[slot] = Value{};
  used_[slot] = false;
  free_.push_back(slot);
}

std::vector<std::size_t> Slots::order() const {
  std::vector<std::size_t> out;
  for (std::size_t slot = 0; slot < items_.size(); ++slot) {
    if (used_[slot]) out.push_back(slot);
  }
  return out;
}

const Value& Slots::at(std::size_t slot) const {
  TARRY_ASSERT(used_[slot]);
  return items_[slot];
}

void Map::insert(Value key, Value value) {
  const std::size_t slot = keys.insert(std::move(key));
  if (slot >= values.size()) values.resize(slot + 1);
  values[slot] = std::move(value);
}

std::optional<Values> elements_of(const Value& value) {
  if (const Seq* seq = value.get<Seq>()) return seq->items;
  const Slots* slots = nullptr;
  if (const Set* set = value.get<Set>()) slots = &set->elements;
  if (const Map* map = value.get<Map>()) slots = &map->keys;
  if (slots == nullptr) return std::nullopt;
  Values out;
  for (const std::size_t slot : slots->order()) out.push_back(slots->at(slot));
  return out;
}

Values values_of(const Map& map) {
  Values out;
  for (const std::size_t slot : map.keys.order()) out.push_back(map.values[slot]);
  return out;
}

namespace {

Values copy_all(const Values& values) {
  Values out;
  for (const Value& v : values) out.push_back(copy(v));
  return out;
}

bool all_equal(const Values& a, const Values& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Value& x, const Value& y) { return equal(x, y); });
}

bool same_set(const Slots& a, const Slots& b) {
  if (a.size() != b.size()) return false;
  const std::vector<std::size_t> order = a.order();
  return std::all_of(order.begin(), order.end(), [&](std::size_t slot) { return b.find(a.at(slot)).has_value(); });
}

bool same_map(const Map& a, const Map& b) {
  if (!same_set(a.keys, b.keys)) return false;
  const std::vector<std::size_t> order = a.keys.order();
  return std::all_of(order.begin(), order.end(),
                     [&](std::size_t slot) { return equal(a.values[slot], b.values[*b.keys.find(a.keys.at(slot))]); });
}

}  // namespace

Value copy(const Value& value) {
  if (const Seq* seq = value.get<Seq>()) return {Seq{copy_all(seq->items)}};
  if (const Tuple* tuple = value.get<Tuple>()) return {Tuple{copy_all(tuple->fields)}};
  if (const NamedTuple* tuple = value.get<NamedTuple>()) return {NamedTuple{tuple->names, copy_all(tuple->fields)}};
  if (const Set* set = value.get<Set>()) {
    Set out;
    for (const std::size_t slot : set->elements.order()) out.elements.insert(copy(set->elements.at(slot)));
    return {std::move(out)};
  }
  if (const Map* map = value.get<Map>()) {
    Map out;
    for (const std::size_t slot : map->keys.order()) out.insert(copy(map->keys.at(slot)), copy(map->values[slot]));
    return {std::move(out)};
  }
  return value;
}

bool equal(const Value& a, const Value& b) {
  if (a.is.index() != b.is.index()) return false;
  if (a.is_null()) return true;
  if (const bool* v = a.get<bool>()) return *v == *b.get<bool>();
  if (const std::int64_t* v = a.get<std::int64_t>()) return *v == *b.get<std::int64_t>();
  if (const double* v = a.get<double>()) return *v == *b.get<double>();
  if (const std::string* v = a.get<std::string>()) return *v == *b.get<std::string>();
  if (const Event* const* v = a.get<const Event*>()) return *v == *b.get<const Event*>();
  if (const Reference* v = a.get<Reference>()) return v->id == b.get<Reference>()->id;
  if (const Seq* v = a.get<Seq>()) return all_equal(v->items, b.get<Seq>()->items);
  if (const Set* v = a.get<Set>()) return same_set(v->elements, b.get<Set>()->elements);
  if (const Map* v = a.get<Map>()) return same_map(*v, *b.get<Map>());
  if (const Tuple* v = a.get<Tuple>()) return all_equal(v->fields, b.get<Tuple>()->fields);
  const NamedTuple& x = *a.get<NamedTuple>();
  const NamedTuple& y = *b.get<NamedTuple>();
  return x.names == y.names && all_equal(x.fields, y.fields);
}

namespace {

Values defaults(const std::vector<const Type*>& types) {
  Values out;
  for (const Type* type : types) out.push_back(default_of(*type));
  return out;
}

std::int64_t smallest_number(const Enum& enumeration) {
  std::int64_t out = enumeration.elements.front()->number;
  for (const auto& element : enumeration.elements) out = std::min(out, element->number);
  return out;
}

}  // namespace

Value default_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBool: return {false};
    case TypeKind::kInt: return {std::int64_t{0}};
    case TypeKind::kFloat: return {0.0};
    case TypeKind::kString: return {std::string()};
    case TypeKind::kEnum: return {smallest_number(*type.enumeration)};
    case TypeKind::kSeq: return {Seq{}};
    case TypeKind::kSet: return {Set{}};
    case TypeKind::kMap: return {Map{}};
    case TypeKind::kTuple: return {Tuple{defaults(type.parts)}};
    case TypeKind::kNamedTuple: return {NamedTuple{type.names, defaults(type.parts)}};
    case TypeKind::kError:
    case TypeKind::kNull:
    case TypeKind::kEvent:
    case TypeKind::kMachine:
    case TypeKind::kData:
    case TypeKind::kAny:
    case TypeKind::kForeign:
    case TypeKind::kReference: return {Null{}};
  }
  return {Null{}};
}

bool fits(const Value& value, const Type& type) {
  switch (type.kind) {
    case TypeKind::kBool: return value.get<bool>() != nullptr;
    case TypeKind::kInt:
    case TypeKind::kEnum: return value.get<std::int64_t>() != nullptr;
    case TypeKind::kFloat: return value.get<double>() != nullptr;
    case TypeKind::kString: return value.get<std::string>() != nullptr;
    case TypeKind::kEvent: return value.is_null() || value.get<const Event*>() != nullptr;
    case TypeKind::kMachine:
    case TypeKind::kReference: return value.is_null() || value.get<Reference>() != nullptr;
    case TypeKind::kSeq: return value.is_null() || value.get<Seq>() != nullptr;
    case TypeKind::kSet: return value.is_null() || value.get<Set>() != nullptr;
    case TypeKind::kMap: return value.is_null() || value.get<Map>() != nullptr;
    case TypeKind::kTuple: return value.is_null() || value.get<Tuple>() != nullptr;
    case TypeKind::kNamedTuple: return value.is_null() || value.get<NamedTuple>() != nullptr;
    case TypeKind::kNull:
    case TypeKind::kForeign: return value.is_null();
    case TypeKind::kError:
    case TypeKind::kData:
    case TypeKind::kAny: return true;
  }
  return true;
}

}  // namespace tarry::plang::reference
