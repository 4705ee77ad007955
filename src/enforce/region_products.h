// Decides which traces of regions may be admitted together.
//
// Each region is enforced by itself, so a run combines any admitted traces of its regions. The code behind the regions sees what all of them wrote, and may fail
// for some combinations only. So traces are admitted only if every combination of them that verification could have met went well.
//
// The executions are a tree. A node is an entry of a region: the traces of the regions before it, and the inputs that were read between them. Its children are the
// traces that executions took there. From each node that admitted traces lead to, each admitted trace whose footprint may fit has to lead to a child that is part of
// an execution that went well, and behind which no execution failed before its next region. Inputs that are read outside of regions are not compared at run time,
// so a child counts that was met behind the same traces with other inputs. Behind its leaves the tree says nothing: a further region is admitted by its footprint.
//
// Traces are admitted execution by execution, in the order of the search, if the tree allows it together with those before. The condition can only become false
// by further traces. So what was refused once stays refused, and no further trace could be admitted at the end.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "enforce/region_footprint.h"

namespace tarry::enforce {

class RegionProducts {
 public:
  /// One region of an execution. Traces are named by a hash.
  struct Passage {
    std::uint64_t inputs = 0;  // that were read since the region before, by a hash
    const RegionEntry* entry = nullptr;
    std::uint64_t trace = 0;
  };
  /// Traces with the footprint for which they could be admitted.
  struct Candidate {
    const Footprint* footprint;
    std::set<std::uint64_t> traces;
  };
  enum class End : std::uint8_t { kWell, kFailed };

  /// Adds an execution. kFailed: it failed behind its last region, before it entered another one.
  void add(std::span<const Passage> regions, End end);
  /// Returns the traces that are admitted, for each candidate.
  std::vector<std::set<std::uint64_t>> admitted(std::span<const Candidate> candidates) const;
  /// Returns whether some execution enters more than one region.
  bool has_several() const { return has_several_; }
  /// Returns whether some execution failed.
  bool has_failed() const { return has_failed_; }

 private:
  struct Child {
    bool well = false, failed = false;
    std::map<std::uint64_t, std::uint32_t> next = {};  // nodes, by inputs
  };
  struct Node {
    std::uint64_t past;  // the traces that lead here, by a hash
    Footprint region;    // its place
    Cells known;
    std::map<std::uint64_t, Child> children = {};
  };
  class Selection;

  /// Returns whether the trace may follow what led to the node.
  bool is_well(const Node& node, std::uint64_t trace) const;

  std::deque<Node> nodes_;
  std::map<std::uint64_t, std::uint32_t> roots_;                  // by inputs
  std::map<std::uint64_t, std::set<std::uint64_t>> went_well_;    // traces, by what led there
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> executions_;  // that went well: nodes and traces
  bool has_several_ = false, has_failed_ = false;
};

}  // namespace tarry::enforce
