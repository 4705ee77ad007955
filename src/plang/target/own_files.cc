#include "plang/target/own_files.h"

#include <fmt/format.h>

#include "plang/sema/checked_program.h"
#include "plang/trace/coverage.h"
#include "plang/trace/p_traces.h"
#include "plang/vm/p_program.h"
#include "process/account.h"
#include "process/inherited_limits.h"
#include "process/supervise.h"
#include "trace/exchange.h"
#include "trace/whole_file.h"

namespace tarry::plang {
namespace {

/// Of a coverage file: "31 of 35 declared handlers exercised (88 %)".
std::string summary_line(const std::string& coverage) {
  for (std::size_t at = 0, line = 1; at < coverage.size(); ++line) {
    const std::size_t end = coverage.find('\n', at);
    if (line == 5) return coverage.substr(at, coverage.find(',', at) - at);
    at = end + 1;
  }
  return "";
}

/// Runs `work` on the program in a child; what it returns comes back as JSON.
std::variant<Json, Diagnostic, OurFault> in_child(const PSubject& subject, std::chrono::milliseconds step_timeout, process::Phase phase,
                                                  const std::function<Json(const PProgram&, process::Shared&)>& work) {
  process::SharedMemory memory;
  const process::ChildEnd end = process::supervise(*memory, {.step_timeout = step_timeout, .gives_up = true}, [&]() -> std::string {
    try {
      memory->phase = process::Phase::kLoading;
      const auto program = subject.load(PSubject::Purpose::kReplay);
      if (!program) return exchange_text({{"diagnostic", program.error().text}});
      memory->phase = phase;
      const std::string said = exchange_text(work(dynamic_cast<const PProgram&>(**program), *memory));
      memory->phase = process::Phase::kDone;
      return said;
    } catch (const std::exception& e) {
      if (const auto limit = process::limit_behind(e)) return exchange_text({{"diagnostic", "tarry: error: " + *limit}});
      return exchange_text({{"failure", e.what()}});
    }
  });
  if (!end.came_back) {
    if (end.interrupted_by != 0) return Diagnostic{"interrupted"};
    if (memory->crash.complete && memory->crash.where != process::Where::kTarry)
      return OurFault{process::account_of(*memory, step_timeout).message};
    return process::vanished<std::variant<Json, Diagnostic, OurFault>>(*memory, end);
  }
  const Json said = Json::parse(end.said);
  if (said.contains("diagnostic")) return Diagnostic{said.at("diagnostic")};
  if (said.contains("failure")) return OurFault{said.at("failure")};
  return said;
}

Json json_of(const Translated& t) {
  return {{"schedule", t.schedule}, {"line", t.diverged_line}, {"divergence", t.divergence}, {"unused", t.unused_line}};
}

std::string problem_of(const std::variant<Json, Diagnostic, OurFault>& result) {
  if (const auto* fault = std::get_if<OurFault>(&result)) return fault->text;
  return std::get<Diagnostic>(result).text;
}

Translated translated_of(const Json& json) {
  Translated t;
  t.schedule = json.at("schedule").get<std::vector<Choice>>();
  t.diverged_line = json.at("line");
  t.divergence = json.at("divergence");
  t.unused_line = json.at("unused");
  return t;
}

}  // namespace

void record_p_traces(PProgram& program, const OwnFiles& wanted, const std::string& test) {
  if (!wanted.any()) return;
  ScheduleFile header{.test = test, .fair = wanted.fair_steps.has_value(), .threshold = std::nullopt, .steps = {}};
  if (wanted.fair_steps) header.threshold = *wanted.fair_steps / 2;
  program.listen([header = std::move(header)](const PProgram& listened) { return std::make_unique<PRecorder>(listened, header); });
}

void write_p_traces(const Finding& finding, const RerunResult& rerun, const std::filesystem::path& trace, const OwnFiles& wanted, std::vector<std::string>& notes) {
  if (!wanted.any()) return;
  const auto* const again = std::get_if<Rerun>(&rerun);
  if (again == nullptr) return notes.push_back("P's traces were not written: " + why_not(rerun));
  if (again->replay.record.empty()) return notes.push_back("P's traces were not written: " + again->ending.message);  // it crashed
  const bool shows_nothing = again->ending.kind.empty();
  StepText ending = again->ending;
  if (shows_nothing) ending = {.label = "", .kind = finding.kind, .message = finding.message, .location = finding.location};
  const PTraces traces = p_traces(again->replay.record, ending, wanted.search);
  if (shows_nothing && again->replay.diverged_at)
    notes.push_back(fmt::format("P's traces are not complete: the schedule cannot be followed at step {}: {}", *again->replay.diverged_at, again->replay.divergence));
  const auto write = [&](bool is_wanted, const std::string& text, const char* extension) {
    if (!is_wanted) return;
    const std::filesystem::path file = std::filesystem::path(trace).replace_extension(extension);
    if (const auto problem = write_whole(file, text, Existing::kReplace))
      notes.push_back(problem->text);
  };
  write(wanted.text, traces.text, ".txt");
  write(wanted.json, traces.json, ".trace.json");
  write(wanted.schedule, traces.schedule, ".schedule");
}

bool write_coverage(const std::vector<Finding>& findings, const OwnFiles& wanted, const PSubject& subject, std::vector<std::string>& notes) {
  if (!wanted.coverage) return true;
  const auto result = in_child(subject, wanted.step_timeout, process::Phase::kReplaying, [&](const PProgram& program, process::Shared& shared) -> Json {
    CoverageOptions how;
    how.seed = wanted.seed;
    const Coverage coverage = cover(program, how, findings, [&] { ++shared.step; });
    const CheckedProgram& source = *program.world().code.program;
    return {{"text", coverage_text(coverage, source)}, {"json", coverage_json(coverage, source)}};
  });
  const Json* const files = std::get_if<Json>(&result);
  const auto not_written = [&](const std::string& why) {
    notes.push_back("the coverage was not written: " + why);
    return false;
  };
  if (files == nullptr) return not_written(problem_of(result));
  for (const auto& [form, extension] : {std::pair{"text", ".coverage.txt"}, {"json", ".coverage.json"}}) {
    const std::filesystem::path file = *wanted.coverage / (subject.facts().test + extension);
    if (const auto problem = write_whole(file, files->at(form).get<std::string>(), Existing::kReplace)) return not_written(problem->text);
    if (std::string_view(form) == "text") notes.push_back(fmt::format("coverage, {}: {}", summary_line(files->at(form).get<std::string>()), file.string()));
  }
  return true;
}

std::variant<Translated, Diagnostic, OurFault> translate_in_child(const PSubject& subject, const ScheduleFile& file, std::chrono::milliseconds step_timeout) {
  const auto result = in_child(subject, step_timeout, process::Phase::kReplaying,
                               [&](const PProgram& program, process::Shared&) { return json_of(translate(program, file)); });
  if (const auto* diagnostic = std::get_if<Diagnostic>(&result)) return *diagnostic;
  if (const auto* fault = std::get_if<OurFault>(&result)) return *fault;
  return translated_of(std::get<Json>(result));
}

}  // namespace tarry::plang
