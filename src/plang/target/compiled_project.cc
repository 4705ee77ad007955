#include "plang/target/compiled_project.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "plang/code/bytecode.h"
#include "plang/project/project.h"
#include "plang/sema/checked_program.h"
#include "plang/target/foreign_files.h"
#include "plang/vm/foreign_functions.h"
#include "toolchain/source_files.h"

namespace tarry::plang {
namespace {

namespace fs = std::filesystem;

/// Of names and texts, in order.
std::uint64_t identity_of(const Sources& sources) {
  std::uint64_t hash = 0;
  for (std::uint32_t i = 0; i < sources.size(); ++i) hash = hash_of(sources.file(i).text, hash_of(fs::path(sources.file(i).name).filename().string(), hash));
  return hash;
}

/// The ending of its name, in small letters.
std::string kind_of(const fs::path& file) {
  std::string kind = file.extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return kind;
}

/// Messages end with a newline; diagnostics do not.
std::string without_newline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

CompiledProject::~CompiledProject() = default;

bool names_a_p_program(const fs::path& file) {
  std::error_code ignored;
  return kind_of(file) == ".p" || kind_of(file) == ".pproj" || fs::is_directory(file, ignored);
}

bool has_project(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (kind_of(at->path()) == ".pproj" && !at->path().filename().string().starts_with('.')) return true;
  return false;
}

Result<std::shared_ptr<CompiledProject>> compile_project(const std::vector<std::string>& files, const CompileOptions& options) {
  const auto project = open_project({files.begin(), files.end()});
  if (!project) return project.error();
  auto sources = read_sources(*project);
  if (!sources) return sources.error();
  for (const std::string& file : options.foreign)
    if (auto problem = unreadable(file)) return std::move(*problem);
  auto made = std::make_shared<CompiledProject>();
  made->identity = identity_of(*sources);
  made->named = files;
  using Mode = Diagnostics::Mode;
  auto compiled = compile(std::move(*sources), options.strict_errors ? Mode::kFirstOnly : Mode::kAll);
  if (compiled.program == nullptr) return Diagnostic{without_newline(compiled.messages)};
  made->warnings = compiled.messages;
  for (const std::string& note : project->notes) made->warnings += note + "\n";
  made->foreign_sources = foreign_files_of(*project, options.foreign, made->warnings);
  made->program = std::move(compiled.program);
  made->code = generate(*made->program);
  if (std::none_of(made->code->functions.begin(), made->code->functions.end(), [](const CodeFunction& f) { return f.is_foreign; }))
    for (const std::string& file : options.foreign) made->warnings += fmt::format("{}: note: is not used: the program has no foreign functions\n", file);
  for (const TestCase& test : made->program->tests) made->tests.push_back(test.name);
  return made;
}

}  // namespace tarry::plang
