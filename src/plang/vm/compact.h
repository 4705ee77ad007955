// Words as bytes: small numbers take few. Configurations are kept like this, since there are many and most of their words are small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plang/vm/value.h"

namespace tarry::plang {

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
class Packer {
 public:
  void clear() { bytes_.clear(); }
  void add(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes_.push_back(static_cast<std::uint8_t>(number | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(number));
  }
  /// Negative numbers are small, too.
  void add(Value v) { add(v.bits() << 1 ^ (v.bits() >> 63 == 0 ? 0 : ~std::uint64_t{0})); }
  void add_bytes(std::span<const std::uint8_t> packed) { bytes_.insert(bytes_.end(), packed.begin(), packed.end()); }
  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::span<const std::uint8_t> bytes) : at_(bytes.data()) {}
  std::uint64_t number() {
    std::uint64_t out = *at_ & 0x7F;
    for (unsigned shift = 7; (*at_++ & 0x80) != 0; shift += 7) out |= std::uint64_t{*at_ & 0x7Fu} << shift;
    return out;
  }
  std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
  Value value() {
    const std::uint64_t n = number();
    return Value::from_bits(n >> 1 ^ ((n & 1) == 0 ? 0 : ~std::uint64_t{0}));
  }
  void skip(std::size_t numbers) {
    for (; numbers > 0; --numbers)
      while ((*at_++ & 0x80) != 0) {
      }
  }
  const std::uint8_t* at() const { return at_; }

 private:
  const std::uint8_t* at_;
};

}  // namespace tarry::plang
