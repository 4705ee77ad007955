// Memory for data in a tested process: provided by the runtime, never freed, reused in every execution.
//
// Nothing here may call malloc: the program's allocator is under test, and its contents are rolled back between executions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace tarry::native {

/// The source of memory.
class Memory {
 public:
  virtual ~Memory() = default;
  /// Returns `bytes` of zeros, aligned to 64 bytes, that stay until the end. Does not return if there is no memory.
  virtual void* map(std::size_t bytes) = 0;
};

/// A growing array whose elements never move: chunk k has 2^(k + kFirst) elements. Elements are zeros at first; `restart` makes
/// all of them available again with their old contents.
template <class T, unsigned kFirst = 6>
class Shelf {
 public:
  explicit Shelf(Memory& memory) : memory_(memory) {}
  Shelf(const Shelf&) = delete;
  Shelf& operator=(const Shelf&) = delete;

  T& operator[](std::uint32_t index) const {
    const std::uint64_t place = std::uint64_t{index} + kChunk;
    const unsigned chunk = static_cast<unsigned>(std::bit_width(place)) - 1 - kFirst;
    return chunks_[chunk][place - (kChunk << chunk)];
  }
  /// Returns the element at `index`. Maps its memory if needed.
  T& reach(std::uint32_t index) {
    while (index >= capacity_) grow();
    return (*this)[index];
  }
  std::uint32_t take() {
    if (used_ >= capacity_) grow();
    const std::uint32_t index = used_++;
    if (used_ > reached_) reached_ = used_;
    return index;
  }
  std::uint32_t used() const { return used_; }
  /// Returns the largest number of elements ever used.
  std::uint32_t reached() const { return reached_; }
  void restart() { used_ = 0; }

 private:
  static constexpr std::uint64_t kChunk = std::uint64_t{1} << kFirst;

  void grow() {
    const std::uint64_t elements = kChunk << chunk_count_;
    void* room = memory_.map(elements * sizeof(T));
    chunks_[chunk_count_++] = static_cast<T*>(room);
    capacity_ += elements;
  }

  Memory& memory_;
  T* chunks_[33 - kFirst] = {};
  unsigned chunk_count_ = 0;
  std::uint32_t used_ = 0, reached_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace tarry::native
