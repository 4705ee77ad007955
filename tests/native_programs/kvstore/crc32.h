// The checksum of the log and of snapshots.
#pragma once

#include <cstdint>
#include <string_view>

namespace kv {

std::uint32_t crc32(std::string_view bytes);

}  // namespace kv
