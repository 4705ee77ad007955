#include "native/rt/threads/await.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "base/rng.h"
#include "native/rt/base/admitted.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/hidden_state.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/threads/stand.h"

namespace tarry::native::rt {

/// Threads that may be waiting in loops.
struct Awaits {
  static constexpr std::uint32_t kMostSeen = 32;       // places since the last effect
  static constexpr std::uint32_t kMostReads = 256;     // in one window

  struct Read {
    const void* at;
    std::uint32_t size;
    bool own;             // on the thread's own stack
    std::uint64_t value;  // or a hash of what was there
  };
  /// Of memory, if it is known.
  struct Fingerprint {
    bool known;
    std::uint64_t value;
    Fingerprint& operator=(const std::optional<std::uint64_t>& from) { return known = from.has_value(), value = from.value_or(0), *this; }
  };
  /// Of a thread, valid while LooksOfThread::quiet (the places) and LooksOfThread::collecting (the rest).
  struct OfThread {
    std::uint32_t seen_count;
    std::uintptr_t seen[kMostSeen];
    std::uintptr_t anchor;
    std::uint64_t state;              // how it stood at the visit that is kept
    std::uint32_t visits, keep_at;    // the visit at which it is kept next
    std::uint32_t elsewhere, patience;
    std::uint32_t free_yields;
    bool waited;                      // it has waited here, and nothing happened since:
    std::uint32_t waited_at;          // in this step of its own,
    std::uint64_t after;              // after so many of all (steps_with_effects)
    bool rested;                      // it yielded or slept in this window
    bool anchor_rests;                // it does so at the anchor
    bool overflow;                    // it read too much
    bool waiting;                     // `reads` is what it waits for
    bool examined;                    // this round of the loop is watched for effects that are not announced
    Fingerprint hidden;  // of an examination: the memory as it was when it began,
    Fingerprint now;     // as it was when the thread last came by,
    std::uint64_t others;                 // and what other threads have changed since it began
    bool at_point;                    // it came by, and has not gone on yet
    std::uint32_t came_at;            // in this step
    std::uintptr_t low, high;         // places in this window
    std::uintptr_t stack;             // its stack pointer at the anchor
    std::uint32_t read_count;
    Read reads[kMostReads];
  };
  OfThread of[kMaxThreads] = {};
  bool time_stamp_mattered = false;  // in some execution

  void reset() {}  // what it has of a thread counts only while the thread says so
};
template struct RoomOf<Awaits>;
template struct RoomOf<Collecting>;

bool Recurrence::comes_again(std::uint64_t stands) {
  constexpr std::uint32_t kLongestLoop = 32;  // times in it
  if (stands == 0) return false;
  ++times;
  if (stands == stood) recurred = times;
  if (times >= kept_next) {
    stood = stands;
    kept_next = times * 2;
  }
  return recurred != 0 && times - recurred <= kLongestLoop;
}

namespace {

constexpr std::uint32_t kPatience = 8;    // looks elsewhere before another place becomes the anchor
constexpr std::uint32_t kYieldsForNothing = 4;
constexpr std::uint32_t kLongestPeriod = 64;  // visits of the anchor in a round that is watched
constexpr std::size_t kLargestRead = 4096;
constexpr std::size_t kMostStack = 256 << 10;

using Read = Awaits::Read;
using Await = Awaits::OfThread;

Awaits& all_awaits() { return part<Awaits>(); }

std::uint64_t contents_of(const void* at, std::size_t size) {
  std::uint64_t value = 0;
  if (size <= sizeof(value)) {
    std::memcpy(&value, at, size);
    return value;
  }
  const auto* bytes = static_cast<const char*>(at);
  for (; size >= sizeof(value); size -= sizeof(value), bytes += sizeof(value)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof(word));
    value = mix64(value + word + 0x9e3779b97f4a7c15u);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  return mix64(value ^ word);
}

/// Output that is still in the buffers of the program's streams: an effect that is not announced.
std::uint64_t streams() {
  const auto pointer = [](const std::FILE* file) { return file == nullptr ? 0 : reinterpret_cast<std::uint64_t>(file->_IO_write_ptr) ^ reinterpret_cast<std::uint64_t>(file->_IO_read_ptr) << 1; };
  return pointer(stdout) + 3 * pointer(stderr) + 5 * pointer(stdin);
}

std::uint64_t stand_of(Stand& stand) {
  const EngineScope engine;
  stand = rt::stand();
  const Scheduler::StackOf stack = scheduler().stack_of(scheduler().running());
  if (stand.pc == 0 || stand.stack < stack.low || stand.stack >= stack.base || stack.base - stand.stack > kMostStack) return 0;
  std::uint64_t hash = stand.pc + streams();
  const auto add = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  };
  for (const std::uint64_t value : stand.registers) add(value);
  for (std::uintptr_t at = stand.stack & ~std::uintptr_t{7}; at < stack.base; at += 8) add(*reinterpret_cast<const volatile std::uint64_t*>(at));
  hash = mix64(hash);
  return hash == 0 ? 1 : hash;
}

/// Places where threads wait are kept with the accesses that race; theirs is an address that no access has (spin.cc has another one).
std::uintptr_t await_key(std::uintptr_t pc) { return pc + 2; }
bool is_known(std::uintptr_t pc) { return !g_watch.racing.empty() && g_watch.racing.contains(await_key(pc)); }
/// Of loops that look as if they only looked, and do more.
std::uintptr_t no_await_key(std::uintptr_t pc) { return pc + 3; }
bool is_no_await(std::uintptr_t pc) { return !g_watch.racing.empty() && g_watch.racing.contains(no_await_key(pc)); }

void remember(std::uintptr_t key) {
  auto& found = found_racing();
  if (g_watch.racing.contains(key) || std::find(found.begin(), found.end(), key) != found.end()) return;
  const EngineScope engine;
  found.push_back(key);
}

bool differs(const Read& read) { return contents_of(read.at, read.size) != read.value; }

bool has_changed(const Operation& operation) {
  const Thread& thread = scheduler().thread(operation.thread);
  const Await& await = all_awaits().of[operation.thread];
  if (!await.waiting || (thread.cancel.asynchronous && thread.cancel_due())) return true;
  return std::any_of(await.reads, await.reads + await.read_count, differs);
}

void begin_window(Await& await) {
  await.read_count = 0;
  await.overflow = await.waiting = false;
  await.rested = await.anchor_rests;
  await.low = await.high = await.anchor;
}

/// Is everything that it read as it was? What lies below the stack pointer now was its own, and is gone.
bool unchanged(Await& await) {
  const auto gone = [&](const Read& read) { return read.own && reinterpret_cast<std::uintptr_t>(read.at) < await.stack; };
  await.read_count = static_cast<std::uint32_t>(std::remove_if(await.reads, await.reads + await.read_count, gone) - await.reads);
  for (std::uint32_t i = 0; i < await.read_count; ++i) {
    Read& read = await.reads[i];
    if (read.own) read.value = contents_of(read.at, read.size);
    else if (g_watch.footprint == nullptr && differs(read)) return false;  // with footprints, to look would be to touch: the thread waits, and can go on at once
  }
  return true;
}

/// A pause instruction between the places of the loop, or near them.
bool has_pause(const Await& await) {
  constexpr std::uintptr_t kAround = 160, kLargestLoop = 4096;
  if (await.high - await.low > kLargestLoop) return false;
  const std::uintptr_t from = await.low - kAround;
  const std::size_t size = await.high - await.low + 2 * kAround;
  if (place_of(from).offset == 0 || place_of(from + size).offset == 0) return false;
  const auto* const code = reinterpret_cast<const unsigned char*>(from);
  for (std::size_t i = 0; i + 1 < size; ++i)
    if (code[i] == 0xf3 && code[i + 1] == 0x90) return true;
  return false;
}

/// Reports the running thread if it waits in a loop without yielding, sleeping or pausing.
void judge_samaritan(const Await& await, std::uintptr_t pc) {
  Scheduler& all = scheduler();
  if (run_rules().selfish == Samaritan::kIgnore || await.rested || has_pause(await)) return;
  Failure failure;
  {
    const EngineScope engine;
    const bool error = run_rules().selfish == Samaritan::kError;
    failure = {.kind = error ? FindingKind("good-samaritan") : FindingKind("spin-wait"),
               .message = name_of_thread(all.running()) + " waits in a loop at {0} without yielding: a thread that waits in a loop must yield, pause, sleep or block",
               .pc = pc,
               .places = {pc}};
  }
  if (run_rules().selfish == Samaritan::kError) all.fail(std::move(failure));
  all.note(std::move(failure));
}

/// Those of all threads, without those in which they went round and only looked.
std::uint64_t steps_with_effects() {
  const Scheduler& all = scheduler();
  std::uint64_t steps = 0;
  for (std::uint32_t i = 0; i < all.thread_count(); ++i) steps += all.thread(i).steps - all.thread(i).looks.idle_steps;
  return steps;
}

void wait_here(Await& await, Operation& operation) {
  Thread& self = scheduler().self();
  if (await.waited) self.looks.idle_steps += self.steps - await.waited_at;
  await.waited = true;
  await.waited_at = self.steps;
  await.after = steps_with_effects();
  judge_samaritan(await, operation.pc);
  remember(await_key(operation.pc));
  await.waiting = true;
  await.visits = 1;
  await.keep_at = 2;
  await.free_yields = 0;
  operation.ready = has_changed;
}

void end_examination(Await& await) {
  await.examined = false;
  ignore_time_stamp();
}

/// The thread stands again as it stood: it would wait. But has it changed something without announcing it? One more round of the loop shows that. The
/// places of loops that passed are known, so that is done once for a loop.
void examine(Await& await) {
  await.examined = true;
  await.visits = 1;
  await.keep_at = ~std::uint32_t{0};
  begin_window(await);
  await.now = fingerprint_of_memory();
  await.hidden = await.now;
  await.others = 0;
  await.at_point = true;
  await.came_at = g_watch.step;
}

/// The thread comes to a point of the round that is watched. False: it has read the time.
bool comes_to_point(Await& await) {
  ignore_time_stamp();
  await.now = fingerprint_of_memory();
  await.at_point = true;
  await.came_at = g_watch.step;
  return !time_stamp_was_read();
}

/// After such a point: what changed in between is others' doing.
void goes_on(Await& await) {
  if (!std::exchange(await.at_point, false)) return;
  if (g_watch.step > await.came_at + 1) await.others += fingerprint_of_memory().value_or(0) - await.now.value;
  watch_time_stamp();
}

/// At the end of the round: has the thread left memory as it was?
bool is_innocent(const Await& await) { return await.hidden.known && await.now.known && await.now.value - await.others == await.hidden.value; }

void is_found_out(const Await& await) {
  remember(no_await_key(await.anchor));
  has_effect();
}

void visit(Thread& self, Await& await, Operation& operation) {
  await.elsewhere = 0;
  Stand stand;
  const std::uint64_t state = stand_of(stand);
  if (state == 0) return has_effect();
  const bool same = await.visits > 0 && state == await.state;
  await.stack = stand.stack;
  if (same && !await.overflow && unchanged(await)) {
    if (await.examined) {
      end_examination(await);
      return is_innocent(await) ? wait_here(await, operation) : is_found_out(await);
    }
    return is_known(operation.pc) ? wait_here(await, operation) : examine(await);
  }
  if (await.examined) {  // loops over several slots stand the same only after several visits
    if (!same && ++await.visits < kLongestPeriod) return;
    end_examination(await);
    await.visits = 0, await.keep_at = 1;
  }
  if (same) await.visits = 0, await.keep_at = 1;
  if (++await.visits < await.keep_at) return;
  await.keep_at = await.visits * 2;
  await.state = state;
  begin_window(await);
  self.looks.collecting = true;
}

void begin_at(Thread& self, Await& await, Operation& operation) {
  await.anchor = operation.pc;
  await.anchor_rests = operation.op == Op::kYield || operation.op == Op::kSleep;
  await.visits = 0;
  await.keep_at = 1;
  await.waited = false;
  end_examination(await);
  visit(self, await, operation);
}

/// Whether the place came up before; from now on it has.
bool came_up(Await& await, std::uintptr_t pc) {
  if (std::find(await.seen, await.seen + await.seen_count, pc) != await.seen + await.seen_count) return true;
  if (await.seen_count == Awaits::kMostSeen) await.seen_count = 0;
  await.seen[await.seen_count++] = pc;
  return false;
}

}  // namespace

void come_by(Operation& operation) {
  Scheduler& all = scheduler();
  if (!run_rules().awaits || operation.pc == 0) return;
  operation.looks = true;
  Thread& self = all.self();
  if (is_no_await(operation.pc)) return has_effect();
  Await& await = all_awaits().of[all.running()];
  if (!self.looks.quiet) {
    self.looks.quiet = true;
    self.looks.collecting = false;
    await.examined = false;
    await.seen_count = await.free_yields = 0;
    await.patience = kPatience;
  }
  const bool again = came_up(await, operation.pc);
  if (!self.looks.collecting) {
    if (again || is_known(operation.pc)) begin_at(self, await, operation);
    return;
  }
  if (await.waiting) begin_window(await);
  if (await.examined) {
    if (!comes_to_point(await)) {
      all_awaits().time_stamp_mattered = true;
      admit("the program reads the time stamp of the processor (rdtsc), which goes on as it does: executions that depend on it were not all explored");
      return is_found_out(await);
    }
  }
  if (operation.pc == await.anchor) return visit(self, await, operation);
  await.low = std::min(await.low, operation.pc);
  await.high = std::max(await.high, operation.pc);
  if (!again || ++await.elsewhere < await.patience) return;
  await.patience *= 2;
  begin_at(self, await, operation);
}

namespace {

/// What lies there is part of what makes it go round: it has to be as it is now, when the thread comes by again.
void keep(const void* at, std::size_t size, std::uint64_t value) {
  Scheduler& all = scheduler();
  Await& await = all_awaits().of[all.running()];
  if (await.waiting) begin_window(await);
  for (std::uint32_t i = 0; i < await.read_count; ++i)
    if (await.reads[i].at == at && await.reads[i].size == size && await.reads[i].value == value) return;
  if (await.read_count == Awaits::kMostReads) {
    await.overflow = true;
    return;
  }
  const Scheduler::StackOf stack = all.stack_of(all.running());
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  await.reads[await.read_count++] = {at, static_cast<std::uint32_t>(size), address >= stack.low && address < stack.base, value};
}

}  // namespace

void has_read(const void* at, std::size_t size) {
  Scheduler& all = scheduler();
  Thread& self = all.self();
  if (size > kLargestRead) return has_effect();
  const std::uint64_t value = contents_of(at, size);
  if (all.compares) self.looks.digest = mix64(self.looks.digest + (value ^ reinterpret_cast<std::uintptr_t>(at)) * 0x9e3779b97f4a7c15u);
  if (self.looks.collecting) keep(at, size, value);
}

void has_written(const void* at, std::size_t size) {
  const Scheduler::StackOf stack = scheduler().stack_of(scheduler().running());
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  if (address >= stack.low && address < stack.base) return;
  if (!scheduler().self().looks.collecting || size > kLargestRead) return has_effect();
  keep(at, size, contents_of(at, size));
}

void has_effect() {
  Scheduler& all = scheduler();
  all.self().looks.quiet = all.self().looks.collecting = false;
  ignore_time_stamp();
  set_collecting(all.compares);
}

bool rests() {
  Scheduler& all = scheduler();
  if (!all.self().looks.collecting) return false;
  Await& await = all_awaits().of[all.running()];
  if (await.waiting) return true;
  await.rested = true;
  return await.free_yields++ < kYieldsForNothing;
}

[[gnu::noinline]] void scrub() {
  Scheduler& all = scheduler();
  if (all.self().looks.collecting && all_awaits().of[all.running()].examined) goes_on(all_awaits().of[all.running()]);
  constexpr std::size_t kRoom = 4096;
  char room[kRoom];
  std::memset(room, 0, sizeof(room));
  asm volatile("" : : "r"(room) : "memory");
}

bool awaits(const Thread& thread) { return thread.state == Thread::State::kAlive && thread.pending.ready == has_changed; }

bool may_look_again(const Thread& thread) { return awaits(thread) && all_awaits().of[thread.pending.thread].after != steps_with_effects(); }

std::vector<const void*> awaited(const Thread& thread) {
  const Await& await = all_awaits().of[thread.pending.thread];
  std::vector<const void*> out;
  for (std::uint32_t i = 0; i < await.read_count; ++i)
    if (std::find(out.begin(), out.end(), await.reads[i].at) == out.end()) out.push_back(await.reads[i].at);
  return out;
}

void for_awaited(const Thread& thread, void (*f)(void* context, const void* at, std::size_t size), void* context) {
  const Await& await = all_awaits().of[thread.pending.thread];
  for (std::uint32_t i = 0; i < await.read_count; ++i) f(context, await.reads[i].at, await.reads[i].size);
}

bool time_stamp_mattered() { return all_awaits().time_stamp_mattered; }

std::uint64_t standing() {
  Stand stand;
  return stand_of(stand);
}

std::uint64_t take_digest(Thread& thread) {
  const std::uint64_t digest = mix64(thread.looks.digest ^ thread.looks.stands);
  thread.looks.digest = 0;
  return digest == 0 ? 1 : digest;
}

}  // namespace tarry::native::rt
