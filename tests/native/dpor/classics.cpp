// Classic algorithms, with loops that give up after few rounds, so that plain depth-first search can count their orders.
// trace_model.py has the same algorithms.
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
#elif HOW == 5  // the queue of Michael and Scott: both enqueue, in at most two rounds; then thread 1 dequeues once
struct Link {
  std::atomic<Link*> next;
} links[3];
std::atomic<Link*> head = &links[0], tail = &links[0];
void run(int i) {
  Link* const own = &links[i + 1];
  for (int round = 0; round < 2; ++round) {
    Link* last = tail;
    Link* next = last->next;
    if (next != nullptr) {
      tail.compare_exchange_strong(last, next);
      continue;
    }
    if (last->next.compare_exchange_strong(next, own)) {
      tail.compare_exchange_strong(last, own);
      break;
    }
  }
  if (i == 0) return;
  Link *first = head, *last = tail, *next = first->next;
  if (first != last) head.compare_exchange_strong(first, next);
  else if (next != nullptr) tail.compare_exchange_strong(last, next);
}
#elif HOW == 6  // Szymanski
void run(int i) {
  flag[i] = 1;
  if (flag[1 - i] >= 3) return;
  flag[i] = 3;
  if (flag[1 - i] == 1) {
    flag[i] = 2;
    if (flag[1 - i] != 4) return;
  }
  flag[i] = 4;
  if (i == 1 && flag[0] >= 2) return;
  enter_and_leave();
  if (i == 0) {
    const int other = flag[1];
    if (other == 2 || other == 3) return;
  }
  flag[i] = 0;
}
#elif HOW == 7  // Lamport's bakery
std::atomic<int> choosing[2], number[2];
void run(int i) {
  choosing[i] = 1;
  const int mine = number[1 - i] + 1;
  number[i] = mine;
  choosing[i] = 0;
  if (choosing[1 - i] != 0) return;
  const int other = number[1 - i];
  if (other != 0 && (other < mine || (other == mine && 1 - i < i))) return;
  enter_and_leave();
  number[i] = 0;
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
