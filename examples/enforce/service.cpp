// The service: three clerks, one order each. Since the update the account is overdrawn once in a while.
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "ledger.h"

int main() {
  Ledger ledger(100);
  std::thread one([&] { ledger.withdraw(80); });
  std::thread two([&] { ledger.withdraw(70); });
  std::thread three([&] { ledger.withdraw(10); });
  one.join();
  two.join();
  three.join();
  const int left = ledger.balance();
  if (left < 0) {
    std::fprintf(stderr, "overdrawn: %d\n", left);
    std::abort();
  }
  std::printf("%d left\n", left);
}
