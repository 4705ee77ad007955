#include "cli/target.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/hash.h"
#include "cli/command_line.h"
#include "cli/crash_record.h"
#include "cli/machine.h"
#include "cli/state_subject.h"
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
  if (status.type() == fs::file_type::directory) return wrong(file, "is a folder without a P program; name a program, a source or a model");
  if (status.type() != fs::file_type::regular) return wrong(file, "is not a regular file; name a program, a source or a model");
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

constexpr const char* kKinds =
    "is nothing that can be checked: expected a source in C or C++, an executable, a P program or a model; see docs/threads.md, docs/p.md and docs/models.md";

class ModelSubject final : public StateSubject {
 public:
  ModelSubject(BuiltObject built, std::string formula) : built_(std::move(built)), formula_(std::move(formula)) {}
  std::uint64_t identity() const override { return formula_.empty() ? built_.identity : hash_of(formula_, built_.identity); }
  const std::string& test() const override { return none_; }
  Result<std::unique_ptr<Program>> load(Purpose /*purpose*/) const override {
    auto program = load_model(built_.object, formula_);
    if (program) record_module(Module::kProgram, built_.object);
    return program;
  }

 private:
  BuiltObject built_;
  std::string formula_;
  std::string none_;
};

Result<BuiltObject> prepare_model(const std::string& target, const std::vector<std::string>& defines) {
  if (const auto problem = unreadable(target)) return *problem;
  if (is_object(target)) {
    if (!defines.empty()) return usage_error(fmt::format("-D needs a source to compile, but '{}' is compiled already", target));
    return existing_shared_object(target);
  }
  if (!is_source(target)) return wrong(target, kKinds);
  return build(target, defines);
}

}  // namespace

Result<Subjects> prepare(const TargetOptions& options) {
  if (names_a_p_program(options.files.front())) {
    if (!options.defines.empty()) return usage_error("-D is for C++ models and programs with threads; a P program has 'param' declarations for that");
    const auto compiled = compile_p(options.files, options.p);
    if (!compiled) return compiled.error();
    fmt::print(stderr, "{}", (*compiled)->warnings);
    return p_subjects(*compiled, options.p);
  }
  if (!options.p.foreign.empty()) return usage_error(fmt::format("--foreign is for P programs, and '{}' is none", options.files.front()));
  if (names_a_thread_program(options.files.front())) {
    if (const auto problem = unreadable(options.files.front())) return *problem;
    return thread_subjects(options.files, options.defines, options.threads);
  }
  if (options.files.size() > 1) return usage_error(fmt::format("several files are checked together only if they are .p files or the sources of a program, but '{}' is neither", options.files.front()));
  auto model = prepare_model(options.files.front(), options.defines);
  if (!model) return model.error();
  Subjects subjects;
  subjects.push_back(std::make_unique<ModelSubject>(std::move(*model), options.p.ltl));
  return subjects;
}

Result<BuiltObject> prepare_foreign(const std::string& file) {
  if (const auto problem = unreadable(file)) return *problem;
  if (is_object(file)) return existing_shared_object(file);
  if (!is_source(file)) return wrong(file, "is neither a .cpp nor a .so file, so it has no foreign functions; see docs/p-foreign.md");
  if (!is_foreign_source(file)) return wrong(file, "has no foreign functions: TARRY_FOREIGN is not used in it; see docs/p-foreign.md");
  return build(file, {});
}

Result<BuiltObject> prepare_explorer(const std::string& file) {
  if (const auto problem = unreadable(file)) return *problem;
  if (is_object(file)) return existing_shared_object(file);
  if (!is_source(file)) return wrong(file, "is neither a .cpp nor a .so file, so it is no explorer; see docs/writing-an-explorer.md");
  return build(file, {});
}

}  // namespace tarry::cli
