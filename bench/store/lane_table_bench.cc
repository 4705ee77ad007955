// What a visit costs: the table of visited states by itself, filled with numbers that are close (as packed states are) and looked up
// in an order that memory cannot guess.
#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "store/lane_table.h"

namespace tarry {
namespace {

template <class Lane>
void fill(LaneTable<Lane>& table, std::uint64_t members) {
  for (std::uint64_t i = 0; i < members; ++i)
    while (table.insert(i * 3) == Visit::kFull) table.grow();
}

template <class Lane>
void Insert(benchmark::State& state) {
  const auto members = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    LaneTable<Lane> table(std::uint64_t{1} << 32);
    fill(table, members);
    state.counters["bytes_per_state"] = static_cast<double>(table.bytes()) / static_cast<double>(members);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Lane>
void LookUp(benchmark::State& state) {
  const auto members = static_cast<std::uint64_t>(state.range(0));
  LaneTable<Lane> table(std::uint64_t{1} << 32);
  fill(table, members);
  Rng rng(1);
  std::uint64_t found = 0;
  for (auto _ : state) found += table.contains(rng.below(members) * 3) ? 1 : 0;
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_TEMPLATE(Insert, std::uint32_t)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(Insert, std::uint64_t)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(LookUp, std::uint32_t)->Arg(100'000)->Arg(10'000'000);
BENCHMARK_TEMPLATE(LookUp, std::uint64_t)->Arg(100'000)->Arg(10'000'000);

}  // namespace
}  // namespace tarry

