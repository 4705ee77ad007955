#include "enforce/rt/bindings.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tarry::enforce::rt {
namespace {

constexpr std::uint32_t kObjects = 4;

class BoundObjects : public testing::Test {
 protected:
  BoundObjects() : room_(Bindings::room_for(kObjects) / sizeof(std::uint64_t) + 1) { bindings.begin(kObjects, room_.data()); }
  Bindings bindings;

 private:
  std::vector<std::uint64_t> room_;
};

TEST_F(BoundObjects, AnObjectIsAtOneAddress) {
  // Two threads read the object, and both find that it fits before either of them binds it.
  ASSERT_TRUE(bindings.fits(1, 0x1000));
  ASSERT_TRUE(bindings.fits(1, 0x2000));
  EXPECT_TRUE(bindings.bind(1, 0x1000));
  EXPECT_FALSE(bindings.bind(1, 0x2000));
  EXPECT_TRUE(bindings.fits(1, 0x1000));
  EXPECT_FALSE(bindings.fits(1, 0x2000));
  EXPECT_TRUE(bindings.bind(2, 0x2000));  // the address stays free
}

TEST_F(BoundObjects, AnAddressIsOfOneObject) {
  ASSERT_TRUE(bindings.fits(1, 0x1000) && bindings.fits(2, 0x1000));
  EXPECT_TRUE(bindings.bind(1, 0x1000));
  EXPECT_FALSE(bindings.bind(2, 0x1000));
  EXPECT_TRUE(bindings.bind(2, 0x3000));
}

TEST_F(BoundObjects, ThreadsThatFindTheSameAddressAgree) {
  EXPECT_TRUE(bindings.bind(1, 0x1000));
  EXPECT_TRUE(bindings.bind(1, 0x1000));
  bindings.forget(0x1000, 8);
  EXPECT_TRUE(bindings.bind(1, 0x2000));
  EXPECT_TRUE(bindings.bind(2, 0x1000));
}

TEST_F(BoundObjects, OfParallelThreadsOneBindsTheObject) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> ready{0}, bound{0};
    std::vector<std::thread> threads;
    for (std::uint64_t i = 1; i <= 2; ++i)
      threads.emplace_back([&, i] {
        ++ready;
        while (ready < 2) std::this_thread::yield();
        bound += bindings.bind(3, i * 0x1000) ? 1 : 0;
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(bound, 1);
    bindings.clear();
  }
}

}  // namespace
}  // namespace tarry::enforce::rt
