/* Sets a timer of processor time, which is the kernel's: it is said that it runs beside virtual time. */
#include <signal.h>
#include <sys/time.h>

int main(void) {
  const struct itimerval soon = {.it_value = {.tv_sec = 100}};
  signal(SIGPROF, SIG_IGN);
  return setitimer(ITIMER_PROF, &soon, 0);
}
