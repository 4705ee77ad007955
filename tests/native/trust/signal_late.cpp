// A signal that was sent may come later than what its sender did afterwards: one processor interrupts another.
#include <pthread.h>
#include <sched.h>
#include <atomic>
#include <cassert>
#include <csignal>

std::atomic<int> flag, handled;
void handler(int) { handled = 1; }
void* run(void*) {
  while (flag == 0) sched_yield();
#ifdef FIXED
  while (handled == 0) sched_yield();
#endif
  assert(handled == 1);
  return nullptr;
}

int main() {
  signal(SIGUSR1, handler);
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_kill(thread, SIGUSR1);
  flag = 1;
  pthread_join(thread, nullptr);
}
