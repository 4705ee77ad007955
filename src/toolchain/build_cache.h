// The cache of compiled objects: what was compiled, from which files with which contents.
//
// An entry is <name>.json, which names the object beside it and the hash of every file that went into it. Objects are named by
// their contents and never change, so that a process that is about to load one is not handed another. Everything is written under
// a name of its own and then moved, so that any number of processes may share the folder. What does not fit together is built
// again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tarry {

struct Dependency {
  std::filesystem::path file;
  std::uint64_t hash;
};

struct CacheEntry {
  std::filesystem::path object;
  std::uint64_t object_hash;
  std::vector<Dependency> dependencies;
};

/// What makes two compilations the same, apart from the contents of files.
struct BuildKey {
  std::string stem;  // readable part of the name
  std::string text;  // all of it
  std::string suffix = ".so";  // of the object's name
};

/// The hash of a file's contents, or nothing if it cannot be read.
std::optional<std::uint64_t> hash_of_file(const std::filesystem::path& file);

/// The entry, if there is one, its object is as it was made and every dependency has the contents it had then.
std::optional<CacheEntry> find_cached(const std::filesystem::path& folder, const BuildKey& key);

/// Moves the compiled object into the cache; the result says where it is now.
Result<CacheEntry> add_to_cache(const std::filesystem::path& folder, const BuildKey& key, const std::filesystem::path& compiled,
                                std::vector<Dependency> dependencies);

/// The files that a depfile of the compiler names.
std::vector<std::filesystem::path> parse_depfile(std::string_view text);

}  // namespace tarry
