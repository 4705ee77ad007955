// The signature of the order against the Foata normal form, which is the same for two sequences exactly if they are the same
// trace.
#include "native/races/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/rng.h"
#include "tests/native_races/trace.h"

namespace tarry::native {
namespace {

using testing::TestMemory;

struct Event {
  enum class What { kRead, kWrite, kLocal, kCreate, kJoin };
  What what;
  std::uint32_t thread = 0;
  std::uint64_t object = 0;  // or the other thread
  std::uint64_t detail = 0;
  std::uint32_t kind = 0;

  auto label() const { return std::tuple(thread, what, object, detail, kind); }
};
using Sequence = std::vector<Event>;

bool on_object(const Event& event) { return event.what == Event::What::kRead || event.what == Event::What::kWrite; }
bool about_thread(const Event& a, const Event& b) {
  return (a.what == Event::What::kCreate || a.what == Event::What::kJoin) && a.object == b.thread;
}
bool dependent(const Event& a, const Event& b) {
  if (a.thread == b.thread || about_thread(a, b) || about_thread(b, a)) return true;
  return on_object(a) && on_object(b) && a.object == b.object && (a.what == Event::What::kWrite || b.what == Event::What::kWrite);
}

/// The levels of the order, each sorted. Letters stay what they are in every sequence, as each thread's events come in their
/// order.
using Foata = std::vector<std::vector<decltype(Event{}.label())>>;
Foata foata(const Sequence& sequence) {
  Foata form;
  std::vector<std::size_t> level;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    std::size_t mine = 0;
    for (std::size_t j = 0; j < i; ++j) {
      if (dependent(sequence[j], sequence[i])) mine = std::max(mine, level[j] + 1);
    }
    level.push_back(mine);
    if (form.size() <= mine) form.resize(mine + 1);
    form[mine].push_back(sequence[i].label());
  }
  for (auto& letters : form) std::sort(letters.begin(), letters.end());
  return form;
}

void play(const Event& event, Order& order) {
  switch (event.what) {
    case Event::What::kRead: return order.step(event.thread, event.kind, event.object, false, event.detail);
    case Event::What::kWrite: return order.step(event.thread, event.kind, event.object, true, event.detail);
    case Event::What::kLocal: return order.local(event.thread, event.kind, event.detail);
    case Event::What::kCreate: return order.created(event.thread, static_cast<std::uint32_t>(event.object));
    case Event::What::kJoin: return order.joined(event.thread, static_cast<std::uint32_t>(event.object));
  }
}

using Bits = std::pair<std::uint64_t, std::uint64_t>;

/// Both partitions at once: a form has one signature, and a signature one form.
class Partition {
 public:
  void add(const Sequence& sequence, const Signature& signature) {
    ++sequences_;
    const Bits bits{signature.high, signature.low};
    const Foata form = foata(sequence);
    ASSERT_EQ(signature_.emplace(form, bits).first->second, bits) << "one trace, two signatures";
    ASSERT_EQ(form_.emplace(bits, form).first->second, form) << "two traces, one signature";
    for (const std::uint64_t lane : {bits.first, bits.second}) lanes_.insert(lane);
    // Each lane by itself tells them apart too: with below 10^7 traces a collision of 64 bits has a chance of below 10^-5.
    ASSERT_EQ(lanes_.size(), 2 * form_.size());
  }
  std::size_t traces() const { return form_.size(); }
  std::size_t sequences() const { return sequences_; }

 private:
  std::map<Foata, Bits> signature_;
  std::map<Bits, Foata> form_;
  std::set<std::uint64_t> lanes_;
  std::size_t sequences_ = 0;
};

/// Every order in which the threads of a program can run, and every beginning of one.
void all_sequences(const std::vector<Sequence>& program, const std::function<void(const Sequence&)>& visit) {
  std::vector<std::size_t> next(program.size());
  std::vector<bool> started(program.size());
  started[0] = true;
  Sequence done;
  const std::function<void()> go = [&] {
    visit(done);
    for (std::size_t thread = 0; thread < program.size(); ++thread) {
      if (!started[thread] || next[thread] == program[thread].size()) continue;
      const Event& event = program[thread][next[thread]];
      if (event.what == Event::What::kJoin && next[event.object] != program[event.object].size()) continue;
      if (event.what == Event::What::kCreate) started[event.object] = true;
      ++next[thread];
      done.push_back(event);
      go();
      done.pop_back();
      --next[thread];
      if (event.what == Event::What::kCreate) started[event.object] = false;
    }
  };
  go();
}

std::vector<Sequence> random_program(Rng& rng, std::uint32_t threads, std::uint32_t length, std::uint32_t objects) {
  std::vector<Sequence> program(threads);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint64_t pick = rng.below(10);
      Event event{.what = pick < 5 ? Event::What::kRead : pick < 9 ? Event::What::kWrite : Event::What::kLocal, .thread = thread};
      if (event.what != Event::What::kLocal) event.object = rng.below(objects);
      event.detail = rng.below(2);
      event.kind = static_cast<std::uint32_t>(rng.below(2));
      program[thread].push_back(event);
    }
  }
  // Thread t is created by a smaller one, so that its number says who made it and when; in one program out of two by main at
  // once.
  const bool at_once = rng.below(2) == 0;
  for (std::uint32_t thread = threads - 1; thread > 0; --thread) {
    const std::uint64_t parent = at_once ? 0 : rng.below(thread);
    Sequence& events = program[parent];
    const std::uint64_t place = at_once ? 0 : rng.below(events.size() + 1);
    events.insert(events.begin() + static_cast<std::ptrdiff_t>(place),
                  {.what = Event::What::kCreate, .thread = static_cast<std::uint32_t>(parent), .object = thread});
    if (rng.below(2) == 0)
      events.push_back({.what = Event::What::kJoin, .thread = static_cast<std::uint32_t>(parent), .object = thread});
  }
  return program;
}

TEST(Order, TellsTheTracesOfRandomProgramsApart) {
  TestMemory memory;
  Order order(memory);
  std::size_t traces = 0, sequences = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Rng rng(11, i);
    const auto threads = static_cast<std::uint32_t>(2 + rng.below(2));
    const auto program = random_program(rng, threads, threads == 2 ? 5 : 2, static_cast<std::uint32_t>(1 + rng.below(3)));
    Partition partition;
    all_sequences(program, [&](const Sequence& sequence) {
      order.reset();
      for (const Event& event : sequence) play(event, order);
      partition.add(sequence, order.signature());
    });
    ASSERT_FALSE(HasFatalFailure());
    traces += partition.traces();
    sequences += partition.sequences();
  }
  EXPECT_GT(sequences, traces * 3 / 2);
  EXPECT_GT(traces, 20000u);
}

TEST(Order, TellsDifferentProgramsApart) {
  // Fixed threads, all programs of two threads with two events each of eight kinds: one partition for all.
  TestMemory memory;
  Order order(memory);
  Partition partition;
  const auto event = [](std::uint32_t thread, unsigned code) {
    return Event{.what = (code & 1) != 0 ? Event::What::kWrite : Event::What::kRead,
                 .thread = thread,
                 .object = code >> 1 & 1,
                 .detail = code >> 2};
  };
  for (unsigned code = 0; code < 8 * 8 * 8 * 8; ++code) {
    const std::vector<Sequence> program = {
        {{.what = Event::What::kCreate, .thread = 0, .object = 1}, event(0, code & 7), event(0, code >> 3 & 7)},
        {event(1, code >> 6 & 7), event(1, code >> 9)}};
    all_sequences(program, [&](const Sequence& sequence) {
      order.reset();
      for (const Event& one : sequence) play(one, order);
      partition.add(sequence, order.signature());
    });
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GT(partition.traces(), 5000u);
}

TEST(Order, DoesNotDependOnTheNumbersOfThreads) {
  // Two threads create one child each, at the same time: whoever comes first gets the smaller number.
  TestMemory memory;
  Order one(memory), other(memory);
  for (Order* order : {&one, &other}) {
    order->created(0, 1);
    order->step(1, 0, 7, true);
  }
  one.created(0, 2);
  one.created(1, 3);
  other.created(1, 2);
  other.created(0, 3);
  EXPECT_EQ(one.signature(), other.signature());
  one.step(2, 0, 1, true);
  other.step(3, 0, 1, true);
  EXPECT_EQ(one.signature(), other.signature());
  one.step(3, 0, 1, true);
  EXPECT_NE(one.signature(), other.signature());
  other.step(2, 0, 1, true);
  EXPECT_EQ(one.signature(), other.signature());
}

TEST(Order, TellsWhichThreadWasJoined) {
  TestMemory memory;
  Order one(memory), other(memory);
  for (Order* order : {&one, &other}) {
    order->created(0, 1);
    order->created(0, 2);
  }
  one.joined(0, 1);
  other.joined(0, 2);
  EXPECT_NE(one.signature(), other.signature());
}

TEST(Order, OfTenThousandObjectsIsTheSameAfterAnotherExecution) {
  TestMemory memory;
  Order order(memory), fresh(memory);
  Rng rng(12);
  for (int i = 0; i < 10000; ++i) order.step(static_cast<std::uint32_t>(rng.below(3)), 1, rng.next(), true);
  order.reset();
  const std::size_t mapped = memory.mapped();
  for (Order* each : {&order, &fresh}) {
    Rng again(13);
    for (int i = 0; i < 10000; ++i)
      each->step(static_cast<std::uint32_t>(again.below(3)), 1, again.below(5000), again.below(2) == 0);
  }
  EXPECT_EQ(order.signature(), fresh.signature());
  order.reset();
  EXPECT_EQ(order.signature(), Order(memory).signature());
  EXPECT_GT(mapped, 0u);
}

}  // namespace
}  // namespace tarry::native
