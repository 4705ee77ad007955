// A change, and how it is written down: length, checksum, kind, key, value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

struct Record {
  enum class Kind : std::uint8_t { kPut = 1, kErase = 2 };
  Kind kind = Kind::kPut;
  std::string key, value;

  bool operator==(const Record&) const = default;
};

void encode(const Record& record, std::string& into);

/// Takes the first record off `bytes`. Nothing: it is cut off or damaged, or there is none.
std::optional<Record> decode(std::string_view& bytes);

}  // namespace kv
