// A front end in one file, which touches nothing in src/: a text file of a finite graph (*.graph).
//
//   left  start  waiting     process 'left' goes from state 'start' to state 'waiting'; the first state of the file is the first one
//   bad   waiting            a step into this state fails
//
// Its one option, --bad STATE, makes one more state bad.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "base/hash.h"
#include "core/target.h"
#include "core/usage.h"
#include "process/state_subject.h"
#include "trace/whole_file.h"

namespace tarry {
namespace {

struct Edge {
  std::uint32_t from, process, to;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Graph {
  std::vector<std::string> states, processes;
  std::vector<Edge> edges;  // sorted
  std::set<std::uint32_t> bad;
};

std::uint32_t number_of(std::vector<std::string>& names, const std::string& name) {
  const auto index = static_cast<std::uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  if (index == names.size()) names.push_back(name);
  return index;
}

Result<Graph> parse_graph(const std::string& file, const std::string& text) {
  Graph graph;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line);
    std::string process, from, to;
    if (!(words >> process)) continue;
    if (!(words >> from)) return Diagnostic{fmt::format("{}:{}: error: expected 'process state state' or 'bad state'", file, number)};
    if (process == "bad") graph.bad.insert(number_of(graph.states, from));
    else if (words >> to) graph.edges.push_back({number_of(graph.states, from), number_of(graph.processes, process), number_of(graph.states, to)});
    else return Diagnostic{fmt::format("{}:{}: error: process '{}' goes from '{}', but it is not said where to", file, number, process, from)};
  }
  if (graph.edges.empty()) return Diagnostic{fmt::format("{}: error: has no edge", file)};
  std::sort(graph.edges.begin(), graph.edges.end());
  return graph;
}

class Walk final : public StateSpace {
 public:
  explicit Walk(const Graph& graph) : graph_(graph) {}
  StepText initial(Word* words) override { return words[0] = 0, StepText{}; }
  void expand(StateView state, abi::Expansion& out) override {
    out.count = out.value_count = out.blocked = out.cut = 0;
    for (const Edge& edge : graph_.edges) {
      if (edge.from != state[0]) continue;
      if (out.count == out.capacity) out.grow(&out);
      if (out.cut != 0) return;
      out.words[out.count] = edge.to;
      out.successors[out.count++] = {edge.process, flags(edge), 0, 0, {}, {}};
    }
  }
  void survey(StateView state, Survey& out) override {
    std::fill(out.bits().begin(), out.bits().end(), 0);
    for (std::uint32_t p = 0; p < graph_.processes.size(); ++p) {
      out.bits()[find(state[0], p) != nullptr ? 0 : 2 * std::size_t{out.longs()}] |= std::uint64_t{1} << p;
      out.bits()[out.longs()] |= std::uint64_t{1} << p;
    }
    out.sealed_by = 0;
  }
  void enabled(StateView state, std::span<std::uint64_t> out) override {
    out[0] = 0;
    for (std::uint32_t p = 0; p < graph_.processes.size(); ++p) out[0] |= std::uint64_t{find(state[0], p) != nullptr} << p;
  }
  void take(StateView state, ProcessId process, std::span<const std::uint32_t> /*values*/, abi::Taken& out) override {
    out.flags = out.sent_count = out.order_count = 0;
    const Edge* const edge = find(state[0], index(process));
    out.outcome = edge == nullptr ? abi::Outcome::kNotOpen : abi::Outcome::kMoved;
    if (edge == nullptr) return;
    out.words[0] = edge->to;
    out.flags = flags(*edge);
    out.marks = {};
    out.resolved = {};
  }
  const abi::Cursor& cursor() const override { return cursor_; }

 private:
  std::uint32_t flags(const Edge& edge) const { return graph_.bad.contains(edge.to) ? std::uint32_t{abi::kFailed} : 0u; }
  const Edge* find(std::uint32_t state, std::uint32_t process) const {
    for (const Edge& edge : graph_.edges)
      if (edge.from == state && edge.process == process) return &edge;
    return nullptr;
  }
  const Graph& graph_;
  abi::Cursor cursor_{};
};

class Words final : public Narrator {
 public:
  explicit Words(const Graph& graph) : graph_(graph) {}
  Fields fields(StateView state) override { return {{"state", graph_.states[state[0]]}}; }
  StepText explain(StateView state, ProcessId process, std::span<const std::uint32_t> /*values*/) override {
    for (const Edge& edge : graph_.edges)
      if (edge.from == state[0] && edge.process == index(process)) {
        StepText text{.label = "to " + graph_.states[edge.to], .kind = "", .message = "", .location = ""};
        if (graph_.bad.contains(edge.to)) text.kind = "assertion", text.message = fmt::format("state '{}' is reached", graph_.states[edge.to]);
        return text;
      }
    return {};
  }
  std::string process_name(ProcessId process) override { return graph_.processes[index(process)]; }

 private:
  const Graph& graph_;
};

class GraphProgram final : public Program {
 public:
  explicit GraphProgram(const Graph& graph) : graph_(graph), shape_{1, 32, static_cast<std::uint32_t>(graph_.processes.size()), false} {}
  const Shape& shape() const override { return shape_; }
  std::unique_ptr<StateSpace> open() const override { return std::make_unique<Walk>(graph_); }
  std::unique_ptr<Narrator> narrator() const override { return std::make_unique<Words>(graph_); }

 private:
  Graph graph_;
  Shape shape_;
};

class GraphSubject final : public process::StateSubject {
 public:
  GraphSubject(Graph graph, std::uint64_t identity) : StateSubject({.identity = identity}, {}), graph_(std::move(graph)) {}
  Result<std::unique_ptr<Program>> load(Purpose /*purpose*/) const override { return std::unique_ptr<Program>(std::make_unique<GraphProgram>(graph_)); }

 private:
  Graph graph_;
};

class GraphTarget final : public Target {
 public:
  Options options() override { return {{.names = "--bad", .value = "STATE", .help = "a step into this state fails, too", .group = "Graphs", .take = set_text(bad_)}}; }
  std::optional<Diagnostic> settle(TargetRequest& request) override {
    if (!request.defines.empty()) return usage_error(fmt::format("-D is for programs that are compiled, and '{}' is a graph", request.target));
    return process::settle_for_one_test(request);
  }
  Result<Subjects> load(const TargetRequest& request) override {
    const auto text = read_whole(request.target);
    if (!text) return text.error();
    auto graph = parse_graph(request.target, *text);
    if (!graph) return graph.error();
    if (!bad_.empty()) graph->bad.insert(number_of(graph->states, bad_));
    Subjects subjects;
    subjects.push_back(std::make_unique<GraphSubject>(std::move(*graph), hash_of(std::string_view(bad_), hash_of(std::string_view(*text)))));
    return subjects;
  }

 private:
  std::string bad_;
};

const FrontEndRegistration entry{{
    .name = "graph",
    .plural = "graphs",
    .targets = "a .graph file",
    .claims = [](const std::string& file) { return file.ends_with(".graph") ? Claim::kYes : Claim::kNo; },
    .make = [] { return std::make_unique<GraphTarget>(); },
}};

}  // namespace
}  // namespace tarry
