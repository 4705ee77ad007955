#include "plang/vm/value_heap.h"

#include <algorithm>

namespace tarry::plang {

// Blocks come from the system and go back to it: what malloc keeps for later would be resident and not counted.
std::byte* Heap::take(std::size_t bytes) {
  bytes = (bytes + 7) / 8 * 8;
  if (static_cast<std::size_t>(end_ - next_) < bytes) {
    if (blocks_.empty()) add_block(kBlock);
    if (static_cast<std::size_t>(end_ - next_) < bytes) {
      const std::size_t size = std::max({kBlock, bytes, std::min(taken_ / 4, kLargeBlock)});
      if (taken_ + size > kMost) throw HeapFull{HeapFull::Why::kStep};
      if (!pool_.lend(size)) throw HeapFull{HeapFull::Why::kMemory};
      add_block(size);
    }
  }
  std::byte* const here = next_;
  next_ += bytes;
  return here;
}

void Heap::add_block(std::size_t size) {
  taken_ += size;
  blocks_.emplace_back(size);
  next_ = blocks_.back().data();
  end_ = next_ + size;
}

void Heap::expect_room(std::size_t bytes) const {
  if (bytes < kBlock) return;
  if (taken_ + bytes > kMost) throw HeapFull{HeapFull::Why::kStep};
  if (!pool_.lend(bytes)) throw HeapFull{HeapFull::Why::kMemory};
  pool_.give_back(bytes);
}

/// All blocks but the first so many.
void Heap::forget(std::size_t blocks, std::size_t taken) {
  const std::size_t before = lent();
  blocks_.resize(blocks);
  taken_ = taken;
  pool_.give_back(before - lent());
}

void Heap::reset() {
  if (blocks_.empty()) return;
  if (blocks_.size() > 1) forget(1, kBlock);
  next_ = blocks_.front().data();
  end_ = next_ + kBlock;
}

void Heap::rewind(const Mark& mark) {
  if (mark.blocks == 0) return reset();
  if (blocks_.size() > mark.blocks) forget(mark.blocks, mark.taken);
  next_ = mark.next;
  end_ = mark.end;
}

Object* Heap::allocate(std::uint32_t size, std::uint32_t capacity) {
  std::byte* const at = take(sizeof(Header) + sizeof(Object) + std::size_t{capacity} * sizeof(Value));
  *reinterpret_cast<Header*>(at) = {capacity, 0, 0};
  auto* const object = reinterpret_cast<Object*>(at + sizeof(Header));
  object->size = size;
  object->extra = 0;
  return object;
}

Value Heap::boxed(Tag tag, std::uint64_t word) {
  Object* const o = allocate(1, 1);
  o->items()[0] = Value::from_bits(word);
  return Value::local(tag, o);
}

/// For a text or other bytes, with zeros behind them: equal texts are equal words.
Object* Heap::of_bytes(std::size_t size) {
  const std::size_t words = (size + 7) / 8;
  if (words > (std::size_t{1} << 28)) throw HeapFull{HeapFull::Why::kStep};
  Object* const o = allocate(static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(words));
  if (words > 0) o->items()[words - 1] = Value{};
  return o;
}

Value Heap::bytes(Tag tag, std::string_view data, std::uint32_t extra) {
  Object* const o = of_bytes(data.size());
  std::copy(data.begin(), data.end(), o->bytes());
  o->extra = extra;
  return Value::local(tag, o);
}

Value Heap::string(std::string_view text) { return bytes(Tag::kString, text, 0); }

Value Heap::joined(std::string_view a, std::string_view b) {
  Object* const o = of_bytes(a.size() + b.size());
  std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), o->bytes()));
  return Value::local(Tag::kString, o);
}

Value Heap::make(Tag tag, std::span<const Value> items, std::uint32_t extra) {
  const auto size = static_cast<std::uint32_t>(items.size());
  Object* const o = allocate(size, size);
  std::copy(items.begin(), items.end(), o->items());
  o->extra = extra;
  return Value::local(tag, o);
}

Object* Heap::own(Value& v, std::uint32_t more) {
  const Object* const o = object(v);
  const std::uint32_t size = o->size;
  if (size > (1u << 27)) throw HeapFull{HeapFull::Why::kStep};
  if (v.is_local() && !header(o).shared && header(o).capacity >= size + more) return const_cast<Object*>(o);
  const bool moves = v.is_local() && !header(o).shared;  // it only grows: nothing refers to the old one
  Object* const copy = allocate(size, more == 0 ? size : std::max<std::uint32_t>(size * 2, size + more));
  copy->extra = o->extra;
  for (std::uint32_t i = 0; i < size; ++i) {
    copy->items()[i] = o->items()[i];
    if (!moves) share(o->items()[i]);
  }
  v = Value::local(v.tag(), copy);
  return copy;
}

Value Heap::intern(Value v, unsigned depth) {
  if (!v.is_local()) return v;
  if (depth == 0) scratch_.clear();  // something may have been thrown out of it
  if (depth > kMaxValueDepth) throw HeapFull{HeapFull::Why::kNesting};
  const Object* const o = v.local_object();
  const Tag tag = v.tag();
  // A value that holds another value twice, which holds a third one twice, and so on, has few objects and very many paths to them.
  if (const Header& known = header(o); known.interned != 0) return Value::interned(tag, known.interned - 1);
  const bool text = tag == Tag::kString || tag == Tag::kForeign;
  const std::size_t count = text ? (std::size_t{o->size} + 7) / 8 : o->size;
  if (text || tag == Tag::kFloat || tag == Tag::kBigInt)  // it holds no objects that must be interned
    return Value::interned(tag, intern_words({reinterpret_cast<const std::uint64_t*>(o), 1 + count}));
  const std::size_t base = scratch_.size();
  expect_room(count * sizeof(std::uint64_t));
  scratch_.resize(base + 1 + count);
  std::memcpy(&scratch_[base], o, sizeof(Object));
  for (std::size_t i = 0; i < count; ++i) {
    const Value item = intern(o->items()[i], depth + 1);
    scratch_[base + 1 + i] = item.bits();
  }
  const std::uint32_t id = intern_words(std::span<const std::uint64_t>(scratch_.data() + base, 1 + count));
  scratch_.resize(base);
  if (header(o).shared != 0) header(o).interned = id + 1;
  if (base == 0 && scratch_.capacity() > kBlock) std::vector<std::uint64_t>().swap(scratch_);
  return Value::interned(tag, id);
}

std::uint32_t Heap::intern_words(std::span<const std::uint64_t> words) {
  expect_room(words.size_bytes());
  return pool_.intern(words);
}

}  // namespace tarry::plang
