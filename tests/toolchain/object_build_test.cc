#include "toolchain/object_build.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "cppmodel/load.h"
#include "tests/trace/scratch_folder.h"
#include "toolchain/build_cache.h"

namespace tarry {
namespace {

using testing::contains;
using testing::ScratchFolder;

// Small, so that the compiler is fast: most of these tests are about files, not about models.
constexpr const char* kTiny = "#include \"value.h\"\nextern \"C\" int value() { return VALUE; }\n";

class Build : public ::testing::Test {
 protected:
  Build() {
    source = folder.write("src/tiny.cpp", kTiny);
    folder.write("src/value.h", "#define VALUE 1\n");
  }
  Result<BuiltObject> build(std::vector<std::string> defines = {}) const {
    return build_shared_object(
        {.source = source, .defines = std::move(defines), .cache_folder = folder / "cache", .compiler = "", .tool = ""});
  }
  std::filesystem::path only(const std::string& ending) const {
    std::filesystem::path found;
    for (const auto& item : std::filesystem::directory_iterator(folder / "cache"))
      if (item.path().string().ends_with(ending)) found = item.path();
    return found;
  }

  ScratchFolder folder;
  std::filesystem::path source;
};

TEST_F(Build, SecondTimeComesFromTheCache) {
  const auto first = build();
  ASSERT_TRUE(first) << first.error().text;
  EXPECT_FALSE(first->from_cache);
  const auto second = build();
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(first->object, second->object);
  EXPECT_EQ(first->identity, second->identity);
  EXPECT_TRUE(first->object.filename().string().starts_with("tiny-"));
  EXPECT_EQ(folder.count(".d"), 0u) << "nothing is left behind";
}

TEST_F(Build, ChangedIncludeFileIsCompiledAgainAndChangesTheIdentity) {
  const auto first = build();
  folder.write("src/value.h", "#define VALUE 2\n");
  const auto second = build();
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(second->from_cache);
  EXPECT_NE(first->identity, second->identity);
  folder.write("src/value.h", "#define VALUE 1\n");
  const auto third = build();
  ASSERT_TRUE(third);
  EXPECT_EQ(first->identity, third->identity) << "it is a function of contents";
}

TEST_F(Build, SameContentsWithAnotherTimeAreAHit) {
  ASSERT_TRUE(build());
  folder.write("src/value.h", "#define VALUE 1\n");
  const auto again = build();
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->from_cache);
}

TEST_F(Build, DefinesArePartOfTheKeyAndOfTheIdentity) {
  const auto plain = build(), one = build({"N=1"}), two = build({"N=2"}), implied = build({"N"}), last = build({"N=1", "N=2"});
  ASSERT_TRUE(plain && one && two && implied && last);
  EXPECT_FALSE(one->from_cache || two->from_cache);
  EXPECT_NE(plain->identity, one->identity);
  EXPECT_NE(one->identity, two->identity);
  EXPECT_EQ(one->identity, implied->identity) << "-D N means -D N=1";
  EXPECT_EQ(last->identity, two->identity) << "of two definitions the last one counts";
  EXPECT_TRUE(build({"N=1"})->from_cache);
}

TEST_F(Build, IdentityDoesNotDependOnThePlace) {
  const auto here = build();
  folder.write("elsewhere/tiny.cpp", kTiny);
  folder.write("elsewhere/value.h", "#define VALUE 1\n");
  source = folder / "elsewhere/tiny.cpp";
  const auto there = build();
  ASSERT_TRUE(here && there);
  EXPECT_FALSE(there->from_cache);
  EXPECT_EQ(here->identity, there->identity);
}

TEST_F(Build, CorruptObjectIsBuiltAgain) {
  const auto first = build();
  ASSERT_TRUE(first);
  const std::string good = ScratchFolder::read(first->object);
  std::filesystem::resize_file(first->object, good.size() / 2);
  const auto second = build();
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->from_cache);
  EXPECT_EQ(ScratchFolder::read(second->object), good);
  std::filesystem::remove(second->object);
  EXPECT_FALSE(build()->from_cache);
}

TEST_F(Build, CorruptNoteIsBuiltAgain) {
  ASSERT_TRUE(build());
  const std::filesystem::path note = only(".json");
  const std::string good = ScratchFolder::read(note);
  for (const std::string& bad : {std::string(), std::string("{"), std::string("[]"), std::string("{\"format\": \"x\"}"),
                                 good.substr(0, good.size() / 2)}) {
    std::ofstream(note, std::ios::binary) << bad;
    const auto again = build();
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->from_cache) << bad;
    EXPECT_TRUE(build()->from_cache);
  }
}

TEST_F(Build, CompilersMessagesAreShownAsTheyAre) {
  folder.write("src/tiny.cpp", "int main( { return 0; }\n");
  const auto result = build();
  ASSERT_FALSE(result);
  EXPECT_TRUE(contains(result.error().text, source.string() + ":1:")) << result.error().text;
  EXPECT_TRUE(contains(result.error().text, "error:")) << result.error().text;
  EXPECT_EQ(folder.count(".so"), 0u);
}

TEST_F(Build, WarningsAreNotShown) {
  folder.write("src/tiny.cpp", "#warning look out\nextern \"C\" int value() { return 1; }\n");
  EXPECT_TRUE(build());
}

TEST_F(Build, MissingSourceIsNamed) {
  source = folder / "nowhere.cpp";
  const auto result = build();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text, source.string() + ": error: cannot be read: No such file or directory");
  source = folder.path();
  EXPECT_TRUE(contains(build().error().text, "Is a directory"));
}

TEST_F(Build, DefinesThatAreNoneAreRefused) {
  for (const char* bad : {"", "=1", "3N=1", "N M", "a-b=2", "F(x)=x", "-DN"}) {
    const auto result = build({bad});
    ASSERT_FALSE(result) << bad;
    EXPECT_EQ(result.error().text,
              "tarry: error: '-D " + std::string(bad) + "' is not a definition: expected NAME or NAME=VALUE");
  }
  EXPECT_FALSE(build({"N=1\n#error no"}));
}

TEST_F(Build, NoShellReadsTheArguments) {
  folder.write("src/a b$(touch x);'.cpp", "extern \"C\" const char* value() { return VALUE; }\n");
  source = folder / "src/a b$(touch x);'.cpp";
  const auto result = build({"VALUE=\"$(touch y) `touch z`\""});
  ASSERT_TRUE(result) << result.error().text;
  EXPECT_TRUE(build({"VALUE=\"$(touch y) `touch z`\""})->from_cache) << "the depfile's quoting was understood";
  EXPECT_FALSE(std::filesystem::exists("x") || std::filesystem::exists("y") || std::filesystem::exists("z"));
}

TEST_F(Build, CompilerThatIsNotThereIsNamed) {
  const auto result = build_shared_object(
      {.source = source, .defines = {}, .cache_folder = folder / "cache", .compiler = "no-such-compiler", .tool = ""});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text, "tarry: error: compiler 'no-such-compiler' was not found, or cannot be run");
}

TEST_F(Build, AnotherCompilerIsAnotherEntry) {
  ASSERT_TRUE(build());
  // A compiler that says another version and otherwise is the usual one.
  const auto script = folder.write(
      "bin/mycc", "#!/bin/sh\nif [ \"$1\" = --version ]; then echo mycc $(cat \"$0.version\"); else exec c++ \"$@\"; fi\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  folder.write("bin/mycc.version", "1");
  const auto with = [&] {
    return build_shared_object(
        {.source = source, .defines = {}, .cache_folder = folder / "cache", .compiler = script.string(), .tool = ""});
  };
  ASSERT_TRUE(with()) << with().error().text;
  EXPECT_TRUE(with()->from_cache);
  folder.write("bin/mycc.version", "2");
  EXPECT_TRUE(with()->from_cache) << "the version is remembered while the compiler's file is the same";
  std::filesystem::last_write_time(script, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_FALSE(with()->from_cache);
}

TEST_F(Build, CompilerWithoutMessageOrKilledIsTold) {
  const auto script = folder.write("bin/dead", "#!/bin/sh\nif [ \"$1\" = --version ]; then echo dead; else kill -9 $$; fi\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto result = build_shared_object(
      {.source = source, .defines = {}, .cache_folder = folder / "cache", .compiler = script.string(), .tool = ""});
  ASSERT_FALSE(result);
  EXPECT_TRUE(contains(result.error().text, "was killed by signal 9")) << result.error().text;
}

TEST_F(Build, HeadersBesideTheToolComeFirst) {
  folder.write("prefix/include/tarry/model.h", "#define VALUE 77\n");
  folder.write("src/tiny.cpp", "#include <tarry/model.h>\nstatic_assert(VALUE == 77);\n");
  const auto result = build_shared_object(
      {.source = source, .defines = {}, .cache_folder = folder / "cache", .compiler = "", .tool = folder / "prefix/bin/tarry"});
  ASSERT_TRUE(result) << result.error().text;
  folder.write("prefix/include/tarry/model.h", "#define VALUE 77\n#define OTHER\n");
  const auto again = build_shared_object(
      {.source = source, .defines = {}, .cache_folder = folder / "cache", .compiler = "", .tool = folder / "prefix/bin/tarry"});
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->from_cache) << "a changed header of ours is compiled again";
  EXPECT_EQ(again->identity, result->identity) << "but it is the same program";
}

TEST_F(Build, CacheFolderThatCannotBeMadeIsTold) {
  folder.write("cache", "a file");
  const auto result = build();
  ASSERT_FALSE(result);
  EXPECT_TRUE(contains(result.error().text, "the cache folder cannot be made")) << result.error().text;
}

TEST_F(Build, ParallelBuildsDoNotHarmEachOther) {
  std::vector<std::thread> threads;
  std::vector<std::string> problems(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      const auto result = build();
      if (!result) problems[static_cast<std::size_t>(i)] = result.error().text;
      else if (!std::filesystem::exists(result->object)) problems[static_cast<std::size_t>(i)] = "no object";
    });
  for (auto& thread : threads) thread.join();
  for (const auto& problem : problems) EXPECT_EQ(problem, "");
  EXPECT_TRUE(build()->from_cache);
  EXPECT_EQ(folder.count(".so"), 1u);
  EXPECT_EQ(folder.count(".tmp"), 0u);
}

TEST_F(Build, IdentityOfAnExistingObjectIsThatOfItsBytes) {
  const auto a = folder.write("a.so", "abc"), b = folder.write("b.so", "abc"), c = folder.write("c.so", "abd");
  EXPECT_EQ(existing_shared_object(a)->identity, existing_shared_object(b)->identity);
  EXPECT_NE(existing_shared_object(a)->identity, existing_shared_object(c)->identity);
  EXPECT_FALSE(existing_shared_object(folder / "d.so"));
}

TEST(Depfile, NamesWithBlanksAndContinuedLines) {
  const auto files = parse_depfile("out.so: a.cpp dir\\ with\\ blanks/b.h \\\n  c$$d.h \\\n /usr/e\\#f.h\n\nb.h:\n");
  const std::vector<std::filesystem::path> expected = {"a.cpp", "dir with blanks/b.h", "c$d.h", "/usr/e#f.h"};
  EXPECT_EQ(files, expected);
  EXPECT_TRUE(parse_depfile("").empty());
  EXPECT_EQ(parse_depfile("x.o: \\\n y.cpp").size(), 1u);
}

}  // namespace
}  // namespace tarry
