#include "native/rt/calls/library_calls.h"
#include "native/rt/session/recorder.h"

#include <sys/syscall.h>
#include <sys/uio.h>

#include <memory>
#include <optional>

#include "base/rng.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/raw.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/effects/output.h"
#include "native/rt/session/debugger.h"
#include "native/rt/session/execution.h"
#include "native/rt/session/failures.h"
#include "native/rt/threads/deadlock.h"
#include "native/rt/threads/recorded_object.h"

namespace tarry::native::rt {
namespace {

/// Takes the choices of a schedule, one after the other.
class Follow final : public Policy {
 public:
  explicit Follow(const std::vector<Choice>& schedule) : schedule_(schedule) {}

  void begin(const Survey& /*first*/) override {
    at_ = 0;
    run_rules().lenient = true;
  }
  std::uint32_t pick(const ChoicePoint& point) override {
    if (at_ == schedule_.size()) return kAbandon;
    const Choice& choice = schedule_[at_];
    const bool is_value = choice.kind == Choice::Kind::kValue;
    const bool fits = is_value ? point.values > choice.number : point.values == 0 && point.survey.open().contains(ProcessId{choice.number});
    if (!fits) {
      diverged = true;
      if (is_value) divergence = point.values == 0 ? "a thread was to be chosen, not a value" : "there are only " + std::to_string(point.values) + " values to choose from";
      else divergence = point.values != 0 ? "a value was to be chosen, not a thread" : "thread " + std::to_string(choice.number) + " cannot run";
      return kAbandon;
    }
    ++at_;
    run_rules().lenient = at_ < schedule_.size();  // what comes at the end is told as it is
    return choice.number;
  }

  bool diverged = false;
  std::string divergence;

 private:
  const std::vector<Choice>& schedule_;
  std::size_t at_ = 0;
};

/// What a plain access of the usual sizes finds. The step may unmap it, so the kernel is asked.
std::optional<std::uint64_t> value_at(const Operation& access) {
  if (access.size != 1 && access.size != 2 && access.size != 4 && access.size != 8) return std::nullopt;
  std::uint64_t value = 0;
  const iovec to{&value, access.size}, from{const_cast<void*>(access.object), access.size};
  if (raw(SYS_process_vm_readv, raw(SYS_getpid), &to, 1, &from, 1, 0) != static_cast<long>(access.size)) return std::nullopt;
  return value;
}

class Recorder final : public StepObserver {
 public:
  Recorder(std::vector<RecordedStep>& steps, std::vector<RecordedThread>& threads) : steps_(steps), threads_(threads) {}

  void begin() override {
    steps_.clear();
    written_ = 0;
  }
  void before(std::uint32_t thread) override {
    Scheduler& all = scheduler();
    const Operation& pending = all.thread(thread).pending;
    RecordedStep step{.thread = thread, .values = {}, .operation = name_of(pending.op)};
    if (pending.op == Op::kJoin || pending.op == Op::kTryJoin) step.object.name = "thread " + std::to_string(pending.argument);
    else if (pending.op == Op::kReceive || pending.op == Op::kSend) step.object.name = "descriptor " + std::to_string(static_cast<std::uint32_t>(pending.argument));
    else if (pending.op == Op::kLibraryCall) step.object.name = name_of_library_call(pending.argument);
    else if (has_object(pending)) step.object = object_of(pending.object);
    step.stack = stack_of_places(places_of((*recorded_points().stacks)[thread]));
    step.preempted = !steps_.empty() && steps_.back().thread != thread && all.enabled(steps_.back().thread);
    steps_.push_back(std::move(step));
    recorded_points().take_values();
    object_ = pending.object;
    access_ = pending.op == Op::kRead || pending.op == Op::kWrite ? pending : Operation{};
    value_ = value_at(access_);
  }
  void decided(std::uint32_t value) override { steps_.back().values.push_back(value); }
  void after(std::uint32_t thread) override {
    RecordedStep& step = steps_.back();
    step.detail = recorded_points().take_values();
    if (scheduler().thread(thread).timed_out) step.detail = "times out";
    if (step.detail.empty() && value_) {
      const auto now = access_.op == Op::kWrite ? value_at(access_) : std::nullopt;
      step.detail = number_text(*value_) + (now ? " -> " + number_text(*now) : "");
    }
    if (const Thread& now = scheduler().thread(thread); awaits(now) && !scheduler().enabled(thread)) {
      const bool same = awaited(now) == std::vector<const void*>{object_};
      step.detail += std::string(step.detail.empty() ? "" : ", ") + (same ? "then waits until it changes" : "then waits until something changes that it looks at");
    }
    step.output = output_from(written_);
    written_ += step.output.size();
  }
  void end() override {
    threads_.clear();
    for (std::uint32_t i = 0; i < scheduler().thread_count(); ++i) threads_.push_back(thread_at_end(i));
  }

 private:
  RecordedThread thread_at_end(std::uint32_t number) const {
    const Scheduler& all = scheduler();
    const Thread& thread = all.thread(number);
    RecordedThread out{.name = thread.name, .state = "ended", .stack = {}};
    const bool left = !steps_.empty() && steps_.back().thread == number && steps_.back().operation == name_of(Op::kExit);
    if (left && !execution_end().failed) return out;  // the program has come to its end in this thread, and there is nothing to show of it
    const bool fails = execution_end().failed && number == all.running();
    if (fails && execution_end().failure->kind != "deadlock") {
      out.state = "failed";
      out.stack = stack_of_places(execution_end().failure->stack);
    } else if (thread.state == Thread::State::kAlive) {
      const bool could_run = all.enabled(number);
      std::vector<std::uintptr_t> places;
      out.state = could_run ? "could run" : waits_for(thread, places);
      out.places = stack_of_places(places);
      if (!could_run && places.empty() && has_object(thread.pending)) out.object = object_of(thread.wait.woken ? thread.pending.also : thread.pending.object);
      out.stack = stack_of_places(fails ? execution_end().failure->stack : places_of((*recorded_points().stacks)[number]));
    }
    return out;
  }

  std::vector<RecordedStep>& steps_;
  std::vector<RecordedThread>& threads_;
  std::size_t written_ = 0;  // of the output, by the steps so far
  const void* object_ = nullptr;  // of the step that runs
  Operation access_;         // of the step that runs, if it is a plain one
  std::optional<std::uint64_t> value_;  // that was there before
};

std::uint32_t fingerprint(const RecordedStep& step) {
  std::uint64_t hash = mix64(step.thread + 1);
  for (const char c : step.operation + step.object.name) hash = mix64(hash ^ static_cast<unsigned char>(c));
  return static_cast<std::uint32_t>(mix64(hash ^ step.object.variable.offset ^ step.object.offset << 48));
}

/// Returns the thread to show first: after a deadlock the thread whose place is reported, else the thread that ran last.
std::uint32_t to_look_at(const ExecutionResult& result, const std::vector<RecordedStep>& steps) {
  if (result.end == End::kFailed && (result.failure.kind == "deadlock" || result.failure.kind == "livelock") && !execution_end().failed) {
    const Failure failure = deadlock();
    for (const std::uint32_t thread : failure.threads)
      if (scheduler().thread(thread).pending.pc == failure.pc) return thread;
  }
  return steps.empty() ? 0 : steps.back().thread;
}

}  // namespace

void replay(const Request& request, Answer& answer) {
  struct Nothing final : Program {
    const Shape& shape() const override { return shape_; }
    std::unique_ptr<StateSpace> open() const override { return nullptr; }
    std::unique_ptr<Narrator> narrator() const override { return nullptr; }
    Shape shape_{.words = 1, .bits = 1, .processes = kMaxThreads, .seals = false};
  } const nothing;
  SearchOptions options = request.engine;
  options.limits.max_depth = ~std::uint32_t{0};
  options.limits.time.reset();
  Session session(nothing, options, {}, common().progress, block().worker);
  Scheduler& all = scheduler();
  all.recording = part<Collecting>().recording = true;
  OrdersMet orders;
  NativeExecution execution(session, 0, request.run, orders);
  Recorder recorder(answer.steps, answer.threads);
  execution.observer = &recorder;
  Follow follow(request.schedule);
  debug(request.pause);
  const ExecutionResult result = execution.run(follow);
  if (!answer.steps.empty() && result.end != End::kEnded) answer.steps.back().output += unwritten_output();
  for (const RecordedStep& step : answer.steps) answer.fingerprints.push_back(fingerprint(step));
  if (result.end == End::kFailed)
    met_failures().tell({.kind = result.failure.kind, .message = result.failure.message, .location = result.failure.location, .schedule = request.schedule, .steps = result.steps, .failure = result.failure.failure}, answer);
  for (const Finding& finding : session.findings()) met_failures().tell(finding, answer);
  answer.still_running = result.end == End::kAbandoned && !follow.diverged;
  if (follow.diverged) {
    answer.diverged_at = answer.steps.size() + 1;
    answer.divergence = follow.divergence;
  }
  stop_at_end(to_look_at(result, answer.steps));
}

}  // namespace tarry::native::rt
