#include "native/driver/compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tarry::native {
namespace {

using Words = std::vector<std::string>;

const Compiler kGcc{.command = {"/usr/bin/g++"}, .family = Compiler::Family::kGcc, .version = 12};
const Compiler kClang{.command = {"/usr/bin/clang++"}, .family = Compiler::Family::kClang, .version = 14};
const RuntimeFolder kRuntime{"/opt/tarry"};

Words with_gcc(const Words& arguments) { return instrumented_command(kGcc, arguments, kRuntime); }
Words with_clang(const Words& arguments) { return instrumented_command(kClang, arguments, kRuntime); }

bool has(const Words& words, const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); }
std::ptrdiff_t position(const Words& words, const std::string& word) { return std::find(words.begin(), words.end(), word) - words.begin(); }

TEST(CompilerJob, CompilingIsNotLinking) {
  for (const char* stop : {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}) {
    const CompilerJob job = job_of({stop, "a.cpp"});
    EXPECT_TRUE(job.compiles) << stop;
    EXPECT_FALSE(job.links) << stop;
  }
  const CompilerJob both = job_of({"a.cpp", "-o", "a"});
  EXPECT_TRUE(both.compiles && both.links);
  const CompilerJob link = job_of({"a.o", "-o", "a", "-lfoo"});
  EXPECT_TRUE(!link.compiles && link.links);
}

TEST(CompilerJob, QuestionsAreNeither) {
  for (const Words& words : {Words{"--version"}, Words{"-v"}, Words{}, Words{"-dumpmachine"}, Words{"-print-file-name=libc.a"}, Words{"-print-search-dirs", "a.c"}, Words{"-O2", "-o", "x"}}) {
    const CompilerJob job = job_of(words);
    EXPECT_FALSE(job.compiles || job.links);
  }
}

TEST(CompilerJob, ValuesOfOptionsAreNoInputs) {
  EXPECT_FALSE(job_of({"-o", "a.c", "-I", "b.c", "-include", "c.h", "-MF", "d.d", "-Xlinker", "e.c", "-T", "f.c"}).compiles);
  EXPECT_FALSE(job_of({"-o", "a.c"}).links);
  EXPECT_TRUE(job_of({"-MD", "-MF", "d.d", "a.c"}).compiles);
}

TEST(CompilerJob, LanguageOverridesEndings) {
  EXPECT_TRUE(job_of({"-x", "c++", "-", "-c"}).compiles);
  EXPECT_TRUE(job_of({"-xc", "file.txt", "-c"}).compiles);
  EXPECT_FALSE(job_of({"-x", "assembler", "a.c", "-c"}).compiles);
  EXPECT_FALSE(job_of({"-x", "c", "-x", "none", "a.o"}).compiles);
  EXPECT_FALSE(job_of({"-c", "a.s"}).compiles);
  EXPECT_FALSE(job_of({"-c", "a.S"}).compiles);
}

TEST(CompilerJob, ResponseFilesAreRead) {
  const std::filesystem::path inner = std::filesystem::path(::testing::TempDir()) / "inner.rsp", outer = std::filesystem::path(::testing::TempDir()) / "outer.rsp";
  std::ofstream(inner) << "-g 'with space.cpp'\n";
  std::ofstream(outer) << "-c \"@" << inner.string() << "\"\n";
  const CompilerJob job = job_of({"@" + outer.string()});
  EXPECT_TRUE(job.compiles && !job.links && job.has_debug_option);
  EXPECT_FALSE(job_of({"@/no/such/file"}).compiles);
}

TEST(CompilerJob, StaticIsRefusedOnlyWhereItLinks) {
  EXPECT_TRUE(refusal(job_of({"-static", "a.o"})));
  EXPECT_FALSE(refusal(job_of({"-static", "-c", "a.c"})));
  EXPECT_FALSE(refusal(job_of({"-static-libgcc", "a.o"})));
  for (const char* sanitizer : {"memory", "hwaddress", "undefined,memory"}) EXPECT_TRUE(refusal(job_of({std::string("-fsanitize=") + sanitizer, "-c", "a.c"}))) << sanitizer;
  EXPECT_FALSE(refusal(job_of({"-fsanitize=memory", "-fno-sanitize=memory", "-c", "a.c"})));
  EXPECT_FALSE(refusal(job_of({"-fsanitize=undefined", "-c", "a.c"})));
}

TEST(InstrumentedCommand, GccCompilesAndFindsOurLibraryAsLibtsan) {
  EXPECT_EQ(with_gcc({"-c", "a.cpp"}), (Words{"/usr/bin/g++", "-g", "-include", kRuntime.copies(), "-c", "a.cpp", "-fno-omit-frame-pointer", "-fsanitize=thread", "-fno-builtin-memcpy",
                                              "-fno-builtin-memmove", "-fno-builtin-memset", "-fno-builtin-memcmp", "-fno-builtin-strcpy", "-fno-builtin-strncpy", "-fno-builtin-strcat",
                                              "-fno-builtin-strncat", "-fno-builtin-strlen", "-fno-builtin-strcmp", "-fno-builtin-strncmp", "-fno-builtin-memchr", "-fno-builtin-mempcpy",
                                              "-fno-builtin-stpcpy", "-fno-builtin-stpncpy", "-fno-builtin-bcmp", "-fno-builtin-bcopy", "-fno-builtin-bzero", "-fno-builtin-strnlen",
                                              "-fno-builtin-strchr", "-fno-builtin-strrchr", "-fno-builtin-strstr", "-fno-builtin-strspn", "-fno-builtin-strcspn", "-fno-builtin-strpbrk",
                                              "-fno-builtin-sprintf", "-fno-builtin-snprintf", "-fno-builtin-strcasecmp", "-Wno-tsan", "-Wno-error=maybe-uninitialized", "-Wno-error=null-dereference", "-Wno-error=array-bounds", "-Wno-error=stringop-overflow", "-Wno-error=stringop-overread", "--param=tsan-instrument-func-entry-exit=0", "-fno-optimize-sibling-calls"}));
  // A header that was compiled ahead has to be included first.
  const Words ahead = with_gcc({"-include", "pch.h", "-c", "a.cpp"});
  EXPECT_EQ(Words(ahead.begin() + 2, ahead.begin() + 8), (Words{"-include", "pch.h", "-c", "a.cpp", "-include", kRuntime.copies()}));
  EXPECT_FALSE(has(with_gcc({"a.o", "-o", "a"}), "-include"));
  EXPECT_EQ(with_gcc({"a.o", "-o", "a"}), (Words{"/usr/bin/g++", "a.o", "-o", "a", "-fsanitize=thread", "-Wl,-rpath,/opt/tarry", "-L/opt/tarry/link"}));
}

TEST(InstrumentedCommand, ClangIsToldWhatToLink) {
  const Words compiled = with_clang({"-c", "-g1", "a.cpp"});
  EXPECT_FALSE(has(compiled, "-g"));
  EXPECT_TRUE(has(compiled, "-tsan-instrument-read-before-write"));
  EXPECT_FALSE(has(compiled, "-ltarry_rt"));
  const Words linked = with_clang({"a.o"});
  EXPECT_TRUE(has(linked, "-ltarry_rt"));
  EXPECT_FALSE(has(linked, "-fsanitize=thread"));
  EXPECT_FALSE(has(linked, "-mllvm"));
  EXPECT_TRUE(has(with_clang({"a.cpp"}), "-fno-sanitize-link-runtime"));
  EXPECT_TRUE(has(with_clang({"-fsanitize=thread", "a.o"}), "-fno-sanitize-link-runtime"));
  EXPECT_FALSE(has(instrumented_command({.command = {"clang"}, .family = Compiler::Family::kClang, .version = 11}, {"-c", "a.c"}, kRuntime), "-tsan-instrument-read-before-write"));
}

TEST(InstrumentedCommand, SitesAreLeftToThePassForThatClang) {
  const Compiler clang{.command = {"clang++"}, .family = Compiler::Family::kClang, .version = 14};
  const Words compiled = instrumented_command(clang, {"-c", "a.cpp"}, kRuntime, Instrumentation::kSites);
  EXPECT_TRUE(has(compiled, "-fpass-plugin=" + kRuntime.path.string() + "/libtarry_pass_14.so"));
  EXPECT_TRUE(has(compiled, "-fsanitize=thread"));  // for atomic operations
  EXPECT_TRUE(has(compiled, "-tsan-instrument-memory-accesses=0"));
  EXPECT_FALSE(has(compiled, "-tsan-instrument-read-before-write"));
  EXPECT_EQ(instrumented_command(clang, {"a.o"}, kRuntime, Instrumentation::kSites), instrumented_command(clang, {"a.o"}, kRuntime));
}

TEST(InstrumentedCommand, TheCompletionIsOfTheCompilersVersion) {
  const RuntimeFolder runtime{std::filesystem::path(::testing::TempDir()) / "completed"};
  std::filesystem::create_directories(runtime.path);
  Compiler gcc{.command = {"g++"}}, clang{.command = {"clang++"}};
  recognise(gcc, "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright");
  recognise(clang, "Debian clang version 14.0.6\n");
  for (const auto& [compiler, file] : {std::pair{gcc, "libtarry_completion_gcc_12.2.0.so"}, std::pair{clang, "libtarry_completion_clang_14.so"}}) {
    const bool is_clang = compiler.family == Compiler::Family::kClang;
    const std::string option = (is_clang ? "-fpass-plugin=" : "-fplugin=") + (runtime.path / file).string();
    EXPECT_FALSE(is_completed(compiler, runtime));
    EXPECT_TRUE(has(instrumented_command(compiler, {"-c", "a.cpp"}, runtime), "-fno-optimize-sibling-calls"));
    std::ofstream(runtime.path / file) << "a library";
    EXPECT_TRUE(is_completed(compiler, runtime));
    const Words compiled = instrumented_command(compiler, {"-c", "a.cpp"}, runtime);
    EXPECT_TRUE(has(compiled, option));
    EXPECT_FALSE(has(compiled, "-fno-optimize-sibling-calls"));
    EXPECT_EQ(has(instrumented_command(compiler, {"a.o"}, runtime), option), !is_clang);  // gcc instruments there with -flto
    EXPECT_FALSE(has(instrumented_command(compiler, {"-c", "a.cpp"}, runtime, Instrumentation::kAddresses), option));
    std::filesystem::remove(runtime.path / file);
  }
}

TEST(InstrumentedCommand, OursComesLastButBeforeDoubleDash) {
  const Words words = with_clang({"-fomit-frame-pointer", "-c", "--", "-odd.cpp"});
  EXPECT_GT(position(words, "-fno-omit-frame-pointer"), position(words, "-fomit-frame-pointer"));
  EXPECT_LT(position(words, "-fsanitize=thread"), position(words, "--"));
  EXPECT_EQ(words.back(), "-odd.cpp");
}

TEST(InstrumentedCommand, OurHeadersAreFoundBehindAllOthers) {
  const RuntimeFolder runtime{.path = "/opt/tarry", .headers = "/opt/include"};
  for (const Compiler& compiler : {kGcc, kClang}) {
    const Words words = instrumented_command(compiler, {"-I/usr/local/include", "-c", "a.c"}, runtime);
    const std::ptrdiff_t at = position(words, "-idirafter");
    ASSERT_LT(at + 1, std::ssize(words));
    EXPECT_EQ(words[static_cast<std::size_t>(at) + 1], "/opt/include");
    EXPECT_FALSE(has(instrumented_command(compiler, {"a.o", "-o", "a"}, runtime), "-idirafter"));
  }
}

TEST(InstrumentedCommand, AssemblerGetsNothing) { EXPECT_EQ(with_gcc({"-c", "a.s"}), (Words{"/usr/bin/g++", "-c", "a.s"})); }

TEST(InstrumentedCommand, ASanitizerOfTheUsersStays) {
  const Words words = with_gcc({"-fsanitize=address", "a.cpp"});
  EXPECT_FALSE(has(words, "-fsanitize=thread"));
  EXPECT_TRUE(has(words, "-fsanitize=address"));
}

TEST(Compilers, AreRecognisedByWhatTheySay) {
  Compiler compiler;
  recognise(compiler, "g++ (Debian 12.2.0-14) 12.2.0");
  EXPECT_EQ(compiler.family, Compiler::Family::kGcc);
  EXPECT_EQ(compiler.version, 12u);
  compiler = {};
  recognise(compiler, "Debian clang version 19.1.4 (1)");
  EXPECT_EQ(compiler.family, Compiler::Family::kClang);
  EXPECT_EQ(compiler.version, 19u);
}

}  // namespace
}  // namespace tarry::native
