// The user's code is opened in children only, even to ask for its names: opening it runs it.
#include "plang/target/foreign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/hash.h"
#include "plang/foreign/calls.h"
#include "plang/foreign/linked.h"
#include "plang/foreign/stubs.h"
#include "plang/sema/checked_program.h"
#include "process/crash_record.h"
#include "process/supervise.h"
#include "toolchain/foreign_file.h"
#include "toolchain/source_files.h"
#include "toolchain/surroundings.h"

namespace tarry::plang {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeeDocs = "see docs/p-foreign.md";

struct Implementation {
  std::string name;
  std::uint32_t arity;
  std::string file;
};

/// Foreign functions of a P program, in a source or an object.
Result<BuiltObject> object_with_foreign(const std::string& file) {
  constexpr const char* kNeither = "is neither a .cpp nor a .so file, so it has no foreign functions; see docs/p-foreign.md";
  if (const auto problem = unreadable(file)) return *problem;
  if (is_cxx_source(file) && !is_foreign_source(file)) return wrong_file(file, "has no foreign functions: TARRY_FOREIGN is not used in it; see docs/p-foreign.md");
  return object_of(file, kNeither);
}

/// The names in an object, asked for in a child: "name arity" a line, or what is wrong behind an exclamation mark.
Result<std::vector<Implementation>> implementations_in(const BuiltObject& built, const fs::path& file) {
  process::SharedMemory shared;
  const process::ChildEnd end = process::supervise(*shared, {}, [&]() -> std::string {
    const auto table = load_foreign(built.object);
    if (!table) return "!" + table.error().text;
    std::string out;
    for (const auto* f = table->functions; f != nullptr; f = f->next) out += fmt::format("{} {}\n", f->name, f->arity);
    return out;
  });
  if (!end.came_back) return Diagnostic{fmt::format("{}: error: it crashes, exits or does not come back when it is loaded", file.string())};
  if (end.said.starts_with('!')) return Diagnostic{end.said.substr(1)};
  std::vector<Implementation> out;
  std::istringstream lines(end.said);
  for (Implementation one{"", 0, file.string()}; lines >> one.name >> one.arity;) out.push_back(one);
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

/// What does not go together, a line each.
class Comparison {
 public:
  explicit Comparison(const CompiledProject& project) : project_(project) {
    for (const auto& f : project.code->functions)
      if (f.is_foreign) declared_.emplace(f.name, &f);
  }

  void add(const Implementation& one) {
    const auto declared = declared_.find(one.name);
    if (declared == declared_.end()) {
      fmt::print(stderr, "{}: note: '{}' is no foreign function of the program, and not used\n", one.file, one.name);
      return;
    }
    const auto [before, is_new] = given_.emplace(one.name, one.file);
    if (!is_new) wrong(*declared->second, fmt::format("is implemented twice, in '{}' and in '{}'", before->second, one.file));
    const std::uint32_t params = declared->second->params;
    if (is_new && one.arity != abi::kAnyArity && one.arity != params)
      wrong(*declared->second, fmt::format("has {} parameters, but its implementation in '{}' has {}", params, one.file, one.arity));
  }

  void need(std::uint32_t function) {
    const CodeFunction& f = project_.code->functions[function];
    if (given_.count(f.name) == 0 && missing_.insert(function).second)
      wrong(f, fmt::format("has no implementation; write it in C++ and say TARRY_FOREIGN(\"{}\", function), in a .cpp of the project or one named with --foreign: 'tarry p "
                           "foreign-stubs {}' writes that file for you to fill in; {}",
                           f.name, fmt::join(project_.named, " "), kSeeDocs));
  }

  const std::string& problems() const { return problems_; }

 private:
  void wrong(const CodeFunction& f, const std::string& what) {
    if (!problems_.empty()) problems_ += '\n';
    problems_ += fmt::format("{}: error: foreign function '{}' {}", project_.program->sources.text(f.source->name.place), f.name, what);
  }

  const CompiledProject& project_;
  std::map<std::string, const CodeFunction*> declared_;
  std::map<std::string, std::string> given_;  // to the file
  std::set<std::uint32_t> missing_;
  std::string problems_;
};

}  // namespace

std::vector<fs::path> foreign_files_of(const Project& project, const std::vector<std::string>& named, std::string& notes) {
  std::vector<fs::path> out;
  std::set<fs::path> seen;
  const auto add = [&](const fs::path& file) {
    if (seen.insert(fs::weakly_canonical(file)).second) out.push_back(file);
  };
  for (const std::string& file : named) add(file);
  for (const fs::path& file : project.foreign_sources) {
    if (is_foreign_source(file)) add(file);
    else if (seen.count(fs::weakly_canonical(file)) == 0) notes += fmt::format("{}: note: is not used: TARRY_FOREIGN is not in it; {}\n", file.string(), kSeeDocs);
  }
  for (const auto& source : project.files)
    for (const char* ending : {".cpp", ".cc"}) {
      fs::path file = source.path;
      file.replace_extension(ending);
      std::error_code ignored;
      if (fs::is_regular_file(file, ignored) && is_foreign_source(file)) add(file);
    }
  return out;
}

std::optional<Diagnostic> build_foreign(CompiledProject& project, const std::vector<const TestCase*>& tests) {
  std::vector<std::uint32_t> needed;
  for (const TestCase* test : tests)
    for (const std::uint32_t function : foreign_calls(*project.code, *test)) needed.push_back(function);
  if (needed.empty()) return std::nullopt;
  std::sort(needed.begin(), needed.end());
  Comparison comparison(project);
  for (const fs::path& file : project.foreign_sources) {
    const auto built = object_with_foreign(file.string());
    if (!built) return built.error();
    const auto names = implementations_in(*built, file);
    if (!names) return names.error();
    for (const Implementation& one : *names) comparison.add(one);
    project.foreign_objects.push_back(*built);
  }
  for (const std::uint32_t function : needed) comparison.need(function);
  if (!comparison.problems().empty()) return Diagnostic{comparison.problems()};
  return std::nullopt;
}

Result<std::vector<const Function*>> unwritten_foreign(const CompiledProject& project) {
  std::set<std::string> written;
  for (const fs::path& file : project.foreign_sources) {
    const auto built = object_with_foreign(file.string());
    if (!built) return built.error();
    const auto names = implementations_in(*built, file);
    if (!names) return names.error();
    for (const Implementation& one : *names) written.insert(one.name);
  }
  std::vector<const Function*> out;
  for (const Function* function : project.program->functions)
    if (function->is_foreign && written.count(foreign_name(*function)) == 0) out.push_back(function);
  return out;
}

std::uint64_t identity_with_foreign(const CompiledProject& project, std::uint64_t program) {
  std::vector<std::uint64_t> parts;
  for (const BuiltObject& built : project.foreign_objects) parts.push_back(built.identity);
  return hash_of(std::span<const std::uint64_t>(parts), program);
}

std::optional<Diagnostic> load_foreign_of(CompiledProject& project) {
  if (project.linked != nullptr) return std::nullopt;
  std::vector<abi::ForeignTable> tables;
  for (const BuiltObject& built : project.foreign_objects) {
    const auto table = load_foreign(built.object);
    if (!table) return table.error();
    process::record_module(process::Module::kProgram, built.object);
    tables.push_back(*table);
  }
  project.linked = std::make_unique<LinkedForeign>(*project.code, tables);
  return std::nullopt;
}

}  // namespace tarry::plang
