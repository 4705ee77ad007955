#include "native/abi/messages.h"

#include "trace/exchange.h"

namespace tarry::native {

// Found by nlohmann's json through the namespace of the types.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunOptions, races, samaritan, awaits, points, fair, reuses, spurious, faults, fresh, cache, outcomes, reduces, admissible, most_admissible, dump, recorded, only_recorded, clock_jumps, expect_exit, suppressions)
/// Short: there are as many as frames in all stacks.
static void to_json(Json& json, const Place& place) { json = {place.module, place.offset}; }
static void from_json(const Json& json, Place& place) { place = {.module = json.at(0), .offset = json.at(1)}; }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CodeSpan, from, size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedObject, address, name, variable, allocated, offset, frame, frame_from, frame_to)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawFailure, place, stack, places, points, told, objects, stacks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawFinding, finding, place, stack, places, points, told, objects, stacks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Pause, wanted, at, after_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Request, job, run, frameworks, search, explorer, explorer_file, params, engine, schedule, points, pause)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Module, path, instrumented, number)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedStep, thread, values, operation, object, detail, stack, output, preempted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedThread, name, state, stack, places, object)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, result, failures, steps, threads, fingerprints, still_running, diverged_at, divergence, modules, unrepeatable, suppressions, problem)

namespace {

template <class T>
Result<T> read(const std::string& text, const char* what) {
  try {
    return Json::parse(text).get<T>();
  } catch (const Json::exception& e) {
    return Diagnostic{std::string(what) + " cannot be read: " + e.what()};
  }
}

}  // namespace

std::string to_text(const Request& request) { return exchange_text(request); }
std::string to_text(const Answer& answer) { return exchange_text(answer); }
Result<Request> request_of(const std::string& text) { return read<Request>(text, "what the runtime was asked"); }
Result<Answer> answer_of(const std::string& text) {
  auto answer = read<Answer>(text, "what the runtime answered");
  if (!answer) return answer;
  for (const Finding& finding : answer->result.findings)
    if (finding.failure != FailureId::kNone && static_cast<std::size_t>(finding.failure) >= answer->failures.size()) return Diagnostic{"what the runtime answered cannot be read: it names a failure that it does not tell"};
  return answer;
}

RawFinding Answer::raw(const Finding& finding) const {
  if (finding.failure == FailureId::kNone) return {finding, {}};
  return {finding, failures[static_cast<std::size_t>(finding.failure)]};
}

std::vector<RawFinding> Answer::raw_findings() const {
  std::vector<RawFinding> out;
  for (const Finding& finding : result.findings) out.push_back(raw(finding));
  return out;
}

}  // namespace tarry::native
