// What a thread did before it sent a signal is done for the handler; what it does afterwards is not.
#include <pthread.h>
#include <cassert>
#include <csignal>

int data;
volatile sig_atomic_t seen = -1;
pthread_t receiver;
void handler(int) { seen = data; }
void* run(void*) {
#ifdef FIXED
  data = 1;
#endif
  pthread_kill(receiver, SIGUSR1);
#ifndef FIXED
  data = 1;
#endif
  return nullptr;
}

int main() {
  receiver = pthread_self();
  signal(SIGUSR1, handler);
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_join(thread, nullptr);
  assert(seen != 0);
}
