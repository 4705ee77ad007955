// Waits with time limits of every kind; whether the wait ended in time is written. The second argument says which outcome is right: the other one is a bug.
#include <semaphore.h>
#include <time.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

constexpr auto kLimit = 20ms;

bool of_mutex() {
  bool in_time = false;
  std::timed_mutex mutex;
  mutex.lock();
  std::thread other([&] {
    in_time = mutex.try_lock_for(kLimit);
    if (in_time) mutex.unlock();
  });
  mutex.unlock();
  other.join();
  return in_time;
}

bool of_condition() {
  bool in_time = false, set = false;
  std::mutex mutex;
  std::condition_variable condition;
  std::thread other([&] {
    std::unique_lock lock(mutex);
    in_time = condition.wait_for(lock, kLimit, [&] { return set; });
  });
  {
    const std::lock_guard lock(mutex);
    set = true;
  }
  condition.notify_one();
  other.join();
  return in_time;
}

bool of_semaphore() {
  bool in_time = false;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  std::thread other([&] {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20'000'000;
    if (until.tv_nsec >= 1'000'000'000) ++until.tv_sec, until.tv_nsec -= 1'000'000'000;
    in_time = sem_timedwait(&semaphore, &until) == 0;
  });
  sem_post(&semaphore);
  other.join();
  return in_time;
}

bool of_reader() {
  bool in_time = false;
  std::shared_timed_mutex mutex;
  mutex.lock();
  std::thread other([&] {
    in_time = mutex.try_lock_shared_for(kLimit);
    if (in_time) mutex.unlock_shared();
  });
  mutex.unlock();
  other.join();
  return in_time;
}

bool of_writer() {
  bool in_time = false;
  std::shared_timed_mutex mutex;
  mutex.lock_shared();
  std::thread other([&] {
    in_time = mutex.try_lock_for(kLimit);
    if (in_time) mutex.unlock();
  });
  mutex.unlock_shared();
  other.join();
  return in_time;
}

/// The library looks at the clock before it waits: a thread that is late then takes a path that was not verified. So it gets more time.
bool of_future() {
  bool in_time = false;
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread other([&] { in_time = future.wait_for(kLimit * 50) == std::future_status::ready; });
  promise.set_value(1);
  other.join();
  return in_time;
}

int main(int argc, char** argv) {
  bool (*const ways[])() = {of_mutex, of_condition, of_semaphore, of_reader, of_writer, of_future};
  const bool in_time = ways[argc > 1 ? std::atoi(argv[1]) : 0]();
  if (argc > 2 && in_time != (argv[2][0] == '1')) std::abort();
  std::printf("%d\n", in_time ? 1 : 0);
}
