// An update that is lost if two threads race, and a sum under a lock. Says how many flags of plain accesses are set (compile with --enforce).
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

extern "C" __attribute__((weak, visibility("hidden"))) unsigned char __start_tarry_sites[], __stop_tarry_sites[];

std::mutex mutex;
int counter, sum;

__attribute__((noinline)) void count() {
  const int seen = counter;
  std::this_thread::yield();
  counter = seen + 1;
}
__attribute__((noinline)) void add(int n) {
  const std::lock_guard lock(mutex);
  for (int i = 0; i < n; ++i) sum += i;
}

__attribute__((no_sanitize("thread"))) int flags_set() {
  int set = 0;
  for (const unsigned char* flag = __start_tarry_sites; flag != __stop_tarry_sites; ++flag) set += *flag != 0 ? 1 : 0;
  return set;
}

int main() {
  std::thread one([] { count(), add(5); }), two([] { count(), add(7); });
  one.join();
  two.join();
  std::printf("%d %d, %d of %s\n", counter, sum, flags_set(), __stop_tarry_sites - __start_tarry_sites > 4 ? "many" : "few");
  std::fflush(stdout);
  if (counter != 2) std::abort();
}
