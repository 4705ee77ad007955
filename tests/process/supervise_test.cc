// Children that take too long, or are not wanted any more.
#include "process/supervise.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <thread>

namespace tarry::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string long_work() {
  ::sleep(60);
  return "too late";
}

TEST(Supervise, AChildHasAsMuchTimeAsItIsGiven) {
  SharedMemory memory;
  const ChildEnd end = supervise(*memory, {.step_timeout = seconds(30), .time = milliseconds(300)}, long_work);
  EXPECT_TRUE(end.out_of_time);
  EXPECT_FALSE(end.came_back);
  EXPECT_LT(end.seconds, 20);
  const ChildEnd quick = supervise(*memory, {.time = seconds(30)}, [] { return std::string("done"); });
  EXPECT_FALSE(quick.out_of_time);
  EXPECT_TRUE(quick.came_back);
  EXPECT_EQ(quick.said, "done");
}

TEST(Supervise, CodeOfTheProgramIsCalledOffWhenASearchHasToEnd) {
  SharedMemory memory;  // in the phase of loading, all code is the program's
  const ChildEnd end = supervise(*memory, {.step_timeout = seconds(30), .search_time = milliseconds(50)}, long_work);
  EXPECT_TRUE(end.cut_off);
  EXPECT_FALSE(end.came_back);
  EXPECT_TRUE(memory->crash.complete);
  EXPECT_EQ(memory->crash.cause, Cause::kCalledOff);
}

/// How often the parent has looked at the child after its time was up: a counter that both see.
class LateLooks {
 public:
  LateLooks() : count_(new (::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<int>(0)) {}
  ~LateLooks() { ::munmap(count_, sizeof(std::atomic<int>)); }
  LateLooks(const LateLooks&) = delete;
  LateLooks& operator=(const LateLooks&) = delete;

  /// For the parent, at every tick; `now`: seconds since the start.
  void count(double now) { *count_ += now > 0.05 ? 1 : 0; }
  /// For the child. The parent ticks every 200 ms, and cuts a step off 100 ms after the time is up.
  void wait_for_three() const {
    while (*count_ < 3) std::this_thread::sleep_for(milliseconds(1));
  }

 private:
  std::atomic<int>* count_;
};

TEST(Supervise, OurOwnWorkIsNotCalledOff) {
  SharedMemory memory;
  LateLooks looks;
  const ChildEnd end = supervise(*memory, {.step_timeout = seconds(30), .tick = [&](double now) { looks.count(now); }, .search_time = milliseconds(50)}, [&] {
    memory->phase = Phase::kSearching;
    memory->progress.workers[0].thread = static_cast<std::uint32_t>(::getpid());
    looks.wait_for_three();
    return std::string("done");
  });
  EXPECT_FALSE(end.cut_off);
  EXPECT_EQ(end.said, "done");
}

TEST(Supervise, AFindingIsWaitedFor) {
  SharedMemory memory;
  LateLooks looks;
  const ChildEnd end = supervise(*memory, {.step_timeout = seconds(30), .tick = [&](double now) { looks.count(now); }, .search_time = milliseconds(50)}, [&] {
    memory->progress.found = true;
    looks.wait_for_three();
    return std::string("done");
  });
  EXPECT_FALSE(end.cut_off);
  EXPECT_EQ(end.said, "done");
}

TEST(Supervise, TheFirstSignalEndsWorkThatCannotEndByItself) {
  SharedMemory memory;
  const pid_t self = ::getpid();
  bool sent = false;
  const auto tick = [&](double) {
    if (!std::exchange(sent, true)) ::kill(self, SIGINT);
  };
  const ChildEnd end = supervise(*memory, {.step_timeout = seconds(30), .tick = tick, .gives_up = true}, long_work);
  EXPECT_EQ(end.interrupted_by, SIGINT);
  EXPECT_FALSE(end.came_back);
  EXPECT_FALSE(end.out_of_time);
  EXPECT_LT(end.seconds, 20);
}

}  // namespace
}  // namespace tarry::process
