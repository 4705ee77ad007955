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
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RawFinding, finding, place, stack, places, points, told, objects, stacks)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Pause, wanted, at, after_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Request, job, run, frameworks, search, explorer, explorer_file, params, engine, schedule, points, pause)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Module, path, instrumented, number)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedStep, thread, values, operation, object, detail, stack, output, preempted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedThread, name, state, stack, places, object)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, outcome, findings, explorer, weak_atomics, uses_seals, outputs, covered, orders, steps, threads, fingerprints, still_running, diverged_at, divergence, modules, assumes, unrepeatable, notes, suppressions, problem)

namespace {

/// What a program writes need not be UTF-8, and JSON is: each byte becomes the character of that number.
std::string text_of_bytes(const std::string& bytes) {
  std::string out;
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0x80) out += {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
    else out += byte;
  }
  return out;
}

std::string bytes_of_text(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    if (code >= 0x80 && i + 1 < text.size()) out += static_cast<char>(code << 6 | (static_cast<unsigned char>(text[++i]) & 0x3F));
    else out += text[i];
  }
  return out;
}

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
std::string to_text(const Answer& answer) {
  if (answer.outputs.empty() && answer.covered.empty()) return exchange_text(answer);
  Answer wrapped = answer;
  for (auto& [bytes, times] : wrapped.outputs) bytes = text_of_bytes(bytes);
  for (std::string& bytes : wrapped.covered) bytes = text_of_bytes(bytes);
  return exchange_text(wrapped);
}
Result<Request> request_of(const std::string& text) { return read<Request>(text, "what the runtime was asked"); }
Result<Answer> answer_of(const std::string& text) {
  auto answer = read<Answer>(text, "what the runtime answered");
  if (!answer) return answer;
  for (auto& [output, times] : answer->outputs) output = bytes_of_text(output);
  for (std::string& covered : answer->covered) covered = bytes_of_text(covered);
  return answer;
}

}  // namespace tarry::native
