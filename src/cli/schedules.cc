// tarry schedules: files of admissible schedules, for people and for programs that check them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cli/command_line.h"
#include "cli/admissible_file.h"
#include "enforce/set_image.h"
#include "trace/render/json.h"
#include "trace/whole_file.h"

namespace tarry::cli {
namespace {

const Manual kSchedulesManual{
    .usage = "Usage: tarry schedules show FILE [--json]\n"
             "       tarry schedules merge FILE FILE… -o FILE\n"
             "       tarry schedules diff FILE FILE",
    .summary = "Shows files of verified schedules, puts them together, and says how they differ.",
    .examples = "  tarry schedules show queue.schedules\n"
                "  tarry schedules show queue.schedules --json | python3 my_checker.py run.log\n"
                "  tarry schedules merge monday.schedules tuesday.schedules -o queue.schedules\n",
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
    case enforce::Space::kMemory: return fmt::format("m:{:x}", object.value);
  }
  return "-";
}

OrderedJson json_of_set(const enforce::ScheduleSet& set) {
  OrderedJson out{{"schema", 1}, {"program", set.program}, {"arguments", set.arguments}, {"complete", set.complete}, {"assumes", set.assumes}};
  OrderedJson points = OrderedJson::array(), labels = OrderedJson::array(), traces = OrderedJson::array();
  for (const enforce::CodePlace& point : set.points) points.push_back({{"module", set.modules[point.module]}, {"offset", point.offset}});
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
  fmt::print("threads:    {}\n", header.threads);
  fmt::print("events:     {} at most in a trace; {} different ones in {}\n", with_separators(header.longest), with_separators(header.event.count), number_of(header.segment.count, "segment"));
  fmt::print("racing:     {} of plain accesses\n", number_of(set.points.size(), "place"));
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

}  // namespace

int schedules_command(const Arguments& arguments) {
  CLI::App app("", "tarry schedules");
  std::string what, output;
  std::vector<std::string> files;
  bool json = false;
  app.add_option("WHAT", what, "show, merge or diff")->type_name("")->required()->group("What to do");
  app.add_option("FILES", files, "files of schedules")->type_name("")->required()->group("What to do");
  app.add_option("-o,--output", output, "merge: the file that is written")->type_name("FILE")->group("Other");
  app.add_flag("--json", json, "show: all traces, as JSON")->group("Other");
  if (const auto end = parse(app, kSchedulesManual, arguments)) return *end;
  if (what == "show" && files.size() == 1) return show_schedules(files.front(), json);
  if (what == "merge") return merge_schedules(files, output);
  if (what == "diff" && files.size() == 2) return diff_schedules(files[0], files[1]);
  return refuse(usage_error(fmt::format("cannot {} {}: expected 'show FILE', 'merge FILE FILE… -o FILE' or 'diff FILE FILE'", what, number_of(files.size(), "file"))));
}

}  // namespace tarry::cli
