#include "native/rt/threads/happened.h"

#include <dlfcn.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "native/rt/base/admitted.h"
#include "native/rt/base/modules.h"
#include "native/rt/base/part.h"
#include "native/rt/base/shared_with_tool.h"
#include "native/rt/base/side.h"
#include "native/rt/threads/allocations.h"
#include "native/rt/threads/asked_of_primitives.h"
#include "native/rt/threads/common_time.h"
#include "native/rt/threads/interruptions.h"
#include "native/rt/threads/own_memory.h"
#include "native/rt/threads/program_heap.h"
#include "native/rt/threads/recorded_object.h"
#include "native/rt/threads/region_reads.h"
#include "native/rt/threads/reuse.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

template struct RoomOf<Watch>;

class EngineMemory final : public Memory {
 public:
  void* map(std::size_t bytes) override {
    void* const at = engine_heap::map(bytes);
    if (at == nullptr) __builtin_trap();
    return at;
  }
};

/// Memory on which races are none.
struct BlessedMemory {
  struct Range {
    std::uintptr_t from, to;
  };
  Lasting<std::vector<Range>> ranges;
  std::size_t before_main = 0;

  void reset() { ranges->resize(before_main); }
};
template struct RoomOf<BlessedMemory>;

bool PlaceSet::full() const { return count_ >= Block::kMaxPoints; }

bool PlaceSet::contains(std::uintptr_t pc) const {
  for (std::uint32_t i = static_cast<std::uint32_t>(pc * 0x9E3779B97F4A7C15 >> 50);; i = (i + 1) % kRoom) {
    if (places_[i] == pc) return true;
    if (places_[i] == 0) return false;
  }
}

bool PlaceSet::add(std::uintptr_t pc) {
  if (full()) give_up("more than 8,192 of its accesses race: too many for all of them to be scheduling points; use --races ignore, or a smaller test");
  for (std::uint32_t i = static_cast<std::uint32_t>(pc * 0x9E3779B97F4A7C15 >> 50);; i = (i + 1) % kRoom) {
    if (places_[i] == pc) return false;
    if (places_[i] != 0) continue;
    places_[i] = pc;
    ++count_;
    return true;
  }
}

std::vector<std::uintptr_t> PlaceSet::all() const {
  std::vector<std::uintptr_t> out;
  for (const std::uintptr_t place : places_)
    if (place != 0) out.push_back(place);
  std::sort(out.begin(), out.end());
  return out;
}

namespace {

/// Accesses that the program told us to pass over are told to the detector with this bit in their place, which no address has.
constexpr std::uintptr_t kPassedOver = std::uintptr_t{1} << 47;

bool is_blessed(const Access& access) {
  const auto& all = *part<BlessedMemory>().ranges;
  return std::any_of(all.begin(), all.end(), [&](const BlessedMemory::Range& one) { return access.address < one.to && access.address + access.size > one.from; });
}

/// A processor may be interrupted, or another one come, in the middle of an access of more bytes.
constexpr std::size_t kMostAtOnce = 8;
constexpr const char* kOneStep =
    "copies and other accesses of more than 8 bytes that race, or that handlers of signals or cancellation interrupt, were taken as one step each: on a real system a part of them can be seen";

/// An access of more bytes comes. It is one step, if it is a point.
void comes_to_wide_access(std::uintptr_t pc) {
  if (g_watch.every_access && !g_watch.wide.full()) g_watch.wide.add(pc);  // most of these do not race
  else if (is_point(pc)) admit(kOneStep);
}

const char* kind_of(const Access& access) {
  if (access.of_object) return access.write ? "an initialization or destruction of a synchronisation object" : "an operation of a synchronisation object";
  if (access.atomic) return access.write ? "an atomic write" : "an atomic read";
  return access.write ? "a write" : "a read";
}

const char* within(const Access& access) { return access.of_object ? " in " : " of "; }

/// Memory is freed on the heap, and unmapped elsewhere.
bool is_on_heap(std::uintptr_t address) { return program_heap::owns(reinterpret_cast<const void*>(address)); }

std::string kind_of_later(const Access& access) {
  if (!g_watch.frees) return kind_of(access);
  return is_on_heap(access.address) ? "a free" : "an unmapping";
}

/// Libraries that are not instrumented order their operations by what is not seen.
bool is_of_unseen_code(const Access& access) { return access.of_object && !tells_accesses(access.pc); }

/// " on {2}" of a global variable, whose name is found later; " on heap block 3 of main" else.
std::string whereabouts(std::uintptr_t address, std::vector<std::uintptr_t>& places) {
  if (place_of(address).offset != 0) {
    places.push_back(address);
    return " on {" + std::to_string(places.size() - 1) + "}";
  }
  const program_heap::Block block = program_heap::find(reinterpret_cast<const void*>(address));
  if (block.start == nullptr) return "";
  const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(block.start);
  return " on heap block " + std::to_string(block.number) + " of " + name_of_thread(block.thread) +
         (offset == 0 ? "" : " +" + std::to_string(offset));
}

}  // namespace

class RaceReporter final : public RaceSink {
 public:
  bool concerns(std::uintptr_t address) override { return !is_of_cxx_library(address) || is_state_of_stream(address); }
  void race(const RaceReport& told) override {
    const EngineScope engine;
    RaceReport report = told;
    report.earlier.pc &= ~kPassedOver;
    report.later.pc &= ~kPassedOver;
    if (is_of_unseen_code(report.earlier) || is_of_unseen_code(report.later)) return;
    found_torn(report.earlier.pc);
    found_torn(report.later.pc);
    for (const Access& one : {report.earlier, report.later})  // operations of objects are points already
      if (!g_watch.every_access && one.pc != 0 && !one.of_object && !g_watch.racing.contains(one.pc)) found_racing().push_back(one.pc);
    if (((told.earlier.pc | told.later.pc) & kPassedOver) != 0 || is_blessed(report.later) || is_state_of_stream(report.later.address)) return;
    // An access to memory that is protected crashes, and the program may have a handler that leaves it by a jump: then it never takes place.
    if (g_watch.frees || can_access(report.later.address, report.later.write)) return tell_race(report);
    held_back_ = report;
    held_back_ever_ = true;
  }
  void tell_held_back(std::uint32_t thread) {
    const EngineScope engine;
    if (held_back_ && held_back_->later.thread == thread) tell_race(*held_back_);
    held_back_.reset();
  }
  /// Before an execution. True: a pair of accesses counts as reported, and may not have been.
  bool forget_held_back() {
    held_back_.reset();
    return std::exchange(held_back_ever_, false);
  }
  bool uses_gone(const Access& access) override {
    const Scheduler& all = scheduler();
    const std::uint32_t owner = all.owner_of_stack(reinterpret_cast<const void*>(access.address));
    if (owner == Scheduler::kNobody || owner == 0 || owner == all.running()) return false;
    if (all.thread(owner).state == Thread::State::kAlive) return false;
    g_watch.used_freed = true;
    use_ = access;
    owner_ = owner;
    return true;
  }
  void use_after_free(const Access& access, const Access& freed) override {
    if (g_watch.used_freed) return;  // by another part of the same access
    if (!is_on_heap(access.address) && has_handler(SIGSEGV)) return;  // the access is about to crash, and the handler says what follows
    const EngineScope engine;
    g_watch.used_freed = true;
    owner_ = 0;
    use_ = access;
    freed_ = freed;
    use_.pc &= ~kPassedOver;
    freed_.pc &= ~kPassedOver;
  }

  [[noreturn]] void fail() {
    g_watch.used_freed = false;
    if (owner_ != 0) {
      const EngineScope engine;
      scheduler().fail({.kind = "memory", .message = std::string(kind_of(use_)) + " on the stack of " + name_of_thread(owner_) + ", which has ended: its local variables are no more", .pc = use_.pc});
    }
    const std::string freed = is_on_heap(use_.address) ? "freed" : "unmapped";
    Failure failure{.kind = "memory",
                    .message = std::string("use after free: ") + kind_of(use_) + within(use_) + "memory that was " + freed + " at {0}",
                    .pc = use_.pc,
                    .places = {freed_.pc}};
    if (scheduler().recording) {
      const EngineScope engine;
      failure.told = std::string("use after free: ") + kind_of(use_) + " by " + name_of_thread(use_.thread) + within(use_) + "memory that " + name_of_thread(freed_.thread) + " " + freed + " at {0}";
      failure.stacks = {accessed_by(freed_.thread, freed_.step, freed_.pc)};
    }
    scheduler().fail(std::move(failure));
  }

 private:
  static void tell_race(const RaceReport& report) {
    // Freed behind the access here, and ahead of it as likely.
    Failure failure{.kind = g_watch.frees ? FindingKind("memory") : FindingKind("data-race"), .message = "", .pc = report.later.pc, .places = {report.later.pc, report.earlier.pc}};
    failure.message = (g_watch.frees ? "use after free, by a data race" : "data race") + whereabouts(report.later.address, failure.places) + ": " + kind_of_later(report.later) + " at {0} and " +
                      kind_of(report.earlier) + " at {1} are not ordered";
    if (scheduler().recording) tell(report, failure);
    scheduler().note(std::move(failure));
  }

  /// With threads, and the name of what they race for.
  static void tell(const RaceReport& report, Failure& failure) {
    const Access &later = report.later, &earlier = report.earlier;
    failure.objects = {object_of(reinterpret_cast<const void*>(later.address))};
    failure.stacks = {backtrace(), accessed_by(earlier.thread, earlier.step, earlier.pc)};
    failure.told = (g_watch.frees ? "use after free, by a data race on {a}: " : "data race on {a}: ") + kind_of_later(later) + " by " + name_of_thread(later.thread) + " at {0} and " + kind_of(earlier) + " by " +
                   name_of_thread(earlier.thread) + " at {1} are not ordered";
  }

  std::optional<RaceReport> held_back_;  // by an access that is about to crash
  bool held_back_ever_ = false;
  Access use_, freed_;
  std::uint32_t owner_ = 0;  // the use is of what was on this thread's stack
};

/// What derives order from what happened, made where it is asked for (Watch).
struct Detectors {
  Lasting<EngineMemory> memory;
  Lasting<RaceReporter> reporter;
  alignas(RaceDetector) unsigned char races[sizeof(RaceDetector)] = {};
  alignas(Order) unsigned char order_room[sizeof(Order)] = {};
  alignas(StepFootprint) unsigned char footprint_room[sizeof(StepFootprint)] = {};
  Order* order = nullptr;
  StepFootprint* footprint = nullptr;
  bool asan_is_there = false;
  int (*asan_report_present)() = nullptr;

  void reset() {
    if (g_watch.races != nullptr) {
      if (reporter->forget_held_back()) g_watch.races->forget_reports();
      g_watch.races->reset();
    }
    if (g_watch.order != nullptr) g_watch.order->reset();
  }
};
template struct RoomOf<Detectors>;

namespace {

Detectors& detectors() { return part<Detectors>(); }

/// Memory in pieces; other objects are one.
void step_on(std::uint32_t thread, const Operation& operation, const void* object, bool expires) {
  const auto at = reinterpret_cast<std::uintptr_t>(object);
  const auto kind = static_cast<std::uint32_t>(operation.op);
  if (operation.size == 0) {
    g_watch.order->step(thread, kind, at, !operation.reads, expires ? 1 : 0);
    return;
  }
  for (std::uintptr_t piece = at / kPiece; piece <= (at + operation.size - 1) / kPiece; ++piece)
    g_watch.order->step(thread, kind, piece * kPiece, !operation.reads, at % kPiece * 32 + operation.size);
}

/// The same objects and pieces carry time.
void carry_time_on(std::uint32_t thread, const Operation& operation, const void* object) {
  const auto at = reinterpret_cast<std::uintptr_t>(object);
  if (operation.size == 0) return carry_time(thread, at, !operation.reads);
  for (std::uintptr_t piece = at / kPiece; piece <= (at + operation.size - 1) / kPiece; ++piece) carry_time(thread, piece * kPiece, !operation.reads);
}

/// Whether what is on the stack of a thread may be accessed, as far as that was probably used.
void told_to_asan(const char* what, const Borrowed& borrowed) {
  if (!detectors().asan_is_there) return;
  constexpr std::size_t kUsed = 64 << 10;
  reinterpret_cast<void (*)(const void*, std::size_t)>(::dlsym(RTLD_DEFAULT, what))(static_cast<const char*>(borrowed.parked.stack) - kUsed, kUsed);
}

/// An access that was a point: what follows it in the same step may race too, and must be found although this access covers it.
void passed(bool was_point) {
  if (was_point && !g_watch.every_access) g_watch.races->tell_apart();
}

}  // namespace

void found_torn(std::uintptr_t pc) {
  if (g_watch.wide.contains(pc)) admit(kOneStep);
}

bool is_point(std::uintptr_t pc) { return g_watch.every_access || (!g_watch.racing.empty() && g_watch.racing.contains(pc)); }

bool make_point(std::uintptr_t pc) {
  if (!g_watch.racing.add(pc)) return false;
  Block& ours = block();
  const std::uint32_t at = ours.point_count.load(std::memory_order_relaxed);
  ours.points[at] = number_of(pc);
  ours.point_count.store(at + 1, std::memory_order_release);
  return true;
}

void look_for_asan() {
  detectors().asan_is_there = ::dlsym(RTLD_DEFAULT, "__asan_poison_memory_region") != nullptr;
  if (detectors().asan_is_there) detectors().asan_report_present = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, "__asan_report_present"));
}

bool asan_reports() { return detectors().asan_report_present != nullptr && detectors().asan_report_present() != 0; }

void watch_races() {
  if (g_watch.races == nullptr) g_watch.races = new (detectors().races) RaceDetector(*detectors().memory, *detectors().reporter);
}

void watch_order() {
  if (detectors().order == nullptr) detectors().order = new (detectors().order_room) Order(*detectors().memory);
}

Order* order_of_steps() { return detectors().order; }

StepFootprint* footprints_of_steps() {
  if (detectors().footprint == nullptr) detectors().footprint = new (detectors().footprint_room) StepFootprint(*detectors().memory);
  return detectors().footprint;
}

std::uintptr_t place_of_footprints() { return reinterpret_cast<std::uintptr_t>(&detectors().footprint_room); }

void fail_for_use() { detectors().reporter->fail(); }

void tell_race_held_back() { detectors().reporter->tell_held_back(scheduler().running()); }

void Watch::reset() {
  used_freed = passes_over_all = false;
  for (const std::uintptr_t pc : *found_racing) make_point(pc);
  found_racing->clear();
}

void performing(std::uint32_t thread, std::uint32_t step, const Operation& operation, bool expires) {
  g_watch.step = step;
  if (g_watch.races != nullptr) g_watch.races->run(thread, step);
  if (time_passed()) [[unlikely]] {
    if (operation.object != nullptr) carry_time_on(thread, operation, operation.object);
    if (operation.also != nullptr) carry_time_on(thread, operation, operation.also);
  }
  if (g_watch.footprint != nullptr) g_watch.footprint->begin(thread, expires);
  if (g_watch.order == nullptr) return;
  // A step that may depend on everything takes in everything that was done before it; so what comes after it is known, too.
  if (operation.op == Op::kLibraryCall) g_watch.order->looked_at_all(thread);
  if (operation.object == nullptr) g_watch.order->local(thread, static_cast<std::uint32_t>(operation.op), expires ? 1 : 0);
  else step_on(thread, operation, operation.object, expires);
  if (operation.also != nullptr) step_on(thread, operation, operation.also, expires);
}

void decided(std::uint32_t thread, std::uint32_t value) {
  if (g_watch.order != nullptr) g_watch.order->local(thread, static_cast<std::uint32_t>(Op::kChoose), value);
}
void created(std::uint32_t parent, std::uint32_t child) {
  if (g_watch.order != nullptr) g_watch.order->created(parent, child);
  const Borrowed& borrowed = *scheduler().thread(child).borrowed;
  told_to_asan("__asan_unpoison_memory_region", borrowed);
  if (g_watch.races == nullptr) return;
  g_watch.races->allocated(borrowed.stack, borrowed.stack_size);
  g_watch.races->thread_created(parent, child);
}
void ended() {
  if (g_watch.footprint != nullptr) g_watch.footprint->end_thread(scheduler().running());
  if (scheduler().running() == 0) return;
  const Borrowed& borrowed = *scheduler().self().borrowed;
  if (g_watch.races != nullptr) g_watch.races->gone(borrowed.stack, borrowed.stack_size);
  told_to_asan("__asan_poison_memory_region", borrowed);
}
void joined(std::uint32_t joiner, std::uint32_t ended) {
  if (g_watch.order != nullptr) g_watch.order->joined(joiner, ended);
  if (g_watch.races != nullptr) g_watch.races->thread_joined(joiner, ended);
}

void looked_at(const void* object) {
  has_effect();
  if (time_passed()) [[unlikely]] carry_time(scheduler().running(), reinterpret_cast<std::uintptr_t>(object), false);
  if (g_watch.footprint != nullptr) g_watch.footprint->add(object, false);
  if (g_watch.order != nullptr) g_watch.order->step(scheduler().running(), static_cast<std::uint32_t>(Op::kNone), reinterpret_cast<std::uintptr_t>(object), false);
}
void changed(const void* object) {
  has_effect();
  if (time_passed()) [[unlikely]] carry_time(scheduler().running(), reinterpret_cast<std::uintptr_t>(object), true);
  if (g_watch.footprint != nullptr) g_watch.footprint->add(object, true);
  if (g_watch.order != nullptr) g_watch.order->step(scheduler().running(), static_cast<std::uint32_t>(Op::kNone), reinterpret_cast<std::uintptr_t>(object), true);
}
void looked_at_all() {
  if (g_watch.footprint != nullptr) g_watch.footprint->add_everything();
  if (g_watch.order != nullptr) g_watch.order->looked_at_all(scheduler().running());
}
void did_anything() {
  has_effect();
  if (scheduler().thread_count() == 1) return;  // threads that are created later come after it
  looked_at_all();
}
namespace {
bool passes_over_synchronisation() { return g_watch.ignores && scheduler().self().ignored.synchronisation > 0; }
}  // namespace

void acquire(const void* object) {
  if (g_watch.races != nullptr && !passes_over_synchronisation()) g_watch.races->acquire(scheduler().running(), object);
}
void release(const void* object) {
  if (g_watch.races != nullptr && !passes_over_synchronisation()) g_watch.races->release(scheduler().running(), object);
}
void operates(const void* object, std::uintptr_t pc, std::size_t size) {
  if (g_watch.races == nullptr) return;
  record_access(pc);
  g_watch.races->operates(object, size, false, told_place(pc, false));
  fail_if_freed();
}
void makes(const void* object, std::uintptr_t pc, std::size_t size) {
  if (g_watch.races == nullptr) return;
  record_access(pc);
  g_watch.races->operates(object, size, true, told_place(pc, true));
  fail_if_freed();
}
void allocated(const void* block, std::size_t size) {
  if (is_collecting()) [[unlikely]] has_effect();
  if (scheduler().recording) [[unlikely]] keep_allocation(block);
  if (g_watch.in_region) [[unlikely]] allocated_in_region(block, size);
  if (g_watch.races == nullptr) return;
  g_watch.races->allocated(block, size);
  if (g_watch.annotates) [[unlikely]] g_watch.races->allocated(annotated(block), size);
}
void bless(const void* address, std::size_t size) {
  const bool before_main = !in_program();
  const EngineScope engine;
  const auto from = reinterpret_cast<std::uintptr_t>(address);
  part<BlessedMemory>().ranges->push_back({from, from + size});
  if (before_main) part<BlessedMemory>().before_main = part<BlessedMemory>().ranges->size();
}
void forget_object(const void* object) {
  if (g_watch.races != nullptr) g_watch.races->forget_object(object);
}
void freeing(const void* block, std::size_t size, std::uintptr_t pc) {
  if (is_collecting()) [[unlikely]] has_effect();
  if (g_watch.races == nullptr || size == 0) return;
  record_access(pc);
  g_watch.frees = true;
  g_watch.races->freed(block, size, pc);
  g_watch.frees = false;
}
void mapped(const void* from, std::size_t size) {
  if (g_watch.races == nullptr) return;
  g_watch.races->allocated(from, size);
  if (g_watch.annotates) [[unlikely]] g_watch.races->allocated(annotated(from), size);
}
void unmapping(const void* from, std::size_t size, std::uintptr_t pc) {
  freeing(from, size, pc);
  if (has_handler(SIGSEGV)) mapped(from, size);
}

std::uintptr_t place_if_passed_over(std::uintptr_t pc, bool writes) {
  const Ignored& ignored = scheduler().self().ignored;
  return (writes ? ignored.writes : ignored.reads) > 0 || g_watch.passes_over_all ? pc | kPassedOver : pc;
}

void record_access(std::uintptr_t pc) {
  if (scheduler().recording) [[unlikely]] keep_access(g_watch.step, pc);
}

void reading(const void* address, std::size_t size, std::uintptr_t pc) {
  if (size > kMostAtOnce) [[unlikely]] comes_to_wide_access(pc);
  if (g_watch.interruptions) [[unlikely]] may_be_interrupted(address, size, false, pc);
  const bool is = is_point(pc);
  if (is) {
    Operation operation{.op = Op::kRead, .object = address, .size = static_cast<std::uint32_t>(size), .pc = pc, .reads = true};
    come_by(operation);
    scheduler().point(operation);
  }
  if (is_collecting()) [[unlikely]] has_read(address, size);
  if (g_watch.in_region) [[unlikely]] read_in_region(address, size, pc);
  if (is && size == sizeof(std::uint64_t)) {
    std::uint64_t value;
    std::memcpy(&value, address, sizeof(value));
    has_value(value);
  }
  if (g_watch.races == nullptr) return;
  record_access(pc);
  g_watch.races->read(address, size, told_place(pc, false));
  passed(is);
  fail_if_freed();
  leave_no_trace();
}
void writing(const void* address, std::size_t size, std::uintptr_t pc) {
  if (size > kMostAtOnce) [[unlikely]] comes_to_wide_access(pc);
  if (g_watch.interruptions) [[unlikely]] may_be_interrupted(address, size, true, pc);
  refuse_wild_write(address, pc);
  const bool is = is_point(pc);
  if (is) scheduler().point({.op = Op::kWrite, .object = address, .size = static_cast<std::uint32_t>(size), .pc = pc});
  else if (is_collecting()) [[unlikely]] has_written(address, size);
  if (g_watch.in_region) [[unlikely]] written_in_region(address, size);
  if (g_watch.races == nullptr) return;
  record_access(pc);
  g_watch.races->write(address, size, told_place(pc, true));
  passed(is);
  fail_if_freed();
  leave_no_trace();
}

}  // namespace tarry::native::rt
