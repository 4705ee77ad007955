// Two withdrawals, each of which looks at the balance and takes from it under the lock, but not under the same one. Run plainly, it nearly always fails.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;
int balance = 100;

void withdraw(int amount) {
  mutex.lock();
  const bool enough = balance >= amount;
  mutex.unlock();
  std::this_thread::sleep_for(std::chrono::microseconds(200));
  if (!enough) return;
  mutex.lock();
  balance -= amount;
  mutex.unlock();
}

int main() {
  std::thread one(withdraw, 80), other(withdraw, 80);
  one.join();
  other.join();
  std::printf("%d\n", balance);
  if (balance < 0) std::abort();
}
