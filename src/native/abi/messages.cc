#include "native/abi/messages.h"

#include "trace/exchange.h"

namespace tarry::native {

// Found by nlohmann's json through the namespace of the types.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunOptions, races, samaritan, points, fair, spurious, faults, fresh, cache, outcomes, expect_exit, suppressions)
/// Short: there are as many as frames in all stacks.
static void to_json(Json& json, const Place& place) { json = {place.module, place.offset}; }
static void from_json(const Json& json, Place& place) { place = {.module = json.at(0), .offset = json.at(1)}; }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Request, job, run, search, explorer, explorer_file, params, engine, schedule, points, pause_at_end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Module, path, instrumented)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedStep, thread, values, operation, object, object_name, object_place, detail, stack, output, preempted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedThread, name, state, stack, places)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawFinding, finding, place, stack, places, points)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, outcome, findings, explorer, weak_atomics, uses_seals, outputs, orders, steps, threads, fingerprints, still_running, diverged_at, divergence, modules, notes, problem)

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
Result<Answer> answer_of(const std::string& text) { return read<Answer>(text, "what the runtime answered"); }

}  // namespace tarry::native
