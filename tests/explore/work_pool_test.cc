// The pool of work that the workers of a search share: nobody sleeps while there is something to do, and it ends when all wait.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "explore/work_pool.h"

namespace tarry::test {
namespace {

using namespace std::chrono_literals;

// The first worker never asks for work itself, so that only the wake-up can bring the item to the second one.
TEST(WorkPool, parallel_WhoWaitsIsWokenByNewWork) {
  for (int round = 0; round < 200; ++round) {
    Gate gate;
    WorkPool<int> pool(2, gate);
    auto second = std::async(std::launch::async, [&] {
      const Inside inside(gate);
      return pool.get();
    });
    while (!pool.hungry()) std::this_thread::yield();
    if (round % 2 == 0) std::this_thread::sleep_for(1ms);  // so that it is asleep, and not about to sleep
    pool.put(round);
    const bool woken = second.wait_for(20s) == std::future_status::ready;
    EXPECT_TRUE(woken) << "the worker sleeps on";
    if (!woken) pool.end();
    const auto item = second.get();
    ASSERT_TRUE(woken);
    EXPECT_EQ(item, round);
  }
}

TEST(WorkPool, parallel_EndsWhenAllWaitAndHandsOutWhatWasPutAside) {
  for (int round = 0; round < 200; ++round) {
    Gate gate;
    WorkPool<int> pool(3, gate);
    std::atomic<int> sum{0}, aside{0};
    for (int i = 1; i <= 10; ++i) pool.put(i);
    {
      std::vector<std::jthread> workers;
      for (int w = 0; w < 3; ++w) {
        workers.emplace_back([&] {
          const Inside inside(gate);
          while (const auto item = pool.get()) {
            sum += *item;
            std::vector<int> later = {*item * 100};
            if (*item <= 5) pool.put_aside(later);
            if (*item >= 100) ++aside;
          }
        });
      }
    }
    EXPECT_EQ(sum, 55 + 1500);
    EXPECT_EQ(aside, 5);
    EXPECT_EQ(pool.aside(), 0u);
  }
}

TEST(WorkPool, parallel_EndStopsEverybody) {
  Gate gate;
  WorkPool<int> pool(3, gate);
  auto waits = [&] {
    const Inside inside(gate);
    return pool.get();
  };
  auto first = std::async(std::launch::async, waits);
  auto second = std::async(std::launch::async, waits);
  pool.end();
  EXPECT_FALSE(first.get().has_value());
  EXPECT_FALSE(second.get().has_value());
  pool.put(1);
  EXPECT_FALSE(waits().has_value());
}

}  // namespace
}  // namespace tarry::test
