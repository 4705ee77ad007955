// Maps addresses on heaps and stacks to objects of the set. During verification an object had another address. Its first access
// shows which object it is. From then on the two belong together, until the memory is freed. An address that does not match is a
// path that was not verified.
#pragma once

#include <atomic>
#include <cstdint>

namespace tarry::enforce::rt {

/// A lock for short critical sections.
class SpinGuard {
 public:
  explicit SpinGuard(std::atomic<bool>& lock) : lock_(lock) {
    while (lock_.exchange(true, std::memory_order_acquire))
      while (lock_.load(std::memory_order_relaxed)) __builtin_ia32_pause();
  }
  ~SpinGuard() { lock_.store(false, std::memory_order_release); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  std::atomic<bool>& lock_;
};

class Bindings {
 public:
  /// Returns the bytes that it needs. Requires: all zero.
  static std::uint64_t room_for(std::uint32_t objects) { return (std::uint64_t{objects} + slots_for(objects)) * sizeof(std::uint64_t) + slots_for(objects) * sizeof(std::uint32_t); }
  void begin(std::uint32_t objects, void* memory) {
    objects_ = objects;
    slots_ = slots_for(objects);
    of_object_ = static_cast<std::atomic<std::uint64_t>*>(memory);
    addresses_ = reinterpret_cast<std::uint64_t*>(of_object_ + objects);
    numbers_ = reinterpret_cast<std::uint32_t*>(addresses_ + slots_);
  }

  /// Returns whether the object may be at this address.
  bool fits(std::uint32_t object, std::uint64_t address) {
    if (const std::uint64_t known = of_object_[object].load(std::memory_order_acquire); known != 0) return known == address;
    const SpinGuard guard(lock_);
    const std::uint64_t known = of_object_[object].load(std::memory_order_relaxed);
    return known != 0 ? known == address : addresses_[slot_of(address)] == 0;
  }
  /// Binds the object to the address. Returns false if one of them is bound to something else by now: other threads may have bound it since `fits`.
  bool bind(std::uint32_t object, std::uint64_t address) {
    if (of_object_[object].load(std::memory_order_acquire) == address) return true;
    const SpinGuard guard(lock_);
    if (const std::uint64_t known = of_object_[object].load(std::memory_order_relaxed); known != 0) return known == address;
    const std::uint64_t at = slot_of(address);
    if (addresses_[at] != 0) return false;
    addresses_[at] = address;
    numbers_[at] = object;
    of_object_[object].store(address, std::memory_order_release);
    count_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  /// Forgets all. Requires: no other thread uses this object.
  void clear() {
    if (count_.load(std::memory_order_relaxed) == 0) return;
    for (std::uint32_t i = 0; i < objects_; ++i) of_object_[i].store(0, std::memory_order_relaxed);
    for (std::uint64_t at = 0; at < slots_; ++at) addresses_[at] = 0;
    count_.store(0, std::memory_order_relaxed);
  }
  void forget(std::uint64_t from, std::uint64_t size) {
    if (count_.load(std::memory_order_relaxed) == 0) return;
    const SpinGuard guard(lock_);
    if (size < slots_) {
      for (std::uint64_t address = from; address < from + size && count_.load(std::memory_order_relaxed) > 0; ++address) remove(slot_of(address));
      return;
    }
    for (std::uint64_t at = 0; at < slots_; ++at)
      while (addresses_[at] >= from && addresses_[at] - from < size && addresses_[at] != 0) remove(at);
  }

 private:
  static std::uint64_t slots_for(std::uint32_t objects) {
    std::uint64_t slots = 64;
    while (slots < std::uint64_t{objects} * 4) slots *= 2;
    return slots;
  }
  std::uint64_t home_of(std::uint64_t address) const { return address * 0x9E3779B97F4A7C15u >> 32 & (slots_ - 1); }
  /// Returns the slot of the address, or the slot where it belongs.
  std::uint64_t slot_of(std::uint64_t address) const {
    std::uint64_t at = home_of(address);
    while (addresses_[at] != 0 && addresses_[at] != address) at = (at + 1) & (slots_ - 1);
    return at;
  }
  /// Removes an entry. Moves later entries up, so that they are still found.
  void remove(std::uint64_t at) {
    if (addresses_[at] == 0) return;
    of_object_[numbers_[at]].store(0, std::memory_order_release);
    count_.fetch_sub(1, std::memory_order_relaxed);
    for (std::uint64_t next = (at + 1) & (slots_ - 1); addresses_[next] != 0; next = (next + 1) & (slots_ - 1)) {
      if (((next - home_of(addresses_[next])) & (slots_ - 1)) < ((next - at) & (slots_ - 1))) continue;
      addresses_[at] = addresses_[next];
      numbers_[at] = numbers_[next];
      at = next;
    }
    addresses_[at] = 0;
  }

  std::uint32_t objects_ = 0;
  std::uint64_t slots_ = 0;
  std::atomic<std::uint64_t>* of_object_ = nullptr;
  std::uint64_t* addresses_ = nullptr;
  std::uint32_t* numbers_ = nullptr;
  std::atomic<std::uint64_t> count_{0};
  std::atomic<bool> lock_{false};
};

}  // namespace tarry::enforce::rt
