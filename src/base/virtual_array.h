// A long array whose addresses never change: the whole range is reserved, and a page takes memory only after it is written.
//
// Growing is free, nothing is copied, and readers need no lock. Large arrays request huge pages, which saves most of the
// address-translation cost of random access.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace tarry {

enum class Pages { kNormal, kHuge };

/// Returns the page size for a table. Huge pages make access faster but waste up to 2 MiB per table, so tables that stay small do
/// not use them.
inline Pages pages_for(std::uint64_t most_bytes) { return most_bytes < (std::uint64_t{64} << 20) ? Pages::kNormal : Pages::kHuge; }

template <class T>
class VirtualArray {
 public:
  VirtualArray() = default;
  explicit VirtualArray(std::size_t capacity, Pages pages = Pages::kNormal) : capacity_(capacity) {
    void* at = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    if (pages == Pages::kHuge) ::madvise(at, bytes(), MADV_HUGEPAGE);
    data_ = static_cast<T*>(at);
  }
  VirtualArray(VirtualArray&& other) noexcept { swap(other); }
  VirtualArray& operator=(VirtualArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~VirtualArray() {
    if (data_ != nullptr) ::munmap(data_, bytes());
  }

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t capacity() const { return capacity_; }

 private:
  std::size_t bytes() const { return capacity_ * sizeof(T); }
  void swap(VirtualArray& other) {
    std::swap(data_, other.data_);
    std::swap(capacity_, other.capacity_);
  }

  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace tarry
