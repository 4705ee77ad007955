// A replay walks with `take`, as a search does, and asks the narrator for words beside it. Nothing of the schedule is trusted: a
// value is given to the program only after the program has asked for it and said how many there are.
//
// Steps are told after they were taken, so that a step that crashes does so in `take`, right after `before_step`.
#include "trace/replayer.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "trace/field_diff.h"

namespace tarry {
namespace {

/// Of the step and the state that it leads to: another choice is noticed where it was made, even if it leads to the same state.
std::uint32_t fingerprint(ProcessId process, std::span<const std::uint32_t> values, StateView state) {
  const std::uint64_t choices = hash_of(values, index(process));
  const std::uint64_t all = hash_of(state, choices);
  return static_cast<std::uint32_t>(all ^ (all >> 32));
}

constexpr const char* kNotAFunction = "the program is not a function of its choices: ";

class Player {
 public:
  Player(const Program& program, const std::vector<std::uint32_t>& expected, std::uint64_t length, const Telling& telling, Replay& out)
      : expected_(expected),
        length_(length),
        telling_(telling),
        out_(out),
        shape_(program.shape()),
        space_(program.open()),
        narrator_(program.narrator()),
        state_(shape_.words),
        taken_(shape_.words),
        names_(shape_.processes),
        properties_(program.properties()),
        program_(program) {}

  /// False if the program fails before its first step.
  bool start() {
    out_.ending = space_->initial(state_.data());
    if (!out_.ending.kind.empty()) return false;
    if (space_->ledger() != nullptr) space_->ledger()->begin(state_);
    out_.first_state = narrator_->fields(state_);
    fields_ = out_.first_state;
    return true;
  }

  /// Takes one step; false if that cannot be done or is not what was recorded.
  bool step(std::uint64_t number, std::uint32_t process, std::span<const std::uint32_t> values) {
    if (process >= shape_.processes)
      return diverge(number, fmt::format("there is no process {}: the program has {}", process, shape_.processes));
    const ProcessId runs{process};
    if (!take(number, runs, values)) return false;
    const std::uint32_t print = fingerprint(runs, values, taken_.state());
    tell(number, runs, values);
    if (Ledger* const ledger = space_->ledger(); ledger != nullptr && !failed()) out_.ending = ledger->add(state_, taken_.state());
    out_.fingerprints.push_back(print);
    loop_.hot |= taken_.marks.hot;
    loop_.cold |= taken_.marks.cold;
    std::copy(taken_.state().begin(), taken_.state().end(), state_.begin());
    before_ = runs;
    if (number <= expected_.size() && expected_[number - 1] != print) return diverge(number, "another state than recorded");
    return true;
  }

  /// The loop starts here.
  void enter_loop() {
    loop_start_ = state_;
    loop_ = {};
  }
  /// The execution is over, or goes round for ever: is something owed?
  void look_for_liveness(const std::vector<Choice>& schedule, std::uint64_t loop) {
    if (properties_.empty()) return;
    std::uint32_t broken = 0;
    if (loop_start_) broken = *loop_start_ == state_ || program_.closes(schedule, loop) ? loop_.hot & ~loop_.cold : 0;
    else if (ended()) broken = space_->owed(state_);
    for (std::size_t i = 0; i < properties_.size(); ++i) {
      if ((broken >> i & 1) == 0) continue;
      std::string message = loop_start_ ? endless_message(properties_[i]) : ended_message(properties_[i]);
      const bool meant = message == telling_.message;
      if (meant || !failed()) out_.ending = {.label = "", .kind = "liveness", .message = std::move(message), .location = ""};
      if (meant) return;
    }
  }

  bool failed() const { return !out_.ending.kind.empty(); }

  void keep_record() {
    if (telling_.record) out_.record = narrator_->record();
  }

  /// Where it has come to.
  void tell_state() { out_.last_state = narrator_->fields(state_); }

  void look_for_deadlock() {
    Survey survey(shape_.processes);
    space_->survey(state_, survey);
    if (!survey.deadlock()) return;
    out_.ending = {.label = "", .kind = "deadlock", .message = deadlock_message(survey, *narrator_), .location = ""};
    for (std::uint32_t i = 0; i < shape_.processes; ++i) {
      const ProcessId process{i};
      if (survey.alive().contains(process) && !survey.idle().contains(process)) out_.ending.who.push_back(name(process));
    }
  }

  bool diverge(std::uint64_t number, std::string what) {
    out_.diverged_at = number;
    out_.divergence = std::move(what);
    return false;
  }

 private:
  /// Gives the values one by one, each after it was asked for.
  bool take(std::uint64_t number, ProcessId process, std::span<const std::uint32_t> values) {
    for (std::size_t given = 0;; ++given) {
      space_->take(state_, process, values.first(given), taken_);
      if (taken_.outcome == abi::Outcome::kNotOpen)
        return diverge(number, fmt::format("process {} cannot run here", index(process)));
      if (taken_.outcome == abi::Outcome::kMoved) {
        if (given == values.size()) return true;
        return diverge(number, fmt::format("value {}, but process {} has no {}data choice in this step", values[given],
                                           index(process), given == 0 ? "" : "further "));
      }
      if (given == values.size())
        return diverge(number,
                       fmt::format("expected a data choice: one of {} values of process {}", taken_.arity, index(process)));
      if (values[given] >= taken_.arity)
        return diverge(number, fmt::format("value {} of {}: expected 0 to {}", values[given], taken_.arity, taken_.arity - 1));
    }
  }

  void tell(std::uint64_t number, ProcessId process, std::span<const std::uint32_t> values) {
    const bool failed = taken_.failed();
    const bool told = failed || number <= telling_.first || number + telling_.last > length_;
    if (!told) {
      if (telling_.record) narrator_->explain(state_, process, values);
      out_.verbose_tells_more |= telling_.first < Telling{}.first;
      fields_.reset();
      return;
    }
    Narrator::Fields changes = changes_by_step();
    StepText text = narrator_->explain(state_, process, values);
    const bool switched = before_ && *before_ != process;
    ReplayedStep told_step{.number = number,
                           .process = process,
                           .process_name = name(process),
                           .values = {values.begin(), values.end()},
                           .label = text.label,
                           .switched = switched,
                           .preempted = switched && can_run(*before_),
                           .changes = std::move(changes),
                           .happenings = std::move(text.happenings)};
    out_.steps.push_back(std::move(told_step));
    if (failed && text.kind.empty())
      text = {.label = text.label,
              .kind = "nondeterminism",
              .message = std::string(kNotAFunction) + "a step failed, and did not fail when it was taken again",
              .location = ""};
    if (failed) out_.ending = std::move(text);
  }

  /// From `state_` to `taken_`.
  Narrator::Fields changes_by_step() {
    if (const auto differing = narrator_->differing(state_, taken_.state())) return changed_fields(differing->first, differing->second);
    if (!fields_) fields_ = narrator_->fields(state_);
    Narrator::Fields after = narrator_->fields(taken_.state());
    Narrator::Fields changes = changed_fields(*fields_, after);
    fields_ = std::move(after);
    return changes;
  }

  bool ended() {
    Survey survey(shape_.processes);
    space_->survey(state_, survey);
    return survey.open().size() == 0;
  }

  bool can_run(ProcessId process) {
    Survey survey(shape_.processes);
    space_->survey(state_, survey);
    return survey.open().contains(process);
  }

  const std::string& name(ProcessId process) {
    std::string& known = names_[index(process)];
    if (known.empty()) known = narrator_->process_name(process);
    return known;
  }

  const std::vector<std::uint32_t>& expected_;
  std::uint64_t length_;
  const Telling& telling_;
  Replay& out_;
  const Shape& shape_;
  std::unique_ptr<StateSpace> space_;
  std::unique_ptr<Narrator> narrator_;
  std::vector<Word> state_;
  Taken taken_;
  std::vector<std::string> names_;
  std::optional<Narrator::Fields> fields_;  // of state_, if they are known
  std::optional<ProcessId> before_;
  std::vector<Property> properties_;
  const Program& program_;
  std::optional<std::vector<Word>> loop_start_;
  abi::Marks loop_{};  // what the steps showed, of the loop once it has begun
};

}  // namespace

Replay replay(const Program& program, const std::vector<Choice>& schedule, const std::vector<std::uint32_t>& expected,
              const BeforeStep& before_step, const Telling& telling) {
  Replay out;
  const auto is_process = [](const Choice& choice) { return choice.kind == Choice::Kind::kProcess; };
  Player player(program, expected, static_cast<std::uint64_t>(std::count_if(schedule.begin(), schedule.end(), is_process)), telling, out);
  if (!player.start()) {
    if (!schedule.empty()) player.diverge(1, fmt::format("the program fails before its first step: {}", out.ending.message));
    player.keep_record();
    return out;
  }
  std::vector<std::uint32_t> values;
  std::uint64_t number = 0;
  bool on_track = true;
  for (auto at = schedule.begin(); on_track && at != schedule.end();) {
    ++number;
    if (!is_process(*at)) {
      on_track = player.diverge(number, fmt::format("expected a process, found value {}", at->number));
      break;
    }
    const std::uint32_t process = at->number;
    values.clear();
    for (++at; at != schedule.end() && !is_process(*at); ++at) values.push_back(at->number);
    if (number == telling.loop) player.enter_loop();
    if (at == schedule.end()) player.tell_state();  // should the last step crash
    if (before_step) before_step(number, out);
    on_track = player.step(number, process, values);
    if (on_track && player.failed() && at != schedule.end())
      on_track = player.diverge(number, fmt::format("fails already here: {}", out.ending.message));
  }
  player.tell_state();
  if (before_step) before_step(number, out);
  if (on_track && !player.failed() && telling.loop == 0) player.look_for_deadlock();
  if (on_track && !player.failed()) player.look_for_liveness(schedule, telling.loop);
  player.keep_record();
  return out;
}

}  // namespace tarry
