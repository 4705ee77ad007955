#include "cppmodel/load.h"

#include <gtest/gtest.h>

#include "tests/trace/scratch_folder.h"
#include "toolchain/explorer_file.h"
#include "toolchain/object_build.h"

namespace tarry {
namespace {

using testing::contains;
using testing::ScratchFolder;

constexpr const char* kModel = R"(
#include <tarry/model.h>
struct Counter {
  struct State { tarry::Upto<2> pc[2]; tarry::Upto<2> total; TARRY_FIELDS(pc, total) };
  static constexpr int processes = 2;
  State initial() { return {}; }
  void step(State& s, int p, tarry::Run& run) {
    if (s.pc[p] == 1) return run.ended();
    ++s.pc[p];
    ++s.total;
    run.expect(s.total < 2, "total is {}", s.total);
  }
};
TARRY_MODEL(Counter)
)";

constexpr const char* kExplorer = R"(
#include <tarry/explorer.h>
class Highest final : public tarry::Explorer {
 public:
  tarry::Memo initial(const tarry::ProcessSet&) const override { return {}; }
  tarry::ProcessId next(const tarry::Memo& memo, const tarry::ProcessSet& open) const override { return open.at(open.size() - 1 - memo.size()); }
  tarry::Memo delay(const tarry::Memo& memo, const tarry::ProcessSet&) const override { tarry::Memo out = memo; out.push_back(0); return out; }
  tarry::Memo step(const tarry::Memo&, const tarry::Step&) const override { return {}; }
};
TARRY_EXPLORER(Highest)
)";

class Load : public ::testing::Test {
 protected:
  std::filesystem::path compile(const std::string& text) {
    const auto source = folder.write("source" + std::to_string(count_++) + ".cpp", text);
    const auto built =
        build_shared_object({.source = source, .defines = {}, .cache_folder = folder / "cache", .compiler = "", .tool = ""});
    EXPECT_TRUE(built) << built.error().text;
    return built ? built->object : "";
  }
  ScratchFolder folder;

 private:
  int count_ = 0;
};

TEST_F(Load, ModelBecomesAProgram) {
  const auto program = load_model(compile(kModel));
  ASSERT_TRUE(program) << program.error().text;
  EXPECT_EQ((*program)->shape().processes, 2u);
  EXPECT_EQ((*program)->shape().bits, 6u);
  std::vector<Word> state((*program)->shape().words);
  EXPECT_EQ((*program)->open()->initial(state.data()).kind, FindingKind(""));
  EXPECT_EQ((*program)->narrator()->fields(state)[0].second, "[0 0]");
}

TEST_F(Load, LocationsDoNotShowWhereTheSourceWas) {
  const auto program = load_model(compile(kModel));
  ASSERT_TRUE(program);
  const auto space = (*program)->open();
  std::vector<Word> state((*program)->shape().words);
  space->initial(state.data());
  Taken taken((*program)->shape().words);
  space->take(state, ProcessId{0}, {}, taken);
  const StepText text = (*program)->narrator()->explain(taken.state(), ProcessId{1}, {});
  EXPECT_EQ(text.kind, FindingKind("assertion"));
  EXPECT_EQ(text.location, "source0.cpp:11");
}

TEST_F(Load, OtherVersionOfTheInterfaceIsRefused) {
  const auto object = compile(R"(
#include <tarry/model_abi.h>
extern "C" __attribute__((visibility("default"))) const tarry::abi::Model tarry_model_v1;
const tarry::abi::Model tarry_model_v1 = {tarry::abi::kMagic, 7};
)");
  const auto program = load_model(object);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().text, "tarry: error: '" + object.string() +
                                      "' was built for version 7 of the model interface; this tarry has 4; build it again");
}

TEST_F(Load, ImplausibleTablesAreRefused) {
  const std::string head =
      "#include <tarry/model_abi.h>\nextern \"C\" __attribute__((visibility(\"default\"))) const tarry::abi::Model "
      "tarry_model_v1;\n";
  const auto refuses = [&](const std::string& fields, const std::string& why) {
    const auto program = load_model(compile(head + "const tarry::abi::Model tarry_model_v1 = {" + fields + "};\n"));
    ASSERT_FALSE(program) << fields;
    EXPECT_TRUE(contains(program.error().text, why)) << program.error().text;
  };
  refuses("1, 2", "it is no model");
  refuses("tarry::abi::kMagic, 4, \"n\", \"s\", 0, 0, 1", "has 0 words");
  refuses("tarry::abi::kMagic, 4, \"n\", \"s\", 1, 33, 1", "1 words have 33 bits");
  refuses("tarry::abi::kMagic, 4, \"n\", \"s\", 1, 1, 5000", "5000 processes");
  refuses("tarry::abi::kMagic, 4, \"n\", \"s\", 1, 1, 1", "leaves out functions");
}

TEST_F(Load, ObjectsWithoutAModelAreExplained) {
  const auto object = compile("extern \"C\" int value() { return 1; }\n");
  const auto program = load_model(object);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().text,
            object.string() +
                ": error: does not export 'tarry_model_v1': expected the object of a C++ model, which #includes "
                "<tarry/model.h> and says TARRY_MODEL(Type)");
  EXPECT_TRUE(contains(load_model(compile(kExplorer)).error().text, "this is an explorer: give it to --explorer"));
  EXPECT_TRUE(contains(load_explorer(compile(kModel)).error().text, "this is a model: give it to tarry check"));
}

TEST_F(Load, FilesThatAreNoObjectsAreRefused) {
  EXPECT_TRUE(contains(load_model(folder / "none.so").error().text, "cannot be read: No such file"));
  EXPECT_TRUE(contains(load_model(folder.write("text.so", "hello")).error().text, "is not a shared object"));
  EXPECT_TRUE(contains(load_model(folder.write("empty.so", "")).error().text, "is not a shared object"));
  EXPECT_TRUE(contains(load_model("/proc/self/exe").error().text, "error: "));
}

TEST_F(Load, TruncatedObjectsDoNotKillTheProcess) {
  const std::string whole = ScratchFolder::read(compile(kModel));
  // Loading a whole one maps it; so only lengths that are refused before that are of interest here.
  for (std::size_t size = 0; size < whole.size() / 2; size += 97) {
    const auto program = load_model(folder.write("cut" + std::to_string(size) + ".so", whole.substr(0, size)));
    EXPECT_FALSE(program) << size;
  }
}

TEST_F(Load, ExplorerIsMade) {
  const auto explorer = load_explorer(compile(kExplorer));
  ASSERT_TRUE(explorer) << explorer.error().text;
  EXPECT_EQ(explorer->name, "Highest");
  const std::uint64_t bits = 0b1011;
  const ProcessSet open({&bits, 1});
  const auto made = explorer->make(1);
  EXPECT_EQ(made->next(made->initial(open), open), ProcessId{3});
  EXPECT_EQ(made->next(made->delay(made->initial(open), open), open), ProcessId{1});
}

TEST_F(Load, ExplorerOfAnotherVersionIsRefused) {
  const auto object = compile(R"(
#include <tarry/explorer.h>
extern "C" __attribute__((visibility("default"))) const tarry::abi::ExplorerEntry tarry_explorer_v1;
const tarry::abi::ExplorerEntry tarry_explorer_v1 = {2, "x", nullptr};
)");
  EXPECT_EQ(load_explorer(object).error().text,
            "tarry: error: '" + object.string() +
                "' was built for version 2 of the explorer interface; this tarry has 1; build it again");
}

TEST(IsModelSource, SeesTheMacroInCodeOnly) {
  const ScratchFolder folder;
  const auto is_model = [&](const std::string& text) { return is_model_source(folder.write("x.cpp", text)); };
  EXPECT_TRUE(is_model("TARRY_MODEL(X)"));
  EXPECT_TRUE(is_model("struct X {};\nTARRY_MODEL (X)\n"));
  EXPECT_TRUE(is_model("int a = 1'000'000; TARRY_MODEL\n(X)"));
  EXPECT_TRUE(is_model("char c = '\"'; TARRY_MODEL(X) // \""));
  EXPECT_TRUE(is_model("auto s = \"\\\\\"; TARRY_MODEL(X) auto t = \"\";"));
  EXPECT_TRUE(is_model("auto s = R\"x(\" )\" )x\"; TARRY_MODEL(X)"));
  EXPECT_TRUE(is_model("/* a */TARRY_MODEL(X)/* b */"));
  EXPECT_TRUE(is_model("char c = u8'\\''; TARRY_MODEL(X)"));
  EXPECT_FALSE(is_model(""));
  EXPECT_FALSE(is_model("// TARRY_MODEL(X)\n"));
  EXPECT_FALSE(is_model("// a \\\nTARRY_MODEL(X)\n"));
  EXPECT_FALSE(is_model("/* \n TARRY_MODEL(X)\n */"));
  EXPECT_FALSE(is_model("/* TARRY_MODEL(X)"));
  EXPECT_FALSE(is_model("auto s = \"TARRY_MODEL(X)\";"));
  EXPECT_FALSE(is_model("auto s = \"\\\"TARRY_MODEL(X)\";"));
  EXPECT_FALSE(is_model("auto s = R\"(\n\"TARRY_MODEL(X)\n)\";"));
  EXPECT_FALSE(is_model("auto s = u8R\"--(\n)\" TARRY_MODEL(X) )--\";"));
  EXPECT_FALSE(is_model("MY_TARRY_MODEL(X)"));
  EXPECT_FALSE(is_model("TARRY_MODELS(X)"));
  EXPECT_FALSE(is_model("TARRY_MODEL"));
  EXPECT_FALSE(is_model_source(folder / "none.cpp"));
}

TEST(IsModelSource, KnowsTheExamples) {
  for (const auto& item : std::filesystem::directory_iterator(TARRY_TEST_SOURCE_DIR "/examples/models"))
    if (item.path().extension() == ".cpp") {
      EXPECT_TRUE(is_model_source(item.path())) << item.path();
    }
}

}  // namespace
}  // namespace tarry
