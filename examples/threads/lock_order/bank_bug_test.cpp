// Bug: a transfer locks the account it takes from, then the one it gives to. Two transfers in opposite directions each have their
// first lock, and wait for each other: deadlock.
#include "bank_bug.h"

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
