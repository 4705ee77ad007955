#include "enforce/region_traces.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/hash.h"

namespace tarry::enforce {
namespace {

/// A name for the trace, and for the state in which it ends: equal for executions of the same trace.
std::uint64_t name_of_trace(std::span<const Label> labels, std::span<const std::uint32_t> execution) {
  std::uint64_t hash = execution.size();
  for (const Event& event : word_of(labels, execution)) hash = hash_of(std::span<const Need>(event.needs), hash_of(std::span<const std::uint32_t>(&event.label, 1), hash));
  return hash;
}

/// Gives threads and memory of a region names that do not depend on what came before it: threads are numbered in order of creation, from 0, the one that enters
/// the region; memory is named by the first access of the thread with the lowest number.
class Names {
 public:
  explicit Names(std::span<const Label> labels, std::span<const std::uint32_t> body) {
    for (const std::uint32_t number : body)
      if (labels[number].thread != 0) first_thread_ = std::min(first_thread_, labels[number].thread);
    std::vector<std::uint32_t> events;
    for (const std::uint32_t number : body) {
      const std::uint32_t thread = own(labels[number].thread);
      if (thread >= events.size()) events.resize(thread + 1);
      std::uint64_t slot = std::uint64_t{thread} << 52 | std::uint64_t{events[thread]++} << 20;
      for (const Object& object : objects_of(labels[number])) {
        if (object.space != Space::kMemory) continue;
        const auto [at, is_new] = memory_.emplace(object.value, slot);
        if (!is_new) at->second = std::min(at->second, slot);
        ++slot;
      }
    }
  }
  Label named(Label label) const {
    label.thread = own(label.thread);
    for (Object* object : {&label.object, &label.also}) *object = named(*object);
    for (Touch& touch : label.touches) touch.object = named(touch.object);
    return label;
  }

 private:
  static std::vector<Object> objects_of(const Label& label) {
    std::vector<Object> out{label.object, label.also};
    for (const Touch& touch : label.touches) out.push_back(touch.object);
    return out;
  }
  std::uint32_t own(std::uint32_t thread) const { return thread == 0 ? 0 : thread - first_thread_ + 1; }
  Object named(Object object) const {
    if (object.space == Space::kThread) object.value = own(static_cast<std::uint32_t>(object.value));
    if (object.space == Space::kMemory) object.value = memory_.at(object.value) + 1;  // 0 is no address
    return object;
  }

  std::uint32_t first_thread_ = ~std::uint32_t{0};
  std::map<std::uint64_t, std::uint64_t> memory_;
};

/// Returns whether all threads that were created in the region are joined in it.
bool joins_its_threads(std::span<const Label> labels, std::span<const std::uint32_t> body) {
  std::set<std::uint32_t> threads;
  std::set<std::uint64_t> joined;
  for (const std::uint32_t number : body) {
    if (labels[number].thread != 0) threads.insert(labels[number].thread);
    if (labels[number].kind == Kind::kJoin) joined.insert(labels[number].object.value);
  }
  return std::all_of(threads.begin(), threads.end(), [&](std::uint32_t thread) { return joined.contains(thread); });
}

}  // namespace

void RegionTraces::add(std::span<const std::uint32_t> execution, std::span<const RegionEntry* const> entries, RegionProducts::End end_of_all) {
  std::vector<RegionProducts::Passage> passages;
  std::uint64_t inputs = 0;
  for (std::size_t i = 0; i < execution.size() && passages.size() < entries.size(); ++i) {
    const Label& label = set_.labels()[execution[i]];
    if (label.kind == Kind::kInput || label.kind == Kind::kNone) inputs = hash_of(bytes_of(label), inputs);
    if (label.kind != Kind::kEnterRegion) continue;
    std::size_t end = i + 1;
    while (end < execution.size() && set_.labels()[execution[end]].kind != Kind::kLeaveRegion) ++end;
    if (end == execution.size()) break;
    const auto body = execution.subspan(i + 1, end - i);
    const RegionEntry& entry = *entries[passages.size()];
    const std::vector<std::uint32_t> own = named(body);
    passages.push_back({inputs, &entry, name_of_trace(set_.labels(), own)});
    if (end_of_all == RegionProducts::End::kWell) add_body(name_of_trace(set_.labels(), execution.first(i)), body, own, entry);
    inputs = 0;
    i = end;
  }
  products_.add(passages, end_of_all);
}

std::vector<std::uint32_t> RegionTraces::named(std::span<const std::uint32_t> body) {
  const Names names(set_.labels(), body);
  std::vector<std::uint32_t> out;
  for (const std::uint32_t number : body) out.push_back(set_.intern(names.named(set_.labels()[number])));
  return out;
}

void RegionTraces::add_body(std::uint64_t before, std::span<const std::uint32_t> body, const std::vector<std::uint32_t>& named, const RegionEntry& entry) {
  const std::string place(reinterpret_cast<const char*>(&entry.read.offset), sizeof(entry.read.offset));
  Group& group = groups_.try_emplace({place + entry.read.region, before}, Group{entry.read, entry.known, {}}).first->second;
  for (const auto& [cell, value] : entry.read.values)
    if (group.read.values.emplace(cell, value).first->second != value) group.problem = "differs from one execution to the next at its entry, although all before is the same";
  for (const auto& [cell, value] : entry.known) group.known.emplace(cell, value);
  if (group.read.unnamed_offset == 0) group.read.unnamed_module = entry.read.unnamed_module, group.read.unnamed_offset = entry.read.unnamed_offset;
  if (!joins_its_threads(set_.labels(), body)) group.problem = "has a thread that is not joined in it";
  group.bodies.insert(named);
}

/// Puts groups together: first those that read the same values, then each into those that are known to have the values that it read.
std::vector<RegionTraces::Group> RegionTraces::merged() const {
  const auto by_values = [](std::vector<Group> groups, bool with_known) {
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, Cells, Cells>, Group> out;
    for (Group& group : groups) {
      auto key = std::tuple(group.read.module, group.read.offset, group.read.depth, group.read.values, with_known ? group.known : Cells());
      const auto [at, is_new] = out.try_emplace(std::move(key), group);
      if (is_new) continue;
      at->second.bodies.insert(group.bodies.begin(), group.bodies.end());
      if (at->second.problem.empty()) at->second.problem = group.problem;
      if (at->second.read.unnamed_offset == 0) at->second.read.unnamed_module = group.read.unnamed_module, at->second.read.unnamed_offset = group.read.unnamed_offset;
    }
    std::vector<Group> values;
    for (auto& [key, group] : out) values.push_back(std::move(group));
    return values;
  };
  std::vector<Group> groups;
  for (const auto& [key, group] : groups_) groups.push_back(group);
  groups = by_values(std::move(groups), true);
  std::vector<Group> out = groups;
  for (std::size_t to = 0; to < out.size(); ++to)
    for (std::size_t from = 0; from < groups.size(); ++from) {
      if (from == to || !groups[from].read.is_of_same_region(groups[to].read) || !is_within(groups[from].read.values, groups[to].known)) continue;
      out[to].bodies.insert(groups[from].bodies.begin(), groups[from].bodies.end());
      out[to].read.values.insert(groups[from].read.values.begin(), groups[from].read.values.end());
      if (out[to].problem.empty()) out[to].problem = groups[from].problem;
    }
  return by_values(std::move(out), false);
}

std::optional<RegionProblem> RegionTraces::problem_of(const Group& group) const {
  const auto named = [&](const std::string& what) { return "region '" + group.read.region + "', which " + what; };
  if (!group.problem.empty()) return RegionProblem{named(group.problem), group.read.module, group.read.offset};
  const std::vector<std::vector<std::uint32_t>> bodies(group.bodies.begin(), group.bodies.end());
  if (const auto found = disagreement_of(set_.labels(), bodies)) {
    const Label& one = set_.labels()[found->one];
    const Label& other = set_.labels()[found->other];
    return RegionProblem{named(std::string("goes on differently from equal values, with '") + name_of(one.kind) + "' or with '" + name_of(other.kind) + "': declare what it depends on with tarry::input"), one.module, one.offset};
  }
  return std::nullopt;
}

std::size_t RegionTraces::admit(const Group& group, const std::set<std::uint64_t>& traces) {
  std::set<std::uint64_t> others;
  std::optional<std::uint32_t> entry;  // a footprint without traces is not worth a place in the set
  for (const auto& body : group.bodies) {
    if (const std::uint64_t name = name_of_trace(set_.labels(), body); !traces.contains(name)) {
      others.insert(name);
      continue;
    }
    if (!entry) entry = set_.intern({.thread = 0, .kind = Kind::kEnterRegion, .object = {Space::kEntry, 0, set_.intern(group.read)}, .touches = {{{Space::kEverything, 0, 0}, true}}});
    std::vector<std::uint32_t> whole{*entry};
    whole.insert(whole.end(), body.begin(), body.end());
    set_.add(whole);
  }
  return others.size();
}

std::vector<RegionProblem> RegionTraces::finish() {
  std::vector<RegionProblem> out;
  std::vector<Group> groups;
  for (Group& group : merged()) {
    if (auto problem = problem_of(group)) out.push_back(std::move(*problem));
    else groups.push_back(std::move(group));
  }
  std::vector<RegionProducts::Candidate> candidates;
  for (const Group& group : groups) {
    RegionProducts::Candidate& one = candidates.emplace_back(&group.read);
    for (const auto& body : group.bodies) one.traces.insert(name_of_trace(set_.labels(), body));
  }
  const auto admitted = products_.admitted(candidates);
  std::map<std::tuple<std::string, std::uint32_t, std::uint64_t>, std::size_t> withdrawn;  // by region
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (const std::size_t others = admit(groups[i], admitted[i]); others > 0) withdrawn[{groups[i].read.region, groups[i].read.module, groups[i].read.offset}] += others;
  for (const auto& [region, count] : withdrawn) {
    const auto& [name, module, offset] = region;
    out.push_back({std::to_string(count) + (count == 1 ? " trace" : " traces") + " of region '" + name + "', because some combination with admitted traces of regions fails, or was not verified", module, offset});
  }
  return out;
}

std::optional<Disagreement> disagreement_of(std::span<const Label> labels, std::span<const std::vector<std::uint32_t>> executions) {
  struct Use {
    std::uint64_t write = 0, reads = 0;  // names of the last write, and of all reads since
  };
  const auto bytes_without_outcome = [](Label label) {
    if (is_timed(label.kind)) label.size = 0;
    if (label.kind == Kind::kInput) label.object = {};
    for (Object* const object : {&label.object, &label.also})
      if (object->space == Space::kMemory) *object = {Space::kMemory, 0, 0};  // its name depends on what other threads do
    label.touches.clear();  // whether a condition variable has a waiter, and the like, shows here only
    return bytes_of(label);
  };
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::pair<std::string, std::uint32_t>> next;  // by thread and its past
  for (const auto& execution : executions) {
    std::map<std::uint32_t, std::uint64_t> past;  // of each thread
    std::map<Object, Use> uses;
    std::uint64_t all = 0;
    for (const std::uint32_t number : execution) {
      const Label& label = labels[number];
      const std::string what = bytes_without_outcome(label);
      const std::uint64_t own = past[label.thread];
      const auto [at, is_new] = next.try_emplace({label.thread, own}, what, number);
      if (!is_new && at->second.first != what) return Disagreement{at->second.second, number};
      std::uint64_t name = hash_of(bytes_of(label), own + 1);
      for (const Touch& touch : label.touches) {
        if (touch.object.space == Space::kEverything) {
          name = hash_of(std::span<const std::uint64_t>(&all, 1), name);
          continue;
        }
        const Use& use = uses[touch.object];
        const std::uint64_t seen[2] = {use.write, touch.writes ? use.reads : 0};
        name = hash_of(std::span<const std::uint64_t>(seen), name);
      }
      for (const Touch& touch : label.touches) {
        Use& use = uses[touch.object];
        if (touch.writes) use = {name, 0};
        else use.reads += name;
      }
      past[label.thread] = name;
      all += name;
    }
  }
  return std::nullopt;
}

}  // namespace tarry::enforce
