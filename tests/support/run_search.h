// Runs a registered search on a program, and records which states it looked at.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/registry.h"
#include "cppmodel/model_program.h"
#include "tests/support/brute_force.h"

namespace tarry::test {

/// What was asked of a program: the states that were expanded or surveyed, with the bound at the first time.
struct Record {
  std::mutex mutex;
  std::map<Words, std::uint64_t> states;
  std::uint64_t steps_taken = 0;
  const Progress* progress = nullptr;

  void saw(StateView state) {
    const std::scoped_lock lock(mutex);
    states.emplace(Words(state.begin(), state.end()), progress == nullptr ? 0 : progress->bound.load());
  }
  std::set<Words> set() const {
    std::set<Words> out;
    for (const auto& [state, bound] : states) out.insert(state);
    return out;
  }
};

/// A program that writes down which states it is asked about. With `extra` words its states are wider than they need to be,
/// so that they are folded into trees.
class RecordingProgram final : public Program {
 public:
  RecordingProgram(const abi::Model& model, Record& record, std::uint32_t extra = 0)
      : inner_(make_model_program(model)), record_(record), shape_(inner_->shape()), inner_words_(shape_.words) {
    shape_.words += extra;
    if (extra > 0) shape_.bits = shape_.words * 32;
  }
  const Shape& shape() const override { return shape_; }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Space>(*this); }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<Teller>(*this); }

 private:
  void widen(Word* words) const {
    for (std::uint32_t i = inner_words_; i < shape_.words; ++i) words[i] = words[i - inner_words_] * 2654435761u + i;
  }

  class Space final : public StateSpace {
   public:
    explicit Space(const RecordingProgram& all) : all_(all), inner_(all.inner_->open()), narrow_(all.inner_words_), taken_(all.inner_words_) {}
    StepText initial(Word* words) override {
      StepText text = inner_->initial(words);
      all_.widen(words);
      return text;
    }
    void expand(StateView state, abi::Expansion& out) override {
      all_.record_.saw(state.first(all_.inner_words_));
      inner_->expand(state.first(all_.inner_words_), narrow_);
      out.count = out.value_count = 0;
      out.blocked = narrow_.blocked;
      out.cut = narrow_.cut;
      for (std::uint32_t i = 0; i < narrow_.count; ++i) {
        if (out.count == out.capacity || out.value_count + abi::kMaxValues > out.value_capacity) out.grow(&out);
        if (out.count == out.capacity || out.value_count + abi::kMaxValues > out.value_capacity) return;
        Word* words = out.words + std::size_t{i} * all_.shape_.words;
        std::copy(narrow_.state(i).begin(), narrow_.state(i).end(), words);
        all_.widen(words);
        abi::Successor successor = narrow_.successors[i];
        for (const std::uint32_t value : narrow_.values_of(successor)) out.values[out.value_count++] = value;
        successor.first_value = out.value_count - successor.value_count;
        out.successors[out.count++] = successor;
      }
    }
    void survey(StateView state, Survey& out) override {
      all_.record_.saw(state.first(all_.inner_words_));
      inner_->survey(state.first(all_.inner_words_), out);
    }
    void take(StateView state, ProcessId process, std::span<const std::uint32_t> values, abi::Taken& out) override {
      inner_->take(state.first(all_.inner_words_), process, values, out);
      if (out.outcome == abi::Outcome::kMoved) {
        all_.widen(out.words);
        const std::scoped_lock lock(all_.record_.mutex);
        ++all_.record_.steps_taken;
      }
    }
    const abi::Cursor& cursor() const override { return inner_->cursor(); }

   private:
    const RecordingProgram& all_;
    std::unique_ptr<StateSpace> inner_;
    Expansion narrow_;
    Taken taken_;
  };

  class Teller final : public Narrator {
   public:
    explicit Teller(const RecordingProgram& all) : all_(all), inner_(all.inner_->narrator()) {}
    Fields fields(StateView state) override { return inner_->fields(state.first(all_.inner_words_)); }
    StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> values) override {
      return inner_->explain(state.first(all_.inner_words_), process, values);
    }
    std::string process_name(ProcessId process) override { return inner_->process_name(process); }

   private:
    const RecordingProgram& all_;
    std::unique_ptr<Narrator> inner_;
  };

  std::unique_ptr<Program> inner_;
  Record& record_;
  Shape shape_;
  std::uint32_t inner_words_;
};

struct Searched {
  Outcome outcome;
  std::vector<Finding> findings;
  Progress::Totals totals;
};

inline Searched run_search(const Program& program, const std::string& search, const std::string& explorer = "round-robin",
                           SearchOptions options = {}, const ParamValues& params = {}, Record* record = nullptr) {
  const auto progress = std::make_unique<Progress>();
  if (record != nullptr) record->progress = progress.get();
  const Entry<Search>* entry = Registry<Search>::find(search);
  const Entry<Explorer>* order = Registry<Explorer>::find(explorer);
  Session session(program, options, order->kind.make, *progress);
  entry->kind.make(with_defaults(entry->params, params))->run(session);
  if (record != nullptr) record->progress = nullptr;
  return {session.outcome, session.findings(), session.totals()};
}

/// Follows the schedule in the model itself: what the last step shows, or "" (or "deadlock", or "diverged").
inline std::string follow(const abi::Model& model, const Finding& finding) {
  Instance instance(model);
  const auto first = instance.initial();
  if (!first) return finding.schedule.empty() ? finding.kind.name() : "diverged";
  Words state = *first;
  for (std::size_t i = 0; i < finding.schedule.size();) {
    if (finding.schedule[i].kind != Choice::Kind::kProcess) return "diverged";
    const std::uint32_t process = finding.schedule[i++].number;
    std::vector<std::uint32_t> values;
    while (i < finding.schedule.size() && finding.schedule[i].kind == Choice::Kind::kValue) values.push_back(finding.schedule[i++].number);
    bool found = false;
    for (const Successor& next : instance.expand(state).successors) {
      if (next.process != process || next.values != values) continue;
      found = true;
      if (next.failed()) {
        std::string kind;
        instance.take(state, process, values, &kind);
        return i == finding.schedule.size() ? kind : "diverged";
      }
      state = next.words;
      break;
    }
    if (!found) return "diverged";
  }
  const auto ways = instance.expand(state);
  return ways.successors.empty() && ways.blocked ? "deadlock" : "";
}

}  // namespace tarry::test
