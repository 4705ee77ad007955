#include "trace/exchange.h"

#include <cstdint>

namespace tarry {

std::string exchange_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void to_json(Json& json, const Choice& choice) { json = std::uint64_t{choice.number} * 2 + static_cast<std::uint64_t>(choice.kind); }

void from_json(const Json& json, Choice& choice) {
  const auto number = json.get<std::uint64_t>();
  choice = {static_cast<Choice::Kind>(number & 1), static_cast<std::uint32_t>(number >> 1)};
}

void to_json(Json& json, const Finding& f) {
  json = {{"kind", f.kind}, {"message", f.message}, {"location", f.location}, {"schedule", f.schedule}, {"steps", f.steps}, {"delays", f.delays}, {"delayed", f.delayed}, {"count", f.count}, {"points", f.points}, {"loop", f.loop}, {"why", f.why}};
}

void from_json(const Json& j, Finding& f) {
  f = {.kind = j.at("kind"),
       .message = j.at("message"),
       .location = j.at("location"),
       .schedule = j.at("schedule").get<std::vector<Choice>>(),
       .steps = j.at("steps"),
       .delays = j.at("delays"),
       .delayed = j.at("delayed"),
       .count = j.at("count"),
       .points = j.at("points"),
       .loop = j.at("loop"),
       .why = j.at("why")};
}

void to_json(Json& json, const Outcome& o) {
  json = {{"complete", o.complete}, {"stopped_by", o.stopped_by}, {"bound", o.bound}, {"limit", o.limit}, {"reached", o.reached},
          {"reached_any", o.reached_any}, {"cut", o.cut}, {"put_aside", o.put_aside}, {"in_vain", o.in_vain}, {"fair", o.fair}, {"samples", o.samples},
          {"bytes", o.bytes}, {"sealed", o.sealed}, {"lossy", o.lossy}, {"visits", o.visits}, {"live", o.live}, {"notes", o.notes},
          {"winner_search", o.winner_search}, {"winner_explorer", o.winner_explorer},
          {"totals", o.totals ? Json{o.totals->states, o.totals->transitions, o.totals->executions, o.totals->depth} : Json()}};
}

void from_json(const Json& j, Outcome& o) {
  o.complete = j.at("complete");
  o.stopped_by = j.at("stopped_by");
  o.bound = j.at("bound");
  o.limit = j.at("limit");
  o.reached = j.at("reached");
  o.reached_any = j.at("reached_any");
  o.cut = j.at("cut");
  o.put_aside = j.at("put_aside");
  o.in_vain = j.at("in_vain");
  o.fair = j.at("fair");
  o.samples = j.at("samples");
  o.bytes = j.at("bytes");
  o.sealed = j.at("sealed");
  o.lossy = j.at("lossy");
  o.visits = j.at("visits");
  o.live = j.at("live");
  o.notes = j.at("notes").get<std::vector<std::string>>();
  o.winner_search = j.at("winner_search");
  o.winner_explorer = j.at("winner_explorer");
  if (const Json& t = j.at("totals"); !t.is_null()) o.totals = {.states = t.at(0), .transitions = t.at(1), .executions = t.at(2), .depth = t.at(3)};
}

void to_json(Json& json, const SearchOptions& o) {
  const Limits& l = o.limits;
  json = {{"time_ms", l.time ? Json(l.time->count()) : Json()}, {"memory", l.memory}, {"max_depth", l.max_depth}, {"max_depth_given", l.max_depth_given},
          {"max_delays", or_null(l.max_delays)}, {"max_preemptions", or_null(l.max_preemptions)}, {"samples", or_null(l.samples)}, {"states", or_null(l.states)},
          {"seed", o.seed}, {"jobs", o.jobs}, {"store", o.store}, {"cache", o.cache}, {"when_full", o.when_full}, {"choice_cost", o.choice_cost},
          {"strict_bound", o.strict_bound}, {"fair", o.fair}, {"raise_fair", o.raise_fair}, {"samaritan", o.samaritan}, {"fairness", o.fairness}, {"choices", o.choices}, {"keep_going", o.keep_going}};
}

void from_json(const Json& j, SearchOptions& o) {
  Limits& l = o.limits;
  if (const auto time = unless_null<std::int64_t>(j.at("time_ms"))) l.time = std::chrono::milliseconds(*time);
  l.memory = j.at("memory");
  l.max_depth = j.at("max_depth");
  l.max_depth_given = j.at("max_depth_given");
  l.max_delays = unless_null<std::uint64_t>(j.at("max_delays"));
  l.max_preemptions = unless_null<std::uint64_t>(j.at("max_preemptions"));
  l.samples = unless_null<std::uint64_t>(j.at("samples"));
  l.states = unless_null<std::uint64_t>(j.at("states"));
  o.seed = j.at("seed");
  o.jobs = j.at("jobs");
  o.store = j.at("store");
  o.cache = j.at("cache");
  o.when_full = j.at("when_full");
  o.choice_cost = j.at("choice_cost");
  o.strict_bound = j.at("strict_bound");
  o.fair = j.at("fair");
  o.raise_fair = j.at("raise_fair");
  o.samaritan = j.at("samaritan");
  o.fairness = j.at("fairness");
  o.choices = j.at("choices");
  o.keep_going = j.at("keep_going");
}

}  // namespace tarry
