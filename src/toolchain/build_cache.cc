#include "toolchain/build_cache.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/hash.h"
#include "trace/whole_file.h"

namespace tarry {
namespace {

constexpr int kFormat = 1;
constexpr auto kOldAfter = std::chrono::hours(24);

std::string entry_name(const BuildKey& key) { return fmt::format("{}-{:016x}", key.stem, hash_of(key.text)); }

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

/// Throws what nlohmann::json throws if the text is not what add_to_cache wrote.
std::optional<CacheEntry> parse_entry(const std::string& text, const std::filesystem::path& folder, const BuildKey& key) {
  const auto json = nlohmann::json::parse(text);
  if (json.at("format") != kFormat || json.at("key").get<std::string>() != key.text) return std::nullopt;
  const auto number = [](const nlohmann::json& value) { return std::stoull(value.get<std::string>(), nullptr, 16); };
  const std::filesystem::path object = json.at("object").get<std::string>();
  if (object.filename() != object) return std::nullopt;
  CacheEntry entry{folder / object, number(json.at("hash")), {}};
  for (const auto& [file, hash] : json.at("dependencies").items()) entry.dependencies.push_back({file, number(hash)});
  return entry;
}

/// Removes earlier objects of the same entry, except young ones: another process may be about to load one.
void remove_old_objects(const std::filesystem::path& folder, const std::string& name, const std::string& suffix, const std::filesystem::path& current) {
  std::error_code error;
  for (const auto& item : std::filesystem::directory_iterator(folder, error)) {
    const std::string file = item.path().filename().string();
    const bool ours = file.starts_with(name + "-") && file.ends_with(suffix);
    const bool left_over = file.starts_with(".tarry-");  // of a process that was killed
    if ((!ours && !left_over) || item.path() == current) continue;
    const auto written = item.last_write_time(error);
    if (!error && std::filesystem::file_time_type::clock::now() - written > kOldAfter)
      std::filesystem::remove(item.path(), error);
  }
}

}  // namespace

std::optional<std::uint64_t> hash_of_file(const std::filesystem::path& file) {
  const auto bytes = read_whole(file);
  if (!bytes) return std::nullopt;
  return hash_of(std::string_view(*bytes));
}

std::optional<CacheEntry> find_cached(const std::filesystem::path& folder, const BuildKey& key) {
  const auto text = read_whole(folder / (entry_name(key) + ".json"), std::uint64_t{64} << 20);
  if (!text) return std::nullopt;
  std::optional<CacheEntry> entry;
  try {
    entry = parse_entry(*text, folder, key);
  } catch (const std::exception&) {
    return std::nullopt;  // damaged: as if it was not there
  }
  if (!entry || hash_of_file(entry->object) != entry->object_hash) return std::nullopt;
  for (const Dependency& dependency : entry->dependencies)
    if (hash_of_file(dependency.file) != dependency.hash) return std::nullopt;
  return entry;
}

Result<CacheEntry> add_to_cache(const std::filesystem::path& folder, const BuildKey& key, const std::filesystem::path& compiled,
                                std::vector<Dependency> dependencies) {
  const std::string name = entry_name(key);
  const auto hash = hash_of_file(compiled);
  if (!hash)
    return Diagnostic{fmt::format("{}: error: cannot be read, although the compiler has just written it", compiled.string())};
  CacheEntry entry{folder / fmt::format("{}-{:016x}{}", name, *hash, key.suffix), *hash, std::move(dependencies)};
  std::error_code error;
  std::filesystem::rename(compiled, entry.object, error);
  if (error) return Diagnostic{fmt::format("{}: error: cannot be written: {}", entry.object.string(), error.message())};
  nlohmann::json json = {
      {"format", kFormat}, {"key", key.text}, {"object", entry.object.filename().string()}, {"hash", hex(*hash)}};
  json["dependencies"] = nlohmann::json::object();
  for (const auto& [file, contents] : entry.dependencies) json["dependencies"][file.string()] = hex(contents);
  // Without the note the object is good for this time; only the next run has to compile again. So a failure is not told.
  try {
    write_whole(folder / (name + ".json"), json.dump(1) + "\n", Existing::kReplace);
  } catch (const nlohmann::json::exception&) {  // a path that is not UTF-8
  }
  remove_old_objects(folder, name, key.suffix, entry.object);
  return entry;
}

std::vector<std::filesystem::path> parse_depfile(std::string_view text) {
  std::vector<std::filesystem::path> files;
  std::string word;
  bool before_colon = true;
  const auto end_word = [&] {
    if (before_colon && word.ends_with(':')) before_colon = false;
    else if (!before_colon && !word.empty()) files.emplace_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && (next == '\n' || next == '\r')) {
      end_word();
    } else if ((c == '\\' && (next == ' ' || next == '#' || next == '\\')) || (c == '$' && next == '$')) {
      word += next;
      ++i;
    } else if (c == '\n' && !before_colon && !word.empty()) {
      end_word();
      break;  // one rule
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return files;
}

}  // namespace tarry
