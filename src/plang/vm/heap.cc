#include "plang/vm/heap.h"

#include <algorithm>

namespace tarry::plang {

std::byte* Heap::take(std::size_t bytes) {
  bytes = (bytes + 7) / 8 * 8;
  if (static_cast<std::size_t>(end_ - next_) < bytes) {
    const std::size_t size = std::max(kBlock, bytes);
    taken_ += size;
    if (taken_ > kMost) throw HeapFull{};
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    next_ = blocks_.back().get();
    end_ = next_ + size;
  }
  std::byte* const here = next_;
  next_ += bytes;
  return here;
}

void Heap::reset() {
  if (blocks_.empty()) return;
  if (blocks_.size() > 1) blocks_.erase(blocks_.begin() + 1, blocks_.end());
  next_ = blocks_.front().get();
  // The first block may be larger than usual: only kBlock of it is counted on.
  end_ = next_ + kBlock;
  taken_ = kBlock;
}

void Heap::rewind(const Mark& mark) {
  if (mark.blocks == 0) return reset();
  blocks_.resize(mark.blocks);
  next_ = mark.next;
  end_ = mark.end;
  taken_ = mark.taken;
}

Object* Heap::allocate(std::uint32_t size, std::uint32_t capacity) {
  std::byte* const at = take(sizeof(Header) + sizeof(Object) + std::size_t{capacity} * sizeof(Value));
  *reinterpret_cast<Header*>(at) = {capacity, false};
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

Value Heap::bytes(Tag tag, std::string_view data, std::uint32_t extra) {
  const std::size_t words = (data.size() + 7) / 8;
  if (words > (std::size_t{1} << 28)) throw HeapFull{};
  Object* const o = allocate(static_cast<std::uint32_t>(data.size()), static_cast<std::uint32_t>(words));
  if (words > 0) o->items()[words - 1] = Value{};  // what is behind the text is zero: equal texts are equal words
  std::copy(data.begin(), data.end(), o->bytes());
  o->extra = extra;
  return Value::local(tag, o);
}

Value Heap::string(std::string_view text) { return bytes(Tag::kString, text, 0); }

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
  if (size > (1u << 27)) throw HeapFull{};
  if (v.is_local() && !header(o).shared && header(o).capacity >= size + more) return const_cast<Object*>(o);
  const bool moves = v.is_local() && !header(o).shared;  // it only grows: nobody has the old one
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
  if (depth > kMaxValueDepth) {
    scratch_.clear();
    throw HeapFull{};
  }
  const Object* const o = v.local_object();
  const Tag tag = v.tag();
  const bool raw = tag == Tag::kString || tag == Tag::kForeign || tag == Tag::kFloat || tag == Tag::kBigInt;
  const std::size_t count = tag == Tag::kString || tag == Tag::kForeign ? (std::size_t{o->size} + 7) / 8 : o->size;
  const std::size_t base = scratch_.size();
  scratch_.resize(base + 1 + count);
  std::memcpy(&scratch_[base], o, sizeof(Object));
  for (std::size_t i = 0; i < count; ++i) {
    const Value item = raw ? o->items()[i] : intern(o->items()[i], depth + 1);
    scratch_[base + 1 + i] = item.bits();
  }
  const std::uint32_t id = pool_.intern(std::span<const std::uint64_t>(scratch_.data() + base, 1 + count));
  scratch_.resize(base);
  return Value::interned(tag, id);
}

}  // namespace tarry::plang
