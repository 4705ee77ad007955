// Where the time goes: a compilation takes a second or two, a hit a few milliseconds. So the question "is it still the same?" is
// answered from contents (see build_cache.h), and the compiler's version is asked for once.
#include "toolchain/object_build.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <tarry/explorer.h>
#include <tarry/foreign_abi.h>
#include <tarry/model_abi.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <system_error>

#include "base/hash.h"
#include "toolchain/build_cache.h"
#include "toolchain/compiler.h"
#include "toolchain/unchanged.h"
#include "trace/whole_file.h"

namespace tarry {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFlags = {"-std=c++20", "-O2", "-march=native", "-fPIC", "-shared", "-fvisibility=hidden"};

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || digit(c); });
}

std::optional<Diagnostic> check_defines(const std::vector<std::string>& defines) {
  for (const std::string& define : defines) {
    if (!is_identifier(std::string_view(define).substr(0, define.find('='))))
      return Diagnostic{fmt::format("tarry: error: '-D {}' is not a definition: expected NAME or NAME=VALUE", define)};
    if (define.find_first_of("\n\r") != std::string::npos || define.find('\0') != std::string::npos)
      return Diagnostic{
          fmt::format("tarry: error: the value of '-D {}' must be on one line", define.substr(0, define.find('=')))};
  }
  return std::nullopt;
}

std::optional<Diagnostic> check_source(const fs::path& source) {
  const auto bytes = read_whole(source);
  if (bytes) return std::nullopt;
  return bytes.error();
}

/// What -march=native means here, so that machines that share a home do not share objects.
std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("flags") || line.starts_with("Features")) return fmt::format("{:016x}", hash_of(std::string_view(line)));
  return "unknown";
}

struct Compilation {
  fs::path source;  // as the user wrote it, because that is what the compiler's messages show
  fs::path absolute;
  fs::path folder;
  fs::path compiler;
  fs::path headers;
  std::vector<std::string> flags;  // those that say what is made, not where
  BuildKey key;
};

Compilation plan(const BuildRequest& request, const fs::path& folder, const fs::path& compiler, const fs::path& headers) {
  Compilation c{.source = request.source,
                .absolute = fs::absolute(request.source).lexically_normal(),
                .folder = folder,
                .compiler = compiler,
                .headers = headers,
                .flags = kFlags,
                .key = {}};
  if (c.source.string().starts_with('-')) c.source = fs::path(".") / c.source;
  c.flags.push_back("-I" + headers.string());
  for (const std::string& define : request.defines) c.flags.push_back("-D" + define);
  std::string stem;
  for (const char ch : request.source.stem().string()) stem += is_identifier(std::string("a") + ch) || ch == '-' ? ch : '_';
  c.key.stem = stem.substr(0, 60);
  c.key.text = fmt::format("model {} explorer {} foreign {}\n{}\n{}\n{}\ncpu {}\n", abi::kVersion, abi::kExplorerVersion, abi::kForeignVersion,
                           c.absolute.string(), compiler.string(), compiler_version(compiler, folder), processor());
  for (const std::string& flag : c.flags) c.key.text += flag + "\n";
  return c;
}

/// Locations in findings name files relative to the source's folder: the same on every machine, from wherever tarry was started.
void add_prefix_map(const Compilation& c, std::vector<std::string>& arguments) {
  const std::string folder = c.source.has_parent_path() ? (c.source.parent_path() / "").string() : "";
  if (!folder.empty() && folder.find('=') == std::string::npos) arguments.push_back("-fmacro-prefix-map=" + folder + "=");
}

std::vector<std::string> command(const Compilation& c, const fs::path& object, const fs::path& depfile) {
  std::vector<std::string> arguments = {c.compiler.string()};
  arguments.insert(arguments.end(), c.flags.begin(), c.flags.end());
  add_prefix_map(c, arguments);
  for (const std::string& argument : {std::string("-MMD"), std::string("-MF"), depfile.string(), std::string("-o"),
                                      object.string(), std::string("-x"), std::string("c++"), c.source.string()})
    arguments.push_back(argument);
  return arguments;
}

Diagnostic compiler_failed(const Compilation& c, const ProcessResult& run) {
  if (!run.started) return {fmt::format("tarry: error: compiler '{}' could not be started", c.compiler.string())};
  std::string text = run.output;
  if (run.signal != 0)
    text += fmt::format("{}: error: compiler '{}' was killed by signal {}\n", c.source.string(), c.compiler.string(), run.signal);
  else if (text.empty())
    text = fmt::format("{}: error: compiler '{}' failed with exit code {} and no message\n", c.source.string(),
                       c.compiler.string(), run.exit_code);
  if (text.ends_with('\n')) text.pop_back();
  return {text};
}

/// Removes what a compilation leaves behind, however it ends.
struct Scratch {
  fs::path object, depfile;
  explicit Scratch(const fs::path& folder) : object(scratch_name(folder, ".so")), depfile(scratch_name(folder, ".d")) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code error;
    fs::remove(object, error);
    fs::remove(depfile, error);
  }
};

/// The files that went in, with their contents now. A file that cannot be read has hash 0.
std::vector<Dependency> dependencies_of(const Compilation& c, const fs::path& depfile) {
  const auto text = read_whole(depfile);
  std::vector<fs::path> files = text ? parse_depfile(*text) : std::vector<fs::path>{};
  for (fs::path& file : files) file = fs::absolute(file).lexically_normal();
  files.push_back(c.absolute);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::vector<Dependency> out;
  for (const fs::path& file : files) out.push_back({file, hash_of_file(file).value_or(0)});
  return out;
}

Result<CacheEntry> compile(const Compilation& c) {
  const Scratch scratch(c.folder);
  auto dependencies = compile_unchanged(c.source, [&]() -> Result<std::vector<Dependency>> {
    const ProcessResult run = run_process(command(c, scratch.object, scratch.depfile));
    if (!run.started || run.exit_code != 0) return compiler_failed(c, run);
    return dependencies_of(c, scratch.depfile);
  });
  if (!dependencies) return dependencies.error();
  return add_to_cache(c.folder, c.key, scratch.object, std::move(*dependencies));
}

bool is_under(const fs::path& file, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

std::uint64_t identity_of(const Compilation& c, const std::vector<Dependency>& dependencies,
                          const std::vector<std::string>& defines) {
  std::vector<std::uint64_t> contents;
  for (const Dependency& dependency : dependencies)
    if (dependency.file == c.absolute || (!is_under(dependency.file, "/usr") && !is_under(dependency.file, c.headers)))
      contents.push_back(dependency.hash);
  std::sort(contents.begin(), contents.end());
  std::map<std::string, std::string> meaning;  // of each name the last counts, and NAME means NAME=1
  for (const std::string& define : defines) {
    const std::size_t equals = define.find('=');
    meaning[define.substr(0, equals)] = equals == std::string::npos ? "1" : define.substr(equals + 1);
  }
  std::uint64_t hash = hash_of(std::span<const std::uint64_t>(contents));
  for (const auto& [name, value] : meaning) hash = hash_of(std::string_view(name + "=" + value), hash);
  return hash;
}

}  // namespace

Result<fs::path> find_headers(const fs::path& tool) {
  std::vector<fs::path> places;
  if (!tool.empty()) places.push_back((tool.parent_path() / TARRY_INSTALL_INCLUDE_DIR).lexically_normal());
  places.emplace_back(TARRY_SOURCE_INCLUDE_DIR);
  for (const fs::path& place : places) {
    std::error_code error;
    if (fs::is_regular_file(place / "tarry/model.h", error)) return fs::absolute(place);
  }
  std::string looked;
  for (const fs::path& place : places) looked += fmt::format("{}'{}'", looked.empty() ? "" : " and ", place.string());
  return Diagnostic{
      fmt::format("tarry: error: the header <tarry/model.h> was not found: looked in {}; install tarry again", looked)};
}

Result<BuiltObject> build_shared_object(const BuildRequest& request) {
  if (auto wrong = check_defines(request.defines)) return *wrong;
  if (auto wrong = check_source(request.source)) return *wrong;
  const auto headers = find_headers(request.tool);
  if (!headers) return headers.error();
  const auto compiler = find_compiler(request.compiler);
  if (!compiler) return compiler.error();
  std::error_code error;
  const fs::path folder = fs::absolute(request.cache_folder);
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    return Diagnostic{fmt::format("{}: error: the cache folder cannot be made: {}", folder.string(), error.message())};

  const Compilation c = plan(request, folder, *compiler, *headers);
  if (const auto hit = find_cached(folder, c.key))
    return BuiltObject{hit->object, identity_of(c, hit->dependencies, request.defines), true};
  const auto made = compile(c);
  if (!made) return made.error();
  return BuiltObject{made->object, identity_of(c, made->dependencies, request.defines), false};
}

Result<BuiltObject> existing_shared_object(const fs::path& object) {
  const auto bytes = read_whole(object);
  if (!bytes) return bytes.error();
  return BuiltObject{fs::absolute(object), hash_of(std::string_view(*bytes)), true};
}

}  // namespace tarry
