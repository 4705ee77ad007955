// tarry run: starts a program with the run-time library of enforcement in it, waits for it, and tells what came of it. The program's exit code is ours.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/units.h"
#include "base/write_all.h"
#include "cli/admissible_file.h"
#include "cli/check_options.h"
#include "cli/command_line.h"
#include "cli/enforced_process.h"
#include "cli/replaced_sets.h"
#include "enforce/kind.h"
#include "enforce/run_block.h"
#include "enforce/set_image.h"
#include "native/driver/inspect.h"
#include "native/driver/symbols.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

const Manual kRunManual{
    .usage = "Usage: tarry run --schedules FILE [OPTIONS] PROGRAM [ARGUMENTS]",
    .summary = "Runs a program on schedules that 'tarry verify' found to be right, and on no others. Its threads are real, and run at the same time\n"
               "where the schedules allow it. What they do is held up until some verified schedule has it next.",
    .examples = "  tarry run --schedules queue.schedules ./queue --size 4\n"
                "  tarry run --schedules queue.schedules --report ./queue\n"
                "  tarry run --schedules queue.schedules --on-unverified allow ./queue\n",
    .closing = "Exit codes: that of the program; 125 if it was ended because what it did is not verified; 2 if it was not started. See\n"
               "docs/enforce.md.\n",
};

struct RunSettings {
  std::string schedules, log;
  enforce::OnUnverified on_unverified = enforce::OnUnverified::kAbort;
  bool report = false;
  std::uint32_t disturb = 0;
  std::uint64_t seed = 1;
  std::vector<std::string> command;
};

/// Options end where the program begins: what follows is the program's.
std::size_t length_of_options(const Arguments& arguments) {
  std::size_t i = 0;
  for (; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--" || !word.starts_with("-")) return i;
    if (word == "--schedules" || word == "--on-unverified" || word == "--log" || word == "--disturb" || word == "--seed") ++i;
  }
  return std::min(i, arguments.size());
}

Take number_to(auto& out) {
  return [&out](const std::string& text) -> std::optional<std::string> {
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0') return "a number";
    out = static_cast<std::remove_reference_t<decltype(out)>>(value);
    return std::nullopt;
  };
}

std::optional<int> read_settings(const Arguments& arguments, RunSettings& out) {
  CLI::App app("", "tarry run");
  std::string what_on_unverified;
  app.add_option("--schedules", out.schedules, "the file that 'tarry verify' made")->type_name("FILE")->group("How to run");
  add_value(app, "--on-unverified", "abort|serialize|allow", "what to do when the program does something that no verified schedule has (default: abort)",
            one_of({"abort", "serialize", "allow"}, [&out](std::size_t i) { out.on_unverified = static_cast<enforce::OnUnverified>(i); }))->group("How to run");
  app.add_flag("--report", out.report, "tells at the end how often and for what threads waited")->group("How to run");
  app.add_option("--log", out.log, "appends every event to a file, in the order in which they took place, for a checker")->type_name("FILE")->group("For tests");
  add_value(app, "--disturb", "N", "passes up to N microseconds at random before and behind every access", number_to(out.disturb))->group("For tests");
  add_value(app, "--seed", "N", "of these times (default: 1)", number_to(out.seed))->group("For tests");
  const std::size_t length = length_of_options(arguments);
  if (const auto end = parse(app, kRunManual, Arguments(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(length)))) return end;
  out.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(length), arguments.end());
  if (!out.command.empty() && out.command.front() == "--") out.command.erase(out.command.begin());
  if (out.schedules.empty()) return refuse(usage_error("--schedules FILE is missing: the schedules that the program may take; 'tarry verify' makes such a file"));
  if (out.command.empty()) return refuse(usage_error("no program is named; as in: tarry run --schedules queue.schedules ./queue"));
  return std::nullopt;
}

/// "190 us", "1.2 s".
std::string time_text(std::uint64_t nanoseconds) { return nanoseconds < 10'000'000 ? fmt::format("{} us", with_separators(nanoseconds / 1000)) : seconds_text(static_cast<double>(nanoseconds) / 1e9); }

/// Words for what the block says, by the set that was enforced.
class RunTeller {
 public:
  RunTeller(const enforce::ImageView& image, const enforce::RunBlock& block, const fs::path& executable) : image_(image), block_(block), symbols_({{.path = executable.string(), .instrumented = true, .number = 0}}) {}

  void tell_unverified(const RunSettings& settings) {
    const enforce::Unverified& first = block_.first;
    const std::string thread = first.thread == 0 ? "main" : fmt::format("thread {}", first.thread);
    const std::string where = place(first.module == ~0u ? nullptr : &first.module, first.offset, first.text);
    std::string text, remedy = "verify the program with what it was given: arguments, input and environment are those of 'tarry verify'; inputs that vary are declared with tarry::input";
    switch (first.why) {
      case enforce::Unverified::Why::kEntry:
        text = fmt::format("main enters region '{}'{}, and {}", first.text, where, other_values(first));
        remedy = "verify the program with regions that are entered with these values: tarry::input declares values that vary, Region::ignore names variables that do not matter";
        break;
      case enforce::Unverified::Why::kNothing: return;
      case enforce::Unverified::Why::kOutOfScope: text = fmt::format("{} calls {}{}, which no admissible trace can have", thread, first.text, where); break;
      case enforce::Unverified::Why::kNoEvent: text = fmt::format("{} comes to '{}'{}, and no admissible trace has another event of it", thread, kind(first.kind), where); break;
      case enforce::Unverified::Why::kOtherEvent: text = fmt::format("{} comes to '{}'{}, where the admissible traces have {}", thread, kind(first.kind), where, expected(first)); break;
      case enforce::Unverified::Why::kStuck: text = fmt::format("all threads wait, {} to do '{}'{}: another thread is on a path that no admissible trace has", thread, kind(first.kind), where); break;
      case enforce::Unverified::Why::kAsleep: text = fmt::format("{} waits to do '{}'{}, and another thread sleeps where no admissible trace does", thread, kind(first.kind), where); break;
      case enforce::Unverified::Why::kInput:
        text = fmt::format("{} reads {} as input '{}'{}, and the admissible traces {}", thread, first.value, first.text, where, verified_inputs(first));
        remedy = fmt::format("to verify {}, let the declared range of '{}' include it, and call 'tarry verify' again, for longer if it was stopped", first.value, first.text);
        break;
    }
    fmt::print(stderr, "tarry: unverified: {}\n", text);
    if (settings.on_unverified == enforce::OnUnverified::kAbort) fmt::print(stderr, "tarry: the program was ended ({}); {}\n", enforce::kUnverifiedExit, remedy);
    else fmt::print(stderr, "tarry: from there on the program ran unverified ({}); {}\n", settings.on_unverified == enforce::OnUnverified::kAllow ? "--on-unverified allow" : "--on-unverified serialize", remedy);
  }

  void tell_report() {
    if (image_.has_regions()) return tell_regions();
    const std::uint64_t waits = block_.waits.load();
    fmt::print(stderr, "tarry: {}, {} by {} of {}, waited {} of {} times, for {} in all{}\n", block_.unverified.load() == 0 ? "verified" : "unverified", number_of(block_.events.load(), "event"), block_.unverified.load() == 0 ? "one" : "none",
               number_of(image_.header().traces, "admissible trace"), with_separators(waits), with_separators(block_.events.load()), time_text(block_.nanoseconds.load()),
               block_.slept.load() == 0 ? "" : fmt::format(" ({} asleep)", with_separators(block_.slept.load())));
    if (block_.unverified.load() == 0 && block_.finished.load() != 0) fmt::print(stderr, "tarry:   trace {:016x}\n", block_.trace);
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < image_.labels().size(); ++i)
      if (block_.waited[i].times.load() > 0) order.push_back(i);
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) { return block_.waited[a].nanoseconds.load() > block_.waited[b].nanoseconds.load(); });
    order.resize(std::min<std::size_t>(order.size(), 5));
    for (const std::uint32_t i : order) {
      const enforce::LabelRecord& label = image_.labels()[i];
      fmt::print(stderr, "tarry:   {} waited {} to do '{}'{}\n", label.thread == 0 ? "main" : fmt::format("thread {}", label.thread), time_text(block_.waited[i].nanoseconds.load()), kind(label.kind),
                 label.offset == 0 ? "" : place(&label.module, label.offset, ""));
    }
  }

 private:
  void tell_regions() {
    const std::uint64_t waits = block_.waits.load(), regions = block_.regions.load();
    fmt::print(stderr, "tarry: {}, {} with {} by {}, waited {} times, for {} in all{}\n", block_.unverified.load() == 0 ? "verified" : "unverified", number_of(regions, "region"), number_of(block_.events.load(), "event"),
               number_of(image_.header().traces, "admissible trace"), with_separators(waits), time_text(block_.nanoseconds.load()), block_.slept.load() == 0 ? "" : fmt::format(" ({} asleep)", with_separators(block_.slept.load())));
    if (block_.taken.load() != 0) fmt::print(stderr, "tarry:   the set was replaced {} times\n", with_separators(block_.taken.load()));
    if (regions > 0 && block_.trace != 0) fmt::print(stderr, "tarry:   trace {:016x} of the last region\n", block_.trace);
  }
  /// What is different at the entry of a region.
  std::string other_values(const enforce::Unverified& first) {
    if (first.expected >= image_.footprints().size()) return "no admissible trace begins there";
    const enforce::CellRecord& cell = image_.cells()[first.cell];
    std::string name = "a local variable of main";
    if (cell.space == static_cast<std::uint32_t>(enforce::FootprintCell::Space::kData)) {
      const std::string_view file = image_.text(image_.modules()[cell.module]);
      name = file.empty() ? symbols_.variable({.module = 0, .offset = cell.offset}) : "";
      name = name.empty() ? fmt::format("the variable at {}+{:#x}", file.empty() ? "the program" : file, cell.offset) : fmt::format("'{}'", name);
    }
    if (cell.way_size > 0) name = fmt::format("what {} leads to on the heap", name);
    const auto way_of = [this](const enforce::CellRecord& one) { return image_.ways().subspan(one.way, one.way_size); };
    const auto is_same = [&](const enforce::CellRecord& other) {
      return other.space == cell.space && other.module == cell.module && other.offset == cell.offset && other.size == cell.size && std::ranges::equal(way_of(other), way_of(cell));
    };
    if (cell.kind != static_cast<std::uint32_t>(enforce::CellValue::Kind::kBytes)) return fmt::format("{} points to something else than in the admissible traces", name);
    std::set<std::uint64_t> verified;
    for (const enforce::FootprintRecord& one : image_.footprints())
      for (const enforce::CellRecord& other : image_.cells().subspan(one.cells, one.cell_count))
        if (is_same(other)) verified.insert(other.value);
    const std::set<std::uint64_t> few(verified.begin(), std::next(verified.begin(), static_cast<std::ptrdiff_t>(std::min<std::size_t>(verified.size(), 8))));
    return fmt::format("{} is {}, where the admissible traces begin with {}{}", name, static_cast<std::uint64_t>(first.value), fmt::join(few, ", "), few.size() < verified.size() ? ", …" : "");
  }
  /// "are for 1 to 8": the values that the traces have at this place.
  std::string verified_inputs(const enforce::Unverified& first) const {
    std::set<std::int64_t> values;
    for (const enforce::LabelRecord& label : image_.labels())
      if (label.kind == static_cast<std::uint32_t>(enforce::Kind::kInput) && label.object != enforce::kNoObject && label.module == first.module && label.offset == first.offset) values.insert(static_cast<std::int64_t>(image_.objects()[label.object].value));
    if (values.empty()) return "read no input there";
    if (values.contains(first.value)) return "have this value only after other inputs or in another order";
    std::string text;
    for (auto at = values.begin(); at != values.end();) {
      const std::int64_t from = *at;
      std::int64_t to = from;
      for (++at; at != values.end() && *at == to + 1; ++at) to = *at;
      text += fmt::format("{}{}", text.empty() ? "" : ", ", from == to ? fmt::to_string(from) : fmt::format("{} to {}", from, to));
    }
    return "are for " + text;
  }
  static std::string kind(std::uint32_t number) { return enforce::name_of(static_cast<enforce::Kind>(number)); }
  std::string expected(const enforce::Unverified& first) {
    if (first.expected >= image_.events().size()) return "something else";
    const enforce::LabelRecord& label = image_.labels()[image_.events()[first.expected].label];
    const std::string same = label.kind == first.kind ? " of something else, or elsewhere" : "";
    return fmt::format("'{}'{}{}", kind(label.kind), same, label.offset == 0 ? "" : place(&label.module, label.offset, ""));
  }
  /// " at queue.cpp:31".
  std::string place(const std::uint32_t* module, std::uint64_t offset, const std::string& name) {
    if (offset == 0) return "";
    const std::string_view file = module == nullptr ? std::string_view(name) : image_.text(image_.modules()[*module]);
    if (file.empty()) {
      const std::string line = symbols_.shown({{.module = 0, .offset = offset + 1}}).location();
      if (!line.empty()) return " at " + line;
    }
    return fmt::format(" at {}+{:#x}", file.empty() ? "the program" : file, offset);
  }

  const enforce::ImageView& image_;
  const enforce::RunBlock& block_;
  native::Symbols symbols_;
};

/// Is the set for this program, called in this way?
std::optional<Diagnostic> why_not(const RunSettings& settings, const enforce::ImageView& image, const native::ExecutableFacts& facts) {
  if (!facts.instrumented) return usage_error(fmt::format("'{}' is not instrumented, so what its threads do cannot be held up; build it with 'tarry c++'", settings.command.front()));
  if (facts.identity != image.header().identity)
    return Diagnostic{fmt::format("{}: error: is for another program or another build of it ('{}'), not for '{}'; verify this one with 'tarry verify'", settings.schedules, image.text(image.names()[0]), settings.command.front())};
  if (image.has_regions()) return std::nullopt;  // what is outside of regions is not enforced, and what is inside is compared
  std::vector<std::string> arguments;
  for (const enforce::TextRecord& argument : image.arguments()) arguments.emplace_back(image.text(argument));
  if (!std::equal(arguments.begin(), arguments.end(), settings.command.begin() + 1, settings.command.end()))
    return Diagnostic{fmt::format("{}: error: was verified for other arguments{}; verify these with 'tarry verify … -- {}'", settings.schedules, arguments.empty() ? ": none" : fmt::format(": {}", fmt::join(arguments, " ")), fmt::join(settings.command.begin() + 1, settings.command.end(), " "))};
  return std::nullopt;
}

}  // namespace

int run_command(const Arguments& arguments) {
  RunSettings settings;
  if (const auto end = read_settings(arguments, settings)) return *end;
  const auto bytes = read_schedules(settings.schedules);
  if (!bytes) return refuse(bytes.error());
  const auto library = library_of_enforcement();
  if (!library) return refuse(library.error());
  const fs::path executable = fs::absolute(settings.command.front());
  const auto facts = native::inspect(executable);
  if (!facts) return refuse(facts.error());
  const enforce::ImageView image(bytes->data());
  if (const auto wrong = why_not(settings, image, *facts)) return refuse(*wrong);

  const SharedFile set("tarry-schedules"), shared("tarry-run");
  if (const int error = write_all(set.number(), *bytes); error != 0) throw std::system_error(error, std::generic_category(), "write");
  const MappedBlock mapped(shared, image.labels().size());
  enforce::RunBlock& block = *mapped;
  block.on_unverified = settings.on_unverified;
  block.disturb = settings.disturb;
  block.seed = settings.seed;
  if (!settings.log.empty()) {
    const int log = ::open(settings.log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (log < 0) return refuse({fmt::format("{}: error: cannot be written: {}", settings.log, std::generic_category().message(errno))});
    block.log = static_cast<std::uint32_t>(log) + 1;
  }
  std::optional<ReplacedSets> replaced;
  if (image.has_regions())
    replaced.emplace(settings.schedules, *bytes, set, block, [&](const enforce::ImageView& newer) -> std::optional<Diagnostic> {
      if (!newer.has_regions()) return Diagnostic{fmt::format("{}: error: has no traces of regions", settings.schedules)};
      return why_not(settings, newer, *facts);
    });
  std::vector<std::string> command = settings.command;
  command.front() = executable;
  const int status = run_and_wait(command, enforced_environment(*library, *facts, fmt::format("{}:{}", set.number(), shared.number())), Streams::kOurs, std::nullopt, replaced ? replaced->meanwhile() : Meanwhile());
  if (status == -1) return refuse(usage_error(fmt::format("'{}' could not be started", settings.command.front())));
  if (block.attached.load() == 0) {
    fmt::print(stderr, "tarry: error: the program ran without enforcement: the library of enforcement was not loaded{}\n",
               WIFSIGNALED(status) ? fmt::format(", and the program was ended by signal {}", WTERMSIG(status)) : "");
    return kOurFault;
  }
  const enforce::ImageView enforced(replaced ? replaced->taken().data() : bytes->data());
  RunTeller teller(enforced, block, executable);
  if (block.unverified.load() != 0) teller.tell_unverified(settings);
  if (settings.report) teller.tell_report();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace tarry::cli
