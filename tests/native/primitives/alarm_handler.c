/* The alarm comes at any moment after it is set, in any thread that does not block it; not before it is due to who sleeps, who is woken then;
   and not if it was taken back. */
#include "outcome.h"

#include <signal.h>

static atomic_int rings;
static pthread_t main_thread;

static void handler(int signal) {
  (void)signal;
  note(pthread_equal(pthread_self(), main_thread) ? 'h' : 'H');
  atomic_fetch_add(&rings, 1);
}

static void* other(void* unused) {
  note('o');
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, NULL);
  main_thread = pthread_self();
  assert(alarm(10) == 0);
  const unsigned left = sleep(60);
  assert((left == 50 || left == 0) && atomic_load(&rings) == 1);  // 0: it came before the call
  order[0] = '\0', order_length = 0;
  alarm(20);
  pthread_t a = go(other, NULL);
  pthread_join(a, NULL);
  const unsigned rest = alarm(0);
  OUTCOME("%s, rest %u", order, rest);
}
