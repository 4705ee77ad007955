// Two threads at queues and a stack of libcds that are reclaimed by hazard pointers, and at a bounded queue.
#include <cds/container/msqueue.h>
#include <cds/container/treiber_stack.h>
#include <cds/container/vyukov_mpmc_cycle_queue.h>
#include <cds/gc/hp.h>
#include <cds/init.h>
#include <cassert>
#include <cstring>
#include <thread>

template <class Container>
void check(Container& container) {
  auto work = [&](int from) {
    cds::threading::Manager::attachThread();
    container.push(from);
    int taken = 0;
    const bool took = container.pop(taken);
    assert(took && (taken == 1 || taken == 2));
    cds::threading::Manager::detachThread();
  };
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
  assert(container.empty());
}

int main(int, char** arguments) {
  cds::Initialize();
  {
    cds::gc::HP hp(8, 4, 4);
    cds::threading::Manager::attachThread();
    if (std::strcmp(arguments[1], "msqueue") == 0) {
      cds::container::MSQueue<cds::gc::HP, int> queue;
      check(queue);
    } else if (std::strcmp(arguments[1], "stack") == 0) {
      cds::container::TreiberStack<cds::gc::HP, int> stack;
      check(stack);
    } else {
      cds::container::VyukovMPMCCycleQueue<int> queue(2);
      check(queue);
    }
    cds::threading::Manager::detachThread();
  }
  cds::Terminate();
}
