// Makes traces of regions of executions of whole programs.
//
// A region is a part of the program that begins and ends while the program has one thread only. So an execution falls into the parts before, in and behind its
// regions, and only those in regions have to be enforced. The traces of a region are valid where its footprint is: if all variables that the region read before
// it wrote them have the same values, the region does the same in the same order.
//
// Executions that enter a region with the same values need not read the same variables, because they take different orders. Their footprints are put together,
// as far as the state at the entry is known to be the same: two entries belong together if all that came before is the same trace, or if what one of
// them read is known to have had the same values at the other. Which of the traces are admitted is then decided for all regions together (region_products.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "enforce/region_products.h"
#include "enforce/schedule_set.h"

namespace tarry::enforce {

/// Why traces of a region are not admitted, and where.
struct RegionProblem {
  std::string why;
  std::uint32_t module = 0;
  std::uint64_t offset = 0;  // 0: unknown
};

class RegionTraces {
 public:
  /// Labels and places are in numbers of this set.
  explicit RegionTraces(ScheduleSet& set) : set_(set) {}

  /// Takes the regions of an execution. `entries` are those of its regions, in order. kFailed: it failed outside of regions.
  void add(std::span<const std::uint32_t> execution, std::span<const RegionEntry* const> entries, RegionProducts::End end = RegionProducts::End::kWell);
  /// Adds the traces to the set. Returns what is left out.
  std::vector<RegionProblem> finish();
  const RegionProducts& products() const { return products_; }

 private:
  /// Entries with the same values.
  struct Group {
    Footprint read;
    Cells known;
    std::set<std::vector<std::uint32_t>> bodies;  // executions without the entry, ending with kLeaveRegion
    std::string problem = {};
  };

  void add_body(std::uint64_t before, std::span<const std::uint32_t> body, const std::vector<std::uint32_t>& named, const RegionEntry& entry);
  std::vector<std::uint32_t> named(std::span<const std::uint32_t> body);
  std::vector<Group> merged() const;
  std::optional<RegionProblem> problem_of(const Group& group) const;
  /// Adds those of its traces to the set. Returns the number of the others.
  std::size_t admit(const Group& group, const std::set<std::uint64_t>& traces);

  ScheduleSet& set_;
  std::map<std::pair<std::string, std::uint64_t>, Group> groups_;  // by place of the region, and all that came before
  RegionProducts products_;
};

/// Two different events of which a thread did either after the same past: the program depends on what its footprint does not have.
struct Disagreement {
  std::uint32_t one, other;  // labels
};
/// Returns a disagreement of executions that begin in the same state, if there is one. The outcome of a wait with a time limit and the value of an input may
/// differ.
std::optional<Disagreement> disagreement_of(std::span<const Label> labels, std::span<const std::vector<std::uint32_t>> executions);

}  // namespace tarry::enforce
