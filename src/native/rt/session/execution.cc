#include "native/rt/session/execution.h"

#include <algorithm>

#include "native/rt/base/modules.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/effects/children.h"
#include "native/rt/effects/files.h"
#include "native/rt/effects/fresh.h"
#include "native/rt/effects/gate.h"
#include "native/rt/effects/kept_channels.h"
#include "native/rt/effects/output.h"
#include "native/rt/session/failures.h"
#include "native/rt/threads/deadlock.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/interruptions.h"
#include "native/rt/threads/taking.h"

namespace tarry::native::rt {

NativeExecution::NativeExecution(Session& session, std::uint32_t worker, const RunOptions& options, OrdersMet& orders)
    : session_(session), options_(options), orders_(orders), block_(block()), worker_(worker), order_(order_of_steps()), footprints_(options.reduces ? footprints_of_steps() : nullptr), now_(scheduler().capacity()), next_(now_) {
  path_.reserve(1024);
}

std::uint32_t NativeExecution::pick(Policy& policy, const ChoicePoint& point) {
  const std::uint32_t choice = policy.pick(point);
  if (choice != Policy::kAbandon && schedule_size_ < Block::kScheduleRoom) {
    block_.schedule[schedule_size_++] = choice * 2 + (point.values != 0 ? 1 : 0);
    block_.schedule_size.store(schedule_size_, std::memory_order_relaxed);
  }
  return choice;
}

/// Tells the points to the other workers, which need the same ones.
void NativeExecution::tell_place(std::uintptr_t pc) {
  if (block_.workers == 1) return;
  Common& all = common();
  const std::uint32_t at = all.place_count.fetch_add(1);
  if (at < Common::kMaxPlaces) all.places[at].store(number_of(pc), std::memory_order_release);
}

bool NativeExecution::learn_places() {
  if (block_.workers == 1) return false;
  const std::uint32_t count = std::min(common().place_count.load(std::memory_order_acquire), Common::kMaxPlaces);
  bool learned = false;
  for (; known_places_ < count; ++known_places_) {
    const std::uint64_t number = common().places[known_places_].load(std::memory_order_acquire);
    if (number == 0) break;  // it is being written
    const std::uintptr_t pc = address_of(number);
    if (std::find(found_racing().begin(), found_racing().end(), pc) != found_racing().end()) continue;  // our own
    learned |= make_point(pc);
  }
  return learned;
}

const Signature* NativeExecution::order() { return g_watch.order == nullptr ? nullptr : &g_watch.order->signature(); }

ExecutionResult NativeExecution::run(Policy& policy) {
  Scheduler& all = scheduler();
  g_watch.order = order_;
  g_watch.footprint = footprints_;
  if (footprints_ != nullptr) footprints_->only_well_known = !options_.reduces;
  block_.footprints.store(footprints_ == nullptr ? 0 : number_of(place_of_footprints()), std::memory_order_relaxed);
  while (true) {
    while (take_files() == Turn::kWait) {
      bump(session_.worker(worker_).beat);
      if (session_.poll()) return {};
    }
    fresh::enter();
    ExecutionResult result = attempt(policy);
    if (observer != nullptr) observer->end();
    const bool disturbed = were_disturbed();
    undo_outside();
    fresh::leave();
    give_back_files();
    if (!execution_end().starved && !disturbed) {
      if (observer != nullptr) observer->complete(result);
      return result;
    }
    // Again, under other conditions: the policy begins anew, and has the points that it had; what was found to race will be found again.
    found_racing().clear();
    if (g_watch.races != nullptr) g_watch.races->forget_reports();
    reset_runtime();
    if (fresh::wanted()) {
      fresh::turn_on();
    } else if (!disturbed) {
      const OpenGate open;
      if (!all.grow()) return failed(std::move(result), {.kind = "runtime-error", .message = "no more threads can be made for the program"});
    }
  }
}

/// False: the execution is over, and `result` says why. In line, as nothing should return where another stack was in between (context.h).
[[gnu::always_inline]] inline bool NativeExecution::take_step(Policy& policy, ExecutionResult& result, bool repeated) {
  Scheduler& all = scheduler();
  ++result.points;
  const std::uint32_t chosen = pick(policy, {now_, 0, {}, order(), repeated});
  if (chosen == Policy::kAbandon) {
    result.end = End::kAbandoned;
    return false;
  }
  values_.clear();
  if (observer != nullptr) observer->before(chosen);
  performing(chosen, static_cast<std::uint32_t>(path_.size()), all.thread(chosen).pending, all.would_expire(chosen));
  block_.running = chosen + 1;
  const auto place = static_cast<std::uint32_t>(all.thread(chosen).pending.pc);
  const std::uint64_t stood = all.thread(chosen).looks.stands;
  settle(all.thread(chosen).attempts, all.thread(chosen).pending.op);
  block_.in_step.store(1, std::memory_order_relaxed);
  Scheduler::Turn turn = all.run(chosen);
  block_.in_step.store(0, std::memory_order_relaxed);
  while (turn == Scheduler::Turn::kDecide) {
    ++result.points;
    if (g_watch.footprint != nullptr) g_watch.footprint->end_thread(chosen);  // the thread may end behind the choice, with some of the values
    const std::uint32_t value = pick(policy, {now_, all.asked(), ProcessId{chosen}, order()});
    if (value == Policy::kAbandon) {
      result.end = End::kAbandoned;
      return false;
    }
    values_.push_back(value);
    decided(chosen, value);
    if (observer != nullptr) observer->decided(value);
    block_.in_step.store(1, std::memory_order_relaxed);
    turn = all.answer(value);
    block_.in_step.store(0, std::memory_order_relaxed);
  }
  path_.push_back(session_.moves().make(ProcessId{chosen}, values_));
  ++result.steps;
  if (observer != nullptr) observer->after(chosen);
  if (turn == Scheduler::Turn::kOver) {
    if (g_watch.footprint != nullptr) g_watch.footprint->add_everything();
    if (execution_end().starved || execution_end().called_off) return false;
    if (execution_end().failed) result = failed(std::move(result), *execution_end().failure);
    else result.end = End::kEnded;
    if (!execution_end().failed && options_.expect_exit >= 0 && execution_end().exit_code != options_.expect_exit)
      result = failed(std::move(result), {.kind = "assertion", .message = "the program ended with exit code " + std::to_string(execution_end().exit_code)});
    return false;
  }
  if (repeated) return true;
  all.survey(next_);
  policy.stepped({.process = ProcessId{chosen},
                  .open_before = now_.open(),
                  .open_after = next_.open(),
                  .alive_before = now_.alive(),
                  .alive_after = next_.alive(),
                  .sent = {},
                  .order = {},
                  .yielded = all.thread(chosen).yielded,
                  .place = place,
                  .recurs = all.thread(chosen).yielded && all.thread(chosen).looks.yields.comes_again(stood),
                  .contest = all.thread(chosen).attempts.contest,
                  .digest = all.compares ? take_digest(all.thread(chosen)) : 0});
  now_.swap(next_);
  return true;
}

ExecutionResult NativeExecution::attempt(Policy& policy) {
  Scheduler& all = scheduler();
  if (learn_places()) {  // from another worker: what this one knows about the tree is void
    ExecutionResult nothing;
    nothing.end = End::kAbandoned;
    nothing.points_changed = true;
    return nothing;
  }
  reset_runtime();
  if (now_.longs() * 64 < all.capacity()) now_ = next_ = Survey(all.capacity());
  for (std::uint32_t i = 1; i <= all.early_count(); ++i) created(0, i);
  path_.clear();
  schedule_size_ = 0;
  all.survey(now_);
  policy.begin(now_);
  if (observer != nullptr) observer->begin();
  ExecutionResult result;
  std::uint64_t limit = session_.options().limits.max_depth;
  all.compares = false;
  // A limit of the user's leaves no room behind it to compare steps in.
  const std::uint64_t compared_from = session_.options().limits.max_depth_given ? limit - limit / 4 : ~std::uint64_t{0};
  bool repeats = true;
  while (true) {
    // Who can run is found out where the execution no longer repeats an earlier one.
    if (repeats && !repeats_step(policy)) {
      repeats = false;
      if (!path_.empty()) all.survey(now_);
    }
    if (!repeats && now_.open().empty()) {
      if (!goes_on_by_children(result)) return over(std::move(result));
      if (now_.open().empty()) break;  // it was ended
      continue;
    }
    if (path_.size() >= limit && !goes_on(policy, limit)) {
      result.end = End::kCut;
      result.failure.failure = met_failures().keep({.kind = {}, .message = ""});  // it may be an endless one, to be replayed with these points
      break;
    }
    bump(session_.worker(worker_).beat);  // at every step: --step-timeout is about one
    if ((++ticks_ & 127) == 0 && session_.poll()) break;
    if (path_.size() == compared_from) all.compares = true;
    if (!take_step(policy, result, repeats)) break;
  }
  if (!execution_end().starved) keep_notes(result);
  return result;
}

bool NativeExecution::repeats_step(const Policy& policy) const {
  const std::uint32_t process = policy.repeats();
  return process < scheduler().thread_count() && scheduler().enabled(process);
}

/// Decides at `limit` steps whether the execution goes on. False: the user set this limit, or the execution goes round for ever. An execution that is only
/// long goes on, up to a limit of ours that is reported as a limit. Comparing steps costs as much as many steps, so it begins here and lasts a quarter longer.
bool NativeExecution::goes_on(Policy& policy, std::uint64_t& limit) const {
  constexpr std::uint64_t kMostSteps = 1'000'000;
  if (session_.options().limits.max_depth_given || limit >= kMostSteps) return false;
  Scheduler& all = scheduler();
  if (policy.compares_steps() && !all.compares) {
    all.compares = true;
    limit = std::min(limit + limit / 4, kMostSteps);
    return true;
  }
  if (policy.goes_round()) return false;
  all.compares = false;
  limit = std::min(limit * 2, kMostSteps);
  return true;
}

/// No thread can run, but a process that the program has started may change that. Waits for it for a limited time; after that the search has met a limit.
bool NativeExecution::goes_on_by_children(ExecutionResult& result) {
  constexpr std::uint32_t kMostMoments = 10'000;
  Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < kMostMoments; ++i) {
    if (!now_.deadlock() || !children_may_help()) return false;
    bump(session_.worker(worker_).beat);
    if (session_.poll()) {
      result.end = End::kStopped;
      return true;
    }
    all.survey(now_);
    if (!now_.open().empty()) return true;
  }
  result = failed(std::move(result), {.kind = kLimitKind, .message = "all threads wait, and a process that the program has started did not change that within 10 s"});
  return true;
}

/// Beside other searches, the order of such a run is not asked for, as each has its own.
const Footprints* NativeExecution::watch_footprints() {
  footprints_ = footprints_of_steps();
  if (!options_.reduces) order_ = nullptr;
  return footprints_;
}

void NativeExecution::begin_anew() {
  orders_.clear();
  if (options_.outcomes) forget_counts();
  if (observer != nullptr) observer->begin_anew();
}

/// Ends the execution when no thread can run.
ExecutionResult NativeExecution::over(ExecutionResult result) {
  result.end = End::kEnded;
  if (now_.deadlock() && closed_kept()) result = failed(std::move(result), {.kind = kLimitKind, .message = "no thread can go on, and the program has closed an end of a pipe that a constructor has made before main: that may be what a thread waits for, so make the pipe in main"});
  else if (now_.deadlock()) result = failed(std::move(result), deadlock());
  keep_notes(result);
  return result;
}

ExecutionResult NativeExecution::failed(ExecutionResult result, const Failure& failure) {
  result.end = End::kFailed;
  result.failure = {.label = "", .kind = failure.kind, .message = failure.message, .location = "", .failure = met_failures().keep(failure)};
  return result;
}

/// By partial-order reduction every execution has an order of its own. Beyond this many nothing would be learned, and memory would grow with their number.
void NativeExecution::count_order() {
  constexpr std::size_t kEnough = 1 << 14;
  const bool reduced = footprints_ != nullptr && options_.dump.empty();  // else the search itself may need the order
  if (!orders_.add(order_->signature(), reduced ? kEnough : OrdersMet::kMost) && reduced) order_ = nullptr;
}

/// Races, and what else does not end an execution, are findings of their own.
void NativeExecution::keep_notes(ExecutionResult& result) {
  for (const Failure& note : *execution_end().notes) {
    if (!met_failures().is_new(note)) continue;
    session_.add_finding({.kind = note.kind,
                          .message = note.message,
                          .location = "",
                          .schedule = choices_of(session_.moves(), path_),
                          .steps = path_.size(),
                          .failure = met_failures().keep(note)});
  }
  result.points_changed = learned_of_interruptions() | !found_racing().empty();
  if (result.points_changed) orders_.clear();
  else if (result.end == End::kEnded && order_ != nullptr) count_order();
  for (const std::uintptr_t pc : found_racing()) tell_place(pc);
  if (!options_.outcomes) return;
  if (result.points_changed) forget_counts();  // the search begins anew
  else if (result.end == End::kEnded) count_output();
}

}  // namespace tarry::native::rt
