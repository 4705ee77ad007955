// What a library says to ThreadSanitizer by annotations, by cases; without FIXED the annotation is left out.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

extern "C" {
void AnnotateHappensBefore(const char*, int, const volatile void*);
void AnnotateHappensAfter(const char*, int, const volatile void*);
void AnnotateRWLockCreate(const char*, int, const volatile void*);
void AnnotateRWLockAcquired(const char*, int, const volatile void*, long);
void AnnotateRWLockReleased(const char*, int, const volatile void*, long);
void AnnotateBenignRaceSized(const char*, int, const volatile void*, unsigned long, const char*);
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
void AnnotateIgnoreSyncBegin(const char*, int);
void AnnotateIgnoreSyncEnd(const char*, int);
void __tsan_acquire(void*);
void __tsan_release(void*);
void __tsan_mutex_create(void*, unsigned);
void __tsan_mutex_pre_lock(void*, unsigned);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
void __tsan_mutex_post_unlock(void*, unsigned);
void __tsan_write_range(void*, unsigned long);
}

#ifdef FIXED
#define SAY(...) __VA_ARGS__
#else
#define SAY(...)
#endif

int value = 0;
std::atomic<int> turn{0};

template <class Before, class After>
void hand_over(const Before& before, const After& after) {
  std::thread thread([&] {
    value = 1;
    before();
    turn.store(1, std::memory_order_relaxed);
  });
  if (turn.load(std::memory_order_relaxed) == 1) {
    after();
    assert(value == 1);
  }
  thread.join();
}

/// A lock of one relaxed exchange, which orders nothing by itself.
struct Lock {
  std::atomic<int> held{0};
  bool try_lock() {
    SAY(__tsan_mutex_pre_lock(this, 1 << 4);)
    const bool got = held.exchange(1, std::memory_order_relaxed) == 0;
    SAY(__tsan_mutex_post_lock(this, 1 << 4 | (got ? 0 : 1 << 5), 0);)
    return got;
  }
  void unlock() {
    SAY(__tsan_mutex_pre_unlock(this, 0);)
    held.store(0, std::memory_order_relaxed);
    SAY(__tsan_mutex_post_unlock(this, 0);)
  }
};
struct Annotated {
  std::atomic<int> held{0};
  bool try_lock() {
    const bool got = held.exchange(1, std::memory_order_relaxed) == 0;
    if (got) { SAY(AnnotateRWLockAcquired(__FILE__, __LINE__, this, 1);) }
    return got;
  }
  void unlock() {
    SAY(AnnotateRWLockReleased(__FILE__, __LINE__, this, 1);)
    held.store(0, std::memory_order_relaxed);
  }
};

template <class L>
void count_locked() {
  L lock;
  SAY(AnnotateRWLockCreate(__FILE__, __LINE__, &lock); __tsan_mutex_create(&lock, 0);)
  const auto count = [&] {
    if (!lock.try_lock()) return;
    value = value + 1;
    lock.unlock();
  };
  std::thread thread(count);
  count();
  thread.join();
  assert(value == 1 || value == 2);
}

template <class Around, class Behind>
void race(const Around& around, const Behind& behind) {
  std::thread thread([&] {
    around();
    value = 1;
    behind();
  });
  around();
  const int seen = value;
  behind();
  thread.join();
  assert(seen == 0 || seen == 1);
}
void nothing() {}

int main(int, char** arguments) {
  const char* const name = arguments[1];
  const auto is = [name](const char* other) { return std::strcmp(name, other) == 0; };
  if (is("happens-before")) hand_over([] { SAY(AnnotateHappensBefore("", 0, &value);) }, [] { SAY(AnnotateHappensAfter("", 0, &value);) });
  else if (is("release")) hand_over([] { SAY(__tsan_release(&turn);) }, [] { SAY(__tsan_acquire(&turn);) });
  else if (is("mutex")) count_locked<Lock>();
  else if (is("rwlock")) count_locked<Annotated>();
  else if (is("benign")) race([] { SAY(AnnotateBenignRaceSized("", 0, &value, sizeof value, "");) }, nothing);
  else if (is("ignore")) race([] { SAY(AnnotateIgnoreReadsBegin("", 0); AnnotateIgnoreWritesBegin("", 0);) }, [] { SAY(AnnotateIgnoreReadsEnd("", 0); AnnotateIgnoreWritesEnd("", 0);) });
  else if (is("ended")) race([] { AnnotateIgnoreReadsBegin("", 0); AnnotateIgnoreWritesBegin("", 0); AnnotateIgnoreReadsEnd("", 0); AnnotateIgnoreWritesEnd("", 0); SAY(AnnotateIgnoreWritesBegin("", 0); AnnotateIgnoreReadsBegin("", 0);) }, nothing);
  else if (is("range")) {  // a write that only the annotation tells of
    std::thread thread([] { SAY(if (false)) __tsan_write_range(&value, sizeof value); });
    const int seen = value;
    thread.join();
    assert(seen == 0);
  } else if (is("ignored sync")) {  // the other way round: with FIXED the mutex counts
    std::mutex mutex;
    const auto count = [&] {
#ifndef FIXED
      AnnotateIgnoreSyncBegin("", 0);
#endif
      mutex.lock();
      value = value + 1;
      mutex.unlock();
#ifndef FIXED
      AnnotateIgnoreSyncEnd("", 0);
#endif
    };
    std::thread thread(count);
    count();
    thread.join();
  } else assert(!"a case of this name");
}
