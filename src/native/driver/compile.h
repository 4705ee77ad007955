// Compiling a thread program so that Tarry sees what its threads do: the user's compiler, with a few options added.
//
// Instrumentation is -fsanitize=thread; what it calls is found in libtarry_rt.so, never in libtsan. gcc links `-ltsan` by itself, so it
// is handed a folder in which libtsan.so is our library; clang is told to link no runtime, and given ours. What is linked so runs without
// Tarry too: outside of a check the library stands aside.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tarry::native {

enum class Language { kC, kCxx };

/// A compiler of the user's.
struct Compiler {
  enum class Family { kGcc, kClang };
  std::vector<std::string> command;  // its path, and what the user has it called with ("ccache gcc")
  Family family = Family::kGcc;
  std::uint32_t version = 0;         // 12 of 12.2.0; 0: unknown
  std::string whole_version = {};    // 12.2.0
};

/// Family and version, from the first lines of `--version`.
void recognise(Compiler& compiler, const std::string& version_text);

/// What checking adds to a program.
enum class Instrumentation {
  kThreads,    // every access is seen
  kAddresses,  // AddressSanitizer instead: only synchronisation is seen
  kSites,      // every access is seen, by our own pass (native/pass): behind a flag that is off unless Tarry runs the program; clang only
};

/// Where libtarry_rt.so is, and beside it the folder `link` with libtsan.so.
struct RuntimeFolder {
  std::filesystem::path path;
  std::filesystem::path headers = {};  // of <tarry/test.h>; empty: not found
  std::filesystem::path library() const { return path / "libtarry_rt.so"; }
  std::filesystem::path copies() const { return path / "copies_are_calls.h"; }
  std::filesystem::path pass(std::uint32_t version) const { return path / ("libtarry_pass_" + std::to_string(version) + ".so"); }
  /// The library that completes the instrumentation of this compiler (native/pass/completion.cc); it may not be there.
  std::filesystem::path completion(const Compiler& compiler) const {
    const bool clang = compiler.family == Compiler::Family::kClang;
    return path / ("libtarry_completion_" + (clang ? "clang_" + std::to_string(compiler.version) : "gcc_" + compiler.whole_version) + ".so");
  }
  std::filesystem::path link() const { return path / "link"; }
};

/// What a command line of a compiler asks for, as far as it matters here.
struct CompilerJob {
  bool compiles = false;          // some input is C, C++ or something else that becomes instrumented code
  bool links = false;
  bool makes_objects = false;     // -c
  bool wants_static = false;      // a program without shared libraries
  bool includes = false;          // a header in front, which may be compiled ahead
  bool wants_static_cxx = false;  // the standard library of C++ is to be linked statically
  bool wants_profile = false;     // -pg: a clock that interrupts the program
  bool has_debug_option = false;  // some -g
  bool has_thread_sanitizer = false;
  bool has_other_sanitizer = false;  // address, leak: these and ours exclude each other
  bool has_undefined_sanitizer = false;
  bool has_strange_sanitizer = false;  // memory, hwaddress, dataflow: whose runtimes and Tarry's cannot be in one process
};

/// Reads @files too. What is no compilation (`--version`, no input) is neither `compiles` nor `links`.
CompilerJob job_of(const std::vector<std::string>& arguments);

/// What a command line links beside what it compiles.
struct LinkedFiles {
  std::vector<std::string> inputs;     // objects, archives, shared libraries, sources in assembler
  std::vector<std::string> libraries;  // by -l
  std::vector<std::string> folders;    // by -L
};
/// Nothing if nothing is linked.
LinkedFiles linked_files(const std::vector<std::string>& arguments);

/// What a command line compiles.
struct CompiledFiles {
  std::vector<std::string> sources;
  std::vector<std::string> folders;  // of headers, by -I and -iquote
};
CompiledFiles compiled_files(const std::vector<std::string>& arguments);

/// The user's command line with what has to be added, and without what cannot stay. `plain`: code that is not instrumented, to be remembered in
/// what is compiled or linked (plain_inputs.h). Requires: the job is not one that `refusal` has words for.
std::vector<std::string> instrumented_command(const Compiler& compiler, const std::vector<std::string>& arguments, const RuntimeFolder& runtime,
                                              Instrumentation what = Instrumentation::kThreads, const std::vector<std::string>& plain = {});

/// What the user is to know of it, though it can be done; or nothing.
std::optional<std::string> remark(const CompilerJob& job);

/// Is there what completes the instrumentation of this compiler? Without it, structs that are passed or returned by value, and accesses of unusual sizes, are not
/// seen.
bool is_completed(const Compiler& compiler, const RuntimeFolder& runtime);

/// What is wrong with it, or nothing.
std::optional<Diagnostic> refusal(const CompilerJob& job);

}  // namespace tarry::native
