// Coverage as a tired engineer wants to read it: what was never exercised first, then state by state.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "plang/trace/coverage.h"

namespace tarry::plang {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(std::size_t part, std::size_t whole) { return whole == 0 ? "" : fmt::format(" ({} %)", part * 100 / whole); }

struct Count {
  std::size_t declared = 0, exercised = 0;
  std::string text(const char* what) const {
    return fmt::format("{} of {} {}{}", exercised, declared, what, percent(exercised, declared));
  }
};

Count count_of(const std::vector<HandlerUse>& handlers) {
  const auto used = std::count_if(handlers.begin(), handlers.end(), [](const HandlerUse& h) { return h.count > 0; });
  return {handlers.size(), static_cast<std::size_t>(used)};
}

Count states_of(const MachineUse& machine) {
  const auto used = std::count_if(machine.states.begin(), machine.states.end(), [](const StateUse& s) { return s.entered > 0; });
  return {machine.states.size(), static_cast<std::size_t>(used)};
}

const char* kind_text(const HandlerUse& h) {
  switch (h.handler->kind) {
    case Handler::Kind::kGoto: return "goto";
    case Handler::Kind::kDefer: return "defer";
    case Handler::Kind::kIgnore: return "ignore";
    default: return "do";
  }
}

Place place_of(const HandlerUse& h) {
  for (std::size_t i = 0; i < h.handler->events.size() && i < h.handler->triggers.size(); ++i)
    if (h.handler->events[i]->index == h.event) return h.handler->triggers[i].place;
  return h.state->name.place;
}

std::string what_text(const HandlerUse& h, const CheckedProgram& program) {
  const std::string& event = program.events[h.event]->name.text;
  const std::string kind = kind_text(h);
  if (kind == "do") return fmt::format("on {} do", event);
  return kind == "goto" ? fmt::format("on {} goto {}", event, h.handler->target->name.text) : fmt::format("{} {}", kind, event);
}

class Text {
 public:
  Text(const Coverage& coverage, const CheckedProgram& program) : coverage_(coverage), program_(program) {}

  std::string render() {
    put_summary();
    put_never();
    put_scenarios();
    for (const MachineUse& machine : coverage_.machines) put_machine(machine);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += fmt::format(format, std::forward<Args>(args)...);
    out_.erase(out_.find_last_not_of(' ') + 1);
    out_ += '\n';
  }

  void put_summary() {
    Count handlers, states;
    for (const MachineUse& machine : coverage_.machines) {
      const Count h = count_of(handlers_of(machine)), s = states_of(machine);
      handlers = {handlers.declared + h.declared, handlers.exercised + h.exercised};
      states = {states.declared + s.declared, states.exercised + s.exercised};
    }
    line("coverage of test {}", coverage_.test);
    line("from {} random executions (seed {}){}", with_separators(coverage_.executions), coverage_.seed,
         coverage_.findings == 0
             ? ""
             : fmt::format(" and the schedules of {} finding{}", coverage_.findings, coverage_.findings == 1 ? "" : "s"));
    line("what is not exercised by them may still be possible");
    line("");
    line("{}, {}", handlers.text("declared handlers exercised"), states.text("states entered"));
  }

  void put_never() {
    std::vector<std::vector<std::string>> rows;
    for (const MachineUse& machine : coverage_.machines) {
      const std::string& name = machine.source->name.text;
      if (machine.created == 0) {
        rows.push_back({name, "never created", "", program_.sources.text(machine.source->name.place)});
        continue;
      }
      for (const auto& state : machine.source->states)
        if (machine.states[state->index].entered == 0)
          rows.push_back({name, state->name.text, "never entered", program_.sources.text(state->name.place)});
      for (const HandlerUse& h : handlers_of(machine))
        if (h.count == 0 && machine.states[h.state->index].entered > 0)
          rows.push_back({name, h.state->name.text, what_text(h, program_), program_.sources.text(place_of(h))});
    }
    line("");
    if (rows.empty()) return line("everything that is declared was exercised");
    line("never exercised:");
    std::vector<std::size_t> width(4);
    for (const auto& row : rows)
      for (std::size_t i = 0; i < 4; ++i) width[i] = std::max(width[i], row[i].size());
    for (const auto& row : rows) line("  {:{}}  {:{}}  {:{}}  {}", row[0], width[0], row[1], width[1], row[2], width[2], row[3]);
  }

  void put_scenarios() {
    if (coverage_.scenarios.empty()) return;
    line("");
    line("scenarios:");
    for (const ScenarioUse& s : coverage_.scenarios)
      line("  {}: {}, at most {} of {} states visited in one", s.source->name.text,
           s.satisfied == 0 ? std::string("not satisfied")
                            : fmt::format("satisfied in {} of {} executions", with_separators(s.satisfied),
                                          with_separators(coverage_.executions + coverage_.findings)),
           s.most_states, s.source->states.size());
  }

  void put_machine(const MachineUse& machine) {
    const char* const kind = machine.source->kind == Machine::Kind::kMachine ? "machine"
                             : machine.source->kind == Machine::Kind::kSpec  ? "spec"
                                                                             : "scenario";
    const std::vector<HandlerUse> handlers = handlers_of(machine);
    line("");
    line("{} {}: {}, {}{}", kind, machine.source->name.text, count_of(handlers).text("handlers"),
         states_of(machine).text("states"),
         machine.source->is_monitor() ? "" : fmt::format(", created {} times", with_separators(machine.created)));
    for (const auto& state : machine.source->states) put_state(machine, *state);
  }

  void put_state(const MachineUse& machine, const State& state) {
    const StateUse& use = machine.states[state.index];
    line("  state {}{}: entered {} times", state.name.text, state.is_start ? " (start)" : "", with_separators(use.entered));
    if (use.entered == 0) return;
    put_events("handled", use, &EventUse::handled);
    put_events("received", use, &EventUse::received);
    put_events("deferred", use, &EventUse::deferred);
    put_events("ignored", use, &EventUse::ignored);
    put_events("sent", use, &EventUse::sent);
    put_events("announced", use, &EventUse::announced);
    put_events("raised", use, &EventUse::raised);
    put_states("from", machine, use.previous);
    put_states("to", machine, use.next);
  }

  void put_events(const char* what, const StateUse& use, std::uint64_t EventUse::*count) {
    std::string list;
    const bool counted = count != &EventUse::deferred && count != &EventUse::ignored;
    for (const auto& [event, counts] : use.events)
      if (counts.*count > 0)
        list += fmt::format("{}{}{}", list.empty() ? "" : ", ", program_.events[event]->name.text,
                            counted ? ' ' + with_separators(counts.*count) : "");
    if (!list.empty()) line("    {:10}{}", what, list);
  }

  void put_states(const char* what, const MachineUse& machine, const std::set<std::uint32_t>& states) {
    std::string list;
    for (const std::uint32_t s : states)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", machine.source->states[s]->name.text);
    if (!list.empty()) line("    {:10}{}", what, list);
  }

  const Coverage& coverage_;
  const CheckedProgram& program_;
  std::string out_;
};

Json json_of(const MachineUse& machine, const StateUse& use, const CheckedProgram& program) {
  const auto names = [&](const std::set<std::uint32_t>& states) {
    Json out = Json::array();
    for (const std::uint32_t s : states) out.push_back(machine.source->states[s]->name.text);
    return out;
  };
  Json events = Json::object();
  for (const auto& [event, e] : use.events) {
    Json counts = Json::object();
    for (const auto& [name, count] : {std::pair{"handled", e.handled},
                                      {"received", e.received},
                                      {"sent", e.sent},
                                      {"announced", e.announced},
                                      {"raised", e.raised}})
      if (count > 0) counts[name] = count;
    if (e.deferred > 0) counts["deferred"] = true;
    if (e.ignored > 0) counts["ignored"] = true;
    if (!counts.empty()) events[program.events[event]->name.text] = std::move(counts);
  }
  return {{"entered", use.entered}, {"previous", names(use.previous)}, {"next", names(use.next)}, {"events", std::move(events)}};
}

}  // namespace

std::string coverage_text(const Coverage& coverage, const CheckedProgram& program) { return Text(coverage, program).render(); }

std::string coverage_json(const Coverage& coverage, const CheckedProgram& program) {
  Json machines = Json::array(), never = Json::array(), scenarios = Json::array();
  for (const MachineUse& machine : coverage.machines) {
    const std::vector<HandlerUse> handlers = handlers_of(machine);
    const Count count = count_of(handlers);
    Json states = Json::object();
    for (const auto& state : machine.source->states)
      states[state->name.text] = json_of(machine, machine.states[state->index], program);
    machines.push_back({{"name", machine.source->name.text},
                        {"monitor", machine.source->is_monitor()},
                        {"created", machine.created},
                        {"handlers_declared", count.declared},
                        {"handlers_exercised", count.exercised},
                        {"states", std::move(states)}});
    for (const HandlerUse& h : handlers)
      if (h.count == 0)
        never.push_back({{"machine", machine.source->name.text},
                         {"state", h.state->name.text},
                         {"event", program.events[h.event]->name.text},
                         {"kind", kind_text(h)},
                         {"location", program.sources.text(place_of(h))}});
  }
  for (const ScenarioUse& s : coverage.scenarios)
    scenarios.push_back({{"name", s.source->name.text},
                         {"satisfied", s.satisfied > 0},
                         {"satisfying_executions", s.satisfied},
                         {"most_states_visited", s.most_states},
                         {"states", s.source->states.size()}});
  const Json out{{"schema", 1},
                 {"test", coverage.test},
                 {"random_executions", coverage.executions},
                 {"seed", coverage.seed},
                 {"findings", coverage.findings},
                 {"never_exercised", std::move(never)},
                 {"scenarios", std::move(scenarios)},
                 {"machines", std::move(machines)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tarry::plang
