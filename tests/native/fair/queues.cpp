// Work stealing on the queues of examples/threads/work_stealing, telling of its states: queues.py is the model. Arguments: the or chase_lev, and how many
// thieves.
#include "observed.h"

#include <cstdlib>
#include <cstring>

// The headers as they are, on atomics and mutexes that are observed.
namespace std {
template <class T>
using observed_atomic = observed::Atomic<T>;
using observed_mutex = observed::Mutex;
}  // namespace std
#define atomic observed_atomic
#define mutex observed_mutex
#include "chase_lev.h"
#include "the.h"
#undef atomic
#undef mutex

namespace {

template <class Queue>
struct Test {
  Queue queue;
  observed::Atomic<int> done;
  static inline Test* the_one;

  static void* thief(void* number) {
    observed::started(static_cast<int>(reinterpret_cast<std::intptr_t>(number)));
    while (observed::stage("look"), !the_one->done.load()) {
      observed::stage("steal");
      if (the_one->queue.steal()) continue;
      observed::stage("rest");
      observed::yield();
    }
    observed::ended();
    return nullptr;
  }

  static void run(int thieves) {
    Test test;
    the_one = &test;
    pthread_t handles[observed::kMostThreads];
    observed::stage("push", 1), test.queue.push(1);
    for (int t = 1; t <= thieves; ++t) observed::stage("create", t), observed::create(handles[t], t, thief, "start");
    observed::stage("push", 2), test.queue.push(2);
    observed::stage("pop", 1), test.queue.pop();
    observed::stage("pop", 2), test.queue.pop();
    observed::stage("done"), test.done.store(1);
    for (int t = 1; t <= thieves; ++t) observed::stage("join", t), observed::join(handles[t]);
    observed::stage("exit");
    observed::tell();
  }
};

}  // namespace

int main(int, char** argv) {
  const int thieves = std::atoi(argv[2]);
  observed::begin(observed::What::kStates, thieves + 1);
  std::strcmp(argv[1], "the") == 0 ? Test<TheQueue<int, 2>>::run(thieves) : Test<ChaseLevQueue<int, 2>>::run(thieves);
}
