// Files read whole, and files that are there whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tarry {

/// The bytes of a regular file of at most `limit` bytes. The diagnostic is `file: error: …`.
Result<std::string> read_whole(const std::filesystem::path& file, std::uint64_t limit = std::uint64_t{1} << 32);

enum class Existing { kKeep, kReplace };

/// Writes to a name of its own in the same folder and then moves the file to its place, so that no reader sees half of it. The
/// folder is made if need be. kKeep: a file that is there already stays, and that is an error. kReplace: symbolic links stay, and devices and pipes are
/// written to. Gives what is wrong, if anything.
std::optional<Diagnostic> write_whole(const std::filesystem::path& file, std::string_view bytes, Existing existing);

/// A name in the folder that no other process or thread uses; starts with '.' so that it is not taken for a result.
std::filesystem::path scratch_name(const std::filesystem::path& folder, std::string_view suffix);

}  // namespace tarry
