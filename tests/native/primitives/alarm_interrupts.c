/* An alarm ends a wait for a pipe: nobody else would, and if it rings before the call there is no end. With SA_RESTART it is taken up again, but not
   that of poll. */
#include "outcome.h"

#include <poll.h>
#include <signal.h>

static int ends[2];
static atomic_int rings;

static void handler(int signal) {
  (void)signal;
  if (atomic_fetch_add(&rings, 1) == 1) write(ends[1], "a", 1);
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, NULL);
  pipe(ends);
  char byte;
  struct pollfd one = {.fd = ends[0], .events = POLLIN};
  alarm(1);
  const int first = read(ends[0], &byte, 1) < 0 ? errno : 0, before = atomic_load(&rings);
  if (first == 0) return 1;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  alarm(1);
  const int second = read(ends[0], &byte, 1) < 0 ? errno : 0;
  alarm(1);
  const int third = poll(&one, 1, -1) < 0 ? errno : 0;
  OUTCOME("read %d, rings %d, read %s, poll %d", first == EINTR, before, name_of(second), third == EINTR);
}
