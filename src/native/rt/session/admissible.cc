#include "native/rt/session/admissible.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "enforce/region_footprint.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/raw.h"
#include "native/rt/calls/inputs.h"
#include "native/rt/calls/sites.h"
#include "native/rt/calls/unenforced_calls.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {
namespace {

using enforce::Kind;
using enforce::Object;
using enforce::Space;

Kind kind_of(Op op) {
  switch (op) {
    case Op::kStart: return Kind::kStart;
    case Op::kExit: return Kind::kExit;
    case Op::kCreate: return Kind::kCreate;
    case Op::kJoin: return Kind::kJoin;
    case Op::kLock: return Kind::kLock;
    case Op::kTryLock: return Kind::kTryLock;
    case Op::kUnlock: return Kind::kUnlock;
    case Op::kSpinLock: return Kind::kSpinLock;
    case Op::kSpinTryLock: return Kind::kSpinTryLock;
    case Op::kSpinUnlock: return Kind::kSpinUnlock;
    case Op::kWait: return Kind::kWait;
    case Op::kReacquire: return Kind::kReacquire;
    case Op::kSignal: return Kind::kSignal;
    case Op::kBroadcast: return Kind::kBroadcast;
    case Op::kReadLock: return Kind::kReadLock;
    case Op::kTryReadLock: return Kind::kTryReadLock;
    case Op::kWriteLock: return Kind::kWriteLock;
    case Op::kTryWriteLock: return Kind::kTryWriteLock;
    case Op::kReadWriteUnlock: return Kind::kReadWriteUnlock;
    case Op::kBarrier: return Kind::kBarrier;
    case Op::kBarrierPassed: return Kind::kBarrierPassed;
    case Op::kSemaphoreWait: return Kind::kSemaphoreWait;
    case Op::kSemaphoreTryWait: return Kind::kSemaphoreTryWait;
    case Op::kSemaphorePost: return Kind::kSemaphorePost;
    case Op::kSemaphoreValue: return Kind::kSemaphoreValue;
    case Op::kOnce: return Kind::kOnce;
    case Op::kOnceDone: return Kind::kOnceDone;
    case Op::kGuard: return Kind::kGuard;
    case Op::kGuardDone: return Kind::kGuardDone;
    case Op::kLoad: return Kind::kLoad;
    case Op::kStore: return Kind::kStore;
    case Op::kExchange: return Kind::kExchange;
    case Op::kReadModifyWrite: return Kind::kReadModifyWrite;
    case Op::kCompareExchange: return Kind::kCompareExchange;
    case Op::kRead: return Kind::kRead;
    case Op::kWrite: return Kind::kWrite;
    case Op::kFutexWait: return Kind::kFutexWait;
    case Op::kFutexWoken: return Kind::kFutexWoken;
    case Op::kFutexWake: return Kind::kFutexWake;
    case Op::kAtExit: return Kind::kAtExit;
    case Op::kTimedLock: return Kind::kTimedLock;
    case Op::kTimedReadLock: return Kind::kTimedReadLock;
    case Op::kTimedWriteLock: return Kind::kTimedWriteLock;
    case Op::kSemaphoreTimedWait: return Kind::kTimedSemaphoreWait;
    default: return Kind::kNone;
  }
}

}  // namespace

enforce::Kind kind_of(const Operation& operation) {
  if (operation.timed && operation.op == Op::kReacquire) return Kind::kTimedReacquire;
  if (operation.timed && operation.op == Op::kFutexWoken) return Kind::kTimedFutexWoken;
  return kind_of(operation.op);
}

namespace {

bool is_of_futex(Kind kind) { return (kind >= Kind::kFutexWait && kind <= Kind::kFutexWake) || kind == Kind::kTimedFutexWoken; }
/// One word, and a call that waits or wakes; what the standard libraries do otherwise, and calls that move threads from word to word, are not known.
bool is_plain_futex(const Operation& operation) { return operation.also == nullptr && !operation.entangled && (operation.size == 4 || operation.op == Op::kFutexWoken); }

/// Orders nothing: the run-time library lets it pass. That is true of a look at files or at the state of libc only because executions in which they change
/// while several threads are there are refused.
bool is_passed_over(const Operation& operation) {
  if (operation.op == Op::kYield || operation.op == Op::kSleep) return true;
  if (operation.op == Op::kEnd && !operation.entangled) return true;  // the end itself is an event
  return (operation.op == Op::kFile || operation.op == Op::kLibraryState) && operation.reads && operation.ready == nullptr && !operation.entangled;
}

/// Returns whether the thread slept since its last event.
bool take_sleep(std::uint32_t thread) { return std::exchange(scheduler().thread(thread).time.slept, false); }

Object of_thread(std::uint32_t number) { return {Space::kThread, 0, number}; }

std::string place_bytes(const Place& place) {
  const std::uint64_t words[2] = {place.module, place.offset};
  return {reinterpret_cast<const char*>(words), sizeof(words)};
}

}  // namespace

AdmissibleExecutions::AdmissibleExecutions(const std::string& file, std::uint64_t most, Session& session)
    : session_(session), most_(most), file_(file) {
  flush();
}

AdmissibleExecutions::~AdmissibleExecutions() {
  write_points();
  const std::uint64_t failed = failed_.size();
  spool_.add(enforce::SpoolTag::kFailed, {reinterpret_cast<const char*>(&failed), sizeof(failed)});
  flush();
}

/// The file is open only meanwhile: descriptors that were not there when the program began are closed behind an execution that makes some.
void AdmissibleExecutions::flush() {
  const long file = raw(SYS_openat, AT_FDCWD, file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  std::string& bytes = spool_.buffer();
  std::size_t written = 0;
  while (written < bytes.size()) {
    const long n = raw(SYS_write, file, bytes.data() + written, bytes.size() - written);
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  bytes.clear();
  raw(SYS_close, file);
}

std::uint32_t AdmissibleExecutions::module_of(std::uint32_t number) {
  if (!modules_.insert(number).second) return number;
  std::string bytes(reinterpret_cast<const char*>(&number), sizeof(number));
  for (const Module& module : modules())
    if (module.number == number) bytes += module.path;
  spool_.add(enforce::SpoolTag::kModule, bytes);
  return number;
}

void AdmissibleExecutions::write_points() {
  for (const std::uintptr_t pc : g_watch.racing.all()) {
    const Place place = place_of(pc);
    if (place.offset == 0) continue;  // a class of sizes, and the like
    module_of(place.module);
    spool_.add(enforce::SpoolTag::kPoint, place_bytes(place));
  }
  for (const unsigned char* const flag : racing_sites()) {
    const Place place = place_of(reinterpret_cast<std::uintptr_t>(flag));
    if (place.offset == 0) continue;
    module_of(place.module);
    spool_.add(enforce::SpoolTag::kSite, place_bytes(place));
  }
}

Object AdmissibleExecutions::object_at(const void* address) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  constexpr std::uintptr_t kThings = 4096;
  if (value == kEverything) return {Space::kEverything, 0, 0};
  if (value < kThings) return {Space::kThing, 0, value};
  const auto first = reinterpret_cast<std::uintptr_t>(&scheduler().thread(0));
  if (value >= first && value < first + sizeof(Thread) * kMaxThreads && (value - first) % sizeof(Thread) == 0) return of_thread(static_cast<std::uint32_t>((value - first) / sizeof(Thread)));
  const Place place = place_of(value);
  if (place.offset != 0) return {Space::kData, module_of(place.module), place.offset};
  return {Space::kMemory, 0, value};
}

void AdmissibleExecutions::refuse(const std::string& why, std::uintptr_t pc) {
  refused_ = true;
  const Place place = pc == 0 ? Place{} : place_of(pc);
  const std::string bytes = place_bytes(place) + why;
  if (!refusals_.insert(bytes).second) return;
  if (place.offset != 0) module_of(place.module);
  spool_.add(enforce::SpoolTag::kRefused, bytes);
}

void AdmissibleExecutions::refuse_step(const std::string& why, std::uintptr_t pc) {
  if (in_region_) return refuse(why, pc);
  outside_.push_back({why, pc});
  passed_over_ = true;
}

void AdmissibleExecutions::begin() {
  execution_.clear();
  entries_.clear();
  outside_.clear();
  in_region_ = creates_outside_ = false;
  refused_ = false;
  if (scheduler().early_count() > 0) refuse("a thread is created before main");
}

void AdmissibleExecutions::before(std::uint32_t thread) {
  const Scheduler& all = scheduler();
  const Operation& pending = all.thread(thread).pending;
  threads_before_ = all.thread_count();
  passed_over_ = is_passed_over(pending);
  if (refused_ || passed_over_) return;
  const Kind kind = kind_of(pending);
  if (kind == Kind::kNone || (is_of_futex(kind) && !is_plain_futex(pending))) return refuse_step(std::string("an operation that cannot be enforced: ") + name_of(pending.op), pending.pc);
  if (pending.timed != enforce::is_timed(kind)) return refuse_step("a wait with a time limit", pending.pc);
  const Place place = pending.pc == 0 || is_of_futex(kind) ? Place{} : place_of(pending.pc);  // of system calls the place is that of a caller's caller
  step_ = {.thread = thread, .kind = kind, .size = pending.size};
  if (pending.timed) step_.size = static_cast<std::uint32_t>(all.would_expire(thread) ? enforce::Outcome::kExpired : enforce::Outcome::kInTime);
  if (place.offset != 0) step_.module = module_of(place.module), step_.offset = place.offset;
  if (take_sleep(thread)) step_.touches.push_back({enforce::kSleep, false});
  if (pending.object != nullptr) step_.object = object_at(pending.object);
  if (pending.also != nullptr) step_.also = object_at(pending.also);
  if (in_region_) see_what_is_used_first(pending);
  else if (kind == Kind::kCreate && !creates_outside_) creates_outside_ = true, created_outside_ = pending.pc;
}

/// Synchronisation objects have states, too, which a region reads by its first operation. The state that matters is in these bytes, here and in glibc.
void AdmissibleExecutions::see_what_is_used_first(const Operation& pending) {
  const auto see = [&](const void* object, std::size_t size) {
    if (object != nullptr) read_in_region(object, size, pending.pc);
  };
  switch (kind_of(pending)) {
    case Kind::kLock: case Kind::kTryLock: case Kind::kUnlock: case Kind::kTimedLock:
    case Kind::kSpinLock: case Kind::kSpinTryLock: case Kind::kSpinUnlock:
    case Kind::kSemaphoreWait: case Kind::kSemaphoreTryWait: case Kind::kSemaphorePost: case Kind::kSemaphoreValue: case Kind::kTimedSemaphoreWait:
    case Kind::kOnce: case Kind::kOnceDone:
    case Kind::kFutexWait: return see(pending.object, 4);
    case Kind::kGuard: case Kind::kGuardDone: return see(pending.object, 1);
    case Kind::kWait: return see(pending.also, 4);
    default: return;
  }
}

void AdmissibleExecutions::decided(std::uint32_t value) {
  if (is_asking_for_input()) return;
  // Which of several threads a signal wakes shows by which goes on.
  if (!passed_over_ && !refused_ && (step_.kind == Kind::kSignal || step_.kind == Kind::kFutexWake)) return;
  const std::uint32_t thread = scheduler().running();
  refuse_step("a choice by the search within a step", scheduler().thread(thread).pending.pc);
  // The state at the entry of a region depends on it.
  if (!refused_) add_label({.thread = thread, .kind = Kind::kNone, .object = {Space::kValue, 0, value}, .touches = {{{Space::kEverything, 0, 0}, true}}});
}

void AdmissibleExecutions::after(std::uint32_t thread) {
  if (refused_) return;
  const std::vector<InputRead> told = take_inputs();
  const bool enters = std::any_of(told.begin(), told.end(), [](const InputRead& one) { return one.what == InputRead::What::kEnterRegion; });
  for (const std::string& why : {unenforced_call() == nullptr ? "" : std::string("a call of ") + unenforced_call(), g_watch.footprint->surprise() == nullptr ? "" : std::string(g_watch.footprint->surprise())}) {
    if (why.empty()) continue;
    if (in_region_ || enters) return refuse(why);
    outside_.push_back({why, 0});
  }
  const Scheduler& all = scheduler();
  const bool ended = all.thread(thread).state != Thread::State::kAlive;
  if (!passed_over_) {
    for (const ObjectUse& use : g_watch.footprint->of_last_step()) {
      const Object object = object_at(reinterpret_cast<const void*>(use.object));
      if (ended && object == of_thread(thread)) continue;
      step_.touches.push_back({object, use.use == Use::kWrite});
    }
    if (step_.kind == Kind::kStart) step_.touches.push_back({of_thread(thread), true});
    for (std::uint32_t number = threads_before_; number < all.thread_count(); ++number) step_.touches.push_back({of_thread(number), true});
    add_label(step_);
  }
  for (const InputRead& one : told) one.what == InputRead::What::kInput ? add_input(thread, one) : add_region(one);
  if (!ended) return;
  step_ = {.thread = thread, .kind = Kind::kEnd, .touches = {{of_thread(thread), true}}};
  if (take_sleep(thread)) step_.touches.push_back({enforce::kSleep, false});
  add_label(step_);
}

/// An input is an event that touches everything, so that at run time its value is known before any thread decides between traces of different values.
/// Hence other threads must not be there: they would wait for it.
void AdmissibleExecutions::add_input(std::uint32_t thread, const InputRead& input) {
  const Scheduler& all = scheduler();
  for (std::uint32_t i = 0; i < all.thread_count(); ++i)
    if (i != thread && all.thread(i).state == Thread::State::kAlive) return refuse("an input that is read while other threads run", input.pc);
  const Place place = place_of(input.pc);
  enforce::Label label{.thread = thread, .kind = Kind::kInput, .object = {Space::kValue, 0, static_cast<std::uint64_t>(input.value)}, .touches = {{{Space::kEverything, 0, 0}, true}}};
  if (place.offset != 0) label.module = module_of(place.module), label.offset = place.offset;
  add_label(label);
}

/// The first and the last event of a region come before and behind all others, as there is no other thread.
void AdmissibleExecutions::add_region(const InputRead& told) {
  in_region_ = told.what == InputRead::What::kEnterRegion;
  if (!in_region_) {
    const LeftRegion region = take_region();
    if (region.problem != nullptr) return refuse(region.problem, region.pc);
    entries_.push_back(number_of(region));
  }
  enforce::Label label{.thread = 0, .kind = in_region_ ? Kind::kEnterRegion : Kind::kLeaveRegion, .touches = {{{Space::kEverything, 0, 0}, true}}};
  if (const Place place = place_of(told.pc); !in_region_ && place.offset != 0) label.module = module_of(place.module), label.offset = place.offset;
  add_label(label);
}

/// Static variables and those on the stack of main have names by themselves. A block of the heap has one if a pointer that has a name leads there.
std::map<RegionCell, enforce::FootprintCell> AdmissibleExecutions::names_of(const LeftRegion& region) {
  constexpr std::size_t kLongest = 16;
  const std::uintptr_t frame = part<RegionCells>().main_frame;
  std::map<RegionCell, enforce::FootprintCell> out;
  std::map<std::uintptr_t, std::vector<RegionCell>> in_block;
  std::vector<RegionCell> pointers;
  const auto add = [&](const RegionCell& cell, enforce::FootprintCell name) {
    if (region.cells.at(cell).target != 0 && name.way.size() < kLongest) pointers.push_back(cell);
    out.emplace(cell, std::move(name));
  };
  for (const auto& [cell, entered] : region.cells) {
    const Place data = place_of(cell.address);
    if (entered.block != 0) in_block[entered.block].push_back(cell);
    else if (data.offset != 0) add(cell, {enforce::FootprintCell::Space::kData, module_of(data.module), data.offset, cell.size});
    else add(cell, {enforce::FootprintCell::Space::kStack, 0, frame - cell.address, cell.size});
  }
  for (std::size_t i = 0; i < pointers.size(); ++i) {  // grows meanwhile
    const CellAtEntry& pointer = region.cells.at(pointers[i]);
    const auto block = in_block.find(pointer.target);
    if (block == in_block.end()) continue;
    for (const RegionCell& cell : block->second) {
      enforce::FootprintCell name = out.at(pointers[i]);
      name.way.push_back(static_cast<std::int64_t>(cell.address - pointer.value));
      name.size = cell.size;
      add(cell, std::move(name));
    }
    in_block.erase(block);
  }
  return out;
}

std::uint32_t AdmissibleExecutions::number_of(const LeftRegion& region) {
  const Place place = place_of(region.pc);
  enforce::RegionEntry entry{.read = {.region = region.name, .module = module_of(place.module), .offset = place.offset, .depth = region.depth}};
  const auto names = names_of(region);
  std::uintptr_t unnamed = region.unnamed;
  for (const auto& [cell, entered] : region.cells) {
    const auto named = names.find(cell);
    if (named == names.end()) {
      if (unnamed == 0) unnamed = entered.read;
      continue;
    }
    const enforce::FootprintCell& name = named->second;
    enforce::CellValue value{.value = entered.value};
    if (cell.size == sizeof(void*)) {
      const auto* const target = reinterpret_cast<const void*>(entered.value);
      if (const Place there = place_of(entered.value); there.offset != 0) value = {enforce::CellValue::Kind::kToData, module_of(there.module), there.offset};
      else if (program_heap::owns(target) || scheduler().owner_of_stack(target) != Scheduler::kNobody) value = {enforce::CellValue::Kind::kToMemory, 0, 0};
    }
    entry.known.emplace(name, value);
    if (entered.read != 0) entry.read.values.emplace(name, value);
  }
  if (const Place where = place_of(unnamed); unnamed != 0 && where.offset != 0) entry.read.unnamed_module = module_of(where.module), entry.read.unnamed_offset = where.offset;
  const auto [at, is_new] = entry_numbers_.emplace(enforce::bytes_of(entry), static_cast<std::uint32_t>(entry_numbers_.size()));
  if (is_new) spool_.add(enforce::SpoolTag::kEntry, at->first);
  return at->second;
}

void AdmissibleExecutions::add_label(const enforce::Label& label) {
  std::string bytes = enforce::bytes_of(label);
  const auto [at, is_new] = label_numbers_.emplace(std::move(bytes), static_cast<std::uint32_t>(labels_.size()));
  if (is_new) {
    labels_.push_back(label);
    spool_.add(enforce::SpoolTag::kLabel, at->first);
  }
  execution_.push_back(at->second);
}

/// Is it of a trace that was not seen before? By a hash, as this only saves work and counts.
bool AdmissibleExecutions::is_new(std::unordered_set<std::uint64_t>& among) {
  std::uint64_t hash = 0;
  for (const enforce::Event& event : enforce::word_of(labels_, execution_))
    hash = hash_of(std::span<const enforce::Need>(event.needs), hash_of(std::span<const std::uint32_t>(&event.label, 1), hash));
  return among.insert(hash).second;
}

void AdmissibleExecutions::write_execution(enforce::SpoolTag tag) {
  if (!entries_.empty()) spool_.add(enforce::SpoolTag::kEntries, {reinterpret_cast<const char*>(entries_.data()), entries_.size() * sizeof(std::uint32_t)});
  spool_.add_execution(execution_, tag);
}

void AdmissibleExecutions::complete(const ExecutionResult& result) {
  constexpr std::size_t kEnough = 1 << 16;
  if (result.points_changed) {
    known_.clear();
    failed_.clear();
    refusals_.clear();
    spool_.add(enforce::SpoolTag::kAnew, "");
  } else if (result.end == End::kEnded && !refused_) {
    const Scheduler& all = scheduler();
    for (std::uint32_t i = 1; i < all.thread_count(); ++i)
      if (all.thread(i).state == Thread::State::kAlive) refuse("a thread that is still running when the program ends");
    if (entries_.empty())
      for (const Refused& one : outside_) refuse(one.why, one.pc);
    if (in_region_) refuse("a region that is not left before the program ends");
    if (!entries_.empty() && creates_outside_) refuse("a thread that is created outside of the regions of the program", created_outside_);
    if (!refused_ && is_new(known_)) {
      write_execution(enforce::SpoolTag::kExecution);
      if (most_ != 0 && known_.size() >= most_) session_.stop(StoppedBy::kStates);
    }
  }
  // Other executions go through the same regions, and must not be combined to this one.
  if (result.end == End::kFailed && !result.points_changed && is_new(failed_) && !refused_ && !in_region_ && !entries_.empty()) write_execution(enforce::SpoolTag::kFailedExecution);
  if (spool_.buffer().size() >= kEnough) flush();
}

}  // namespace tarry::native::rt
