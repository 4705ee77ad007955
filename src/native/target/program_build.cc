#include "native/target/program_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "base/hash.h"
#include "core/usage.h"
#include "native/driver/compile.h"
#include "native/driver/plain_inputs.h"
#include "native/target/compilers.h"
#include "toolchain/object_build.h"
#include "toolchain/build_cache.h"
#include "toolchain/compiler.h"
#include "toolchain/source_files.h"
#include "toolchain/surroundings.h"
#include "toolchain/unchanged.h"
#include "trace/whole_file.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

/// Removes what a compilation leaves behind, however it ends.
class Scratch {
 public:
  explicit Scratch(const fs::path& folder) : folder_(folder) {}
  ~Scratch() {
    std::error_code error;
    for (const fs::path& file : files_) fs::remove(file, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path file(const char* ending) { return files_.emplace_back(scratch_name(folder_, ending)); }

 private:
  fs::path folder_;
  std::vector<fs::path> files_;
};

/// One program on its way.
class Builder {
 public:
  Builder(const ProgramBuild& build, fs::path folder, RuntimeFolder runtime) : build_(build), folder_(std::move(folder)), runtime_(std::move(runtime)) {}

  Result<BuiltProgram> run() {
    if (const auto wrong = choose_compilers()) return *wrong;
    const BuildKey key = make_key();
    if (const auto hit = find_cached(folder_, key)) return BuiltProgram{hit->object, identity(hit->dependencies)};
    Scratch scratch(folder_);
    const fs::path program = scratch.file("");
    auto sources = compile_unchanged(build_.files.front(), [&] { return compile(program); });
    if (!sources) return sources.error();
    const auto made = add_to_cache(folder_, key, program, std::move(*sources));
    if (!made) return made.error();
    return BuiltProgram{made->object, identity(made->dependencies)};
  }

 private:
  /// All sources, linked; the files that went in, sorted by name.
  Result<std::vector<Dependency>> compile(const fs::path& program) {
    Scratch scratch(folder_);
    objects_.clear();
    dependencies_.clear();
    for (const std::string& file : build_.files)
      if (const auto wrong = add(file, scratch)) return *wrong;
    if (const auto wrong = link(program)) return *wrong;
    std::sort(dependencies_.begin(), dependencies_.end(), [](const Dependency& a, const Dependency& b) { return a.file < b.file; });
    dependencies_.erase(std::unique(dependencies_.begin(), dependencies_.end(), [](const Dependency& a, const Dependency& b) { return a.file == b.file; }), dependencies_.end());
    return dependencies_;
  }

  std::optional<Diagnostic> choose_compilers() {
    for (const std::string& file : build_.files) {
      const Language language = is_c_source(file) ? Language::kC : Language::kCxx;
      auto& compiler = compilers_[static_cast<std::size_t>(language)];
      if (compiler || is_for_linker(file)) continue;
      const std::string& wanted = language == Language::kC ? build_.c_compiler : build_.cxx_compiler;
      const auto called = wanted.empty() ? compiler_by_environment(language) : Result<std::string>(wanted);
      if (!called) return called.error();
      auto found = find_compiler_called(*called);
      if (!found) return found.error();
      compiler = std::move(*found);
    }
    return std::nullopt;
  }

  const Compiler& compiler(Language language) const { return *compilers_[static_cast<std::size_t>(language)]; }
  Instrumentation instrumentation() const {
    return build_.address_sanitizer ? Instrumentation::kAddresses : Instrumentation::kThreads;
  }

  BuildKey make_key() const {
    BuildKey key{.stem = "", .text = "thread program 4\n", .suffix = ""};
    for (const char c : fs::path(build_.files.front()).stem().string().substr(0, 60)) key.stem += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' ? c : '_';
    key.text += runtime_.path.string() + "\n" + build_.folder.string() + "\n" + (build_.address_sanitizer ? "addresses\n" : "threads\n");
    for (const auto& one : compilers_)
      if (one) key.text += fmt::format("{} {} {}\n", fmt::join(one->command, " "), one->version, compiler_version(one->command.back(), folder_));
    for (const auto& one : compilers_)  // another version of Tarry may instrument otherwise
      if (one) key.text += fmt::format("{}\n{:x}\n", fmt::join(instrumented_command(*one, {"-c", "x.c"}, runtime_, instrumentation()), " "), hash_of_file(runtime_.completion(*one)).value_or(0));
    key.text += fmt::format("{:x}\n", hash_of_file(runtime_.copies()).value_or(0));
    for (const std::string& file : build_.files) key.text += name_for_compiler(file) + "\n";
    for (const auto* list : {&build_.compile_flags, &build_.link_flags}) key.text += fmt::format("\n{}\n", fmt::join(*list, "\n"));
    return key;
  }

  /// One name per file, however the user wrote it: a replay names files by their absolute paths, and `__FILE__` is part of the program.
  std::string name_for_compiler(const std::string& file) const {
    const fs::path whole = fs::absolute(file).lexically_normal(), inside = whole.lexically_relative(build_.folder);
    const std::string name = inside.empty() || inside.string().starts_with("..") ? whole.string() : inside.string();
    return name.starts_with('-') ? "./" + name : name;
  }

  /// Compiles a source; what is for the linker is only noted.
  std::optional<Diagnostic> add(const std::string& file, Scratch& scratch) {
    const std::string given = name_for_compiler(file);
    if (is_for_linker(file)) {
      objects_.push_back(given);
      return depend_on(file);
    }
    const bool c = is_c_source(file);
    const fs::path object = scratch.file(".o"), depfile = scratch.file(".d");
    std::vector<std::string> arguments = {"-O1", "-pthread"};
    if (!c) arguments.emplace_back("-std=gnu++20");
    arguments.insert(arguments.end(), build_.compile_flags.begin(), build_.compile_flags.end());
    for (const std::string& word : {std::string("-MMD"), std::string("-MF"), depfile.string(), std::string("-c"), std::string("-o"), object.string(), given}) arguments.push_back(word);
    if (const auto wrong = run_compiler(c ? Language::kC : Language::kCxx, arguments, file)) return wrong;
    objects_.push_back(object.string());
    const auto text = read_whole(depfile);
    for (const fs::path& dependency : text ? parse_depfile(*text) : std::vector<fs::path>{})
      if (const auto wrong = depend_on(build_.folder / dependency)) return wrong;
    // The compiler takes it for one of the system's, and does not list it.
    std::error_code error;
    if (const fs::path header = runtime_.headers / "tarry/test.h"; fs::is_regular_file(header, error))
      if (const auto wrong = depend_on(header)) return wrong;
    return depend_on(file);
  }

  std::optional<Diagnostic> depend_on(const fs::path& file) {
    const fs::path whole = fs::absolute(file).lexically_normal();
    const auto hash = hash_of_file(whole);
    if (!hash) return Diagnostic{fmt::format("{}: error: cannot be read", file.string())};
    dependencies_.push_back({whole, *hash});
    return std::nullopt;
  }

  std::optional<Diagnostic> link(const fs::path& program) {
    std::vector<std::string> arguments = objects_;
    arguments.insert(arguments.end(), {"-pthread", "-o", program.string()});
    arguments.insert(arguments.end(), build_.link_flags.begin(), build_.link_flags.end());
    return run_compiler(compilers_[1] ? Language::kCxx : Language::kC, arguments, build_.files.front());
  }

  std::optional<Diagnostic> run_compiler(Language language, const std::vector<std::string>& arguments, const std::string& file) {
    if (const auto wrong = refusal(job_of(arguments))) return wrong;
    const ProcessResult run = run_process(instrumented_command(compiler(language), arguments, runtime_, instrumentation(), plain_inputs(arguments, is_completed(compiler(language), runtime_), build_.folder)), build_.folder);
    if (run.started && run.exit_code == 0) return std::nullopt;
    const std::string& name = compiler(language).command.front();
    if (!run.started) return usage_error(fmt::format("compiler '{}' could not be started", name));
    std::string text = run.output;
    if (run.signal != 0) text += fmt::format("{}: error: compiler '{}' was killed by signal {}\n", file, name, run.signal);
    else if (text.empty()) text = fmt::format("{}: error: compiler '{}' failed with exit code {} and no message\n", file, name, run.exit_code);
    if (text.find("undefined reference to `main'") != std::string::npos) text += fmt::format("{}: error: there is no main function; name all sources of the program, or libraries with -l\n", file);
    return Diagnostic{text};
  }

  std::uint64_t identity(const std::vector<Dependency>& dependencies) const {
    std::vector<std::uint64_t> contents;
    for (const Dependency& dependency : dependencies)
      if (!dependency.file.string().starts_with("/usr/") && !dependency.file.string().starts_with(runtime_.headers.string() + "/")) contents.push_back(dependency.hash);
    std::sort(contents.begin(), contents.end());
    std::uint64_t hash = hash_of(std::span<const std::uint64_t>(contents), build_.address_sanitizer ? 1 : 0);
    for (const auto* list : {&build_.compile_flags, &build_.link_flags})
      for (const std::string& flag : *list) hash = hash_of(std::string_view(flag), hash);
    for (const auto& one : compilers_)
      if (one) hash = hash_of(std::string_view(fmt::format("{} {}", static_cast<int>(one->family), one->version)), hash);
    return hash;
  }

  const ProgramBuild& build_;
  fs::path folder_;
  RuntimeFolder runtime_;
  std::array<std::optional<Compiler>, 2> compilers_;  // of C and C++, if there is something in it
  std::vector<std::string> objects_;
  std::vector<Dependency> dependencies_;
};

}  // namespace

Result<BuiltProgram> build_program(const ProgramBuild& build) {
  for (const std::string& file : build.files) {
    if (!is_c_source(file) && !is_cxx_source(file) && !is_for_linker(file))
      return Diagnostic{fmt::format("{}: error: is neither a source in C or C++ nor an object or library; arguments after '--' are passed to the program", file)};
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return Diagnostic{fmt::format("{}: error: no such file", file)};
  }
  const auto runtime = runtime_folder();
  if (!runtime) return runtime.error();
  std::error_code error;
  const fs::path folder = fs::absolute(cache_folder());
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) return Diagnostic{fmt::format("{}: error: the cache folder cannot be made: {}", folder.string(), error.message())};
  return Builder(build, folder, *runtime).run();
}

}  // namespace tarry::native
