// Calls in which a thread sleeps for some time, or until a signal comes. They are no events, but a trace knows before which events its threads slept.
#include <signal.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "enforce/rt/control.h"
#include "enforce/rt/real.h"

using tarry::enforce::rt::Sleep;

TARRY_ENFORCED int nanosleep(const timespec* time, timespec* rest) {
  const Sleep sleep;
  return TARRY_NEXT(nanosleep)(time, rest);
}
TARRY_ENFORCED int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  const Sleep sleep;
  return TARRY_NEXT(clock_nanosleep)(clock, flags, time, rest);
}
TARRY_ENFORCED int usleep(useconds_t microseconds) {
  const Sleep sleep;
  return TARRY_NEXT(usleep)(microseconds);
}
TARRY_ENFORCED unsigned sleep(unsigned seconds) {
  const Sleep sleep;
  return TARRY_NEXT_AS(sleep, unsigned(unsigned))(seconds);
}
TARRY_ENFORCED int thrd_sleep(const timespec* time, timespec* rest) {
  const Sleep sleep;
  return TARRY_NEXT(thrd_sleep)(time, rest);
}
TARRY_ENFORCED int pause() {
  const Sleep sleep;
  return TARRY_NEXT(pause)();
}
TARRY_ENFORCED int sigsuspend(const sigset_t* set) {
  const Sleep sleep;
  return TARRY_NEXT(sigsuspend)(set);
}
