// The format is described in docs/trace-format.md: two lines of text, then a zstd frame that holds one JSON object.
//
// Reading trusts nothing. The second line says how long everything is and is compared with what is there; the payload is parsed
// event by event into the fields of a Trace, so that no input makes more memory than its own length asks for.
#include "trace/trace_file.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/hash.h"
#include "trace/whole_file.h"

namespace tarry {
namespace {

constexpr std::string_view kMagic = "tarry-trace ";
constexpr std::string_view kFirstLine = "tarry-trace 2\n";
constexpr std::uint64_t kLongestSchedule = 100'000'000;  // choices
constexpr std::uint64_t kLongestPayload = std::uint64_t{2} << 30;
constexpr std::uint64_t kLongestFile = kLongestPayload + (std::uint64_t{16} << 20);

std::string second_line(std::uint64_t packed, std::uint64_t unpacked, std::uint64_t checksum) {
  return fmt::format("zstd {} of {} xxh3 {:016x}\n", packed, unpacked, checksum);
}

// ---- The fields, in one list for the writer and the reader.

using Numbers = std::vector<std::uint32_t>;

/// Fields that are left out where they are empty: older traces do not have them.
constexpr bool optional(std::string_view name) { return name == "points" || name == "loop" || name == "why"; }
template <class T>
bool is_empty(const T& value) {
  if constexpr (std::is_integral_v<T>) return value == 0;
  else return value.empty();
}

/// Calls f(name, reference) for every field.
template <class TraceLike, class F>
void for_each_field(TraceLike& t, F&& f) {
  f("tarry", t.tarry_version);
  f("front_end", t.front_end);
  f("target", t.target);
  f("files", t.files);
  f("defines", t.defines);
  f("arguments", t.arguments);
  f("test", t.test);
  f("identity", t.identity);
  f("search", t.search);
  f("explorer", t.explorer);
  f("seed", t.seed);
  f("options", t.options);
  f("kind", t.finding.kind);
  f("message", t.finding.message);
  f("location", t.finding.location);
  f("steps", t.finding.steps);
  f("delays", t.finding.delays);
  f("delayed", t.finding.delayed);
  f("schedule", t.finding.schedule);
  f("fingerprints", t.fingerprints);
  f("points", t.finding.points);
  f("loop", t.finding.loop);
  f("why", t.finding.why);
}

// ---- Writing.

/// One value as JSON. Strings that are not UTF-8 are made so.
class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out) {}

  void put(const std::string& text) {
    out_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  void put(FindingKind kind) { put(std::string(kind.name())); }
  void put(std::uint64_t number) { append(number); }
  void put(std::int64_t number) { append(number); }
  void put(std::uint32_t number) { append(number); }
  void put(const Choice& choice) {
    if (choice.kind == Choice::Kind::kProcess) append(std::int64_t{choice.number});
    else append(-1 - std::int64_t{choice.number});
  }
  void put(const GivenOptions& options) {
    out_ += '{';
    for (const GivenOption& option : options.all()) {
      if (&option != &options.all().front()) out_ += ',';
      put(option.name);
      out_ += ':';
      put(option.values);
    }
    out_ += '}';
  }
  template <class T>
  void put(const std::vector<T>& items) {
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) out_ += ',';
      put(items[i]);
    }
    out_ += ']';
  }

 private:
  template <class N>
  void append(N number) {
    const fmt::format_int digits(number);
    out_.append(digits.data(), digits.size());
  }
  std::string& out_;
};

std::string payload_of(const Trace& trace) {
  std::string out;
  JsonText json(out);
  for_each_field(trace, [&](const char* name, const auto& value) {
    if (optional(name) && is_empty(value)) return;
    out += out.empty() ? '{' : ',';
    json.put(std::string(name));
    out += ':';
    json.put(value);
  });
  return out + "}";
}

// ---- Reading.

/// Where the value of a key goes.
using Place =
    std::variant<std::string*, std::uint64_t*, std::int64_t*, FindingKind*, std::vector<std::string>*, std::vector<Choice>*, Numbers*, GivenOptions*>;

constexpr std::size_t kScalars = 4;  // the first ones hold no list

/// Takes the parser's events. Every function gives whether to go on; `problem` says why not.
class TraceBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit TraceBuilder(Trace& trace) {
    for_each_field(trace, [&](const char* name, auto& value) { places_.push_back({name, &value}); });
  }

  std::string problem;

  bool null() override { return unexpected("null"); }
  bool boolean(bool /*value*/) override { return unexpected("a truth value"); }
  bool number_float(double /*value*/, const std::string& /*text*/) override {
    return unexpected("a fraction or a number out of range");
  }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return unexpected("binary data"); }

  bool number_integer(std::int64_t value) override {  // the parser calls it for negative ones only
    if (auto* n = scalar<std::int64_t>()) return *n = value, done();
    if (auto* list = items<Choice>()) {
      const std::int64_t chosen = -1 - value;
      if (value < -1 - std::int64_t{std::numeric_limits<std::uint32_t>::max()}) return fail("holds a value that is too large");
      return add(*list, Choice{Choice::Kind::kValue, static_cast<std::uint32_t>(chosen)});
    }
    return unexpected("a negative number");
  }
  bool number_unsigned(std::uint64_t value) override {
    if (auto* n = scalar<std::uint64_t>()) return *n = value, done();
    if (auto* n = scalar<std::int64_t>()) {
      if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return fail("holds a number that is too large");
      return *n = static_cast<std::int64_t>(value), done();
    }
    if (auto* list = items<Choice>()) {
      if (value > std::numeric_limits<std::uint32_t>::max()) return fail("holds a number that is too large");
      return add(*list, Choice{Choice::Kind::kProcess, static_cast<std::uint32_t>(value)});
    }
    if (auto* list = items<std::uint32_t>()) {
      if (value > std::numeric_limits<std::uint32_t>::max()) return fail("holds a number that is too large");
      return add(*list, static_cast<std::uint32_t>(value));
    }
    return unexpected("a number");
  }
  bool string(std::string& value) override {
    if (auto* s = scalar<std::string>()) return *s = std::move(value), done();
    if (auto* kind = scalar<FindingKind>()) {
      const auto known = FindingKind::find(value);
      return known ? *kind = *known, done() : fail("is none that this tarry knows");
    }
    if (auto* list = items<std::string>()) return add(*list, std::move(value));
    if (at_ == At::kOptionValues) return add(option_.values, std::move(value));
    return unexpected("a string");
  }

  bool start_object(std::size_t /*size*/) override {
    if (scalar<GivenOptions>() != nullptr) at_ = At::kOption;
    else if (at_ == At::kStart) at_ = At::kKey;
    else return unexpected("an object");
    return true;
  }
  bool key(std::string& name) override {
    if (at_ == At::kOption) {
      if (options().has(name)) return fail(fmt::format("has the option '{}' twice", name.substr(0, 40)));
      option_ = {name, {}};
      return true;
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].name != name) continue;
      field_ = i;
      if (places_[i].seen) return fail("is there twice");
      places_[i].seen = true;
      at_ = At::kValue;
      return true;
    }
    problem = fmt::format("has a field that is not known: '{}'", name.substr(0, 40));
    return false;
  }
  bool start_array(std::size_t /*size*/) override {
    if (at_ == At::kOption) return at_ = At::kOptionValues, true;
    if (at_ != At::kValue || places_[field_].place.index() < kScalars || scalar<GivenOptions>() != nullptr) return unexpected("a list");
    at_ = At::kList;
    return true;
  }
  bool end_array() override {
    if (at_ != At::kOptionValues) return done();
    options().set(option_.name, std::move(option_.values));
    at_ = At::kOption;
    return true;
  }
  bool end_object() override {
    if (at_ == At::kOption) return done();
    for (const auto& place : places_) {
      if (place.seen || optional(place.name)) continue;
      problem = fmt::format("has no field '{}'", place.name);
      return false;
    }
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::json::exception& /*what*/) override {
    problem = fmt::format("holds no valid JSON (at byte {})", position);
    return false;
  }

 private:
  enum class At : std::uint8_t { kStart, kKey, kValue, kList, kOption, kOptionValues };
  struct Known {
    std::string_view name;
    Place place;
    bool seen = false;
  };

  template <class T>
  T* scalar() {
    return at_ == At::kValue && std::holds_alternative<T*>(places_[field_].place) ? std::get<T*>(places_[field_].place) : nullptr;
  }
  template <class T>
  std::vector<T>* items() {
    using List = std::vector<T>;
    return at_ == At::kList && std::holds_alternative<List*>(places_[field_].place) ? std::get<List*>(places_[field_].place)
                                                                                    : nullptr;
  }
  template <class T>
  bool add(std::vector<T>& list, T item) {
    if (list.size() >= kLongestSchedule) return fail(fmt::format("has more than {} items", kLongestSchedule));
    list.push_back(std::move(item));
    return true;
  }
  bool done() {
    at_ = At::kKey;
    return true;
  }
  bool fail(std::string_view what) {
    problem = fmt::format("field '{}' {}", places_[field_].name, what);
    return false;
  }
  bool unexpected(std::string_view what) {
    if (at_ == At::kStart) problem = fmt::format("holds {} where an object was expected", what);
    else return fail(fmt::format("holds {}, which was not expected there", what));
    return false;
  }

  /// Requires: the field is the options.
  GivenOptions& options() { return *std::get<GivenOptions*>(places_[field_].place); }

  std::vector<Known> places_;
  std::size_t field_ = 0;
  GivenOption option_;  // that is read
  At at_ = At::kStart;
};

/// What does not fit together in a trace that could be read; empty if all does.
std::string contradiction(const Trace& trace) {
  std::uint64_t steps = 0;
  for (const Choice& choice : trace.finding.schedule) steps += choice.kind == Choice::Kind::kProcess ? 1 : 0;
  if (!trace.finding.schedule.empty() && trace.finding.schedule.front().kind == Choice::Kind::kValue)
    return "has a schedule that starts with a value";
  if (steps != trace.finding.steps) return fmt::format("says {} steps, but its schedule has {}", trace.finding.steps, steps);
  if (trace.fingerprints.size() > steps) return fmt::format("has {} fingerprints for {} steps", trace.fingerprints.size(), steps);
  if (trace.finding.loop > steps) return fmt::format("says that its loop starts with step {}, but has {} steps", trace.finding.loop, steps);
  if (trace.finding.kind.empty()) return "does not say what was found";
  return "";
}

struct Sizes {
  std::uint64_t packed = 0, unpacked = 0, checksum = 0;
};

/// Reads "zstd P of U xxh3 C\n" from the front of `rest`, exactly as it is written.
std::optional<Sizes> take_second_line(std::string_view& rest) {
  const std::size_t end = rest.substr(0, 128).find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = rest.substr(0, end + 1);
  Sizes sizes;
  const char* at = line.data();
  const char* const stop = line.data() + line.size();
  const auto read = [&](std::string_view word, std::uint64_t& number, int base) {
    if (!std::string_view(at, stop).starts_with(word)) return false;
    const auto [next, error] = std::from_chars(at + word.size(), stop, number, base);
    at = next;
    return error == std::errc();
  };
  if (!read("zstd ", sizes.packed, 10) || !read(" of ", sizes.unpacked, 10) || !read(" xxh3 ", sizes.checksum, 16))
    return std::nullopt;
  if (line != second_line(sizes.packed, sizes.unpacked, sizes.checksum)) return std::nullopt;
  rest.remove_prefix(line.size());
  return sizes;
}

/// Gives what is wrong, or fills `out`. Memory grows with what comes out, whatever was announced.
std::string decompress(std::string_view packed, std::uint64_t size, std::string& out) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t state = 1;
  while (state != 0) {
    const std::size_t before = out.size();
    out.resize(std::min<std::uint64_t>(size + 1, before * 2 + (std::size_t{1} << 16)));
    ZSTD_outBuffer room{out.data() + before, out.size() - before, 0};
    const std::size_t read_before = in.pos;
    state = ZSTD_decompressStream(context.get(), &room, &in);
    out.resize(before + room.pos);
    if (ZSTD_isError(state) != 0) return fmt::format("cannot be decompressed: {}", ZSTD_getErrorName(state));
    if (out.size() > size) return fmt::format("decompresses to more than the {} bytes that it announces", size);
    if (state != 0 && room.pos == 0 && in.pos == read_before) return "ends in the middle of its compressed part";
  }
  if (in.pos != in.size) return "has something behind its compressed part";
  if (out.size() != size) return fmt::format("decompresses to {} bytes, but announces {}", out.size(), size);
  return "";
}

/// What is wrong with the bytes of a trace file, or empty and `trace` is filled.
std::string parse(std::string_view bytes, Trace& trace) {
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size()) || bytes.empty())
    return "is not a trace: it does not start with 'tarry-trace'";
  std::string_view rest = bytes;
  if (!rest.starts_with(kFirstLine)) {
    if (kFirstLine.starts_with(bytes)) return "is cut short: it ends in its first line";
    const std::string_view line = rest.substr(0, std::min(rest.find('\n'), std::size_t{40}));
    const std::string_view version = line.substr(kMagic.size());
    if (!version.empty() && version.size() < 9 &&
        std::all_of(version.begin(), version.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return fmt::format("is a trace of format {}; this tarry reads format 2: use the tarry that wrote it, or check the program again", version);
    return "is not a trace that this tarry knows: expected 'tarry-trace 2' in its first line";
  }
  rest.remove_prefix(kFirstLine.size());
  const auto sizes = take_second_line(rest);
  if (!sizes)
    return rest.find('\n') == std::string_view::npos && rest.size() < 80 ? "is cut short: it ends in its second line"
                                                                         : "is damaged: its second line is not as it was written";
  if (sizes->unpacked > kLongestPayload)
    return fmt::format("announces {} bytes, more than the {} that a trace may have", sizes->unpacked, kLongestPayload);
  if (rest.size() < sizes->packed)
    return fmt::format("is cut short: {} of {} compressed bytes are there", rest.size(), sizes->packed);
  if (rest.size() > sizes->packed) return fmt::format("is damaged: {} bytes too many", rest.size() - sizes->packed);
  if (hash_of(rest) != sizes->checksum) return "is damaged: its checksum is not that of its contents";
  std::string payload;
  if (std::string problem = decompress(rest, sizes->unpacked, payload); !problem.empty()) return problem;
  TraceBuilder builder(trace);
  if (!nlohmann::json::sax_parse(payload, &builder)) return builder.problem.empty() ? "holds no valid JSON" : builder.problem;
  return contradiction(trace);
}

std::string file_name_part(const std::string& text, const char* fallback) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    out += plain ? c : '_';
  }
  out.erase(0, out.find_first_not_of('.'));  // neither hidden nor '..'
  return out.empty() ? fallback : out.substr(0, 100);
}

}  // namespace

Result<std::filesystem::path> write_trace(const std::filesystem::path& file, const Trace& trace) {
  const auto wrong = [&](const std::string& what) {
    return Diagnostic{fmt::format("{}: error: cannot be written: the trace {}", file.string(), what)};
  };
  if (trace.finding.schedule.size() > kLongestSchedule) return wrong(fmt::format("has more than {} choices", kLongestSchedule));
  if (const std::string problem = contradiction(trace); !problem.empty()) return wrong(problem);
  const std::string payload = payload_of(trace);
  if (payload.size() > kLongestPayload) return wrong(fmt::format("is longer than {} bytes", kLongestPayload));
  std::string packed(ZSTD_compressBound(payload.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), payload.data(), payload.size(), 3);
  if (ZSTD_isError(size) != 0) return wrong(fmt::format("cannot be compressed: {}", ZSTD_getErrorName(size)));
  packed.resize(size);
  const std::string head = std::string(kFirstLine) + second_line(packed.size(), payload.size(), hash_of(packed));
  if (auto problem = write_whole(file, head + packed, Existing::kKeep)) return *problem;
  return file;
}

Result<Trace> read_trace(const std::filesystem::path& file) {
  const Result<std::string> bytes = read_whole(file, kLongestFile);
  if (!bytes) return bytes.error();
  Trace trace;
  if (const std::string problem = parse(*bytes, trace); !problem.empty())
    return Diagnostic{fmt::format("{}: error: {}", file.string(), problem)};
  return trace;
}

std::filesystem::path free_trace_name(const std::filesystem::path& folder, const std::string& program, const std::string& kind) {
  const std::string stem = file_name_part(program, "program");
  const std::string what = file_name_part(kind, "finding");
  for (std::uint64_t n = 1;; ++n) {
    std::filesystem::path name = folder / fmt::format("{}-{}-{}.tarry", stem, what, n);
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(name, error))) return name;
  }
}

}  // namespace tarry
