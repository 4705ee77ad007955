// explore/liveness/nested_marks.h: workers search small graphs for accepting cycles, as explore/liveness/parallel_nested.h does.
// A cycle is found if there is one, no worker waits for ever, and the edges of a state are written once, before they are read
// (they are plain memory: anything else is a data race).
//
// Scene 0: a cycle that one worker reaches from outside while the other one has entered it and is about to search it. Scene 1:
// two sources on one cycle, one for each worker. Scene 2: no cycle; a worker waits for the other one's source. Scene 3: both
// workers expand the states of a diamond from its first one. Scene 4: three sources on one cycle, one for each of three workers.
// Scene 5: the graph of scene 0, expanded by workers that both start at a state before it.
#include <tarry/test.h>

#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "explore/liveness/nested_marks.h"

using tarry::ExpansionMark;
using tarry::NestedMark;

namespace {

struct Edge {
  int from, to;
  bool accepting;
};
struct Scene {
  std::vector<int> starts;  // of the workers
  bool cycle;
  bool expand;  // workers do; else all states are expanded before they start
  std::vector<Edge> edges;
};
const Scene kScenes[] = {
    {{0, 2}, true, false, {{0, 1, true}, {1, 2, false}, {2, 1, true}}},
    {{0, 1}, true, false, {{0, 1, true}, {1, 0, true}}},
    {{0, 1}, false, false, {{0, 1, true}, {1, 2, true}}},
    {{0, 0}, false, true, {{0, 1, false}, {0, 2, false}, {1, 3, false}, {2, 3, false}}},
    {{0, 1, 2}, true, false, {{0, 1, true}, {1, 2, true}, {2, 0, true}}},
    {{0, 0}, true, true, {{0, 1, false}, {0, 3, false}, {1, 2, true}, {2, 3, false}, {3, 2, true}}},
};
constexpr int kNodes = 4;

const Scene* g_scene;
NestedMark::Bits g_marks[kNodes];
ExpansionMark::Bits g_expansions[kNodes];
std::atomic<bool> g_known[kNodes], g_found;
int g_first[kNodes];                       // what the worker that finds a state writes
std::vector<const Edge*> g_edges[kNodes];  // what the worker that expands it writes

struct List : std::vector<int> {
  void pop() { pop_back(); }
};

NestedMark mark(int node) { return NestedMark(g_marks[node]); }

bool rest() {
  sched_yield();
  return g_found;
}

void expand(int state) {
  ExpansionMark mark(g_expansions[state]);
  while (!mark.done()) {
    if (!mark.take()) {
      rest();
      continue;
    }
    TARRY_EXPECT(g_first[state] == state + 1 && g_edges[state].empty());
    for (const Edge& edge : g_scene->edges) {
      if (edge.from != state) continue;
      if (!g_known[edge.to].exchange(true)) {
        g_first[edge.to] = edge.to + 1;
        ExpansionMark(g_expansions[edge.to]).found();
      }
      g_edges[state].push_back(&edge);
    }
    mark.finish();
  }
}

struct Worker {
  explicit Worker(std::size_t i) : number(i) {}

  std::size_t number;
  bool cyan[kNodes] = {}, visited[kNodes] = {};
  List seen, sources;

  void search(int node) {
    if (g_found || cyan[node] || mark(node).has(NestedMark::kBlue)) return;
    expand(node);
    cyan[node] = true;
    bool accepts = false;
    const auto& edges = g_edges[node];
    for (std::size_t i = 0; i < edges.size(); ++i) {  // each worker starts with another one
      const Edge* const edge = edges[(i + number) % edges.size()];
      accepts = accepts || edge->accepting;
      search(edge->to);
    }
    if (!g_found && mark(node).leave() && accepts) inner_search(node);
    cyan[node] = false;
  }
  void inner_search(int source) {
    for (const Edge* edge : g_edges[source])
      if (edge->accepting && !visit(edge->to)) return void(g_found = true);
    tarry::end_inner_search(source, seen, sources, mark, rest);
  }
  bool visit(int node) {
    if (cyan[node]) return false;
    if (visited[node] || mark(node).has(NestedMark::kRed)) return true;
    expand(node);
    visited[node] = true;
    seen.push_back(node);
    bool accepts = false;
    for (const Edge* edge : g_edges[node]) {
      if (edge->accepting && !accepts) accepts = true, sources.push_back(node);
      if (!visit(edge->to)) return false;
    }
    return true;
  }
};

}  // namespace

int main(int, char** argv) {
  g_scene = &kScenes[std::atoi(argv[1])];
  g_known[0] = true;
  g_first[0] = 1;
  ExpansionMark(g_expansions[0]).found();
  for (int state = 0; state < kNodes && !g_scene->expand; ++state) {
    g_known[state] = true;
    g_first[state] = state + 1;
    ExpansionMark(g_expansions[state]).found();
    expand(state);
  }
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < g_scene->starts.size(); ++i) others.emplace_back([i] { Worker(i).search(g_scene->starts[i]); });
  Worker(0).search(g_scene->starts[0]);
  for (std::thread& other : others) other.join();
  TARRY_EXPECT(g_found == g_scene->cycle);
  for (const Edge& edge : g_scene->edges)
    TARRY_EXPECT(g_found ||
                 (mark(edge.from).has(NestedMark::kBlue) &&
                  (!edge.accepting || (mark(edge.from).has(NestedMark::kSearched) && mark(edge.to).has(NestedMark::kRed)))));
}
