#include "native/races/order.h"

#include <algorithm>

#include "base/rng.h"

namespace tarry::native {

namespace {

constexpr unsigned kFirstBits = 8;
/// The operation, in the low bits of a word; the caller uses the other bits.
enum What : std::uint64_t { kRoot, kCreate, kChild, kJoin, kLocal, kReadStep, kWriteStep, kAll };
constexpr unsigned kWhatBits = 3;

/// One lane of the hash: a sum of the words, each with its own odd factor, so that words cannot be exchanged; then mixed.
template <std::uint64_t kSeed>
struct Lane {
  static constexpr std::uint64_t factor(std::uint64_t i) { return mix64(kSeed + i * 0x9e3779b97f4a7c15u) | 1; }
  static std::uint64_t hash(std::uint64_t before, std::uint64_t other, std::uint64_t kind, std::uint64_t object,
                            std::uint64_t detail) {
    constexpr std::uint64_t k0 = factor(1), k1 = factor(2), k2 = factor(3), k3 = factor(4), k4 = factor(5), k5 = factor(6);
    // Names and details are small numbers: mixing them first makes them look random.
    const std::uint64_t what = mix64(object * k2 + kind * k3 + k4);
    return mix64(before * k0 + other * k1 + what + mix64(detail + k5));
  }
};

Signature hash_of(const Signature& before, const Signature& other, std::uint64_t kind, std::uint64_t object,
                  std::uint64_t detail) {
  return {Lane<0x243f6a8885a308d3>::hash(before.high, other.high, kind, object, detail),
          Lane<0x13198a2e03707344>::hash(before.low, other.low, kind, object, detail)};
}

}  // namespace

void Order::reset() {
  if (++execution_ == 0) {
    execution_ = 1;
    if (table_ != nullptr) std::fill_n(table_, std::uint64_t{1} << bits_, Object{});
    for (std::uint32_t i = 0; i < thread_count_; ++i) threads_[i].execution = 0;
  }
  live_ = 0;
  sum_ = {};
  thread(0);
}

Order::Thread& Order::thread(std::uint32_t number) {
  Thread& thread = threads_.reach(number);
  if (thread.execution != execution_) [[unlikely]] {
    thread_count_ = std::max(thread_count_, number + 1);
    thread.execution = execution_;
    thread.hash = {};
    advance(thread, hash_of({}, {}, kRoot, number, 0));
  }
  return thread;
}

void Order::advance(Thread& thread, const Signature& hash) {
  sum_.high += hash.high - thread.hash.high;
  sum_.low += hash.low - thread.hash.low;
  thread.hash = hash;
}

void Order::step(std::uint32_t number, std::uint32_t kind, std::uint64_t name, bool is_write_like, std::uint64_t detail) {
  Thread& self = thread(number);
  Object& object = this->object(name);
  const std::uint64_t what = std::uint64_t{kind} << kWhatBits | (is_write_like ? kWriteStep : kReadStep);
  const Signature hash = hash_of(self.hash, object.last_write, what, name, detail);
  if (is_write_like) object.last_write = hash;
  advance(self, hash);
}

void Order::local(std::uint32_t number, std::uint32_t kind, std::uint64_t detail) {
  Thread& self = thread(number);
  advance(self, hash_of(self.hash, {}, kLocal, kind, detail));
}

void Order::looked_at_all(std::uint32_t number) {
  Thread& self = thread(number);
  advance(self, hash_of(self.hash, sum_, kAll, 0, 0));
}

void Order::created(std::uint32_t parent, std::uint32_t child) {
  Thread& creator = thread(parent);
  advance(creator, hash_of(creator.hash, {}, kCreate, 0, 0));
  Thread& created = thread(child);
  advance(created, hash_of(creator.hash, {}, kChild, 0, 0));
}

void Order::joined(std::uint32_t joiner, std::uint32_t ended) {
  Thread& self = thread(joiner);
  const Signature end = thread(ended).hash;
  advance(self, hash_of(self.hash, end, kJoin, 0, 0));
}

/// Finds the object by name, or adds it. Within an execution objects are only added, so the places before an object stay full:
/// the first empty place ends a search.
Order::Object& Order::object(std::uint64_t name) {
  if (table_ == nullptr || live_ * 2 >= std::uint64_t{1} << bits_) [[unlikely]]
    grow();
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  for (std::uint64_t slot = mix64(name + 0x9e3779b97f4a7c15u) & mask;; slot = (slot + 1) & mask) {
    Object& there = table_[slot];
    if (there.execution != execution_) {
      there = {.name = name, .execution = execution_, .last_write = {}};
      ++live_;
      return there;
    }
    if (there.name == name) return there;
  }
}

void Order::grow() {
  const Object* old = table_;
  const std::uint64_t old_size = old == nullptr ? 0 : std::uint64_t{1} << bits_;
  bits_ = old == nullptr ? kFirstBits : bits_ + 1;
  table_ = static_cast<Object*>(memory_.map(sizeof(Object) << bits_));
  live_ = 0;
  for (std::uint64_t i = 0; i < old_size; ++i) {
    if (old[i].execution == execution_) object(old[i].name) = old[i];
  }
}

}  // namespace tarry::native
