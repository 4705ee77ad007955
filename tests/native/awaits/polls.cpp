// Polls that give up. HOW: 0 yields N times, 1 tries to lock N times and sleeps in between, 2 polls until a deadline, 3 a lock whose deadline is past.
// FIXED: giving up is expected.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <cassert>
#include <ctime>

#include <atomic>
#include <chrono>

#ifndef N
#define N 4
#endif
#ifndef FIXED
#define FIXED 0
#endif

std::atomic<bool> flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
std::atomic<int> x;

void gives_up() { assert(FIXED); }

void* other(void*) {
  if (HOW == 0 || HOW == 2) {
    flag = true;
    return nullptr;
  }
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return nullptr;
}

void poll() {
  if (HOW == 0) {
    for (int i = 0; i < N && !flag; i++) sched_yield();
    if (!flag) gives_up();
  } else if (HOW == 1) {
    bool locked = false;
    for (int i = 0; i < N && !locked; i++) {
      locked = pthread_mutex_trylock(&m) == 0;
      if (!locked) usleep(10);
    }
    if (!locked) return gives_up();
    pthread_mutex_unlock(&m);
  } else if (HOW == 2) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (!flag && std::chrono::steady_clock::now() < end) usleep(10'000);
    if (!flag) gives_up();
  } else {
    const timespec past{1, 0};
    if (pthread_mutex_timedlock(&m, &past) != 0) {
      sched_yield();
      if (x == 0) gives_up();
    } else {
      pthread_mutex_unlock(&m);
    }
  }
}

int main() {
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  poll();
  pthread_join(t, nullptr);
}
