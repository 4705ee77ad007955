// Classic algorithms, with loops that give up after few rounds, so that plain depth-first search can count their orders.
#include <atomic>
#include <thread>
#ifndef HOW
#define HOW 0
#endif
namespace {
std::atomic<int> flag[2], turn, sequence, data[2], inside;

void enter_and_leave() {
  inside.fetch_add(1);
  inside.fetch_sub(1);
}

#if HOW == 0  // Peterson
void run(int i) {
  flag[i] = 1;
  turn = 1 - i;
  if (flag[1 - i] != 0 && turn == 1 - i) return;
  enter_and_leave();
  flag[i] = 0;
}
#elif HOW == 1  // Dekker
void run(int i) {
  flag[i] = 1;
  if (flag[1 - i] != 0 && turn != i) {
    flag[i] = 0;
    return;
  }
  enter_and_leave();
  turn = 1 - i;
  flag[i] = 0;
}
#elif HOW == 2  // a sequence lock: one writes, the other reads, twice at most
void run(int i) {
  if (i == 0) {
    ++sequence;
    data[0] = 1;
    data[1] = 1;
    ++sequence;
    return;
  }
  for (int round = 0; round < 2; ++round) {
    const int before = sequence;
    const int sum = data[0] + data[1];
    if (before % 2 == 0 && sequence == before && sum >= 0) return;
  }
}
#elif HOW == 3  // a ticket lock
std::atomic<int> next_ticket, serving;
void run(int) {
  const int ticket = next_ticket.fetch_add(1);
  for (int round = 0; round < 2; ++round) {
    if (serving != ticket) continue;
    enter_and_leave();
    ++serving;
    return;
  }
}
#else  // Treiber's stack: each thread pushes, and pops if nothing is in its way
struct Item {
  std::atomic<Item*> next;
} items[2];
std::atomic<Item*> top;
void run(int i) {
  Item* seen = top;
  items[i].next = seen;
  if (!top.compare_exchange_strong(seen, &items[i])) return;
  seen = top;
  if (seen != nullptr) top.compare_exchange_strong(seen, seen->next);
}
#endif
}  // namespace

int main() {
  std::thread a(run, 0), b(run, 1);
  a.join();
  b.join();
}
