// tarry replay: runs the schedule of a trace again, in a child, and shows it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "base/version.h"
#include "cli/check_options.h"
#include "cli/findings.h"
#include "cli/replay_schedule.h"
#include "toolchain/compiler.h"
#include "trace/render/json.h"
#include "trace/trace_file.h"

namespace tarry::cli {
namespace {

const Manual kReplayManual{
    .usage = "Usage: tarry replay TRACE [options]",
    .summary = "Runs the schedule of a trace again and shows it, step by step.",
    .examples = "  tarry replay tarry-out/philosophers-deadlock-1.tarry\n"
                "  tarry replay bug.tarry -v                           with the state at the start\n"
                "  tarry replay bug.tarry --target moved/model.cpp     the source has moved\n"
                "  tarry replay bug.tarry --gdb                        stops in gdb where it failed; 'tarry threads' shows all threads\n"
                "  tarry replay bug.schedule --target bank.pproj       a schedule of P's own checker\n",
    .closing = "Exit codes:\n"
               "  0    the schedule of P ended without a bug\n"
               "  1    the bug showed again\n"
               "  2    refused: no trace, or the program has changed since it was written\n"
               "  70   the program went another way; the output says at which step\n",
};

struct ReplayOptions {
  std::string trace;
  std::string target;  // empty: that of the trace
  bool json = false;
  bool verbose = false;
  bool gdb = false;
  Color color = Color::kAuto;
};

enum class Shown { kReproduced, kDiverged, kLimit };

struct Told {
  Shown shown;
  std::string words;
  std::optional<std::uint64_t> diverged_at;
};

Told judge(const Rerun& rerun, const Trace& trace) {
  const Finding& finding = trace.finding;
  const bool same = shows(rerun, finding);
  if (same) return {Shown::kReproduced, fmt::format("reproduced {} after {} steps", finding.kind.name(), with_separators(finding.steps)), std::nullopt};
  Told told{Shown::kDiverged, "", rerun.replay.diverged_at};
  if (rerun.replay.diverged_at) {
    told.words = fmt::format("step {} went another way: {}", *rerun.replay.diverged_at, rerun.replay.divergence);
  } else {
    told.diverged_at = rerun.steps;
    const std::string instead = rerun.ending.kind.empty() ? "nothing" : fmt::format("{} ({})", rerun.ending.kind.name(), rerun.ending.message);
    told.words = fmt::format("the program showed {} after step {}, where the trace says {} ({})", instead, rerun.steps, finding.kind.name(), finding.message);
  }
  if (finding.kind == "explorer" && !rerun.replay.diverged_at && rerun.steps == finding.steps)
    return {Shown::kReproduced, fmt::format("this is the state after {} in which the explorer failed; a replay does not ask it again",
                                              finding.steps == 1 ? "1 step" : with_separators(finding.steps) + " steps"), std::nullopt};
  if (rerun.ending.kind == kLimitKind && finding.kind != kLimitKind)
    return {Shown::kLimit, fmt::format("the replay stopped after {} steps at a limit of Tarry: {}", with_separators(rerun.steps), rerun.ending.message), std::nullopt};
  if (finding.kind == "nondeterminism") {  // what was to be shown is that this cannot be relied on
    told.shown = Shown::kReproduced;
    told.words = "the program is not a function of its choices; this time " + told.words;
  }
  return told;
}

OrderedJson happenings_json(const std::vector<Happening>& happenings) {
  constexpr const char* kKinds[] = {"create", "send", "arrive", "lost", "take", "enter", "see", "halt", "note"};
  OrderedJson out = OrderedJson::array();
  for (const Happening& h : happenings) {
    out.push_back({{"kind", kKinds[static_cast<std::size_t>(h.kind)]}, {"who", h.who}, {"text", h.text}, {"location", h.location}});
    if (!h.whom.empty()) out.back()["whom"] = h.whom;
    if (!h.detail.empty()) out.back()["carries"] = h.detail;
  }
  return out;
}

void print_json(const ReplayOptions& options, const Trace& trace, const Rerun& rerun, const Told& told) {
  OrderedJson steps = OrderedJson::array();
  for (const ReplayedStep& step : rerun.replay.steps) {
    OrderedJson changes = OrderedJson::object();
    for (const auto& [name, value] : step.changes) changes[name] = value;
    steps.push_back({{"number", step.number}, {"process", index(step.process)}, {"name", step.process_name}, {"values", step.values},
                     {"label", step.label}, {"switched", step.switched}, {"preempted", step.preempted}, {"changes", std::move(changes)}});
    if (!step.location.empty()) steps.back()["location"] = step.location;
    if (!step.output.empty()) steps.back()["output"] = step.output;
    if (!step.happenings.empty()) steps.back()["happenings"] = happenings_json(step.happenings);
  }
  const bool reproduced = told.shown == Shown::kReproduced;
  const OrderedJson out{{"schema", 1},
                 {"tarry", kVersion},
                 {"trace", options.trace},
                 {"target", trace.target},
                 {"verdict", reproduced ? "reproduced" : told.shown == Shown::kLimit ? "limit" : "diverged"},
                 {"kind", text_or_null(rerun.ending.kind.name())},
                 {"message", text_or_null(rerun.ending.message)},
                 {"location", text_or_null(rerun.ending.location)},
                 {"steps", rerun.steps},
                 {"diverged_at", told.diverged_at ? OrderedJson(*told.diverged_at) : OrderedJson(nullptr)},
                 {"verdict_text", told.words},
                 {"schedule", std::move(steps)}};
  fmt::print("{}\n", json_text(out));
}

int show(const ReplayOptions& options, const Trace& trace, const Rerun& rerun) {
  const Told told = judge(rerun, trace);
  if (options.json) {
    print_json(options, trace, rerun, told);
  } else {
    RenderOptions how = render_options(options.color, options.verbose);
    how.max_steps = ~std::size_t{0};  // the whole trace
    Finding shown = trace.finding;
    shown.kind = rerun.ending.kind;
    shown.message = rerun.ending.message;
    shown.location = rerun.ending.location;
    shown.steps = rerun.steps;
    fmt::print("{}\n", render_trace_text(rerun.replay, told.shown == Shown::kReproduced ? trace.finding : shown, how));
    if (told.shown == Shown::kReproduced) fmt::print("tarry: {}\n", told.words);
  }
  std::fflush(stdout);
  switch (told.shown) {
    case Shown::kReproduced: return kBug;
    case Shown::kLimit: return fmt::print(stderr, "tarry: error: {}\n", told.words), kBadInput;
    case Shown::kDiverged: break;
  }
  fmt::print(stderr, "tarry: error: the replay diverged: {}\n", told.words);
  return kOurFault;
}

/// The program of a trace, loaded again.
struct SameProgram {
  Subjects subjects;
  std::chrono::milliseconds step_timeout;  // that the check ran with: the message of a finding may name it
};

Result<SameProgram> same_program(const ReplayOptions& options, const Trace& trace) {
  const std::string target = options.target.empty() ? trace.target : options.target;
  auto how = options_of(trace, target);
  if (!how) return Diagnostic{fmt::format("{}: error: it was written with options that cannot be followed now\n{}", options.trace, how.error().text)};
  how->leaves_input_alone = options.gdb;
  auto subjects = how->loader->load(*how);
  if (!subjects && options.target.empty() && !std::filesystem::exists(target))
    return Diagnostic{fmt::format("{}: error: no such file; it is what '{}' was made of: if it has moved, name it with --target FILE", target, options.trace)};
  if (!subjects) return subjects.error();
  if (subjects->front()->facts().identity != trace.identity)
    return Diagnostic{fmt::format("{}: error: the program has changed since '{}' was written, so its schedule means nothing now; check it again with: tarry check {}",
                                  target, options.trace, target)};
  return SameProgram{std::move(*subjects), how->step_timeout};
}

}  // namespace

int replay_command(const Arguments& arguments) {
  CLI::App app("", "tarry replay");
  ReplayOptions options;
  ScheduleReplay schedule;
  app.add_option("TRACE", options.trace, "a .tarry file, or a .schedule of P's own checker")->type_name("")->group("What to replay");
  app.add_option("--target", options.target, "the program, if it is no longer where it was")->type_name("FILE")->take_last()->group("What to replay");
  app.add_option("--testcase", schedule.test, "of a .schedule: the test, if it does not say (also: -tc)")->type_name("NAME")->take_last()->group("What to replay");
  app.add_flag("--gdb", options.gdb, "a program with threads: starts gdb, follows the schedule and stops where it failed")->group("What to replay");
  app.add_flag("-v,--verbose", options.verbose, "shows the state at the start too")->group("Output");
  app.add_flag("--json", options.json, "prints one JSON object, and nothing else, on standard output")->group("Output");
  add_color(app, options.color);
  if (const auto end = parse(app, kReplayManual, spelled_out(arguments))) return *end;
  if (options.trace.empty()) return refuse(usage_error("there is nothing to replay: name a trace, as in 'tarry replay bug.tarry'"));
  if (const FrontEnd* const front_end = reader_of(options.trace)) {
    schedule = {options.trace, options.target, schedule.test, options.json, options.verbose, options.color};
    return replay_schedule(*front_end, schedule);
  }
  if (!schedule.test.empty()) return refuse(usage_error(fmt::format("--testcase is for a .schedule; '{}' says itself which test it belongs to", options.trace)));

  const auto trace = read_trace(options.trace);
  if (!trace) return refuse(trace.error());
  if (options.gdb && !find_compiler("gdb")) {
    fmt::print(stderr, "tarry: note: gdb was not found (on Debian: apt-get install gdb), so the schedule is shown without it\n");
    options.gdb = false;
  }
  const auto program = same_program(options, *trace);
  if (!program) return refuse(program.error());
  const Subject& subject = *program->subjects.front();
  if (options.gdb) return refuse(subject.debug(trace->finding, program->step_timeout));
  const auto result = subject.rerun(trace->finding, trace->fingerprints, {.step_timeout = program->step_timeout});
  if (const auto* diagnostic = std::get_if<Diagnostic>(&result)) return refuse(*diagnostic);
  if (const auto* fault = std::get_if<OurFault>(&result)) return admit(fmt::format("tarry: internal error: {}", fault->text), "");
  if (const auto* given_up = std::get_if<GivenUp>(&result)) return 128 + given_up->interrupted_by;
  return show(options, *trace, std::get<Rerun>(result));
}

}  // namespace tarry::cli
