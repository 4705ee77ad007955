// Writes and reads the bytes of values. <tarry/foreign_abi.h> defines the format.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tarry/foreign_abi.h>

namespace tarry::p {

/// Thrown if a value does not have the expected kind.
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

class Writer {
 public:
  void kind(abi::ForeignKind k) { out_ += static_cast<char>(k); }
  void byte(std::uint8_t b) { out_ += static_cast<char>(b); }
  void number(std::uint32_t n) { big_endian(n, 4); }
  void wide(std::uint64_t n) { big_endian(n, 8); }
  void real(double d) { wide(std::bit_cast<std::uint64_t>(d)); }
  void size(std::size_t n) {
    if (n > std::numeric_limits<std::uint32_t>::max()) throw Mismatch("a value has more than 4 GiB");
    number(static_cast<std::uint32_t>(n));
  }
  void text(std::string_view bytes) {
    size(bytes.size());
    out_ += bytes;
  }
  void raw(std::string_view bytes) { out_ += bytes; }
  const std::string& bytes() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void big_endian(std::uint64_t n, unsigned bytes) {
    while (bytes-- > 0) out_ += static_cast<char>(n >> (8 * bytes));
  }
  std::string out_;
};

/// Reads bytes of values. Never reads past the end: truncated input throws.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  bool at_end() const { return rest_.empty(); }
  abi::ForeignKind kind() {
    const std::uint8_t k = byte();
    if (k >= abi::kForeignKinds) throw Mismatch("the bytes are not those of a value");
    return static_cast<abi::ForeignKind>(k);
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(raw(1)[0]); }
  std::uint32_t number() { return static_cast<std::uint32_t>(big_endian(4)); }
  std::uint64_t wide() { return big_endian(8); }
  double real() { return std::bit_cast<double>(wide()); }
  std::string_view text() { return raw(number()); }
  std::string_view raw(std::size_t size) {
    if (size > rest_.size()) throw Mismatch("the bytes of a value are cut short");
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::uint64_t big_endian(unsigned bytes) {
    std::uint64_t n = 0;
    for (const char c : raw(bytes)) n = n << 8 | static_cast<std::uint8_t>(c);
    return n;
  }
  std::string_view rest_;
};

}  // namespace detail
}  // namespace tarry::p
