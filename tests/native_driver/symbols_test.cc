#include "native/driver/symbols.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "native/driver/inspect.h"

namespace tarry::native {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  std::string out;
  FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) out += buffer.data();
  ::pclose(pipe);
  return out;
}

/// A small program, compiled with debug information once.
class SymbolsOf : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("symbols" + std::to_string(::getpid()) + std::to_string(std::hash<std::string>()(GetParam())));
    fs::create_directories(folder_);
    std::ofstream(folder_ / "p.cpp") << "#include <mutex>\n"                                                        // 1
                                        "struct Queue { long head; std::mutex mutex; int items[4]; };\n"            // 2
                                        "namespace app { Queue queue; static int table[3][2]; }\n"                  // 3
                                        "static inline __attribute__((always_inline)) int peek(int i) {\n"          // 4
                                        "  app::table[1][1] += i;\n"                                                // 5
                                        "  asm volatile(\"inner: .globl inner\");\n"                                // 6
                                        "  return app::queue.items[i];\n"                                           // 7
                                        "}\n"                                                                       // 8
                                        "__attribute__((noinline)) int user_function(int i) {\n"                    // 9
                                        "  return peek(i) + 1;\n"                                                   // 10
                                        "}\n"                                                                       // 11
                                        "int main(int n, char**) { app::queue.mutex.lock(); return user_function(n); }\n"
                                        "#include <algorithm>\n"
                                        "template const long& std::max(const long&, const long&);\n";
    ASSERT_EQ(std::system((std::string(GetParam()) + " -std=c++17 -g -o " + program() + " " + (folder_ / "p.cpp").string()).c_str()), 0);
  }
  std::string program() const { return (folder_ / "p").string(); }
  std::uint64_t address(const std::string& symbol) const {
    return std::strtoull(output_of("nm -C " + program() + " | awk '$3 == \"" + symbol + "\" {print $1}'").c_str(), nullptr, 16);
  }
  fs::path folder_;
};

TEST_P(SymbolsOf, PlacesAreLinesAndInlinedFunctionsAreToldApart) {
  Symbols symbols({{program(), true}});
  const std::uint64_t inner = address("inner");
  ASSERT_NE(inner, 0u);
  const auto& frames = symbols.frames({0, inner + 1});
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "peek");
  EXPECT_EQ(frames[1].function, "user_function");
  EXPECT_EQ(frames[1].line, 10u);
  EXPECT_EQ(fs::path(frames[0].file).filename(), "p.cpp");
  EXPECT_TRUE(frames[0].is_users);
  EXPECT_NE(frames[1].location().find("p.cpp:10"), std::string::npos);
}

TEST_P(SymbolsOf, VariablesAreNamedDownToMembersAndElements) {
  Symbols symbols({{program(), true}});
  const std::uint64_t queue = address("app::queue"), table = address("app::table");
  ASSERT_NE(queue, 0u);
  EXPECT_EQ(symbols.variable({0, queue}), "app::queue.head");
  EXPECT_EQ(symbols.variable({0, queue + 8}), "app::queue.mutex");
  EXPECT_EQ(symbols.variable({0, queue + 8 + 40 + 8}), "app::queue.items[2]");
  EXPECT_EQ(symbols.variable({0, table + 12}), "app::table[1][1]");
  EXPECT_EQ(symbols.variable({0, address("main")}), "");
  EXPECT_EQ(symbols.filled_in("{0} and {1} but not {7} or {x}", {{0, queue}, {0, table}}), "app::queue.head and app::table[0][0] but not {7} or {x}");
}

TEST_P(SymbolsOf, WhatIsNotKnownIsModuleAndOffset) {
  Symbols symbols({{program(), true}, {"/no/such/library.so", false, 1}});
  EXPECT_EQ(symbols.frames({1, 0x1234})[0].function, "library.so+0x1234");
  EXPECT_FALSE(symbols.frames({9, 1}).empty());
  EXPECT_EQ(symbols.shown({}).location(), "");
  EXPECT_EQ(symbols.variable({9, 5}), "");
}

TEST_P(SymbolsOf, SystemFramesAreNotShown) {
  Symbols symbols({{program(), true}, {"/usr/lib/x86_64-linux-gnu/libc.so.6", false}});
  const Stack stack = {{1, 0x30000}, {0, address("inner") + 1}, {1, 0x27000}};
  EXPECT_NE(symbols.shown(stack).location().find("p.cpp:"), std::string::npos);
  EXPECT_EQ(symbols.lines(stack).size(), 2u);
}

TEST_P(SymbolsOf, CodeOfATemplateOfTheLibraryHasItsLineThere) {
  Symbols symbols({{program(), true}});
  const std::uint64_t max = std::strtoull(output_of("nm " + program() + " | awk '/_ZSt3maxIl/ {print $1}'").c_str(), nullptr, 16);
  ASSERT_NE(max, 0u);
  EXPECT_FALSE(symbols.frames({0, max + 1})[0].is_users);
  EXPECT_NE(symbols.filled_in("{0}", {{0, max + 1}}).find("stl_algobase.h:"), std::string::npos);
}

TEST_P(SymbolsOf, ExecutablesAreInspected) {
  const auto facts = inspect(program());
  ASSERT_TRUE(facts) << facts.error().text;
  EXPECT_FALSE(facts->instrumented || facts->address_sanitizer || facts->google_test);
  EXPECT_NE(facts->identity, 0u);
  EXPECT_TRUE(is_elf(program()));
  EXPECT_FALSE(is_elf(folder_ / "p.cpp"));
  EXPECT_FALSE(inspect(folder_ / "p.cpp"));
  ASSERT_EQ(std::system((std::string(GetParam()) + " -std=c++17 -static -o " + program() + "s " + (folder_ / "p.cpp").string()).c_str()), 0);
  const auto fixed = inspect(program() + "s");
  ASSERT_FALSE(fixed);
  EXPECT_NE(fixed.error().text.find("linked statically"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Compilers, SymbolsOf, ::testing::Values("g++ -O1", "g++ -O0 -no-pie"));

}  // namespace
}  // namespace tarry::native
