#include "enforce/schedule_set.h"

#include <algorithm>
#include <map>

#include "base/assert.h"

namespace tarry::enforce {
namespace {

std::string key_of(const Event& event) {
  std::string key(reinterpret_cast<const char*>(&event.label), sizeof(event.label));
  key.append(reinterpret_cast<const char*>(&event.barrier), sizeof(event.barrier));
  key.append(reinterpret_cast<const char*>(&event.total), sizeof(event.total));
  key.append(reinterpret_cast<const char*>(event.needs.data()), event.needs.size() * sizeof(Need));
  return key;
}

}  // namespace

std::uint32_t ScheduleSet::module(std::string_view name) {
  const auto known = std::find(modules.begin(), modules.end(), name);
  if (known != modules.end()) return static_cast<std::uint32_t>(known - modules.begin());
  modules.emplace_back(name);
  return static_cast<std::uint32_t>(modules.size() - 1);
}

std::uint32_t ScheduleSet::intern(const Label& label) {
  const auto [at, is_new] = label_numbers_.emplace(bytes_of(label), static_cast<std::uint32_t>(labels_.size()));
  if (is_new) labels_.push_back(label);
  return at->second;
}

std::uint32_t ScheduleSet::intern(const Footprint& footprint) {
  const auto known = std::find(footprints_.begin(), footprints_.end(), footprint);
  if (known != footprints_.end()) return static_cast<std::uint32_t>(known - footprints_.begin());
  footprints_.push_back(footprint);
  return static_cast<std::uint32_t>(footprints_.size() - 1);
}

std::uint32_t ScheduleSet::intern(const Event& event) {
  const auto [at, is_new] = event_numbers_.emplace(key_of(event), static_cast<std::uint32_t>(events_.size()));
  if (is_new) events_.push_back(event);
  return at->second;
}

std::vector<std::uint32_t> ScheduleSet::word(std::span<const std::uint32_t> execution) {
  std::vector<std::uint32_t> out;
  for (const Event& event : word_of(labels_, execution)) out.push_back(intern(event));
  return out;
}

bool ScheduleSet::add(std::span<const std::uint32_t> execution) { return words_.insert(word(execution)).second; }
bool ScheduleSet::contains(std::span<const std::uint32_t> execution) { return words_.contains(word(execution)); }

std::string ScheduleSet::differs_from(const ScheduleSet& other) const {
  if (identity != other.identity) return "they are of different programs, or of different builds of one";
  if (footprints_.empty() != other.footprints_.empty()) return "only one of them is of a program with regions";
  if (footprints_.empty() && arguments != other.arguments) return "the program was given other arguments";
  if (assumes != other.assumes) return "they rest on different things";
  const auto named = [](const ScheduleSet& set) {
    std::set<std::pair<std::string, std::uint64_t>> out;
    for (const CodePlace& point : set.points) out.emplace(set.modules[point.module], point.offset);
    return out;
  };
  if (named(*this) != named(other)) return "different accesses were found to race";
  return "";
}

Label ScheduleSet::translated(const ScheduleSet& other, Label label) {
  const auto numbered_here = [&](std::uint32_t number) { return module(other.modules[number]); };
  const auto footprint = [&](std::uint64_t number) {
    Footprint out = other.footprints_[number];
    out.module = numbered_here(out.module);
    out.unnamed_module = numbered_here(out.unnamed_module);
    out.values = renumbered(out.values, numbered_here);
    return out;
  };
  const auto here = [&](Object object) {
    if (object.space == Space::kData) object.module = numbered_here(object.module);
    if (object.space == Space::kEntry) object.value = intern(footprint(object.value));
    return object;
  };
  label.object = here(label.object);
  label.also = here(label.also);
  for (Touch& touch : label.touches) touch.object = here(touch.object);
  label.module = numbered_here(label.module);
  return label;
}

std::vector<std::uint32_t> ScheduleSet::translated(const ScheduleSet& other, std::span<const std::uint32_t> word) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t number : word) {
    Event event = other.events_[number];
    event.label = intern(translated(other, other.labels_[event.label]));
    out.push_back(intern(event));
  }
  return out;
}

/// The traces of a set are closed under combination where its executions led (region_products.h). They stay so if the other set has either the same traces, or
/// none that fit there: footprints with different values exclude each other.
bool ScheduleSet::may_combine_with(const ScheduleSet& other) {
  if (!several_regions && !other.several_regions) return false;
  std::map<std::uint32_t, std::set<std::vector<std::uint32_t>>> ours, theirs;  // traces, by footprint
  const auto footprint_of = [this](const std::vector<std::uint32_t>& word) { return static_cast<std::uint32_t>(labels_[events_[word.front()].label].object.value); };
  for (const auto& word : words_) ours[footprint_of(word)].insert(word);
  for (const auto& word : other.words_) {
    std::vector<std::uint32_t> here = translated(other, word);
    const std::uint32_t footprint = footprint_of(here);
    theirs[footprint].insert(std::move(here));
  }
  for (const auto& [our_number, our_words] : ours)
    for (const auto& [their_number, their_words] : theirs) {
      const Footprint& own = footprints_[our_number];
      const Footprint& their = footprints_[their_number];
      if (!own.is_of_same_region(their) || contradict(own.values, their.values)) continue;
      if (our_number != their_number || our_words != their_words) return true;
    }
  return false;
}

std::size_t ScheduleSet::merge(const ScheduleSet& other) {
  std::size_t added = 0;
  for (const auto& word : other.words_) added += words_.insert(translated(other, word)).second ? 1 : 0;
  for (const CodePlace& site : other.sites) sites.push_back({module(other.modules[site.module]), site.offset});
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  // Traces of regions may be of several arguments, and a set is complete for those of its search only. Of two sets for the same arguments, one tells about both if
  // it has all traces.
  const bool by_one = (complete && added == 0) || (other.complete && size() == other.size());
  if (footprints_.empty()) complete |= other.complete;
  else complete = (complete && other.complete) || (by_one && arguments == other.arguments);
  several_regions |= other.several_regions;
  return added;
}

bool ScheduleSet::withdraw(const std::vector<std::uint32_t>& word) {
  if (words_.erase(word) == 0) return false;
  complete = false;
  return true;
}

std::size_t ScheduleSet::missing(const ScheduleSet& other) {
  std::size_t count = 0;
  for (const auto& word : other.words_) count += words_.contains(translated(other, word)) ? 0 : 1;
  return count;
}

}  // namespace tarry::enforce
