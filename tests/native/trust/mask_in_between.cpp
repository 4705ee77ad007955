// A signal comes between one call and the next, which blocks it.
#include <pthread.h>
#include <atomic>
#include <cassert>
#include <csignal>

std::atomic<int> before, handled;
void handler(int) { handled = before + 1; }
void* run(void*) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
#ifdef FIXED
  before = 1;
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  before = 2;
#else
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  before = 1;
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  before = 2;
#endif
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  return nullptr;
}

int main() {
  signal(SIGUSR1, handler);
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
#ifdef FIXED
  assert(handled <= 3);
#else
  assert(handled != 2);  // that is between the two
#endif
}
