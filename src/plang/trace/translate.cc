// Where Tarry stops at all of P's points, a step of ours is a decision of P and the choices up to the next one. Two things
// differ: choices that have but one value are lines of the file and not of our schedules, and after a few choices in a row ours
// goes on in a new step, without a decision.
#include "plang/trace/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "plang/vm/space.h"

namespace tarry::plang {
namespace {

using Kind = ScheduleStep::Kind;

class Translator {
 public:
  Translator(const PProgram& program, const ScheduleFile& file)
      : file_(file),
        layout_(program.layout()),
        space_(program.world(), layout_),
        state_(layout_.words()),
        next_(layout_.words()) {}

  Translated run() {
    if (!space_.initial(state_.data()).kind.empty()) return finish_failed(1);
    bool failed = false;
    at_ = 1;  // behind the root's
    while (!failed) {
      const std::uint32_t only = state_[layout_.exclusive()];
      if (only == 0 && at_ >= file_.steps.size()) return std::move(out_);
      if (!(only != 0 ? take(only - 1, failed) : decide(failed))) return std::move(out_);
    }
    return finish_failed(at_);
  }

 private:
  bool diverge(std::size_t at, std::string what) {
    out_.diverged_line = at < file_.steps.size() ? file_.steps[at].line : file_.steps.back().line + 1;
    out_.divergence = std::move(what);
    return false;
  }

  Translated finish_failed(std::size_t used) {
    if (used < file_.steps.size()) out_.unused_line = file_.steps[used].line;
    return std::move(out_);
  }

  std::string found(std::size_t at) const { return at < file_.steps.size() ? step_text(file_.steps[at]) : "the end of the file"; }

  bool decide(bool& failed) {
    const ScheduleStep& step = file_.steps[at_];
    const std::string open = who_can_run();
    if (step.kind != Kind::kDecision)
      return diverge(at_, fmt::format("expected a decision, one of {}, found {}", open, found(at_)));
    const auto slot = static_cast<std::uint32_t>(step.number - 1);
    if (step.number == 0 || slot >= Identities::kMost || !can_run(slot))
      return diverge(at_, open.empty() ? fmt::format("expected the end of the file, since no machine can run, found {}", found(at_))
                                       : fmt::format("expected one of {}, found {}, which cannot run", open, found(at_)));
    ++at_;
    return take(slot, failed);
  }

  bool can_run(std::uint32_t slot) {
    const auto m = space_.machine(state_, slot);
    return standing(m.config) != Standing::kAbsent && space_.can_run(m.config, m.inbox);
  }

  std::string who_can_run() {
    std::string out;
    space_.for_each_machine(state_, [&](const PSpace::MachineWords& m) {
      if (space_.can_run(m.config, m.inbox)) out += fmt::format("{}({})", out.empty() ? "" : ", ", m.slot + 1);
    });
    return out;
  }

  /// One step of ours, with the choices that the file has.
  bool take(std::uint32_t slot, bool& failed) {
    const auto m = space_.machine(state_, slot);
    std::vector<std::uint32_t> values;
    std::vector<LogEntry> log;
    StepResult result;
    PSpace::Applied applied;
    while (true) {
      applied = space_.step_with_log(state_, m, values, Vm::Missing::kAsk, result, next_.data(), log);
      std::optional<Problem> problem = disagreement(log);
      if (!problem && result.end != StepResult::End::kNeedsValue) break;
      const std::size_t next = at_ + made(log);
      const bool there =
          next < file_.steps.size() && file_.steps[next].kind != Kind::kDecision && file_.steps[next].number < result.arity;
      if (!problem && !there)
        problem = {next, fmt::format("expected the choice of machine ({}), one of {} values, found {}", slot + 1, result.arity,
                                     found(next))};
      if (problem) return fails_by_then(m, values, failed) || diverge(problem->at, problem->what);
      values.push_back(static_cast<std::uint32_t>(file_.steps[next].number));
    }
    failed = applied.failed;
    move_on(m, result, log);
    return true;
  }

  /// A monitor may fail in the middle of a step. Ours goes on to its end, and asks for more choices than P came to make.
  bool fails_by_then(const PSpace::MachineWords& m, const std::vector<std::uint32_t>& values, bool& failed) {
    std::vector<LogEntry> log;  // ends where the monitor fails
    StepResult result;
    failed = space_.step_with_log(state_, m, values, Vm::Missing::kZero, result, next_.data(), log).by_monitor;
    if (!failed || disagreement(log)) return false;
    move_on(m, result, log);
    return true;
  }

  void move_on(const PSpace::MachineWords& m, const StepResult& result, const std::vector<LogEntry>& log) {
    out_.schedule.push_back({Choice::Kind::kProcess, m.slot});
    for (const std::uint32_t value : result.values) out_.schedule.push_back({Choice::Kind::kValue, value});
    at_ += made(log);
    std::swap(state_, next_);
  }

  static std::size_t made(const std::vector<LogEntry>& log) {
    return static_cast<std::size_t>(
        std::count_if(log.begin(), log.end(), [](const LogEntry& e) { return e.act == Act::kChoose; }));
  }

  struct Problem {
    std::size_t at;
    std::string what;
  };
  /// Between the choices that were made and what the file has: booleans are True or False, and what has one value has that one.
  std::optional<Problem> disagreement(const std::vector<LogEntry>& log) const {
    std::size_t at = at_;
    for (const LogEntry& e : log) {
      if (e.act != Act::kChoose) continue;
      const bool there = at < file_.steps.size() && file_.steps[at].kind == (e.flag ? Kind::kBoolean : Kind::kInteger);
      if (!there || fmt::format("{}", file_.steps[at].number) != e.text)
        return Problem{
            at, fmt::format("expected {}, found {}",
                            e.flag ? "True or False" : fmt::format("a number below {}", std::max(e.other, 1u)), found(at))};
      ++at;
    }
    return std::nullopt;
  }

  const ScheduleFile& file_;
  Layout layout_;
  PSpace space_;
  std::vector<Word> state_, next_;
  std::size_t at_ = 0;  // the next step of the file
  Translated out_;
};

}  // namespace

Translated translate(const PProgram& program, const ScheduleFile& file) { return Translator(program, file).run(); }

}  // namespace tarry::plang
