#include "cli/target.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "cli/command_line.h"
#include "cli/machine.h"
#include "cppmodel/load.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

Diagnostic wrong(const std::string& file, const std::string& what) { return {fmt::format("{}: error: {}", file, what)}; }

std::optional<Diagnostic> unreadable(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return wrong(file, "no such file");
  if (error) return wrong(file, fmt::format("cannot be read: {}", error.message()));
  if (status.type() == fs::file_type::directory) return wrong(file, "is a folder; name a C++ model, a .cpp or .so file");
  if (status.type() != fs::file_type::regular) return wrong(file, "is not a regular file; name a C++ model, a .cpp or .so file");
  if (::access(file.c_str(), R_OK) != 0) return wrong(file, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  return std::nullopt;
}

bool is_source(const fs::path& file) {
  const std::string kind = file.extension();
  return kind == ".cpp" || kind == ".cc" || kind == ".cxx" || kind == ".C" || kind == ".c++";
}
bool is_object(const fs::path& file) { return file.extension() == ".so"; }

Result<BuiltObject> build(const std::string& source, const std::vector<std::string>& defines) {
  return build_shared_object({.source = source,
                              .defines = defines,
                              .cache_folder = cache_folder(),
                              .compiler = chosen_compiler(),
                              .tool = own_executable()});
}

constexpr const char* kOnlyModels = "this version checks C++ models only; see docs/models.md";

}  // namespace

Result<BuiltObject> prepare_model(const std::string& target, const std::vector<std::string>& defines) {
  if (const auto problem = unreadable(target)) return *problem;
  if (is_object(target)) {
    if (!defines.empty()) return usage_error(fmt::format("-D needs a source to compile, but '{}' is compiled already", target));
    return existing_shared_object(target);
  }
  const std::string kind = fs::path(target).extension();
  if (kind == ".p" || kind == ".pproj") return wrong(target, fmt::format("is a P program, not a C++ model; {}", kOnlyModels));
  if (kind == ".c" || (is_source(target) && !is_model_source(target)))
    return wrong(target, fmt::format("is not a C++ model: TARRY_MODEL is not used in it; {}", kOnlyModels));
  if (!is_source(target)) return wrong(target, fmt::format("is neither a .cpp nor a .so file, so it is not a C++ model; {}", kOnlyModels));
  return build(target, defines);
}

Result<BuiltObject> prepare_explorer(const std::string& file) {
  if (const auto problem = unreadable(file)) return *problem;
  if (is_object(file)) return existing_shared_object(file);
  if (!is_source(file)) return wrong(file, "is neither a .cpp nor a .so file, so it is no explorer; see docs/writing-an-explorer.md");
  return build(file, {});
}

}  // namespace tarry::cli
