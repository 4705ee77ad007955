// A vector whose elements never move: it grows without a copy beside the old one, so it takes as much memory as it once held, and no
// more. For stacks and arrays with an element for each state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "base/virtual_array.h"

namespace tarry {

template <class T>
class VirtualVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  VirtualVector() = default;
  /// Requires: never more than `capacity` elements.
  explicit VirtualVector(std::size_t capacity, Pages pages = Pages::kNormal) : items_(capacity, pages) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return items_.capacity(); }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T& back() { return items_[size_ - 1]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

  void push_back(const T& item) { items_[size_++] = item; }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  /// Keeps the first elements. Requires: there are as many.
  void shrink(std::size_t size) { size_ = size; }
  void assign(std::size_t size, const T& value) {
    size_ = size;
    std::fill(begin(), end(), value);
  }
  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    size_ = static_cast<std::size_t>(last - first);
    std::copy(first, last, begin());
  }
  void swap(VirtualVector& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
  }

 private:
  VirtualArray<T> items_;
  std::size_t size_ = 0;
};

}  // namespace tarry
