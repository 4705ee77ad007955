#include "plang/vm/value_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tarry::plang {
namespace {

void guard(unsigned depth) {
  if (depth > kMaxValueDepth) throw HeapFull{HeapFull::Why::kNesting};
}

/// Kinds that are never equal to each other, in the order that `compare` gives them.
int rank(Value v) {
  switch (v.tag()) {
    case Tag::kBigInt: return static_cast<int>(Tag::kInt);
    default: return static_cast<int>(v.tag());
  }
}

unsigned stride(Value v) { return v.is(Tag::kMap) ? 2 : 1; }

/// Slots in the order of their keys: what makes two collections comparable.
std::vector<std::uint32_t> sorted_slots(const Heap& heap, Value v) {
  const auto items = heap.items(v);
  const unsigned step = stride(v);
  std::vector<std::uint32_t> slots;
  for (std::uint32_t i = 0; i < items.size(); i += step)
    if (!items[i].is(Tag::kHole)) slots.push_back(i);
  std::sort(slots.begin(), slots.end(), [&](std::uint32_t a, std::uint32_t b) { return compare(heap, items[a], items[b]) < 0; });
  return slots;
}

template <class T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compare_collections(const Heap& heap, Value a, Value b, unsigned depth) {
  const auto slots_a = sorted_slots(heap, a), slots_b = sorted_slots(heap, b);
  if (slots_a.size() != slots_b.size()) return three_way(slots_a.size(), slots_b.size());
  const auto items_a = heap.items(a), items_b = heap.items(b);
  const unsigned step = stride(a);
  for (std::size_t i = 0; i < slots_a.size(); ++i)
    for (unsigned part = 0; part < step; ++part)
      if (const int c = compare(heap, items_a[slots_a[i] + part], items_b[slots_b[i] + part], depth + 1); c != 0) return c;
  return 0;
}

int compare_items(const Heap& heap, Value a, Value b, unsigned depth) {
  const Object *const oa = heap.object(a), *const ob = heap.object(b);
  if (oa->extra != ob->extra) return three_way(oa->extra, ob->extra);
  if (oa->size != ob->size) return three_way(oa->size, ob->size);
  for (std::uint32_t i = 0; i < oa->size; ++i)
    if (const int c = compare(heap, oa->items()[i], ob->items()[i], depth + 1); c != 0) return c;
  return 0;
}

int compare_reals(double a, double b) {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a == b) return 0;
  return three_way(std::isnan(a), std::isnan(b));
}

}  // namespace

bool equal(const Heap& heap, Value a, Value b, unsigned depth) {
  guard(depth);
  if (rank(a) != rank(b)) return false;
  switch (a.tag()) {
    case Tag::kMachine: return a.slot() == b.slot();
    case Tag::kInt:
    case Tag::kBigInt: return heap.integer_of(a) == heap.integer_of(b);
    case Tag::kFloat: return heap.real_of(a) == heap.real_of(b);
    case Tag::kString: return a == b || heap.text(a) == heap.text(b);
    case Tag::kForeign: return a == b || (heap.object(a)->extra == heap.object(b)->extra && heap.text(a) == heap.text(b));
    case Tag::kSeq:
    case Tag::kTuple:
    case Tag::kNamedTuple: {
      const Object *const oa = heap.object(a), *const ob = heap.object(b);
      if (oa->size != ob->size || oa->extra != ob->extra) return false;
      for (std::uint32_t i = 0; i < oa->size; ++i)
        if (!equal(heap, oa->items()[i], ob->items()[i], depth + 1)) return false;
      return true;
    }
    case Tag::kSet:
    case Tag::kMap: {
      if (count(heap, a) != count(heap, b)) return false;
      const auto items_a = heap.items(a), items_b = heap.items(b);
      const unsigned step = stride(a);
      for (std::uint32_t i = 0; i < items_a.size(); i += step) {
        if (items_a[i].is(Tag::kHole)) continue;
        const auto there = find_slot(heap, b, items_a[i]);
        if (!there || (step == 2 && !equal(heap, items_a[i + 1], items_b[*there + 1], depth + 1))) return false;
      }
      return true;
    }
    default: return a == b;
  }
}

int compare(const Heap& heap, Value a, Value b, unsigned depth) {
  guard(depth);
  if (rank(a) != rank(b)) return three_way(rank(a), rank(b));
  if (a == b && !a.is(Tag::kFloat)) return 0;
  switch (a.tag()) {
    case Tag::kInt:
    case Tag::kBigInt: return three_way(heap.integer_of(a), heap.integer_of(b));
    case Tag::kFloat: return compare_reals(heap.real_of(a), heap.real_of(b));
    case Tag::kString: return three_way(heap.text(a), heap.text(b));
    case Tag::kMachine: return three_way(a.slot(), b.slot());
    case Tag::kForeign:
      if (heap.object(a)->extra != heap.object(b)->extra) return three_way(heap.object(a)->extra, heap.object(b)->extra);
      return three_way(heap.text(a), heap.text(b));
    case Tag::kSet:
    case Tag::kMap: return compare_collections(heap, a, b, depth);
    case Tag::kSeq:
    case Tag::kTuple:
    case Tag::kNamedTuple: return compare_items(heap, a, b, depth);
    default: return three_way(a.bits(), b.bits());
  }
}

Value dense(Heap& heap, Value v, unsigned depth) {
  guard(depth);
  const Tag tag = v.tag();
  if (tag != Tag::kSeq && tag != Tag::kSet && tag != Tag::kMap && tag != Tag::kTuple && tag != Tag::kNamedTuple) return v;
  const Object* const o = heap.object(v);
  const bool slots = tag == Tag::kSet || tag == Tag::kMap;
  bool changed = slots && o->extra != 0;
  std::vector<Value> items;
  for (std::uint32_t i = 0; i < o->size; ++i) {
    if (o->items()[i].is(Tag::kHole)) {
      i += stride(v) - 1;
      continue;
    }
    const Value item = dense(heap, o->items()[i], depth + 1);
    changed = changed || item != o->items()[i];
    items.push_back(item);
  }
  if (!changed) return v;
  for (const Value item : items) Heap::share(item);
  return heap.make(tag, items, slots ? 0 : o->extra);
}

std::uint32_t count(const Heap& heap, Value v) {
  const Object* const o = heap.object(v);
  const unsigned step = stride(v);
  std::uint32_t free = 0;
  for (std::uint32_t next = o->extra; next != 0; next = o->items()[(next - 1) * step].next_hole()) ++free;
  return o->size / step - free;
}

std::optional<std::uint32_t> find_slot(const Heap& heap, Value v, Value key) {
  const auto items = heap.items(v);
  const unsigned step = stride(v);
  for (std::uint32_t i = 0; i < items.size(); i += step)
    if (items[i] == key && !key.is(Tag::kFloat)) return i;
  const Tag tag = key.tag();
  if (tag == Tag::kInt || tag == Tag::kBool || tag == Tag::kEvent || tag == Tag::kNull) return std::nullopt;  // their words say it all
  for (std::uint32_t i = 0; i < items.size(); i += step)
    if (!items[i].is(Tag::kHole) && equal(heap, items[i], key)) return i;
  return std::nullopt;
}

std::uint32_t nth_slot(const Heap& heap, Value v, std::uint32_t n) {
  const auto items = heap.items(v);
  const unsigned step = stride(v);
  if (heap.object(v)->extra == 0) return n * step;
  for (std::uint32_t i = 0;; i += step)
    if (!items[i].is(Tag::kHole) && n-- == 0) return i;
}

namespace {

/// Where a new key goes: the slot freed last, the end, or its place in the order. The slot is there and to be filled in.
Value* new_slot(Heap& heap, Value& v, Value key, Keeping keeping) {
  const unsigned step = stride(v);
  Object* const o = heap.own(v, step);
  if (o->extra != 0) {
    Value* const slot = o->items() + std::size_t{o->extra - 1} * step;
    o->extra = slot->next_hole();
    return slot;
  }
  std::uint32_t at = o->size;
  if (keeping == Keeping::kSorted)
    while (at > 0 && compare(heap, key, o->items()[at - step]) < 0) at -= step;
  std::memmove(o->items() + at + step, o->items() + at, (o->size - at) * sizeof(Value));
  o->size += step;
  return o->items() + at;
}

}  // namespace

void set_add(Heap& heap, Value& set, Value element, Keeping keeping) {
  if (find_slot(heap, set, element)) return;
  *new_slot(heap, set, element, keeping) = element;
}

void map_add(Heap& heap, Value& map, Value key, Value value, Keeping keeping) {
  Value* const slot = new_slot(heap, map, key, keeping);
  slot[0] = key;
  slot[1] = value;
}

void remove_key(Heap& heap, Value& v, Value key, Keeping keeping) {
  const auto at = find_slot(heap, v, key);
  if (!at) return;
  const unsigned step = stride(v);
  Object* const o = heap.own(v);
  if (keeping == Keeping::kSorted) {
    std::memmove(o->items() + *at, o->items() + *at + step, (o->size - *at - step) * sizeof(Value));
    o->size -= step;
    return;
  }
  o->items()[*at] = Value::hole(o->extra);
  if (step == 2) o->items()[*at + 1] = Value::null();
  o->extra = *at / step + 1;
}

std::string real_text(double d) {
  if (std::isnan(d)) return "NaN";
  if (std::isinf(d)) return d > 0 ? "Infinity" : "-Infinity";
  char room[64];
  // .NET switches to an exponent from 1E+15 and below 1E-4.
  const double size = std::fabs(d);
  if (d == 0) return std::signbit(d) ? "-0" : "0";
  if (size >= 1e15 || size < 1e-4) {
    const auto end = std::to_chars(room, room + sizeof room, d, std::chars_format::scientific).ptr;
    std::string text(room, end);
    const std::size_t e = text.find('e');
    std::string digits = text.substr(e + 2);
    if (digits.size() < 2) digits.insert(0, 2 - digits.size(), '0');
    return text.substr(0, e) + 'E' + text[e + 1] + digits;
  }
  return {room, std::to_chars(room, room + sizeof room, d, std::chars_format::fixed).ptr};
}

namespace {

constexpr std::size_t kMostShown = std::size_t{1} << 16;  // bytes of a text for people

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, kMostShown)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + (text.size() > kMostShown ? "...\"" : "\"");
}

struct Printer {
  const Heap& heap;
  const Names& names;
  TextFor purpose;
  mutable std::size_t looked_at = std::size_t{1} << 15;

  std::string item(Value v, unsigned depth) const { return text_of(heap, v, names, purpose, depth + 1); }

  /// A value may hold another one twice, which holds another one twice, and so on: its text has no end in sight. What people read is cut; what the program gets
  /// needs room.
  bool is_long(std::size_t size) const {
    if (purpose == TextFor::kTrace) return size > kMostShown;
    constexpr std::size_t kCopies = 6;  // while texts are put together, before the next look
    if (size >= looked_at) heap.expect_room(kCopies * size), looked_at = 2 * size;
    return false;
  }

  /// Elements in the order of their text; those with the same text in the order of their slots.
  std::string slots(Value v, unsigned depth) const {
    const auto items = heap.items(v);
    const unsigned step = stride(v);
    std::vector<std::pair<std::string, std::string>> texts;
    std::size_t size = 0;
    for (std::uint32_t i = 0; i < items.size(); i += step) {
      if (items[i].is(Tag::kHole)) continue;
      std::string key = item(items[i], depth);
      std::string whole = step == 2 ? key + "->" + item(items[i + 1], depth) : key;
      size += key.size() + whole.size();
      texts.emplace_back(std::move(key), std::move(whole));
      if (is_long(size)) break;
    }
    std::stable_sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string out;
    for (const auto& [key, whole] : texts) out += ", <" + whole + ">";
    if (is_long(size)) out += ", ...";
    return "(" + (out.empty() ? out : out.substr(2)) + ")";
  }
};

}  // namespace

std::string Names::foreign_value(std::uint32_t /*type*/, std::string_view bytes) const { return fmt::format("<foreign value of {} bytes>", bytes.size()); }

std::string text_of(const Heap& heap, Value v, const Names& names, TextFor purpose, unsigned depth) {
  constexpr unsigned kDeepText = 100;
  if (depth > kDeepText) return "...";
  const Printer printer{heap, names, purpose};
  std::string out;
  switch (v.tag()) {
    case Tag::kNull: return purpose == TextFor::kTrace ? "null" : "";
    case Tag::kBool: return v.truth() ? "True" : "False";
    case Tag::kInt:
    case Tag::kBigInt: return fmt::format("{}", heap.integer_of(v));
    case Tag::kFloat: return real_text(heap.real_of(v));
    case Tag::kString: return purpose == TextFor::kTrace ? quoted(heap.text(v)) : std::string(heap.text(v));
    case Tag::kEvent: return names.event(v.event_number());
    case Tag::kMachine: return names.machine(v.slot());
    case Tag::kForeign: return names.foreign_value(heap.object(v)->extra, heap.text(v));
    case Tag::kHole: return "";
    case Tag::kSeq:
      for (const Value item : heap.items(v)) {
        if (printer.is_long(out.size())) {
          out += ", ...";
          break;
        }
        out += ", " + printer.item(item, depth);
      }
      return "(" + (out.empty() ? out : out.substr(2)) + ")";
    case Tag::kSet:
    case Tag::kMap: return printer.slots(v, depth);
    case Tag::kTuple:
      for (const Value item : heap.items(v)) out += (printer.is_long(out.size()) ? "..." : printer.item(item, depth)) + ",";
      return "<" + out + ">";
    case Tag::kNamedTuple: {
      const auto& fields = names.shape(heap.object(v)->extra);
      std::size_t i = 0;
      for (const Value item : heap.items(v)) out += fields[i++] + ":" + (printer.is_long(out.size()) ? "..." : printer.item(item, depth)) + ", ";
      return "<" + out + ">";
    }
  }
  return out;
}

}  // namespace tarry::plang
