#include "process/wire.h"

#include "trace/exchange.h"

namespace tarry::process {
namespace {

Json json_of(const Happening& h) {
  return {static_cast<std::uint32_t>(h.kind), h.observer, h.who, h.whom, h.text, h.detail, h.location};
}

Happening happening_of(const Json& j) {
  return {.kind = static_cast<Happening::Kind>(j.at(0).get<std::uint32_t>()),
          .observer = j.at(1),
          .who = j.at(2),
          .whom = j.at(3),
          .text = j.at(4),
          .detail = j.at(5),
          .location = j.at(6)};
}

Json json_of(const std::vector<Happening>& happenings) {
  Json out = Json::array();
  for (const Happening& happening : happenings) out.push_back(json_of(happening));
  return out;
}

std::vector<Happening> happenings_of(const Json& json) {
  std::vector<Happening> out;
  for (const auto& item : json) out.push_back(happening_of(item));
  return out;
}

Json json_of(const ReplayedStep& s) {
  return {{"number", s.number}, {"process", index(s.process)}, {"process_name", s.process_name}, {"values", s.values},
          {"label", s.label}, {"switched", s.switched}, {"preempted", s.preempted}, {"changes", s.changes},
          {"happenings", json_of(s.happenings)}};
}

ReplayedStep step_of(const Json& j) {
  return {.number = j.at("number"),
          .process = ProcessId{j.at("process").get<std::uint32_t>()},
          .process_name = j.at("process_name"),
          .values = j.at("values").get<std::vector<std::uint32_t>>(),
          .label = j.at("label"),
          .switched = j.at("switched"),
          .preempted = j.at("preempted"),
          .changes = j.at("changes").get<Narrator::Fields>(),
          .happenings = happenings_of(j.at("happenings"))};
}

/// Adds a part of a replay.
void add(Replay& r, const Json& j) {
  for (const auto& step : j.at("steps")) r.steps.push_back(step_of(step));
  for (const auto& print : j.at("fingerprints")) r.fingerprints.push_back(print);
  r.verbose_tells_more = j.at("verbose_tells_more");
  if (j.contains("first_state")) r.first_state = j.at("first_state").get<Narrator::Fields>();
  if (j.contains("last_state")) r.last_state = j.at("last_state").get<Narrator::Fields>();
}

void add_ending(Replay& r, const Json& j) {
  const Json& ending = j.at("ending");
  r.ending = {.label = ending.at(0), .kind = FindingKind::find(ending.at(1).get<std::string>()).value(), .message = ending.at(2), .location = ending.at(3)};
  r.ending.who = ending.at(4).get<std::vector<std::string>>();
  r.ending.cut_short = ending.at(5);
  if (const Json& at = j.at("diverged_at"); !at.is_null()) r.diverged_at = at.get<std::uint64_t>();
  r.divergence = j.at("divergence");
  r.record = j.at("record");
}

template <class T, class Read>
std::variant<T, Diagnostic, OurFault> read(const std::string& said, const Read& make) {
  if (said.empty()) return Diagnostic{"tarry: error: nothing came back from the process that ran the program: it has closed descriptors that are not its own, or replaced the process by another program"};
  const Json json = Json::parse(said);
  if (json.contains("diagnostic")) return Diagnostic{json.at("diagnostic")};
  if (json.contains("failure")) return OurFault{json.at("failure")};
  return make(json);
}

}  // namespace

namespace wire {

std::string failure(const std::string& text) { return exchange_text({{"failure", text}}); }
std::string diagnostic(const Diagnostic& diagnostic) { return exchange_text({{"diagnostic", diagnostic.text}}); }

std::string search_result(const SearchResult& result) {
  return exchange_text(Json(result));
}

std::string replay_so_far(const Replay& r, const Replayed& told) {
  Json steps = Json::array(), fingerprints = Json::array();
  for (std::size_t i = told.steps; i < r.steps.size(); ++i) steps.push_back(json_of(r.steps[i]));
  for (std::size_t i = told.fingerprints; i < r.fingerprints.size(); ++i) fingerprints.push_back(r.fingerprints[i]);
  Json out{{"steps", std::move(steps)}, {"fingerprints", std::move(fingerprints)}, {"verbose_tells_more", r.verbose_tells_more}};
  if (!told.first_state) out["first_state"] = r.first_state;
  if (!r.last_state.empty()) out["last_state"] = r.last_state;
  return exchange_text(out) + "\n";
}

std::string replay_result(const Replay& r, const Replayed& told) {
  const Json ending{{"ending", {r.ending.label, r.ending.kind.name(), r.ending.message, r.ending.location, r.ending.who, r.ending.cut_short}},
                    {"diverged_at", r.diverged_at ? Json(*r.diverged_at) : Json()},
                    {"divergence", r.divergence},
                    {"record", r.record}};
  return replay_so_far(r, told) + exchange_text(ending);
}

}  // namespace wire

std::variant<SearchResult, Diagnostic, OurFault> read_search(const std::string& said) {
  return read<SearchResult>(said, [](const Json& json) { return json.get<SearchResult>(); });
}

Replay read_replay_so_far(const std::string& said) {
  Replay out;
  for (std::size_t at = 0, end = said.find('\n'); end != std::string::npos; at = end + 1, end = said.find('\n', at)) add(out, Json::parse(said.substr(at, end - at)));
  return out;
}

std::variant<Replay, Diagnostic, OurFault> read_replay(const std::string& said) {
  const std::size_t last = said.rfind('\n') + 1;  // 0: there is only one line
  return read<Replay>(said.substr(last), [&](const Json& json) {
    Replay out = read_replay_so_far(said.substr(0, last));
    add_ending(out, json);
    return out;
  });
}

}  // namespace tarry::process
