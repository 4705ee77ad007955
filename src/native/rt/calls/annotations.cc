// Order that the program states: a release and an acquire of a name that only annotations use (`annotated`), as accesses to the object itself would
// touch its own. What is ignored still runs under control, and its accesses still become points where they race: only no race is told of it.
#include "native/rt/calls/annotations.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "native/rt/base/admitted.h"
#include "native/rt/base/part.h"
#include "native/rt/posix/primitive.h"
#include "native/rt/threads/happened.h"

namespace tarry::native::rt {

struct ProgramSuppressions : Kept {
  Lasting<std::string> of_program;
};
template struct RoomOf<ProgramSuppressions>;

namespace {

std::string& kept_suppressions() { return *part<ProgramSuppressions>().of_program; }

/// The value of one of libtsan's options: "a=1:suppressions=FILE b=2".
std::string option(std::string_view options, std::string_view name) {
  constexpr std::string_view kBetween = " ,:\n\t\r";
  for (std::size_t at = 0; at < options.size();) {
    const std::size_t end = std::min(options.find_first_of(kBetween, at), options.size());
    std::string_view word = options.substr(at, end - at);
    if (word.starts_with(name) && word.substr(name.size()).starts_with('=')) {
      word.remove_prefix(name.size() + 1);
      if (word.size() > 1 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front()) word = word.substr(1, word.size() - 2);
      return std::string(word);
    }
    at = end + 1;
  }
  return "";
}

void happens_before(const void* address) {
  g_watch.annotates = true;
  if (in_program()) release(annotated(address));
}
void happens_after(const void* address) {
  g_watch.annotates = true;
  if (in_program()) acquire(annotated(address));
}

// A lock that the program makes of other things: readers do not order each other (RaceDetector::acquire).
const void* readers_of(const void* lock) { return static_cast<const char*>(lock) + 1; }

void locked(const void* lock, bool writes) {
  happens_after(lock);
  if (writes) happens_after(readers_of(lock));
}
void unlocks(const void* lock, bool writes) { happens_before(writes ? lock : readers_of(lock)); }
void forget_lock(const void* lock) {
  if (!in_program()) return;
  forget_object(annotated(lock));
  forget_object(annotated(readers_of(lock)));
}

enum class What { kReads, kWrites, kSynchronisation };

void ignore(What what, bool begins) {
  if (!in_program()) return;
  g_watch.ignores = true;
  Ignored& ignored = scheduler().self().ignored;
  std::uint32_t& depth = what == What::kReads ? ignored.reads : what == What::kWrites ? ignored.writes : ignored.synchronisation;
  if (begins) ++depth;
  else if (depth > 0) --depth;
}
void ignore_accesses(bool begins) {
  ignore(What::kReads, begins);
  ignore(What::kWrites, begins);
}
/// What a mutex does inside is its own affair: the annotations say what it means.
void ignore_all(bool begins) {
  ignore_accesses(begins);
  ignore(What::kSynchronisation, begins);
}

void told_read(const void* address, std::size_t size, const void* pc) {
  if (in_program()) reading(address, size, reinterpret_cast<std::uintptr_t>(pc) - 1);
}
void told_write(const void* address, std::size_t size, const void* pc) {
  if (in_program()) writing(address, size, reinterpret_cast<std::uintptr_t>(pc) - 1);
}

// Flags of __tsan_mutex_….
constexpr unsigned kReadLock = 1u << 3, kTryLockFailed = 1u << 5;

bool writes(unsigned flags) { return (flags & kReadLock) == 0; }

}  // namespace

void ask_for_suppressions() {
  using Ask = const char*();
  const auto text_of = [](const char* name) -> const char* {
    auto* const ask = reinterpret_cast<Ask*>(::dlsym(RTLD_DEFAULT, name));
    const char* const text = ask == nullptr ? nullptr : ask();
    return text == nullptr ? "" : text;
  };
  const char* const lines = text_of("__tsan_default_suppressions");
  const char* const options = text_of("__tsan_default_options");
  const EngineScope engine;
  kept_suppressions() = lines;
  const std::string file = option(options, "suppressions");
  std::ifstream in(file);
  if (file.empty() || !in) return;
  std::ostringstream content;
  content << in.rdbuf();
  kept_suppressions() += "\n" + content.str();
}

const std::string& suppressions_of_program() { return kept_suppressions(); }

}  // namespace tarry::native::rt

using namespace tarry::native::rt;

#define TARRY_WEAK TARRY_TAKEN_OVER __attribute__((weak))

// ---------------------------------------------------------------- sanitizer/tsan_interface.h

TARRY_TAKEN_OVER void __tsan_acquire(void* address) { happens_after(address); }
TARRY_TAKEN_OVER void __tsan_release(void* address) { happens_before(address); }
TARRY_TAKEN_OVER void __tsan_ignore_thread_begin() { ignore_accesses(true); }
TARRY_TAKEN_OVER void __tsan_ignore_thread_end() { ignore_accesses(false); }

TARRY_TAKEN_OVER void __tsan_mutex_create(void* mutex, unsigned) { forget_lock(mutex); }
TARRY_TAKEN_OVER void __tsan_mutex_destroy(void* mutex, unsigned) { forget_lock(mutex); }
TARRY_TAKEN_OVER void __tsan_mutex_pre_lock(void*, unsigned) { ignore_all(true); }
TARRY_TAKEN_OVER void __tsan_mutex_post_lock(void* mutex, unsigned flags, int) {
  ignore_all(false);
  if ((flags & kTryLockFailed) == 0) locked(mutex, writes(flags));
}
TARRY_TAKEN_OVER int __tsan_mutex_pre_unlock(void* mutex, unsigned flags) {
  unlocks(mutex, writes(flags));
  ignore_all(true);
  return 1;  // how often it was locked: the program gives it back to post_lock
}
TARRY_TAKEN_OVER void __tsan_mutex_post_unlock(void*, unsigned) { ignore_all(false); }
TARRY_TAKEN_OVER void __tsan_mutex_pre_signal(void*, unsigned) { ignore_all(true); }
TARRY_TAKEN_OVER void __tsan_mutex_post_signal(void*, unsigned) { ignore_all(false); }
TARRY_TAKEN_OVER void __tsan_mutex_pre_divert(void*, unsigned) { ignore_all(false); }
TARRY_TAKEN_OVER void __tsan_mutex_post_divert(void*, unsigned) { ignore_all(true); }

#define TARRY_ACCESS_AT(size)                                                                                         \
  TARRY_TAKEN_OVER void __tsan_read##size##_pc(void* at, void* pc) { told_read(at, size, pc); }                       \
  TARRY_TAKEN_OVER void __tsan_write##size##_pc(void* at, void* pc) { told_write(at, size, pc); }
TARRY_ACCESS_AT(1) TARRY_ACCESS_AT(2) TARRY_ACCESS_AT(4) TARRY_ACCESS_AT(8) TARRY_ACCESS_AT(16)
#undef TARRY_ACCESS_AT
TARRY_TAKEN_OVER void __tsan_read_range_pc(void* at, unsigned long size, void* pc) { told_read(at, size, pc); }
TARRY_TAKEN_OVER void __tsan_write_range_pc(void* at, unsigned long size, void* pc) { told_write(at, size, pc); }

// Objects of libraries that are not instrumented: an access to one of them is one to its first byte.
TARRY_TAKEN_OVER void* __tsan_external_register_tag(const char* name) { return const_cast<char*>(name); }
TARRY_TAKEN_OVER void __tsan_external_register_header(void*, const char*) {}
TARRY_TAKEN_OVER void __tsan_external_assign_tag(void*, void*) {}
TARRY_TAKEN_OVER void __tsan_external_read(void* object, void* caller, void*) { told_read(object, 1, caller); }
TARRY_TAKEN_OVER void __tsan_external_write(void* object, void* caller, void*) { told_write(object, 1, caller); }

// Fibers: the program switches stacks itself.
TARRY_TAKEN_OVER void* __tsan_get_current_fiber() { return in_program() ? &scheduler().self() : nullptr; }
TARRY_TAKEN_OVER void* __tsan_create_fiber(unsigned) {
  static char fiber;
  return &fiber;
}
TARRY_TAKEN_OVER void __tsan_destroy_fiber(void*) {}
TARRY_TAKEN_OVER void __tsan_switch_to_fiber(void*, unsigned) {
  if (in_program()) admit("the program switches fibers itself, which is not controlled: all fibers of a thread count as this thread, and data races between them go unseen");
}
TARRY_TAKEN_OVER void __tsan_set_fiber_name(void*, const char*) {}

// What the program may define itself.
TARRY_WEAK const char* __tsan_default_suppressions() { return ""; }
TARRY_WEAK const char* __tsan_default_options() { return ""; }
TARRY_WEAK int __tsan_on_finalize(int failed) { return failed; }
TARRY_WEAK void __tsan_on_initialize() {}
TARRY_WEAK void __tsan_on_report(void*) {}
TARRY_WEAK int __tsan_symbolize_external(unsigned long, char*, unsigned long, char*, unsigned long, int*, int*) { return 0; }
TARRY_TAKEN_OVER void __tsan_flush_memory() {}
TARRY_TAKEN_OVER unsigned long __tsan_testonly_shadow_stack_current_size() { return 0; }

// ---------------------------------------------------------------- dynamic annotations

TARRY_TAKEN_OVER void AnnotateHappensBefore(const char*, int, const volatile void* at) { happens_before(const_cast<const void*>(at)); }
TARRY_TAKEN_OVER void AnnotateHappensAfter(const char*, int, const volatile void* at) { happens_after(const_cast<const void*>(at)); }
TARRY_TAKEN_OVER void AnnotateCondVarSignal(const char*, int, const volatile void* at) { happens_before(const_cast<const void*>(at)); }
TARRY_TAKEN_OVER void AnnotateCondVarSignalAll(const char*, int, const volatile void* at) { happens_before(const_cast<const void*>(at)); }
TARRY_TAKEN_OVER void AnnotateCondVarWait(const char*, int, const volatile void* at, const volatile void*) { happens_after(const_cast<const void*>(at)); }
TARRY_TAKEN_OVER void AnnotatePCQCreate(const char*, int, const volatile void* queue) { forget_lock(const_cast<const void*>(queue)); }
TARRY_TAKEN_OVER void AnnotatePCQDestroy(const char*, int, const volatile void* queue) { forget_lock(const_cast<const void*>(queue)); }
TARRY_TAKEN_OVER void AnnotatePCQPut(const char*, int, const volatile void* queue) { happens_before(const_cast<const void*>(queue)); }
TARRY_TAKEN_OVER void AnnotatePCQGet(const char*, int, const volatile void* queue) { happens_after(const_cast<const void*>(queue)); }

TARRY_TAKEN_OVER void AnnotateRWLockCreate(const char*, int, const volatile void* lock) { forget_lock(const_cast<const void*>(lock)); }
TARRY_TAKEN_OVER void AnnotateRWLockCreateStatic(const char*, int, const volatile void* lock) { forget_lock(const_cast<const void*>(lock)); }
TARRY_TAKEN_OVER void AnnotateRWLockDestroy(const char*, int, const volatile void* lock) { forget_lock(const_cast<const void*>(lock)); }
TARRY_TAKEN_OVER void AnnotateRWLockAcquired(const char*, int, const volatile void* lock, long is_writer) { locked(const_cast<const void*>(lock), is_writer != 0); }
TARRY_TAKEN_OVER void AnnotateRWLockReleased(const char*, int, const volatile void* lock, long is_writer) { unlocks(const_cast<const void*>(lock), is_writer != 0); }

TARRY_TAKEN_OVER void AnnotateBenignRace(const char*, int, const volatile void* at, const char*) { bless(const_cast<const void*>(at), 1); }
TARRY_TAKEN_OVER void AnnotateBenignRaceSized(const char*, int, const volatile void* at, unsigned long size, const char*) { bless(const_cast<const void*>(at), size); }
TARRY_TAKEN_OVER void WTFAnnotateBenignRaceSized(const char*, int, const volatile void* at, unsigned long size, const char*) { bless(const_cast<const void*>(at), size); }
TARRY_TAKEN_OVER void AnnotateExpectRace(const char*, int, const volatile void* at, const char*) { bless(const_cast<const void*>(at), 1); }
TARRY_TAKEN_OVER void AnnotateFlushExpectedRaces(const char*, int) {}

TARRY_TAKEN_OVER void AnnotateIgnoreReadsBegin(const char*, int) { ignore(What::kReads, true); }
TARRY_TAKEN_OVER void AnnotateIgnoreReadsEnd(const char*, int) { ignore(What::kReads, false); }
TARRY_TAKEN_OVER void AnnotateIgnoreWritesBegin(const char*, int) { ignore(What::kWrites, true); }
TARRY_TAKEN_OVER void AnnotateIgnoreWritesEnd(const char*, int) { ignore(What::kWrites, false); }
TARRY_TAKEN_OVER void AnnotateIgnoreSyncBegin(const char*, int) { ignore(What::kSynchronisation, true); }
TARRY_TAKEN_OVER void AnnotateIgnoreSyncEnd(const char*, int) { ignore(What::kSynchronisation, false); }
TARRY_TAKEN_OVER void AnnotateEnableRaceDetection(const char*, int, int enable) {
  if (!in_program()) return;
  g_watch.ignores = true;
  g_watch.passes_over_all = enable == 0;
}

TARRY_TAKEN_OVER void AnnotateNewMemory(const char*, int, const volatile void* at, unsigned long size) {
  if (in_program()) allocated(const_cast<const void*>(at), size);
}
TARRY_TAKEN_OVER void AnnotateThreadName(const char*, int, const char* name) {
  if (in_program() && name != nullptr) std::strncpy(scheduler().self().name, name, sizeof(Thread::name) - 1);
}
// Hints for other tools, which say nothing of what happens.
TARRY_TAKEN_OVER void AnnotateFlushState(const char*, int) {}
TARRY_TAKEN_OVER void AnnotateNoOp(const char*, int, const volatile void*) {}
TARRY_TAKEN_OVER void AnnotateTraceMemory(const char*, int, const volatile void*) {}
TARRY_TAKEN_OVER void AnnotatePublishMemoryRange(const char*, int, const volatile void*, unsigned long) {}
TARRY_TAKEN_OVER void AnnotateUnpublishMemoryRange(const char*, int, const volatile void*, unsigned long) {}
TARRY_TAKEN_OVER void AnnotateMutexIsUsedAsCondVar(const char*, int, const volatile void*) {}
TARRY_TAKEN_OVER void AnnotateMutexIsNotPHB(const char*, int, const volatile void*) {}
TARRY_TAKEN_OVER void AnnotateMemoryIsInitialized(const char*, int, const volatile void*, unsigned long) {}
TARRY_TAKEN_OVER void AnnotateMemoryIsUninitialized(const char*, int, const volatile void*, unsigned long) {}
TARRY_TAKEN_OVER void WTFAnnotateHappensBefore(const char*, int, const volatile void* at) { happens_before(const_cast<const void*>(at)); }
TARRY_TAKEN_OVER void WTFAnnotateHappensAfter(const char*, int, const volatile void* at) { happens_after(const_cast<const void*>(at)); }
TARRY_TAKEN_OVER int RunningOnValgrind() { return 0; }
TARRY_TAKEN_OVER double ValgrindSlowdown() { return 1.0; }
