#include "trace/trace_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zstd.h>

#include <fmt/format.h>

#include <atomic>
#include <thread>

#include "base/hash.h"
#include "base/rng.h"
#include "tests/trace/scratch_folder.h"

namespace tarry {
namespace {

using testing::contains;
using testing::ScratchFolder;
using Kind = Choice::Kind;

Trace sample() {
  Trace trace;
  trace.tarry_version = "0.1.0";
  trace.target = "/home/me/a \"quoted\" \\ path/phil\xC3\xB6.cpp";
  trace.defines = {"N=5", "TEXT=\"a\nb\""};
  trace.identity = 0xfedcba9876543210u;
  trace.search = "ses";
  trace.explorer = "run-to-completion";
  trace.seed = 0xffffffffffffffffu;
  trace.options = {{"--max-delays", {"3"}}, {"--json", {}}, {"-I", {"a", "b \"c\""}}};
  trace.front_end = "model";
  trace.arguments = {"--size", "3"};
  trace.finding = {.kind = "assertion",
                   .message = "an update was lost: total is 1",
                   .location = "counter.cpp:12",
                   .schedule = {{Kind::kProcess, 0},
                                {Kind::kProcess, 4095},
                                {Kind::kValue, 0},
                                {Kind::kValue, 0xffffffffu},
                                {Kind::kProcess, 0}},
                   .steps = 3,
                   .delays = -1};
  trace.fingerprints = {0, 0xffffffffu, 17};
  return trace;
}

void expect_equal(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.tarry_version, b.tarry_version);
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.defines, b.defines);
  EXPECT_EQ(a.identity, b.identity);
  EXPECT_EQ(a.search, b.search);
  EXPECT_EQ(a.explorer, b.explorer);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.front_end, b.front_end);
  EXPECT_EQ(a.arguments, b.arguments);
  EXPECT_EQ(a.finding.kind, b.finding.kind);
  EXPECT_EQ(a.finding.message, b.finding.message);
  EXPECT_EQ(a.finding.location, b.finding.location);
  EXPECT_EQ(a.finding.schedule, b.finding.schedule);
  EXPECT_EQ(a.finding.steps, b.finding.steps);
  EXPECT_EQ(a.finding.delays, b.finding.delays);
  EXPECT_EQ(a.fingerprints, b.fingerprints);
}

/// A file with a head that fits its payload, so that what is wrong with the payload is found.
std::string wrapped(const std::string& payload, std::uint64_t announced) {
  std::string packed(ZSTD_compressBound(payload.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), payload.data(), payload.size(), 1));
  return fmt::format("tarry-trace 2\nzstd {} of {} xxh3 {:016x}\n", packed.size(), announced, hash_of(std::string_view(packed))) +
         packed;
}
std::string wrapped(const std::string& payload) { return wrapped(payload, payload.size()); }

std::string unwrapped(const std::string& file) {
  const std::size_t start = file.find('\n', file.find('\n') + 1) + 1;
  std::string out(1 << 20, '\0');
  out.resize(ZSTD_decompress(out.data(), out.size(), file.data() + start, file.size() - start));
  return out;
}

class TraceFile : public ::testing::Test {
 protected:
  TraceFile() {
    const auto written = write_trace(file, sample());
    EXPECT_TRUE(written) << written.error().text;
    bytes = ScratchFolder::read(file);
  }
  Result<Trace> parsed(const std::string& text) const { return read_trace(folder.write("x.tarry", text)); }
  std::string problem(const std::string& text) const {
    const auto trace = parsed(text);
    if (trace) return "no problem";
    const std::string start = (folder / "x.tarry").string() + ": error: ";
    EXPECT_TRUE(trace.error().text.starts_with(start)) << trace.error().text;
    return trace.error().text.substr(start.size());
  }
  /// The payload with one thing replaced by another.
  std::string changed(const std::string& from, const std::string& to) const {
    std::string payload = unwrapped(bytes);
    const std::size_t at = payload.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return wrapped(payload.replace(at, from.size(), to));
  }

  ScratchFolder folder{testing::memory_folder()};
  std::filesystem::path file = folder / "out/deep/f.tarry";
  std::string bytes;
};

TEST_F(TraceFile, RoundTrip) {
  const auto trace = read_trace(file);
  ASSERT_TRUE(trace) << trace.error().text;
  expect_equal(*trace, sample());
  EXPECT_TRUE(bytes.starts_with("tarry-trace 2\nzstd "));
}

TEST_F(TraceFile, FormatIsAsDocumented) {
  EXPECT_TRUE(contains(unwrapped(bytes), "\"schedule\":[0,4095,-1,-4294967296,0],\"fingerprints\":[0,4294967295,17]}"))
      << unwrapped(bytes);
  expect_equal(*parsed(wrapped(unwrapped(bytes))), sample());
}

TEST_F(TraceFile, EmptyScheduleAndLongSchedule) {
  Trace trace = sample();
  trace.finding.schedule.clear();
  trace.finding.steps = 0;
  trace.fingerprints.clear();
  ASSERT_TRUE(write_trace(folder / "empty.tarry", trace));
  expect_equal(*read_trace(folder / "empty.tarry"), trace);
  for (std::uint32_t i = 0; i < 300'000; ++i)
    trace.finding.schedule.push_back({Kind::kProcess, i % 7}), trace.fingerprints.push_back(i);
  trace.finding.steps = 300'000;
  ASSERT_TRUE(write_trace(folder / "long.tarry", trace));
  expect_equal(*read_trace(folder / "long.tarry"), trace);
}

TEST_F(TraceFile, TextThatIsNotUtf8IsMadeSo) {
  Trace trace = sample();
  trace.finding.message = "bad \xff byte";
  ASSERT_TRUE(write_trace(folder / "bad.tarry", trace));
  EXPECT_EQ(read_trace(folder / "bad.tarry")->finding.message, "bad \xEF\xBF\xBD byte");
}

TEST_F(TraceFile, NeverOverwrites) {
  const auto again = write_trace(file, sample());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().text, file.string() + ": error: exists already, and is not overwritten; name another file");
  EXPECT_EQ(ScratchFolder::read(file), bytes);
  std::filesystem::create_symlink("nowhere", folder / "link.tarry");
  EXPECT_FALSE(write_trace(folder / "link.tarry", sample())) << "not even a link to nothing";
  EXPECT_EQ(folder.count(".tmp"), 0u);
}

TEST_F(TraceFile, ParallelWritersGetOneFileEach) {
  std::vector<std::thread> threads;
  std::atomic<int> written{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 50; ++n) written += write_trace(folder / fmt::format("race-{}.tarry", n), sample()) ? 1 : 0;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(written, 50);
}

TEST_F(TraceFile, FolderThatCannotBeMadeIsTold) {
  folder.write("plain", "");
  const auto result = write_trace(folder / "plain/x.tarry", sample());
  ASSERT_FALSE(result);
  EXPECT_TRUE(contains(result.error().text, "cannot be")) << result.error().text;
}

TEST_F(TraceFile, ContradictionsAreNotWritten) {
  Trace trace = sample();
  trace.finding.steps = 7;
  EXPECT_TRUE(contains(write_trace(folder / "w.tarry", trace).error().text, "says 7 steps, but its schedule has 3"));
  EXPECT_FALSE(std::filesystem::exists(folder / "w.tarry"));
}

TEST_F(TraceFile, FreeNamesCountUp) {
  const auto name = [&] { return free_trace_name(folder / "t", "my model.v2", "data-race").filename().string(); };
  EXPECT_EQ(name(), "my_model.v2-data-race-1.tarry");
  folder.write("t/" + name(), "");
  EXPECT_EQ(name(), "my_model.v2-data-race-2.tarry");
  EXPECT_EQ(free_trace_name(folder.path(), "", "").filename(), "program-finding-1.tarry");
  EXPECT_EQ(free_trace_name(folder.path(), "../..", "../x").filename(), "_..-_x-1.tarry");
  EXPECT_EQ(free_trace_name(folder.path(), "Sizes/Queue.Push/0", "deadlock").filename(), "Sizes_Queue.Push_0-deadlock-1.tarry");
}

TEST_F(TraceFile, EveryTruncationIsRefused) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string what = problem(bytes.substr(0, size));
    EXPECT_NE(what, "no problem") << size;
    if (size > 0) {
      EXPECT_TRUE(contains(what, "is cut short") || contains(what, "is not a trace")) << size << ": " << what;
    }
  }
}

TEST_F(TraceFile, EveryFlippedBitIsRefused) {
  for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
    std::string flipped = bytes;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    EXPECT_NE(problem(flipped), "no problem") << "bit " << i;
  }
}

TEST_F(TraceFile, OtherFilesAreNoTraces) {
  EXPECT_EQ(problem(""), "is not a trace: it does not start with 'tarry-trace'");
  EXPECT_EQ(problem("#include <tarry/model.h>\n"), "is not a trace: it does not start with 'tarry-trace'");
  EXPECT_EQ(problem("tarry-trace 1\nanything"), "is a trace of format 1; this tarry reads format 2: use the tarry that wrote it, or check the program again");
  EXPECT_TRUE(contains(problem("tarry-trace one\n"), "is not a trace that this tarry knows"));
  EXPECT_EQ(problem(bytes + "x"), "is damaged: 1 bytes too many");
  EXPECT_TRUE(contains(read_trace(folder.path()).error().text, "Is a directory"));
  EXPECT_TRUE(contains(read_trace("/dev/zero").error().text, "not a regular file"));
  EXPECT_TRUE(contains(read_trace(folder / "none").error().text, "none: error: cannot be read: No such file"));
}

TEST_F(TraceFile, LyingSizesAreRefusedWithoutMemory) {
  const std::string payload = unwrapped(bytes);
  EXPECT_TRUE(contains(problem(wrapped(payload, payload.size() - 1)), "decompresses to more than"));
  EXPECT_TRUE(contains(problem(wrapped(payload, payload.size() + 1)), "but announces"));
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_TRUE(contains(problem(wrapped(payload, std::uint64_t{2} << 30)), "but announces"));
  EXPECT_TRUE(contains(problem(wrapped(payload, ~std::uint64_t{0})), "more than the 2147483648 that a trace may have"));
  EXPECT_TRUE(contains(problem("tarry-trace 2\nzstd 99999999999999999999 of 1 xxh3 0000000000000000\n"), "second line"));
  EXPECT_TRUE(
      contains(problem("tarry-trace 2\nzstd 18446744073709551615 of 1 xxh3 0000000000000000\nabc"), "3 of 18446744073709551615"));
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 * 1024) << "KiB";
}

TEST_F(TraceFile, WrongJsonIsRefused) {
  EXPECT_TRUE(contains(problem(wrapped("")), "holds no valid JSON"));
  EXPECT_TRUE(contains(problem(wrapped("nonsense")), "holds no valid JSON"));
  EXPECT_EQ(problem(wrapped("[]")), "holds a list where an object was expected");
  EXPECT_EQ(problem(wrapped("3")), "holds a number where an object was expected");
  EXPECT_EQ(problem(wrapped("{}")), "has no field 'tarry'");
  EXPECT_TRUE(contains(problem(wrapped(unwrapped(bytes) + " x")), "holds no valid JSON"));
  EXPECT_TRUE(contains(problem(wrapped(std::string(100'000, '['))), "where an object was expected"));
  EXPECT_TRUE(contains(problem(wrapped("{\"defines\":" + std::string(100'000, '['))), "not expected there"));
  EXPECT_EQ(problem(changed("\"seed\"", "\"sead\"")), "has a field that is not known: 'sead'");
  EXPECT_EQ(problem(changed("{", "{\"seed\":1,")), "field 'seed' is there twice");
  EXPECT_EQ(problem(changed("\"delays\":-1,", "")), "has no field 'delays'");
}

TEST_F(TraceFile, WrongTypesAreRefused) {
  for (const std::string field : {"target", "defines", "seed", "delays", "schedule", "fingerprints", "kind"}) {
    const std::string payload = unwrapped(bytes);
    const std::size_t start = payload.find("\"" + field + "\":") + field.size() + 3;
    const std::size_t end = payload[start] == '['   ? payload.find(']', start) + 1
                            : payload[start] == '"' ? payload.find(",\"", start)
                                                    : payload.find(',', start);
    for (const char* value : {"null", "true", "1.5", "{}", "[[]]", "[null]", "[1e99]", "[{}]", "99999999999999999999999",
                              "\"text\"", "-5", "5", "[-9999999999]", "[9999999999]", "[\"a\"]"}) {
      const std::string what = problem(wrapped(std::string(payload).replace(start, end - start, value)));
      const bool fits = (field == "target" && value == std::string("\"text\"")) ||
                        (field == "defines" && value == std::string("[\"a\"]")) ||
                        (field == "seed" && value == std::string("5")) ||
                        (field == "delays" && (value == std::string("5") || value == std::string("-5")));
      if (fits) {
        EXPECT_EQ(what, "no problem") << field << " " << value;
      } else if (field == "kind" && value == std::string("\"text\"")) {
        EXPECT_EQ(what, "field 'kind' is none that this tarry knows");
      } else {
        EXPECT_TRUE(what.starts_with("field '" + field + "' holds")) << field << " " << value << ": " << what;
      }
    }
  }
}

TEST_F(TraceFile, OptionsAreAnObjectOfLists) {
  EXPECT_TRUE(contains(unwrapped(bytes), R"("options":{"--max-delays":["3"],"--json":[],"-I":["a","b \"c\""]})"));
  const std::string is = R"("--max-delays":["3"])";
  EXPECT_EQ(problem(changed(is, R"("--max-delays":["4","5"])")), "no problem");
  EXPECT_EQ(problem(changed(is, R"("--max-delays":["3"],"--json":[])")), "field 'options' has the option '--json' twice");
  EXPECT_EQ(problem(changed(is, R"("--max-delays":"3")")), "field 'options' holds a string, which was not expected there");
  EXPECT_EQ(problem(changed(is, R"("--max-delays":3)")), "field 'options' holds a number, which was not expected there");
  EXPECT_EQ(problem(changed(is, R"("--max-delays":[3])")), "field 'options' holds a number, which was not expected there");
  EXPECT_EQ(problem(changed(is, R"("--max-delays":{})")), "field 'options' holds an object, which was not expected there");
  EXPECT_EQ(problem(changed(is, R"("--max-delays":[["3"]])")), "field 'options' holds a list, which was not expected there");
  EXPECT_EQ(problem(changed("\"options\":{", "\"options\":[],\"arguments\":{")), "field 'options' holds a list, which was not expected there");
}

TEST_F(TraceFile, ContradictionsAreRefused) {
  EXPECT_EQ(problem(changed("\"steps\":3", "\"steps\":4")), "says 4 steps, but its schedule has 3");
  EXPECT_EQ(problem(changed("[0,4095,", "[-1,0,4095,")), "has a schedule that starts with a value");
  EXPECT_EQ(problem(changed("4294967295,17]", "4294967295,17,1]")), "has 4 fingerprints for 3 steps");
  EXPECT_EQ(problem(changed("\"kind\":\"assertion\"", "\"kind\":\"\"")), "does not say what was found");
}

/// One change to a string: bytes set, bits flipped, pieces cut out, doubled or put in.
void mutate(std::string& text, Rng& rng) {
  const std::size_t at = text.empty() ? 0 : rng.below(text.size());
  const std::size_t length = std::min<std::size_t>(1 + rng.below(8), text.size() - at);
  switch (rng.below(6)) {
    case 0:
      if (!text.empty()) text[at] = static_cast<char>(rng.next());
      break;
    case 1:
      if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8)));
      break;
    case 2: text.erase(at, length); break;
    case 3: text.insert(at, text.substr(at, length)); break;
    case 4: text.insert(at, 1, "{}[],:\"0-9e.\\\n"[rng.below(15)]); break;
    default: text.resize(at);
  }
}

TEST_F(TraceFile, FuzzedFilesAreRefused) {
  Rng rng(1);
  for (int run = 0; run < 4000; ++run) {
    std::string text = bytes;
    for (std::uint64_t n = 1 + rng.below(4); n > 0; --n) mutate(text, rng);
    if (text != bytes) {
      EXPECT_NE(problem(text), "no problem") << run;
    }
  }
}

TEST_F(TraceFile, FuzzedPayloadsDoNoHarm) {
  const std::string payload = unwrapped(bytes);
  Rng rng(2);
  int accepted = 0;
  for (int run = 0; run < 6000; ++run) {
    std::string text = payload;
    for (std::uint64_t n = 1 + rng.below(3); n > 0; --n) mutate(text, rng);
    const auto trace = parsed(wrapped(text));
    if (!trace) continue;
    ++accepted;  // another message, say; then it is a trace that can be written and read
    std::filesystem::remove(folder / "fuzz.tarry");
    ASSERT_TRUE(write_trace(folder / "fuzz.tarry", *trace));
    expect_equal(*read_trace(folder / "fuzz.tarry"), *trace);
  }
  EXPECT_GT(accepted, 0);
}

TEST_F(TraceFile, FuzzedZstdFramesDoNoHarm) {
  const std::size_t start = bytes.find('\n', bytes.find('\n') + 1) + 1;
  const std::string frame = bytes.substr(start), payload = unwrapped(bytes);
  Rng rng(3);
  for (int run = 0; run < 4000; ++run) {
    std::string packed = frame;
    for (std::uint64_t n = 1 + rng.below(3); n > 0; --n) mutate(packed, rng);
    const auto trace = parsed(fmt::format("tarry-trace 2\nzstd {} of {} xxh3 {:016x}\n", packed.size(), payload.size(),
                                          hash_of(std::string_view(packed))) +
                              packed);
    if (!trace) {
      EXPECT_TRUE(contains(trace.error().text, ": error: "));
    }
  }
}

}  // namespace
}  // namespace tarry
