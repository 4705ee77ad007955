// The P machine of src/plang/vm, driven by tests: compiled from text, run in all ways or in one, and its states as text in the form of the reference
// interpreter (p_reference/interpreter.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "plang/vm/p_program.h"
#include "plang/vm/space.h"
#include "tests/support/p_source.h"

namespace tarry::plang::testing_vm {

using testing_support::make_ready;
using testing_support::Ready;

/// "pass", "R01" …
inline std::string outcome_of(const StepText& ending) {
  if (ending.kind.empty()) return "pass";
  if (ending.kind == "assertion") return "R01";
  if (ending.kind == "unhandled-event") return "R02";
  if (ending.kind == "spec") return ending.message.starts_with("assertion") ? "R01" : "R03";
  if (ending.kind == "deadlock") return "R08";
  if (ending.kind == "liveness") return "R09";
  const std::size_t at = ending.message.rfind("[R");
  return at == std::string::npos ? ending.kind.name() : ending.message.substr(at + 1, 3);
}

class StateTexts {
 public:
  explicit StateTexts(PSpace& space) : space_(space), world_(space.vm().world()) {}

  std::string text(StateView state) {
    std::vector<std::pair<std::vector<std::uint32_t>, std::string>> lines;
    space_.for_each_machine(state, [&](const PSpace::MachineWords& m) { lines.emplace_back(path(m.slot), line(m)); });
    std::sort(lines.begin(), lines.end());
    std::string out;
    for (const auto& [key, line] : lines) out += line + "\n";
    for (std::uint32_t n = 0; n < space_.layout().monitors(); ++n) {
      const std::uint32_t config = state[space_.layout().monitor(n)];
      const CodeMachine& code = world_.monitor(n);
      out += "monitor " + code.source->name.text + " " + code.states[space_.vm().monitor_state(config)].source->name.text + " " +
             fields(*code.source, space_.vm().monitor_fields(n, config)) + "\n";
    }
    return out;
  }

 private:
  std::vector<std::uint32_t> path(std::uint32_t slot) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t s = slot; s != kNone;) {
      const Identities::Identity identity = world_.identities.identity(s);
      out.insert(out.begin(), identity.nth);
      s = identity.parent;
    }
    return out;
  }
  std::string path_text(std::uint32_t slot) const {
    std::string out;
    for (const std::uint32_t n : path(slot)) out += (out.empty() ? "" : ".") + std::to_string(n);
    return out;
  }

  std::string line(const PSpace::MachineWords& m) {
    const CodeMachine& code = world_.machine_in(m.slot);
    const std::string start = path_text(m.slot) + " " + code.source->name.text + " ";
    if (standing(m.config) == Standing::kHalted) return start + "halted";
    const Vm::View view = space_.vm().view(m.config);
    std::string status = view.doing;
    if (status == "not started") status = "new";
    if (status == "waiting") status = "blocked";
    const bool handed_over = status == "blocked" && space_.can_run(m.config, m.inbox);
    if (handed_over || (status == "idle" && space_.can_run(m.config, m.inbox))) status = "running";
    return start + status + " " + code.states[view.state].source->name.text + " " + fields(*code.source, view.fields) + " " +
           inbox(m, handed_over ? view.waits_for : nullptr);
  }

  std::string inbox(const PSpace::MachineWords& m, const ReceiveTable* handed) {
    std::string out;
    for (const std::uint64_t item : space_.vm().inbox(m.inbox)) {
      const auto id = static_cast<std::uint32_t>(item);
      const std::uint32_t event = space_.vm().event_of(id);
      if (handed != nullptr && (event == kHaltEvent || handed->target[event] != kNone)) {
        handed = nullptr;  // it is the one that woke the machine
        continue;
      }
      out += (out.empty() ? "" : ", ") + world_.event(event);
      if (!space_.vm().payload_of(id).is_null()) out += "(" + value(space_.vm().payload_of(id)) + ")";
    }
    return "[" + out + "]";
  }

  std::string fields(const Machine& machine, std::span<const std::uint64_t> words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
      out += (i == 0 ? "" : ", ") + machine.fields[i]->name.text + "=" + value(Value::from_bits(words[i]));
    return "{" + out + "}";
  }

  std::string joined(std::vector<std::string> parts) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) out += (i == 0 ? "" : ", ") + parts[i];
    return out;
  }

  std::string value(Value v) {
    const Heap& heap = space_.vm().heap();
    std::vector<std::string> parts;
    std::string out;
    switch (v.tag()) {
      case Tag::kNull: return "null";
      case Tag::kBool: return v.truth() ? "true" : "false";
      case Tag::kFloat: return real_text(heap.real_of(v)) + "f";
      case Tag::kMachine: return "@" + path_text(v.slot());
      case Tag::kSeq:
        for (const Value item : heap.items(v)) parts.push_back(value(item));
        return "[" + joined(parts) + "]";
      case Tag::kSet:
        for (const Value item : heap.items(v))
          if (!item.is(Tag::kHole)) parts.push_back(value(item));
        std::sort(parts.begin(), parts.end());
        return "{" + joined(parts) + "}";
      case Tag::kMap: {
        std::vector<std::pair<std::string, std::string>> pairs;
        const auto items = heap.items(v);
        for (std::size_t i = 0; i < items.size(); i += 2)
          if (!items[i].is(Tag::kHole)) pairs.emplace_back(value(items[i]), value(items[i + 1]));
        std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [key, entry] : pairs) parts.push_back(key + "->" + entry);
        return parts.empty() ? "{->}" : "{" + joined(parts) + "}";
      }
      case Tag::kTuple:
        for (const Value item : heap.items(v)) out += value(item) + ",";
        return "<" + out + ">";
      case Tag::kNamedTuple: {
        const auto& names = world_.shape(heap.object(v)->extra);
        std::size_t i = 0;
        for (const Value item : heap.items(v)) out += names[i++] + ":" + value(item) + ", ";
        return "<" + out + ">";
      }
      default: return text_of(heap, v, world_, TextFor::kTrace);
    }
  }

  PSpace& space_;
  const World& world_;
};

/// What all executions of a program come to.
struct Endings {
  std::map<std::string, std::set<std::uint64_t>> outcomes;  // and the steps of the reference that they took
  std::set<std::string> messages;                           // of failures: outcome and message
  bool complete = true;
};

/// Every execution with at most `max_steps` steps ("cut" beyond); equal states with an equal number of steps are followed once.
inline Endings all_endings(const Ready& ready, Points points, std::uint64_t max_steps = 1000, std::size_t max_states = 2'000'000) {
  const PProgram program(*ready.code, ready.test(), points, Purpose::kSearch);
  PSpace space(program.world(), program.layout());
  const auto narrator = program.narrator();
  Endings out;
  using Node = std::pair<std::vector<Word>, std::uint64_t>;
  std::vector<Word> first(program.layout().words());
  if (const StepText wrong = space.initial(first.data()); !wrong.kind.empty()) {
    out.outcomes[outcome_of(wrong)].insert(0);
    return out;
  }
  std::set<Node> seen{{first, 1}};
  std::vector<Node> stack{{first, 1}};
  Survey survey(program.shape().processes);
  Taken taken(program.layout().words());
  while (!stack.empty()) {
    if (seen.size() > max_states) {
      out.complete = false;
      return out;
    }
    const Node node = std::move(stack.back());
    stack.pop_back();
    space.survey(node.first, survey);
    if (survey.open().empty()) {
      out.outcomes[survey.deadlock() ? "R08" : "pass"].insert(node.second);
      continue;
    }
    if (node.second >= max_steps) {
      out.outcomes["cut"].insert(node.second);
      continue;
    }
    std::vector<std::uint32_t> open;
    survey.open().for_each([&](ProcessId p) { open.push_back(index(p)); });
    for (const std::uint32_t p : open) {
      std::vector<std::vector<std::uint32_t>> ways{{}};
      while (!ways.empty()) {
        const std::vector<std::uint32_t> values = ways.back();
        ways.pop_back();
        space.take(node.first, ProcessId{p}, values, taken);
        if (taken.outcome == abi::Outcome::kNeedsValue) {
          for (std::uint32_t v = 0; v < taken.arity; ++v) {
            ways.push_back(values);
            ways.back().push_back(v);
          }
          continue;
        }
        const std::uint64_t steps = node.second + space.counted();
        if (taken.failed()) {
          const StepText text = narrator->explain(node.first, ProcessId{p}, values);
          out.outcomes[outcome_of(text)].insert(steps);
          out.messages.insert(outcome_of(text) + " " + text.message);
          continue;
        }
        Node next{{taken.state().begin(), taken.state().end()}, steps};
        if (seen.insert(next).second) stack.push_back(std::move(next));
      }
    }
  }
  return out;
}

inline std::string text_of_outcomes(const std::map<std::string, std::set<std::uint64_t>>& outcomes) {
  std::string out;
  for (const auto& [outcome, steps] : outcomes) out += (out.empty() ? "" : ",") + outcome;
  return out;
}

}  // namespace tarry::plang::testing_vm
