#include "trace/exchange.h"

#include <cstdint>

namespace tarry {

std::string exchange_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string exchanged(const std::string& text) { return Json::parse(exchange_text(text)).get<std::string>(); }

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

// How a fact is written, by its type. What a program wrote is kept byte by byte; all other text may lose bytes that are not UTF-8.
template <class T>
Json written(const T& value) { return value; }
template <const auto& kWords>
Json written(const OneOf<kWords>& word) { return word.name(); }
Json written(const std::map<std::string, std::uint64_t>& counted) {
  Json out = Json::array();
  for (const auto& [bytes, times] : counted) out.push_back({text_of_bytes(bytes), times});
  return out;
}
Json written(const std::set<std::string>& items) {
  Json out = Json::array();
  for (const std::string& bytes : items) out.push_back(text_of_bytes(bytes));
  return out;
}
Json written(const std::optional<Progress::Totals>& t) { return t ? Json{t->states, t->transitions, t->executions, t->depth} : Json(); }
Json written(const Checks& checks) { return {checks.made, checks.missing}; }
Json written(const std::vector<Assumption>& assumes) {
  Json out = Json::array();
  for (const Assumption& one : assumes) out.push_back({one.about, one.text});
  return out;
}

template <class T>
void read(const Json& j, T& value) { j.get_to(value); }
template <const auto& kWords>
void read(const Json& j, OneOf<kWords>& word) { word = OneOf<kWords>::find(j.get<std::string>()).value(); }
void read(const Json& j, std::map<std::string, std::uint64_t>& counted) {
  for (const Json& item : j) counted[bytes_of_text(item.at(0))] = item.at(1);
}
void read(const Json& j, std::set<std::string>& items) {
  for (const Json& item : j) items.insert(bytes_of_text(item));
}
void read(const Json& t, std::optional<Progress::Totals>& totals) {
  if (!t.is_null()) totals = {.states = t.at(0), .transitions = t.at(1), .executions = t.at(2), .depth = t.at(3)};
}
void read(const Json& j, Checks& checks) { checks = {.made = j.at(0), .missing = j.at(1)}; }
void read(const Json& j, std::vector<Assumption>& assumes) {
  for (const Json& item : j) assumes.push_back({item.at(0), item.at(1)});
}

template <class Facts>
Json json_of(const Facts& facts) {
  Json out = Json::object();
  for_each_fact(facts, [&](const char* name, const auto& fact, Join /*how*/) { out[name] = written(fact); });
  return out;
}
template <class Facts>
void read_facts(const Json& j, Facts& facts) {
  for_each_fact(facts, [&](const char* name, auto& fact, Join /*how*/) { read(j.at(name), fact); });
}

}  // namespace

void to_json(Json& json, const Choice& choice) { json = code_of(choice); }
void from_json(const Json& json, Choice& choice) { choice = choice_of(json.get<std::uint64_t>()); }

void to_json(Json& json, const Finding& f) {
  json = {{"kind", written(f.kind)}, {"message", f.message}, {"location", f.location}, {"schedule", f.schedule}, {"steps", f.steps}, {"delays", f.delays}, {"delayed", f.delayed}, {"count", f.count}, {"points", f.points}, {"loop", f.loop}, {"why", f.why}, {"failure", f.failure}};
}

void from_json(const Json& j, Finding& f) {
  read(j.at("kind"), f.kind);
  f.message = j.at("message");
  f.location = j.at("location");
  f.schedule = j.at("schedule").get<std::vector<Choice>>();
  f.steps = j.at("steps");
  f.delays = j.at("delays");
  f.delayed = j.at("delayed").get<std::vector<std::uint32_t>>();
  f.count = j.at("count");
  f.points = j.at("points").get<std::vector<std::string>>();
  f.loop = j.at("loop");
  f.why = j.at("why").get<std::vector<std::string>>();
  f.failure = j.at("failure");
}

void to_json(Json& json, const Outcome& outcome) { json = json_of(outcome); }
void from_json(const Json& json, Outcome& outcome) { read_facts(json, outcome); }
void to_json(Json& json, const SearchResult& result) { json = json_of(result); }
void from_json(const Json& json, SearchResult& result) { read_facts(json, result); }

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
