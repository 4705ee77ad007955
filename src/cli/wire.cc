#include "cli/wire.h"

#include <nlohmann/json.hpp>

namespace tarry::cli {
namespace {

using Json = nlohmann::json;

/// What programs say need not be UTF-8.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// A choice is one number: value * 2 + kind.
Json json_of(const std::vector<Choice>& schedule) {
  Json out = Json::array();
  for (const Choice& c : schedule) out.push_back(std::uint64_t{c.number} * 2 + static_cast<std::uint64_t>(c.kind));
  return out;
}

std::vector<Choice> schedule_of(const Json& json) {
  std::vector<Choice> out;
  for (const auto& item : json) {
    const auto number = item.get<std::uint64_t>();
    out.push_back({static_cast<Choice::Kind>(number & 1), static_cast<std::uint32_t>(number >> 1)});
  }
  return out;
}

Json json_of(const Finding& f) {
  return {{"kind", f.kind}, {"message", f.message}, {"location", f.location}, {"schedule", json_of(f.schedule)}, {"steps", f.steps}, {"delays", f.delays}, {"delayed", f.delayed}, {"count", f.count}};
}

Finding finding_of(const Json& j) {
  return {.kind = j.at("kind"),
          .message = j.at("message"),
          .location = j.at("location"),
          .schedule = schedule_of(j.at("schedule")),
          .steps = j.at("steps"),
          .delays = j.at("delays"),
          .delayed = j.at("delayed"),
          .count = j.at("count")};
}

Json json_of(const Outcome& o) {
  return {{"complete", o.complete}, {"stopped_by", o.stopped_by}, {"bound", o.bound}, {"reached", o.reached},
          {"reached_any", o.reached_any}, {"cut", o.cut}, {"put_aside", o.put_aside}, {"samples", o.samples},
          {"bytes", o.bytes}, {"sealed", o.sealed}, {"lossy", o.lossy}, {"notes", o.notes},
          {"winner_search", o.winner_search}, {"winner_explorer", o.winner_explorer},
          {"totals", o.totals ? Json{o.totals->states, o.totals->transitions, o.totals->executions, o.totals->depth} : Json()}};
}

Outcome outcome_of(const Json& j) {
  Outcome o;
  o.complete = j.at("complete");
  o.stopped_by = j.at("stopped_by");
  o.bound = j.at("bound");
  o.reached = j.at("reached");
  o.reached_any = j.at("reached_any");
  o.cut = j.at("cut");
  o.put_aside = j.at("put_aside");
  o.samples = j.at("samples");
  o.bytes = j.at("bytes");
  o.sealed = j.at("sealed");
  o.lossy = j.at("lossy");
  o.notes = j.at("notes").get<std::vector<std::string>>();
  o.winner_search = j.at("winner_search");
  o.winner_explorer = j.at("winner_explorer");
  if (const Json& t = j.at("totals"); !t.is_null()) o.totals = {.states = t.at(0), .transitions = t.at(1), .executions = t.at(2), .depth = t.at(3)};
  return o;
}

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

Replay replay_of(const Json& j) {
  Replay r;
  for (const auto& step : j.at("steps")) r.steps.push_back(step_of(step));
  r.first_state = j.at("first_state").get<Narrator::Fields>();
  r.last_state = j.at("last_state").get<Narrator::Fields>();
  const Json& ending = j.at("ending");
  r.ending = {.label = ending.at(0), .kind = ending.at(1), .message = ending.at(2), .location = ending.at(3)};
  r.ending.who = ending.at(4).get<std::vector<std::string>>();
  r.ending.cut_short = ending.at(5);
  if (const Json& at = j.at("diverged_at"); !at.is_null()) r.diverged_at = at.get<std::uint64_t>();
  r.divergence = j.at("divergence");
  r.fingerprints = j.at("fingerprints").get<std::vector<std::uint32_t>>();
  return r;
}

template <class T, class Read>
std::variant<T, Diagnostic, OurFault> read(const std::string& said, const Read& make) {
  const Json json = Json::parse(said);
  if (json.contains("diagnostic")) return Diagnostic{json.at("diagnostic")};
  if (json.contains("failure")) return OurFault{json.at("failure")};
  return make(json);
}

}  // namespace

namespace wire {

std::string failure(const std::string& text) { return text_of({{"failure", text}}); }
std::string diagnostic(const Diagnostic& diagnostic) { return text_of({{"diagnostic", diagnostic.text}}); }

std::string search_result(const SearchResult& result) {
  Json findings = Json::array();
  for (const Finding& finding : result.findings) findings.push_back(json_of(finding));
  return text_of({{"outcome", json_of(result.outcome)}, {"findings", std::move(findings)}, {"explorer", result.explorer}});
}

std::string replay_result(const Replay& r) {
  Json steps = Json::array();
  for (const ReplayedStep& step : r.steps) steps.push_back(json_of(step));
  return text_of({{"steps", std::move(steps)},
                  {"first_state", r.first_state},
                  {"last_state", r.last_state},
                  {"ending", {r.ending.label, r.ending.kind, r.ending.message, r.ending.location, r.ending.who, r.ending.cut_short}},
                  {"diverged_at", r.diverged_at ? Json(*r.diverged_at) : Json()},
                  {"divergence", r.divergence},
                  {"fingerprints", r.fingerprints}});
}

}  // namespace wire

std::variant<SearchResult, Diagnostic, OurFault> read_search(const std::string& said) {
  return read<SearchResult>(said, [](const Json& json) {
    SearchResult result;
    result.outcome = outcome_of(json.at("outcome"));
    for (const auto& finding : json.at("findings")) result.findings.push_back(finding_of(finding));
    result.explorer = json.at("explorer");
    return result;
  });
}

std::variant<Replay, Diagnostic, OurFault> read_replay(const std::string& said) { return read<Replay>(said, replay_of); }

}  // namespace tarry::cli
