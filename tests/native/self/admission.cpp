// enforce/admission.h: events that go are those of one trace of the set, in its order, and everybody gets to the end. What events access is plain memory here:
// two that depend on each other and overlap are a data race.
//
// Scene 0: two threads write two objects; admissible is only the same order at both. Scene 1: all orders of two writes of one object, and a thread that
// does something else. Scene 2: a writer between two readers. Scene 3: three threads at one object, two of the six orders.
#include <tarry/test.h>

#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "base/assert.cc"
#include "enforce/admission.h"
#include "enforce/region_footprint.cc"
#include "enforce/schedule_set.cc"
#include "enforce/set_codec.cc"
#include "enforce/set_image.cc"
#include "enforce/trace.cc"
#include "enforce/word_graph.cc"

using namespace tarry::enforce;

namespace {

/// What a thread does: to which objects in turn, and whether it writes.
struct Access {
  std::uint64_t object;
  bool writes;
};
using Lanes = std::vector<std::vector<Access>>;

const Lanes kLanes[] = {
    {{{0, true}, {1, true}}, {{0, true}, {1, true}}},
    {{{0, true}}, {{0, true}}, {{1, true}}},
    {{{0, true}}, {{0, false}}, {{0, false}}},
    {{{0, true}}, {{0, true}}, {{0, true}}},
};
/// Admissible executions: which thread is next.
const std::vector<std::vector<std::uint32_t>> kExecutions[] = {
    {{0, 0, 1, 1}, {1, 1, 0, 0}},
    {{0, 1, 2}, {1, 0, 2}},
    {{1, 0, 2}, {2, 0, 1}},
    {{0, 1, 2}, {2, 1, 0}},
};

Label label_of(const Lanes& lanes, std::uint32_t thread, std::size_t number) {
  const Access& access = lanes[thread][number];
  return {.thread = thread, .kind = Kind::kStore, .offset = 1 + number, .touches = {{{Space::kMemory, 0, access.object}, access.writes}}};
}

/// Made before main, so that it is no part of what is explored.
std::vector<std::string> images() {
  std::vector<std::string> out;
  for (std::size_t scene = 0; scene < std::size(kLanes); ++scene) {
    ScheduleSet set;
    for (const auto& threads : kExecutions[scene]) {
      std::vector<std::size_t> at(kLanes[scene].size());
      std::vector<std::uint32_t> execution;
      for (const std::uint32_t thread : threads) execution.push_back(set.intern(label_of(kLanes[scene], thread, at[thread]++)));
      set.add(execution);
    }
    out.push_back(set.image());
  }
  return out;
}
const std::vector<std::string> g_images = images();


}  // namespace

int main(int, char** argv) {
  const int scene = std::atoi(argv[1]);
  const Lanes& lanes = kLanes[scene];
  const ImageView image(g_images[scene].data());
  const auto threads = static_cast<std::uint32_t>(lanes.size());
  std::vector<char> room(Admission::room_for(image, threads) + 64);
  void* at = room.data();
  std::size_t space = room.size();
  Admission admission(image, threads, std::align(64, space - 64, at, space));
  std::uint32_t last[2] = {9, 9};
  std::uint32_t seen[3] = {9, 9, 9};

  const auto follow = [&](std::uint32_t thread) {
    for (std::size_t number = 0; number < lanes[thread].size(); ++number) {
      Permission permission{};
      while (true) {
        permission = admission.attempt(thread, [&](const LabelRecord& label) { return label.offset == 1 + number; });
        TARRY_EXPECT(permission.answer != Permission::Answer::kUnverified);
        if (permission.answer == Permission::Answer::kGo) break;
        std::this_thread::yield();
      }
      const Access& access = lanes[thread][number];
      if (access.writes) last[access.object] = thread;
      else seen[thread] = last[access.object];
      admission.complete(thread, permission.event);
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::uint32_t i = 1; i < threads; ++i) others.emplace_back(follow, i);
    follow(0);
  }
  if (scene == 0) TARRY_EXPECT(last[0] == last[1]);
  if (scene == 2) TARRY_EXPECT((seen[1] == 9) != (seen[2] == 9));
  if (scene == 3) TARRY_EXPECT(last[0] != 1);
}
