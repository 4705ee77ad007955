// Shared objects that tell Tarry the state of the program, for tests of how much of it a search visits.
//
// A state is where each thread stands and what each object holds, as tests/native/fair/model.py has it: a thread stands in a stage, and has been given
// some values there. Every operation tells the state that it starts from (tarry::cover): it is the one in which the step before it ended. None of this
// is instrumented, so it adds no scheduling points and no data races.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include <tarry/test.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

namespace observed {

#define OBSERVED_UNSEEN __attribute__((noinline, no_sanitize("thread")))

constexpr int kMostThreads = 4, kMostObjects = 16, kMostValues = 16, kMostSteps = 1024;

enum class What { kStates, kPaths };

struct Place {
  const char* stage = "-";  // "." of a thread that ended
  int carry = -1;           // the stage's number, if not -1
  long values[kMostValues];
  int count = 0;
};

struct All {
  What what = What::kStates;
  Place places[kMostThreads];
  int threads = 0;
  const long* objects[kMostObjects];  // what each holds
  int count = 0;
  char path[kMostSteps];  // who took a step
  int steps = 0;
};
inline All g_all;
inline thread_local int g_self = 0;

struct Text {
  char* end;
  OBSERVED_UNSEEN void put(const char* text) {
    while (*text != 0) *end++ = *text++;
  }
  OBSERVED_UNSEEN void put(long number) {
    char digits[24];
    int n = 0;
    if (number < 0) *end++ = '-', number = -number;
    do digits[n++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    while (n > 0) *end++ = digits[--n];
  }
};

OBSERVED_UNSEEN inline void tell() {
  char room[2048];
  Text text{room};
  if (g_all.what == What::kPaths) {
    for (int i = 0; i < g_all.steps; ++i) *text.end++ = g_all.path[i];
  } else {
    for (int t = 0; t < g_all.threads; ++t) {
      const Place& place = g_all.places[t];
      if (t > 0) text.put(" ");
      text.put(place.stage);
      if (place.carry >= 0) text.put(place.carry);
      for (int i = 0; i < place.count; ++i) text.put(":"), text.put(place.values[i]);
    }
    text.put(" |");
    for (int i = 0; i < g_all.count; ++i) text.put(" "), text.put(*g_all.objects[i]);
  }
  *text.end = 0;
  tarry::cover(room);
}

/// The running thread goes on to another stage.
OBSERVED_UNSEEN inline void stage(const char* name, int carry = -1) {
  g_all.places[g_self].stage = name;
  g_all.places[g_self].carry = carry;
  g_all.places[g_self].count = 0;
}
OBSERVED_UNSEEN inline void given(long value) {
  Place& place = g_all.places[g_self];
  if (place.count < kMostValues) place.values[place.count++] = value;
  if (g_all.what == What::kPaths && g_all.steps < kMostSteps) g_all.path[g_all.steps++] = static_cast<char>('0' + g_self);
}

/// At the beginning of main: who there is, and that it has taken its first step.
OBSERVED_UNSEEN inline void begin(What what, int threads) {
  g_all.what = what;
  g_all.threads = threads;
  given(0);
}
/// At the beginning of a thread's function.
OBSERVED_UNSEEN inline void started(int self) {
  g_self = self;
  given(0);
}
/// At its end.
OBSERVED_UNSEEN inline void ended() {
  stage(".");
  tell();
}

OBSERVED_UNSEEN inline void add_object(const long* held) { g_all.objects[g_all.count++] = held; }
OBSERVED_UNSEEN inline void hold(long& held, long value) { held = value; }
OBSERVED_UNSEEN inline void change(long& held, long by) { held += by; }

template <class T>
class Atomic {
 public:
  Atomic(T value = 0) : held_(value), value_(value) { add_object(&held_); }
  operator T() const { return load(); }
  T operator=(T value) { return store(value), value; }
  T load() const {
    tell();
    const T value = value_.load();
    given(value);
    return value;
  }
  void store(T value) {
    tell();
    value_.store(value);
    hold(held_, value);
    given(0);
  }
  T fetch_add(T by) {
    tell();
    const T before = value_.fetch_add(by);
    hold(held_, before + by);
    given(before);
    return before;
  }
  bool compare_exchange_strong(T& expected, T wanted) {
    tell();
    const bool done = value_.compare_exchange_strong(expected, wanted);
    if (done) hold(held_, wanted);
    given(done);
    return done;
  }

 private:
  long held_;  // the same, to be looked at
  std::atomic<T> value_;
};

class Mutex {
 public:
  Mutex() { add_object(&holder_); }
  void lock() { take(pthread_mutex_lock); }
  bool try_lock() { return take(pthread_mutex_trylock); }
  bool timed_lock() {
    return take([](pthread_mutex_t* mutex) {
      const timespec soon{1, 0};
      return pthread_mutex_timedlock(mutex, &soon);
    });
  }
  void unlock() {
    tell();
    pthread_mutex_unlock(&mutex_);
    hold(holder_, -1);
    given(0);
  }

 private:
  template <class Lock>
  bool take(Lock lock) {
    tell();
    const bool done = lock(&mutex_) == 0;
    if (done) hold(holder_, g_self);
    given(done);
    return done;
  }

  long holder_ = -1;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

class Semaphore {
 public:
  Semaphore() {
    add_object(&held_);
    sem_init(&semaphore_, 0, 0);
  }
  void wait() { take(sem_wait); }
  bool timed_wait() {
    return take([](sem_t* semaphore) {
      const timespec soon{1, 0};
      return sem_timedwait(semaphore, &soon);
    });
  }
  void post() {
    tell();
    sem_post(&semaphore_);
    change(held_, 1);
    given(0);
  }

 private:
  template <class Wait>
  bool take(Wait wait) {
    tell();
    const bool done = wait(&semaphore_) == 0;
    if (done) change(held_, -1);
    given(done);
    return done;
  }

  long held_ = 0;
  sem_t semaphore_;
};

inline void yield() {
  tell();
  sched_yield();
  given(0);
}
inline void sleep() {
  tell();
  const timespec little{0, 1000};
  nanosleep(&little, nullptr);
  given(0);
}

OBSERVED_UNSEEN inline void created(int thread, const char* first, int carry) {
  g_all.places[thread].stage = first;
  g_all.places[thread].carry = carry;
  given(0);
}
/// A thread that stands before its first stage from now on.
inline void create(pthread_t& handle, int thread, void* (*function)(void*), const char* first, int carry = -1) {
  tell();
  pthread_create(&handle, nullptr, function, reinterpret_cast<void*>(static_cast<std::intptr_t>(thread)));
  created(thread, first, carry);
}
inline void join(pthread_t handle) {
  tell();
  pthread_join(handle, nullptr);
  given(0);
}

}  // namespace observed
