// What the race detector and the signature of the order cost: per access, per synchronisation, per execution.
//   cmake --build --preset release --target races_bench && build/release/bin/races_bench
#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <cstdint>

#include "native/races/order.h"
#include "native/races/race_detector.h"

namespace tarry::native {
namespace {

class Mapped final : public Memory {
 public:
  void* map(std::size_t bytes) override {
    total += bytes;
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  std::size_t total = 0;
};
class Deaf final : public RaceSink {
 public:
  void race(const RaceReport&) override {}
  void use_after_free(const Access&, const Access&) override {}
};
struct Bench {
  Mapped memory;
  Deaf sink;
  RaceDetector detector{memory, sink};

  explicit Bench(std::uint32_t threads) {
    for (std::uint32_t i = 1; i < threads; ++i) detector.thread_created(0, i);
  }
};
const void* at(std::uintptr_t address) { return reinterpret_cast<const void*>(address); }
constexpr std::uintptr_t kData = 0x7f1200000000, kLock = 0x7f1300000000;

void same_epoch_read(benchmark::State& state) {
  Bench bench(2);
  std::uintptr_t i = 0;
  for (auto _ : state) bench.detector.read(at(kData + (i++ & 511) * 8), 8, 1);
}
BENCHMARK(same_epoch_read);

void same_epoch_write(benchmark::State& state) {
  Bench bench(2);
  std::uintptr_t i = 0;
  for (auto _ : state) bench.detector.write(at(kData + (i++ & 511) * 8), 8, 1);
}
BENCHMARK(same_epoch_write);

/// x += 1 over an array of ints: two cells in a granule.
void same_epoch_increment(benchmark::State& state) {
  Bench bench(2);
  std::uintptr_t i = 0;
  for (auto _ : state) {
    const void* x = at(kData + (i++ & 1023) * 4);
    bench.detector.read(x, 4, 1);
    bench.detector.write(x, 4, 2);
  }
}
BENCHMARK(same_epoch_increment);

/// The same thread in another epoch: all is known, but every access is recorded anew.
void next_epoch(benchmark::State& state) {
  Bench bench(2);
  std::uintptr_t i = 0;
  std::uint32_t step = 0;
  for (auto _ : state) {
    if ((i & 511) == 0) bench.detector.run(0, ++step);
    bench.detector.write(at(kData + (i++ & 511) * 8), 8, 1);
  }
}
BENCHMARK(next_epoch);

/// Two threads by turns, ordered by a lock: 512 writes each.
void ordered_by_lock(benchmark::State& state) {
  Bench bench(2);
  std::uintptr_t i = 0;
  std::uint32_t step = 0, thread = 0;
  for (auto _ : state) {
    if ((i & 511) == 0) {
      bench.detector.release(thread, at(kLock));
      thread = 1 - thread;
      bench.detector.run(thread, ++step);
      bench.detector.acquire(thread, at(kLock));
    }
    bench.detector.write(at(kData + (i++ & 511) * 8), 8, 1);
  }
}
BENCHMARK(ordered_by_lock);

/// Reads of the same data by many threads, not ordered.
void shared_reads(benchmark::State& state) {
  const auto threads = static_cast<std::uint32_t>(state.range(0));
  Bench bench(threads);
  std::uintptr_t i = 0;
  std::uint32_t step = 0;
  for (auto _ : state) {
    if ((i & 511) == 0) {
      ++step;
      bench.detector.run(step % threads, step);
    }
    bench.detector.read(at(kData + (i++ & 511) * 8), 8, 1);
  }
}
BENCHMARK(shared_reads)->Arg(2)->Arg(4)->Arg(8)->Arg(64);

/// The first time: shadow pages come in.
void first_touch(benchmark::State& state) {
  Bench bench(2);
  std::uintptr_t i = 0;
  for (auto _ : state) {
    bench.detector.write(at(kData + (i++ & 0x3ffff) * 8), 8, 1);
    if ((i & 0x3ffff) == 0) bench.detector.reset();
  }
  state.counters["MiB"] = static_cast<double>(bench.memory.total >> 20);
}
BENCHMARK(first_touch);

void lock_and_unlock(benchmark::State& state) {
  const auto last = static_cast<std::uint32_t>(state.range(0)) - 1;
  Bench bench(last + 1);
  for (auto _ : state) {
    bench.detector.acquire(last, at(kLock));
    bench.detector.release(last, at(kLock));
    if (bench.detector.raced()) state.SkipWithError("raced");
  }
}
BENCHMARK(lock_and_unlock)->Arg(2)->Arg(8)->Arg(64)->Iterations(20'000'000);

void fetch_add(benchmark::State& state) {
  Bench bench(2);
  for (auto _ : state) bench.detector.atomic_rmw(at(kData), 8, std::memory_order_seq_cst, 1);
}
BENCHMARK(fetch_add)->Iterations(20'000'000);

void relaxed_load(benchmark::State& state) {
  Bench bench(2);
  for (auto _ : state) bench.detector.atomic_load(at(kData), 8, std::memory_order_relaxed, 1);
}
BENCHMARK(relaxed_load);

/// A small test: three threads, 26 steps, 60 accesses. Per execution.
void small_execution(benchmark::State& state) {
  Bench bench(1);
  for (auto _ : state) {
    bench.detector.reset();
    for (std::uint32_t i = 1; i <= 3; ++i) bench.detector.thread_created(0, i);
    for (std::uint32_t step = 0; step < 26; ++step) {
      const std::uint32_t thread = step % 3 + 1;
      bench.detector.run(thread, step);
      bench.detector.acquire(thread, at(kLock));
      bench.detector.read(at(kData), 8, 1);
      bench.detector.write(at(kData), 8, 2);
      bench.detector.write(at(kData + 64 * thread), 4, 3);
      bench.detector.release(thread, at(kLock));
    }
  }
}
BENCHMARK(small_execution);

void reset_alone(benchmark::State& state) {
  Bench bench(1);
  for (auto _ : state) bench.detector.reset();
}
BENCHMARK(reset_alone);

/// malloc(64), written and freed.
void allocate_write_free(benchmark::State& state) {
  Bench bench(1);
  for (auto _ : state) {
    bench.detector.allocated(at(kData), 64);
    bench.detector.write_range(at(kData), 64, 1);
    bench.detector.freed(at(kData), 64, 2);
  }
}
BENCHMARK(allocate_write_free);

/// One execution of 30 million accesses to 64 MiB, by 8 threads in turns of 1000 with a lock for each turn. Either each thread
/// walks through its part of the data, or all read at random, where nearly every access misses the caches (and the program's
/// would, too).
void thirty_million(benchmark::State& state) {
  const bool random = state.range(0) != 0;
  for (auto _ : state) {
    Bench bench(8);
    std::uint32_t step = 0;
    std::uint64_t place = 0;
    for (std::uint64_t i = 0; i < 30'000'000; ++i) {
      if (i % 1000 == 0) {
        const std::uint32_t thread = ++step % 8;
        bench.detector.run(thread, step);
        bench.detector.acquire(thread, at(kLock));
        bench.detector.release(thread, at(kLock));
      }
      if (random) {
        place = place * 6364136223846793005u + 1442695040888963407u;
        bench.detector.read(at(kData + (place >> 41) * 8), 8, 1);
      } else {
        const std::uintptr_t address = kData + (std::uintptr_t{step % 8} << 23) + i / 8 * 4 % (std::uintptr_t{8} << 20);
        bench.detector.read(at(address), 4, 2);
        if (i % 4 == 0) bench.detector.write(at(address), 4, 3);
      }
    }
    if (bench.detector.raced()) state.SkipWithError("raced");
    state.counters["MiB"] = static_cast<double>(bench.memory.total >> 20);
  }
}
BENCHMARK(thirty_million)->ArgName("random")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->Iterations(1);

void order_step(benchmark::State& state) {
  Mapped memory;
  Order order(memory);
  std::uint32_t i = 0;
  for (auto _ : state) {
    ++i;
    order.step(i % 3, 1, i % 7, i % 2 == 0, 5);
    benchmark::DoNotOptimize(order.signature());
  }
}
BENCHMARK(order_step);

}  // namespace
}  // namespace tarry::native
