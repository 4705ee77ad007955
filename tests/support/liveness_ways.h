// The ways in which liveness can be decided: searches with their parameters, explorers, workers, fairness and data choices.
//
// All of it comes from the registry: a search that is added is tested by every test that goes through these lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/registry.h"
#include "core/search.h"

namespace tarry::test {

inline constexpr LoopFairness kFairness[] = {LoopFairness::kNone, LoopFairness::kWeak, LoopFairness::kStrong};
inline constexpr LoopChoices kChoices[] = {LoopChoices::kFair, LoopChoices::kDemonic};

/// A search that decides liveness, with one value for each parameter that changes what it does.
struct LivenessWay {
  std::string search;
  ParamValues params;
  bool deepens;      // asks an explorer
  bool any_choices;  // fair ones, too, and strong fairness
  bool has_delta;

  bool allows(LoopFairness fairness, LoopChoices choices) const { return any_choices || (fairness != LoopFairness::kStrong && choices == LoopChoices::kDemonic); }
};

inline std::vector<LivenessWay> liveness_ways() {
  std::vector<LivenessWay> out;
  for (const auto& entry : Registry<Search>::all()) {
    if (!entry.kind.decides_liveness) continue;
    const bool any = std::find(entry.kind.limits.begin(), entry.kind.limits.end(), "choices") != entry.kind.limits.end();
    const auto has = [&](const char* name) { return std::any_of(entry.params.begin(), entry.params.end(), [&](const Param& p) { return p.name == name; }); };
    const bool delta = has("delta");
    if (has("deepen")) {
      out.push_back({entry.name, {{"deepen", 0}}, false, any, false});
      out.push_back({entry.name, {{"deepen", 1}}, true, any, delta});
    } else if (has("newest")) {
      out.push_back({entry.name, {{"newest", 0}}, true, any, delta});
      out.push_back({entry.name, {{"newest", 1}}, true, any, delta});
    } else {
      out.push_back({entry.name, {}, true, any, delta});
    }
  }
  return out;
}

/// One way with everything that is combined with it.
struct LivenessCombination {
  LivenessWay way;
  std::string explorer;
  std::uint32_t jobs;
  LoopFairness fairness;
  LoopChoices choices;

  std::string text() const {
    std::string out = way.search;
    for (const auto& [name, value] : way.params) out += ":" + name + "=" + std::to_string(value);
    return out + " with " + explorer + ", jobs " + std::to_string(jobs) + ", fairness " + std::to_string(static_cast<int>(fairness)) + ", choices " + std::to_string(static_cast<int>(choices));
  }
};

/// All of them, in an order in which each ten in a row have several searches and kinds of fairness.
inline std::vector<LivenessCombination> liveness_combinations() {
  std::vector<LivenessCombination> sorted;
  for (const LivenessWay& way : liveness_ways())
    for (const auto& explorer : Registry<Explorer>::all()) {
      for (const std::uint32_t jobs : {1u, 2u})
        for (const LoopFairness fairness : kFairness)
          for (const LoopChoices choices : kChoices)
            if (way.allows(fairness, choices)) sorted.push_back({way, explorer.name, jobs, fairness, choices});
      if (!way.deepens) break;
    }
  std::vector<LivenessCombination> out;
  const std::size_t stride = sorted.size() / 7 + 1;
  for (std::size_t first = 0; first < stride; ++first)
    for (std::size_t i = first; i < sorted.size(); i += stride) out.push_back(sorted[i]);
  return out;
}

/// `count` combinations for the program with this number. Programs in a row go through all combinations; then again, with one more delay from stratum to stratum.
inline std::vector<LivenessCombination> combinations_for(std::uint64_t program, std::size_t count) {
  static const std::vector<LivenessCombination> all = liveness_combinations();
  std::vector<LivenessCombination> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t number = program * count + i;
    out.push_back(all[number % all.size()]);
    if (out.back().way.has_delta) out.back().way.params["delta"] = static_cast<std::int64_t>(1 + number / all.size() % 3);
  }
  return out;
}

/// Options of a combination, on a program whose number is its seed.
inline SearchOptions options_of(const LivenessCombination& combination, std::uint64_t program) {
  SearchOptions options;
  options.seed = program;
  options.jobs = combination.jobs;
  options.fairness = combination.fairness;
  options.choices = combination.choices;
  options.limits.memory = 256 << 20;
  return options;
}

/// How often each combination was met, with a bug and without one.
class CombinationsMet {
 public:
  void add(const LivenessCombination& combination, bool bug) {
    LivenessCombination any_delta = combination;
    any_delta.way.params.erase("delta");
    ++met_[bug ? 1 : 0][any_delta.text()];
    ++runs_;
  }
  /// Combinations with which a bug was to be found, or (false) a proof.
  std::size_t combinations(bool bug) const { return met_[bug ? 1 : 0].size(); }
  std::uint64_t runs() const { return runs_; }

 private:
  std::map<std::string, std::uint64_t> met_[2];
  std::uint64_t runs_ = 0;
};

}  // namespace tarry::test
