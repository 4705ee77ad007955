#include "native/driver/compile.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/words.h"
#include "native/driver/plain_inputs.h"

namespace tarry::native {
namespace {

/// Options of gcc and clang whose value is the next word.
constexpr std::array<std::string_view, 44> kWithValue = {
    "-o", "-x", "-I", "-L", "-D", "-U", "-l", "-B", "-T", "-u", "-e", "-z", "-A", "-G", "-h", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
    "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-imultilib", "-imultiarch", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xassembler",
    "-Xpreprocessor", "-Xclang", "-mllvm", "-arch", "-target", "--param", "--sysroot", "-aux-info", "-wrapper", "-dumpbase", "-dumpdir", "-dumpbase-ext"};

/// Inside of the standard library are reference counts that the runtime has to see (rt/calls/library_counts.cc), and it takes over only what is shared.
constexpr std::string_view kStaticCxx = "-static-libstdc++";

/// What gcc writes the code of where sizes or texts are constants, or makes one of these of.
constexpr std::array<const char*, 28> kWrittenInLine = {"memcpy", "memmove", "memset", "memcmp", "strcpy", "strncpy", "strcat", "strncat", "strlen", "strcmp", "strncmp", "memchr", "mempcpy", "stpcpy",
                                                        "stpncpy", "bcmp", "bcopy", "bzero", "strnlen", "strchr", "strrchr", "strstr", "strspn", "strcspn", "strpbrk", "sprintf", "snprintf", "strcasecmp"};

/// Options after which nothing is linked.
constexpr std::array<std::string_view, 7> kStopsEarlier = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r"};

bool is_one_of(std::string_view word, const auto& words) { return std::find(words.begin(), words.end(), word) != words.end(); }

/// Only asks the compiler something. (-v and -### are asked beside a job, too.)
bool is_question(std::string_view word) {
  return word == "--version" || word == "--help" || word.starts_with("--help=") || word == "--target-help" || word.starts_with("-print-") || word.starts_with("--print-") ||
         word == "-dumpversion" || word == "-dumpfullversion" || word == "-dumpmachine" || word == "-dumpspecs";
}

bool is_debug_option(std::string_view word) {
  return word.starts_with("-g") && !word.starts_with("-gcc-toolchain") && !word.starts_with("-gnat") && word != "-gen-reproducer";
}

/// Inputs that become no instrumented code: objects, libraries, assembler, scripts of the linker.
bool is_for_linker_or_assembler(std::string_view file) {
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos || file.find('/', dot) != std::string_view::npos) return true;
  const std::string_view kind = file.substr(dot + 1);
  static constexpr std::array<std::string_view, 26> kSources = {"c", "i", "h", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii", "hh", "H", "hp", "hxx", "hpp", "HPP", "h++",
                                                                 "tcc", "ipp", "inl", "m", "mm", "cppm", "ixx", "txx"};
  return !is_one_of(kind, kSources);
}

/// What stands in @files, too. One that cannot be read is an ordinary word, as for the compilers.
std::vector<std::string> with_files_read(const std::vector<std::string>& arguments, int depth = 0) {
  std::vector<std::string> out;
  for (const std::string& word : arguments) {
    std::ifstream file;
    if (word.starts_with('@') && depth < 20) file.open(word.substr(1));
    if (!file.is_open()) {
      out.push_back(word);
      continue;
    }
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (std::string& inner : with_files_read(words_of(text, Quoting::kResponseFile), depth + 1)) out.push_back(std::move(inner));
  }
  return out;
}

void note_sanitizers(CompilerJob& job, std::string_view list) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view one = list.substr(0, comma);
    job.has_thread_sanitizer |= one == "thread";
    job.has_other_sanitizer |= one == "address" || one == "kernel-address" || one == "leak";
    job.has_undefined_sanitizer |= one == "undefined";
    job.has_strange_sanitizer |= one == "hwaddress" || one == "memory" || one == "dataflow";
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
}

/// Reads a command line from left to right.
class Reader {
 public:
  LinkedFiles files;
  CompiledFiles compiled;

  CompilerJob read(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) take(argument);
    const bool any = inputs_ > 0 && !question_;
    job_.links = any && !stops_earlier_ && headers_ < inputs_;
    job_.compiles &= any;
    return job_;
  }

 private:
  void take(std::string_view word) {
    if (std::exchange(value_expected_, false)) {
      if (value_of_ == "-x") language_ = word;
      if (value_of_ == "-l") ++inputs_, files.libraries.emplace_back(word);
      if (value_of_ == "-L") files.folders.emplace_back(word);
      if (value_of_ == "-I" || value_of_ == "-iquote") compiled.folders.emplace_back(word);
      return;
    }
    if (!only_inputs_ && word.size() > 1 && word.starts_with('-')) return option(word);
    ++inputs_;
    if (is_header(word)) ++headers_;
    if (is_for_linker_or_assembler(word) && (language_.empty() || language_ == "none" || language_.starts_with("assembler"))) files.inputs.emplace_back(word);
    if (language_.starts_with("assembler")) return;
    if ((language_.empty() || language_ == "none") && is_for_linker_or_assembler(word)) return;
    job_.compiles = true;
    compiled.sources.emplace_back(word);
  }

  /// A header by itself is compiled to be read faster, and nothing is linked.
  bool is_header(std::string_view file) const {
    if (!language_.empty() && language_ != "none") return language_.ends_with("-header");
    static constexpr std::array<std::string_view, 9> kEndings = {".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc"};
    return std::any_of(kEndings.begin(), kEndings.end(), [file](std::string_view ending) { return file.ends_with(ending); });
  }

  void option(std::string_view word) {
    only_inputs_ |= word == "--";
    question_ |= is_question(word);
    stops_earlier_ |= is_one_of(word, kStopsEarlier);
    job_.makes_objects |= word == "-c";
    job_.wants_profile |= word == "-pg" || word == "-p";
    job_.wants_static |= word == "-static" || word == "--static" || word == "-static-pie";
    job_.wants_static_cxx |= word == kStaticCxx;
    job_.includes |= word == "-include" || word == "-imacros";
    job_.has_debug_option |= is_debug_option(word);
    if (word.starts_with("-fsanitize=")) note_sanitizers(job_, word.substr(11));
    if (word.starts_with("-fno-sanitize=")) unnote_sanitizers(word.substr(14));
    if (word.starts_with("-x") && word.size() > 2) language_ = word.substr(2);
    if (word.starts_with("-l") && word.size() > 2) ++inputs_, files.libraries.emplace_back(word.substr(2));
    if (word.starts_with("-L") && word.size() > 2) files.folders.emplace_back(word.substr(2));
    if (word.starts_with("-I") && word.size() > 2) compiled.folders.emplace_back(word.substr(2));
    value_expected_ = is_one_of(word, kWithValue);
    value_of_ = word;
  }

  void unnote_sanitizers(std::string_view list) {
    CompilerJob off;
    note_sanitizers(off, list);
    if (off.has_thread_sanitizer || list == "all") job_.has_thread_sanitizer = false;
    if (off.has_other_sanitizer || list == "all") job_.has_other_sanitizer = false;
    if (off.has_undefined_sanitizer || list == "all") job_.has_undefined_sanitizer = false;
    if (off.has_strange_sanitizer || list == "all") job_.has_strange_sanitizer = false;
  }

  CompilerJob job_;
  std::string_view language_, value_of_;
  bool value_expected_ = false, only_inputs_ = false, question_ = false, stops_earlier_ = false;
  std::size_t inputs_ = 0, headers_ = 0;
};

}  // namespace

void recognise(Compiler& compiler, const std::string& version_text) {
  const std::size_t clang = version_text.find("clang version ");
  compiler.family = clang == std::string::npos ? Compiler::Family::kGcc : Compiler::Family::kClang;
  std::size_t at = clang == std::string::npos ? version_text.find(") ") : clang + 14;  // "g++ (Debian 12.2.0-14) 12.2.0"
  if (at == std::string::npos) return;
  while (at < version_text.size() && std::isdigit(static_cast<unsigned char>(version_text[at])) == 0) ++at;
  compiler.whole_version = version_text.substr(at, version_text.find_first_not_of("0123456789.", at) - at);
  for (; at < version_text.size() && std::isdigit(static_cast<unsigned char>(version_text[at])) != 0; ++at)
    compiler.version = compiler.version * 10 + static_cast<std::uint32_t>(version_text[at] - '0');
}

CompilerJob job_of(const std::vector<std::string>& arguments) { return Reader().read(with_files_read(arguments)); }

LinkedFiles linked_files(const std::vector<std::string>& arguments) {
  Reader reader;
  return reader.read(with_files_read(arguments)).links ? std::move(reader.files) : LinkedFiles{};
}

CompiledFiles compiled_files(const std::vector<std::string>& arguments) {
  Reader reader;
  reader.read(with_files_read(arguments));
  return std::move(reader.compiled);
}

std::optional<Diagnostic> refusal(const CompilerJob& job) {
  if (job.links && job.wants_static)
    return Diagnostic{"tarry: error: a program that is linked with -static cannot be checked: Tarry takes over what it calls in shared libraries; link it without -static"};
  if (job.links && job.wants_profile)
    return Diagnostic{"tarry: error: a program that is linked with -pg cannot be checked: the profiler interrupts it at any moment, and no execution could be had again; build it without -pg"};
  if ((job.compiles || job.links) && job.has_strange_sanitizer)
    return Diagnostic{"tarry: error: MemorySanitizer, HWAddressSanitizer and DataFlowSanitizer take over what Tarry takes over, so a program that is built with one of them cannot be checked; build it without, or with -fsanitize=address"};
  return std::nullopt;
}

std::optional<std::string> remark(const CompilerJob& job) {
  if (!job.links || !job.wants_static_cxx) return std::nullopt;
  return "tarry: note: -static-libstdc++ was left out: Tarry sees what threads share inside of the standard library only if that is a shared library";
}

bool is_completed(const Compiler& compiler, const RuntimeFolder& runtime) {
  std::error_code error;
  return std::filesystem::is_regular_file(runtime.completion(compiler), error);
}

std::vector<std::string> instrumented_command(const Compiler& compiler, const std::vector<std::string>& given, const RuntimeFolder& runtime,
                                              Instrumentation what, const std::vector<std::string>& plain) {
  const CompilerJob job = job_of(given);
  const std::vector<std::string> arguments = job.wants_static_cxx ? with_files_read(given) : given;
  const bool clang = compiler.family == Compiler::Family::kClang;
  const bool threads = what != Instrumentation::kAddresses && !job.has_other_sanitizer;
  const bool sites = what == Instrumentation::kSites && threads && clang;
  const std::string_view sanitizer = threads ? "-fsanitize=thread" : "-fsanitize=address";
  std::vector<std::string> out = compiler.command;
  if (job.compiles && !job.has_debug_option) out.emplace_back("-g");
  // In front of what others have included; but a header that was compiled ahead has to be the first.
  const bool copies = job.compiles && threads && !clang;
  const auto include_copies = [&] {
    for (const std::string& word : {std::string("-include"), runtime.copies().string()}) out.push_back(word);
  };
  if (copies && !job.includes) include_copies();

  // Before "--", behind which there are only files; and behind the user's own options, because of two that contradict each other the last counts.
  const auto end_of_options = std::find(arguments.begin(), arguments.end(), "--");
  for (auto word = arguments.begin(); word != end_of_options; ++word)
    if (*word != "-static-libtsan" && *word != kStaticCxx) out.push_back(*word);
  if (copies && job.includes) include_copies();
  if (job.compiles) out.emplace_back("-fno-omit-frame-pointer");
  if (job.compiles && !runtime.headers.empty())  // behind all others: headers that happen to be beside Tarry's must not replace the system's
    for (const std::string& word : {std::string("-idirafter"), runtime.headers.string()}) out.push_back(word);
  const bool by_sanitizer_option = job.compiles || (job.links && (!clang || !threads));
  if (by_sanitizer_option && !job.has_other_sanitizer) out.emplace_back(sanitizer);
  if (job.compiles && threads && !clang)  // gcc writes the code of these where their size is a constant, unseen
    for (const char* name : kWrittenInLine) out.push_back(std::string("-fno-builtin-") + name);
  if (job.compiles && !clang)  // of what is instrumented gcc warns by mistake; for those who build with -Werror
    for (const char* word : {"-Wno-tsan", "-Wno-error=maybe-uninitialized", "-Wno-error=null-dereference", "-Wno-error=array-bounds", "-Wno-error=stringop-overflow", "-Wno-error=stringop-overread"}) out.emplace_back(word);
  // Calls at the beginning and end of functions tell nothing here, and give functions cleanups that they would not have: a thread that is cancelled
  // asynchronously would end the program there. Without these calls, calls in last position would leave no frame for traces. The completion takes care of them,
  // or else the compiler is told to make no such jumps; recursion in last position is no loop then.
  if (job.compiles && threads && !clang && compiler.version >= 12) out.emplace_back("--param=tsan-instrument-func-entry-exit=0");
  if (job.compiles && threads && clang && !sites)
    for (const char* word : {"-mllvm", "-tsan-instrument-func-entry-exit=0"}) out.emplace_back(word);
  const bool completed = threads && is_completed(compiler, runtime);
  if (job.compiles && threads && !completed) out.emplace_back("-fno-optimize-sibling-calls");
  if (completed && (job.compiles || (job.links && !clang))) out.push_back((clang ? "-fpass-plugin=" : "-fplugin=") + runtime.completion(compiler).string());  // gcc instruments where it links with -flto
  if (job.compiles && sites) {  // the compiler's own pass keeps the atomic operations
    out.push_back("-fpass-plugin=" + runtime.pass(compiler.version).string());
    for (const char* what_not : {"memory-accesses", "func-entry-exit", "memintrinsics"})
      for (const std::string& word : {std::string("-mllvm"), std::string("-tsan-instrument-") + what_not + "=0"}) out.push_back(word);
  } else if (job.compiles && threads && clang && compiler.version >= 13)  // else "x++" shows its write only
    for (const char* word : {"-mllvm", "-tsan-instrument-read-before-write"}) out.emplace_back(word);
  if (job.makes_objects && threads) {
    std::vector<std::string> marks = marking(plain);
    if (clang && !marks.empty()) out.emplace_back("-fno-integrated-as");
    for (std::string& word : marks) out.push_back(std::move(word));
  }
  if (job.links) {
    out.push_back("-Wl,-rpath," + runtime.path.string());
    if (threads)
      for (std::string& word : remembering(plain)) out.push_back(std::move(word));
    if (threads && !clang) {
      out.push_back("-L" + runtime.link().string());
    } else if (threads) {
      if (job.compiles || job.has_thread_sanitizer) {
        out.emplace_back("-fno-sanitize-link-runtime");
        if (job.has_undefined_sanitizer) out.emplace_back("-fsanitize-trap=undefined");  // it has no runtime either: a crash where it happens
      }
      for (const std::string& word : {"-L" + runtime.path.string(), std::string("-Wl,--push-state,--no-as-needed"), std::string("-ltarry_rt"), std::string("-Wl,--pop-state")})
        out.push_back(word);
    }
  }
  out.insert(out.end(), end_of_options, arguments.end());
  return out;
}

}  // namespace tarry::native
