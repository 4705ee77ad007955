// tarry schedules: files of admissible schedules, for people and for programs that check them.
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cli/admissible_file.h"
#include "cli/command_line.h"
#include "enforce/set_image.h"
#include "trace/render/json.h"
#include "trace/whole_file.h"

namespace tarry::cli {
namespace {

const Manual kSchedulesManual{
    .usage = "Usage: tarry schedules show FILE [--json]\n"
             "       tarry schedules merge FILE FILE… -o FILE\n"
             "       tarry schedules diff FILE FILE\n"
             "       tarry schedules withdraw FILE TRACE… [-o FILE]",
    .summary = "Shows files of verified schedules, puts them together, says how they differ, and removes traces.",
    .examples = "  tarry schedules show queue.schedules\n"
                "  tarry schedules show queue.schedules --json | python3 my_checker.py run.log\n"
                "  tarry schedules merge monday.schedules tuesday.schedules -o queue.schedules\n"
                "  tarry schedules withdraw queue.schedules 91c5a1d01e5f23b4    the trace of a run, as 'tarry run --report' names it\n",
    .closing = "'diff' ends with 1 if one file has a trace that the other has not.\n",
};

/// As the log of a run writes it (enforce/rt/run_log.h).
std::string text_of(const enforce::ScheduleSet& set, const enforce::Object& object) {
  switch (object.space) {
    case enforce::Space::kNone: return "-";
    case enforce::Space::kEverything: return "everything";
    case enforce::Space::kData: return fmt::format("d:{}:{:x}", set.modules[object.module], object.value);
    case enforce::Space::kThread: return fmt::format("t:{}", object.value);
    case enforce::Space::kThing: return fmt::format("s:{}", object.value);
    case enforce::Space::kValue: return fmt::format("v:{}", static_cast<std::int64_t>(object.value));
    case enforce::Space::kMemory: return fmt::format("m:{:x}", object.value);
    case enforce::Space::kEntry: return fmt::format("e:{}", object.value);
  }
  return "-";
}

OrderedJson json_of_footprint(const enforce::ScheduleSet& set, const enforce::Footprint& footprint) {
  OrderedJson values = OrderedJson::array();
  for (const auto& [cell, value] : footprint.values) {
    OrderedJson one;
    if (cell.space == enforce::FootprintCell::Space::kData) one["module"] = set.modules[cell.module];
    one[cell.space == enforce::FootprintCell::Space::kData ? "offset" : "below_main"] = cell.offset;
    if (!cell.way.empty()) one["way"] = cell.way;
    one["size"] = cell.size;
    if (value.kind == enforce::CellValue::Kind::kBytes) one["value"] = value.value;
    else if (value.kind == enforce::CellValue::Kind::kToData) one["points_to"] = fmt::format("{}+{:#x}", set.modules[value.module], value.value);
    else one["points_to"] = "memory";
    values.push_back(std::move(one));
  }
  return {{"region", footprint.region}, {"module", set.modules[footprint.module]}, {"offset", footprint.offset}, {"depth", footprint.depth}, {"values", std::move(values)}, {"reads_other_memory", footprint.unnamed_offset != 0}};
}

OrderedJson json_of_set(const enforce::ScheduleSet& set) {
  OrderedJson out{{"schema", 1}, {"program", set.program}, {"arguments", set.arguments}, {"complete", set.complete}, {"assumes", set.assumes}};
  OrderedJson points = OrderedJson::array(), sites = OrderedJson::array(), labels = OrderedJson::array(), traces = OrderedJson::array(), footprints = OrderedJson::array();
  for (const enforce::Footprint& footprint : set.footprints()) footprints.push_back(json_of_footprint(set, footprint));
  for (const enforce::CodePlace& point : set.points) points.push_back({{"module", set.modules[point.module]}, {"offset", point.offset}});
  for (const enforce::CodePlace& site : set.sites) sites.push_back({{"module", set.modules[site.module]}, {"offset", site.offset}});
  for (const enforce::Label& label : set.labels()) {
    OrderedJson touches = OrderedJson::array();
    for (const enforce::Touch& touch : label.touches) touches.push_back({text_of(set, touch.object), touch.writes ? "write" : "read"});
    labels.push_back({{"thread", label.thread}, {"kind", enforce::name_of(label.kind)}, {"size", label.size}, {"object", text_of(set, label.object)}, {"also", text_of(set, label.also)}, {"touches", std::move(touches)}});
  }
  for (const auto& word : set.words()) {
    OrderedJson trace = OrderedJson::array();
    for (const std::uint32_t event : word) trace.push_back(set.events()[event].label);
    traces.push_back(std::move(trace));
  }
  out["points"] = std::move(points);
  out["sites"] = std::move(sites);
  if (!set.footprints().empty()) out["footprints"] = std::move(footprints);
  out["labels"] = std::move(labels);
  out["traces"] = std::move(traces);
  return out;
}

int show_schedules(const std::string& file, bool json) {
  const auto bytes = read_schedules(file);
  if (!bytes) return refuse(bytes.error());
  const enforce::ScheduleSet set = enforce::ScheduleSet::of_image(*bytes);
  if (json) {
    fmt::print("{}\n", json_of_set(set).dump());
    return kNoBug;
  }
  const enforce::Header& header = enforce::ImageView(bytes->data()).header();
  fmt::print("program:    {} (build {:016x})\n", set.program, set.identity);
  std::string arguments;
  for (const std::string& argument : set.arguments) arguments += ' ' + argument;
  fmt::print("arguments: {}\n", arguments.empty() ? " none" : arguments);
  fmt::print("traces:     {}{}\n", with_separators(set.size()), set.complete ? ", all that the program has" : "");
  std::map<std::string, std::pair<std::size_t, std::uint64_t>> regions;  // entries and traces
  const enforce::ImageView image(bytes->data());
  for (const enforce::FootprintRecord& footprint : image.footprints()) {
    auto& [entries, traces] = regions[std::string(image.text(footprint.region))];
    ++entries, traces += footprint.traces;
  }
  for (const auto& [name, counts] : regions) fmt::print("region:     {}: {} with {}\n", name, counts.first == 1 ? "1 entry" : fmt::format("{} entries", with_separators(counts.first)), number_of(counts.second, "trace"));
  fmt::print("threads:    {}\n", header.threads);
  fmt::print("events:     {} at most in a trace; {} different ones in {}\n", with_separators(header.longest), with_separators(header.event.count), number_of(header.segment.count, "segment"));
  fmt::print("racing:     {} of plain accesses{}\n", number_of(set.points.size(), "place"), set.sites.empty() ? "" : fmt::format(", behind {}", number_of(set.sites.size(), "flag")));
  for (const std::string& text : set.assumes) fmt::print("assumes:    {}\n", text);
  fmt::print("size:       {}\n", size_text(bytes->size()));
  return kNoBug;
}

int merge_schedules(const std::vector<std::string>& files, const std::string& output) {
  if (output.empty()) return refuse(usage_error("merge needs -o FILE: where the traces of all files go"));
  auto set = load_schedules(files.front());
  if (!set) return refuse(set.error());
  for (std::size_t i = 1; i < files.size(); ++i) {
    const auto other = load_schedules(files[i]);
    if (!other) return refuse(other.error());
    if (const std::string why = set->differs_from(*other); !why.empty()) return refuse(usage_error(fmt::format("'{}' and '{}' cannot be put together: {}", files.front(), files[i], why)));
    if (set->may_combine_with(*other)) return refuse(usage_error(fmt::format("'{}' and '{}' cannot be put together: executions enter several regions, and those that combine traces of both sets were not verified", files.front(), files[i])));
    const std::size_t added = set->merge(*other);
    fmt::print("tarry: {} of '{}' added\n", number_of(added, "trace"), files[i]);
  }
  if (const auto wrong = write_whole(output, set->image(), Existing::kReplace)) return refuse(*wrong);
  fmt::print("tarry: {} in {}\n", number_of(set->size(), "admissible trace"), output);
  return kNoBug;
}

int diff_schedules(const std::string& one, const std::string& other) {
  auto first = load_schedules(one);
  if (!first) return refuse(first.error());
  auto second = load_schedules(other);
  if (!second) return refuse(second.error());
  if (const std::string why = first->differs_from(*second); !why.empty()) {
    fmt::print("tarry: '{}' and '{}' cannot be compared: {}\n", one, other, why);
    return kBug;
  }
  const std::size_t only_second = first->missing(*second), only_first = second->missing(*first);
  fmt::print("only in {}: {}\nonly in {}: {}\nin both: {}\n", one, number_of(only_first, "trace"), other, number_of(only_second, "trace"), number_of(first->size() - only_first, "trace"));
  return only_first + only_second == 0 ? kNoBug : kBug;
}

/// Walks all paths of the graph and calls f(name of the trace, its events), as Admission::trace_taken names traces.
template <class Function>
void for_each_trace(const enforce::ImageView& image, const Function& f) {
  struct Place {
    std::uint32_t segment;
    std::uint64_t name;
    std::size_t length;  // of the word in front of it
    std::uint32_t next = 0;
  };
  std::vector<Place> path{{0, enforce::kTraceNameSeed, 0}};
  std::vector<std::uint32_t> word;
  const auto enter = [&] {
    const enforce::SegmentRecord& segment = image.segments()[path.back().segment];
    for (const enforce::LetterRecord& letter : image.letters().subspan(segment.letters, segment.letter_count)) word.push_back(letter.event);
    if (segment.child_count == 0) f(path.back().name, word);
  };
  for (enter(); !path.empty();) {
    Place& place = path.back();
    const enforce::SegmentRecord& segment = image.segments()[place.segment];
    if (place.next == segment.child_count) {
      word.resize(place.length);
      path.pop_back();
      continue;
    }
    const std::uint32_t child = image.children()[segment.children + place.next++];
    path.push_back({child, enforce::trace_name_after(place.name, place.next, child), word.size()});
    enter();
  }
}

int withdraw_traces(const std::vector<std::string>& files, const std::string& output) {
  const std::string& file = files.front();
  const auto bytes = read_schedules(file);
  if (!bytes) return refuse(bytes.error());
  std::map<std::uint64_t, std::string> wanted;
  for (std::size_t i = 1; i < files.size(); ++i) {
    char* end = nullptr;
    wanted[std::strtoull(files[i].c_str(), &end, 16)] = files[i];
    if (files[i].size() != 16 || *end != '\0') return refuse(usage_error(fmt::format("'{}' names no trace: expected 16 hexadecimal digits, as 'tarry run --report' writes them", files[i])));
  }
  // The set numbers events as the image does: it interns them in this order.
  enforce::ScheduleSet set = enforce::ScheduleSet::of_image(*bytes);
  std::size_t withdrawn = 0;
  for_each_trace(enforce::ImageView(bytes->data()), [&](std::uint64_t name, const std::vector<std::uint32_t>& word) {
    if (wanted.erase(name) > 0) withdrawn += set.withdraw(word) ? 1 : 0;
  });
  if (!wanted.empty()) return refuse(usage_error(fmt::format("'{}' has no trace {}: names of traces are those of runs under this very file", file, wanted.begin()->second)));
  if (set.size() == 0) return refuse(usage_error(fmt::format("'{}' would have no trace left; remove the file instead", file)));
  const std::string& to = output.empty() ? file : output;
  if (const auto wrong = write_whole(to, set.image(), Existing::kReplace)) return refuse(*wrong);
  fmt::print("tarry: {} withdrawn; {} in {}\n", number_of(withdrawn, "trace"), number_of(set.size(), "admissible trace"), to);
  return kNoBug;
}

}  // namespace

int schedules_command(const Arguments& arguments) {
  CLI::App app("", "tarry schedules");
  std::string what, output;
  std::vector<std::string> files;
  bool json = false;
  app.add_option("WHAT", what, "show, merge, diff or withdraw")->type_name("")->required()->group("What to do");
  app.add_option("FILES", files, "files of schedules; withdraw: a file, then names of traces")->type_name("")->required()->group("What to do");
  app.add_option("-o,--output", output, "merge, withdraw: the file that is written")->type_name("FILE")->group("Other");
  app.add_flag("--json", json, "show: all traces, as JSON")->group("Other");
  if (const auto end = parse(app, kSchedulesManual, arguments)) return *end;
  if (what == "show" && files.size() == 1) return show_schedules(files.front(), json);
  if (what == "merge") return merge_schedules(files, output);
  if (what == "diff" && files.size() == 2) return diff_schedules(files[0], files[1]);
  if (what == "withdraw" && files.size() >= 2) return withdraw_traces(files, output);
  return refuse(usage_error(fmt::format("cannot {} {}: expected 'show FILE', 'merge FILE FILE… -o FILE', 'diff FILE FILE', 'withdraw FILE TRACE…'", what, number_of(files.size(), "file"))));
}

}  // namespace tarry::cli
