// Functions of libc that keep state of their own, which all threads share: numbers that rand draws, the environment, the locale, static buffers. Libc is
// not instrumented, so without this two threads that meet there only would be taken for independent. The calls are points.
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "native/rt/base/admitted.h"
#include "native/rt/base/real.h"
#include "native/rt/base/shared_things.h"
#include "native/rt/base/side.h"
#include "native/rt/calls/library_calls.h"
#include "native/rt/threads/happened.h"
#include "native/rt/threads/scheduler.h"
#include "native/rt/threads/told_access.h"

using namespace tarry::native::rt;

namespace {

/// `reads`: the call changes nothing.
[[gnu::always_inline]] inline void uses(Thing thing, bool reads = false) {
  if (!in_program()) return;
  const void* const state = object_of(thing);
  if (scheduler().alone()) return reads ? looked_at(state) : changed(state);
  scheduler().point({.op = Op::kLibraryState, .object = state, .pc = TARRY_CALLER, .reads = reads});
}

/// Variables are changed one call after the other (libc has a lock for that), so calls do not race with each other.
[[gnu::always_inline]] inline void changes_environment(std::uintptr_t caller) {
  uses(Thing::kEnvironment);
  if (!in_program()) return;
  acquire(object_of(Thing::kEnvironment));
  writes(&environ, sizeof(environ), accessor(caller));
  release(object_of(Thing::kEnvironment));
}

/// The static buffers of libc, which the calls of all threads overwrite. What is written there is an access of the caller's.
tm* parts_buffer() {
  static tm* const at = [] {
    const time_t zero = 0;
    return TARRY_REAL(gmtime)(&zero);
  }();
  return at;
}
char* text_buffer() {
  static char* const at = [] {
    const tm zero{.tm_mday = 1};
    return TARRY_REAL(asctime)(&zero);
  }();
  return at;
}

tm* land(const tm* parts, std::uintptr_t caller) {
  if (parts == nullptr) return nullptr;
  writes(parts_buffer(), sizeof(tm), accessor(caller));
  return static_cast<tm*>(std::memcpy(parts_buffer(), parts, sizeof(tm)));
}
char* land(const char* text, std::uintptr_t caller) {
  if (text == nullptr) return nullptr;
  writes(text_buffer(), extent(text), accessor(caller));
  return static_cast<char*>(std::memcpy(text_buffer(), text, extent(text)));
}
constexpr std::size_t kLongestTime = 128;  // as text; 26 for years of four digits

}  // namespace

TARRY_TAKEN_OVER int rand() noexcept { return uses(Thing::kRandom), TARRY_REAL(rand)(); }
TARRY_TAKEN_OVER void srand(unsigned seed) noexcept { uses(Thing::kRandom), TARRY_REAL(srand)(seed); }
TARRY_TAKEN_OVER long random() noexcept { return uses(Thing::kRandom), TARRY_REAL(random)(); }
TARRY_TAKEN_OVER void srandom(unsigned seed) noexcept { uses(Thing::kRandom), TARRY_REAL(srandom)(seed); }
TARRY_TAKEN_OVER double drand48() noexcept { return uses(Thing::kRandom), TARRY_REAL(drand48)(); }
TARRY_TAKEN_OVER long lrand48() noexcept { return uses(Thing::kRandom), TARRY_REAL(lrand48)(); }
TARRY_TAKEN_OVER long mrand48() noexcept { return uses(Thing::kRandom), TARRY_REAL(mrand48)(); }
TARRY_TAKEN_OVER void srand48(long seed) noexcept { uses(Thing::kRandom), TARRY_REAL(srand48)(seed); }

// The list of variables moves when one is added, and nothing orders that: what looks at it or changes it is an access to the list as well.
TARRY_TAKEN_OVER char* getenv(const char* name) noexcept {
  uses(Thing::kEnvironment, true);
  reads_text(name, accessor(TARRY_CALLER));
  reads(&environ, sizeof(environ), accessor(TARRY_CALLER));
  return TARRY_REAL_AS(getenv, char*(const char*))(name);
}
TARRY_TAKEN_OVER int setenv(const char* name, const char* value, int replace) noexcept {
  changes_environment(TARRY_CALLER);
  reads_text(name, accessor(TARRY_CALLER)), reads_text(value, accessor(TARRY_CALLER));
  return TARRY_REAL(setenv)(name, value, replace);
}
TARRY_TAKEN_OVER int unsetenv(const char* name) noexcept {
  changes_environment(TARRY_CALLER);
  reads_text(name, accessor(TARRY_CALLER));
  return TARRY_REAL(unsetenv)(name);
}
TARRY_TAKEN_OVER int putenv(char* text) noexcept {
  changes_environment(TARRY_CALLER);
  reads_text(text, accessor(TARRY_CALLER));
  return TARRY_REAL(putenv)(text);
}

TARRY_TAKEN_OVER char* setlocale(int category, const char* name) noexcept {
  uses(Thing::kLocale, name == nullptr);
  if (name != nullptr && in_program() && !scheduler().alone())
    admit("the locale was changed while other threads ran: functions of libc that depend on it, such as printf and isalpha, were not told apart by whether they came before or after");
  return TARRY_REAL(setlocale)(category, name);
}

TARRY_TAKEN_OVER tm* localtime(const time_t* time) noexcept {
  tm parts;
  uses_time_zone(true, TARRY_CALLER);
  reads(time, sizeof(*time), accessor(TARRY_CALLER));
  TARRY_REAL(tzset)();
  return land(TARRY_REAL(localtime_r)(time, &parts), TARRY_CALLER);
}
TARRY_TAKEN_OVER tm* gmtime(const time_t* time) noexcept {
  tm parts;
  reads(time, sizeof(*time), accessor(TARRY_CALLER));
  return land(TARRY_REAL(gmtime_r)(time, &parts), TARRY_CALLER);
}
TARRY_TAKEN_OVER char* asctime(const tm* parts) noexcept {
  char text[kLongestTime];
  reads(parts, sizeof(*parts), accessor(TARRY_CALLER));
  return land(TARRY_REAL(asctime_r)(parts, text), TARRY_CALLER);
}
TARRY_TAKEN_OVER char* ctime(const time_t* time) noexcept {
  tm parts;
  uses_time_zone(true, TARRY_CALLER);
  char text[kLongestTime];
  reads(time, sizeof(*time), accessor(TARRY_CALLER));
  TARRY_REAL(tzset)();
  const tm* const local = land(TARRY_REAL(localtime_r)(time, &parts), TARRY_CALLER);
  return local == nullptr ? nullptr : land(TARRY_REAL(asctime_r)(local, text), TARRY_CALLER);
}

TARRY_TAKEN_OVER char* strtok(char* text, const char* separators) noexcept {
  uses(Thing::kTokens);
  const std::uintptr_t who = accessor(TARRY_CALLER);
  reads_text(text, who), reads_text(separators, who);
  char* const token = TARRY_REAL_AS(strtok, char*(char*, const char*))(text, separators);
  if (token != nullptr) writes(token, extent(token), who);  // it is ended by a zero
  return token;
}
