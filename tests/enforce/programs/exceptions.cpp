// Exceptions that threads hand on: their reference counts are events, whichever thread gives up the last reference.
#include <atomic>
#include <cstdio>
#include <exception>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>

struct Counted {
  static std::atomic<int> there;
  Counted() { ++there; }
  Counted(const Counted&) { ++there; }
  ~Counted() { --there; }
};
std::atomic<int> Counted::there = 0;

std::exception_ptr shared;
std::mutex mutex;

void kept() {
  std::thread t([] { try { throw 1; } catch (...) { shared = std::current_exception(); } });
  t.join();
}
void rethrown() {
  kept();
  try { std::rethrow_exception(shared); } catch (int) {}
}
void by_future() {
  auto f = std::async(std::launch::async, []() -> int { throw std::runtime_error("x"); });
  try { f.get(); } catch (std::runtime_error&) {}
}
void by_lock() {
  std::thread t([] { try { throw Counted(); } catch (...) { std::lock_guard l(mutex); shared = std::current_exception(); } });
  std::exception_ptr copy;
  { std::lock_guard l(mutex); copy = shared; }
  copy = nullptr;
  t.join();
}
/// Two threads give up their references at the same time.
void by_two() {
  shared = std::make_exception_ptr(Counted());
  std::thread t([copy = shared]() mutable { copy = nullptr; });
  shared = nullptr;
  t.join();
}
void handled_by_two() {
  shared = std::make_exception_ptr(Counted());
  const auto handle = [] { try { std::rethrow_exception(shared); } catch (Counted&) {} };
  std::thread t(handle);
  handle();
  t.join();
}
void of_their_own() {
  const auto handle = [] { try { throw 1; } catch (int) {} };
  std::thread t(handle);
  handle();
  t.join();
}

int main(int, char** arguments) {
  void (*const cases[])() = {kept, rethrown, by_future, by_lock, by_two, handled_by_two, of_their_own};
  cases[arguments[1][0] - '0']();
  shared = nullptr;
  std::printf("%d\n", Counted::there.load());
}
