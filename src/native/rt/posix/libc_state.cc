// Functions of libc that keep state of their own, which all threads share: numbers that rand draws, the environment, the locale, static buffers. Libc is
// not instrumented, so without this two threads that meet there only would be taken for independent. The calls are steps in the
// happens-before order; they are no points.
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "native/rt/happened.h"
#include "native/rt/real.h"
#include "native/rt/side.h"

using namespace tarry::native::rt;

namespace {

// One object each; any addresses that nothing else has.
const void* const kRandom = reinterpret_cast<const void*>(std::uintptr_t{4});
const void* const kEnvironment = reinterpret_cast<const void*>(std::uintptr_t{5});
const void* const kLocale = reinterpret_cast<const void*>(std::uintptr_t{6});
const void* const kTimeBuffer = reinterpret_cast<const void*>(std::uintptr_t{7});
const void* const kTokens = reinterpret_cast<const void*>(std::uintptr_t{8});

void uses(const void* state) {
  if (in_program()) changed(state);
}

}  // namespace

TARRY_TAKEN_OVER int rand() noexcept { return uses(kRandom), TARRY_REAL(rand)(); }
TARRY_TAKEN_OVER void srand(unsigned seed) noexcept { uses(kRandom), TARRY_REAL(srand)(seed); }
TARRY_TAKEN_OVER long random() noexcept { return uses(kRandom), TARRY_REAL(random)(); }
TARRY_TAKEN_OVER void srandom(unsigned seed) noexcept { uses(kRandom), TARRY_REAL(srandom)(seed); }
TARRY_TAKEN_OVER double drand48() noexcept { return uses(kRandom), TARRY_REAL(drand48)(); }
TARRY_TAKEN_OVER long lrand48() noexcept { return uses(kRandom), TARRY_REAL(lrand48)(); }
TARRY_TAKEN_OVER long mrand48() noexcept { return uses(kRandom), TARRY_REAL(mrand48)(); }
TARRY_TAKEN_OVER void srand48(long seed) noexcept { uses(kRandom), TARRY_REAL(srand48)(seed); }

TARRY_TAKEN_OVER char* getenv(const char* name) noexcept {
  if (in_program()) looked_at(kEnvironment);
  return TARRY_REAL_AS(getenv, char*(const char*))(name);
}
TARRY_TAKEN_OVER int setenv(const char* name, const char* value, int replace) noexcept { return uses(kEnvironment), TARRY_REAL(setenv)(name, value, replace); }
TARRY_TAKEN_OVER int unsetenv(const char* name) noexcept { return uses(kEnvironment), TARRY_REAL(unsetenv)(name); }
TARRY_TAKEN_OVER int putenv(char* text) noexcept { return uses(kEnvironment), TARRY_REAL(putenv)(text); }

TARRY_TAKEN_OVER char* setlocale(int category, const char* name) noexcept { return uses(kLocale), TARRY_REAL(setlocale)(category, name); }

TARRY_TAKEN_OVER tm* localtime(const time_t* time) noexcept { return uses(kTimeBuffer), TARRY_REAL(localtime)(time); }
TARRY_TAKEN_OVER tm* gmtime(const time_t* time) noexcept { return uses(kTimeBuffer), TARRY_REAL(gmtime)(time); }
TARRY_TAKEN_OVER char* ctime(const time_t* time) noexcept { return uses(kTimeBuffer), TARRY_REAL(ctime)(time); }
TARRY_TAKEN_OVER char* asctime(const tm* time) noexcept { return uses(kTimeBuffer), TARRY_REAL(asctime)(time); }

TARRY_TAKEN_OVER char* strtok(char* text, const char* separators) noexcept {
  uses(kTokens);
  return TARRY_REAL_AS(strtok, char*(char*, const char*))(text, separators);
}
