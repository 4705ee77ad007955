// Two clerks take money out of one account, request after request. If both look first and take then, the account is overdrawn.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <unistd.h>

#include <tarry/test.h>

std::mutex m;
int balance;
std::atomic<int> taken{0};
long served = 0;

void withdraw(int amount) {
  {
    const std::lock_guard lock(m);
    if (balance < amount) return;
  }
  const std::lock_guard lock(m);
  balance -= amount;
  ++taken;
}

int main(int argc, char** argv) {
  const long requests = tarry::input("requests", 1, 2, argc > 1 ? std::atol(argv[1]) : 2);
  const int start = argc > 2 ? std::atoi(argv[2]) : 100;
  const int pause = argc > 3 ? std::atoi(argv[3]) : 0;
  for (long i = 0; i < requests; ++i) {
    if (pause > 0) usleep(static_cast<unsigned>(pause));
    balance = start;
    taken = 0;
    tarry::Region region("request");
    region.ignore(served);
    std::thread one(withdraw, 80), two(withdraw, 70);
    one.join();
    two.join();
    ++served;
    if (balance < 0) std::abort();
  }
  std::printf("%ld\n", served);
}
