// Is the lasso of a finding one? Looked at with the definition of a violation alone.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/finding.h"
#include "tests/support/graph_program.h"

namespace tarry::test {

/// The edge of a choice sequence.
inline const GraphEdge* edge_of(const Graph& graph, std::uint32_t from, std::uint32_t process, const std::vector<std::uint32_t>& values) {
  for (const GraphEdge& e : graph.edges)
    if (e.from == from && e.process == process && e.values == values) return &e;
  return nullptr;
}

/// What is wrong with the lasso of a finding; empty if nothing is. `owed`: how messages about each property begin.
inline std::string wrong_with(const Graph& graph, const Finding& finding, const SearchOptions& options, const std::vector<std::string>& owed) {
  if (finding.kind != "liveness" || finding.loop == 0 || finding.loop > finding.steps) return "is no lasso";
  if (finding.why.empty()) return "does not say why it is fair";
  std::uint32_t state = 0, start = 0;
  std::set<const GraphEdge*> loop;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < finding.schedule.size();) {
    const std::uint32_t process = finding.schedule[i++].number;
    std::vector<std::uint32_t> values;
    while (i < finding.schedule.size() && finding.schedule[i].kind == Choice::Kind::kValue) values.push_back(finding.schedule[i++].number);
    const GraphEdge* const e = edge_of(graph, state, process, values);
    if (e == nullptr) return "takes a step that is not there";
    if (++number == finding.loop) start = state;
    if (number >= finding.loop) loop.insert(e);
    state = e->to;
  }
  if (number != finding.steps || state != start) return "does not come back to where its loop starts";
  const EndlessSet set(graph, {loop.begin(), loop.end()});
  for (std::uint32_t p = 0; p < graph.properties; ++p)
    if (finding.message.starts_with(owed[p]) && set.violates(p, options.fairness, options.choices)) return "";
  return "is no violation by itself";
}

/// The same, for a GraphProgram.
inline std::string wrong_with(const Graph& graph, const Finding& finding, const SearchOptions& options) {
  std::vector<std::string> owed;
  for (std::uint32_t p = 0; p < graph.properties; ++p) owed.push_back("property " + std::to_string(p) + " ");
  return wrong_with(graph, finding, options, owed);
}

}  // namespace tarry::test
