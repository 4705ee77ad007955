#include "enforce/trace.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace tarry::enforce {
namespace {

template <class T>
void append(std::string& out, T value) { out.append(reinterpret_cast<const char*>(&value), sizeof(value)); }

void append(std::string& out, const Object& object) {
  append(out, static_cast<std::uint32_t>(object.space));
  append(out, object.module);
  append(out, object.value);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    if (bytes_.size() - at_ < sizeof(T)) return failed_ = true, value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  Object object() {
    Object out;
    const auto space = take<std::uint32_t>();
    if (space > static_cast<std::uint32_t>(Space::kEntry)) failed_ = true;
    out.space = static_cast<Space>(space);
    out.module = take<std::uint32_t>();
    out.value = take<std::uint64_t>();
    return out;
  }
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  std::size_t at() const { return at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// The accesses to an object so far.
struct Use {
  std::uint32_t writes = 0, reads = 0;
  std::uint32_t write_level = 0, read_level = 0;  // of the last write, and the highest of the reads since
};

/// Walks through an execution and gives every event its needs and its level.
class Ordering {
 public:
  Event place(const Label& label, std::uint32_t number, std::uint32_t& level) {
    Event event{.label = number, .barrier = barriers_};
    level = std::max(of_thread(label.thread), barrier_level_);
    for (const Touch& touch : label.touches) event.needs.push_back(need(touch, level));
    if (label.touches_everything()) {
      event.total = count_;
      level = std::max(level, highest_);
    }
    ++level;
    for (const Touch& touch : label.touches) use(touch, level);
    if (label.touches_everything()) ++barriers_, barrier_level_ = level;
    of_thread(label.thread) = level;
    highest_ = std::max(highest_, level);
    ++count_;
    return event;
  }

 private:
  std::uint32_t& of_thread(std::uint32_t thread) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    return threads_[thread];
  }
  Need need(const Touch& touch, std::uint32_t& level) {
    if (touch.object.space == Space::kEverything) return {};
    const Use& use = uses_[touch.object];
    level = std::max(level, use.write_level);
    if (touch.writes) level = std::max(level, use.read_level);
    return {use.writes, touch.writes ? use.reads : 0};
  }
  void use(const Touch& touch, std::uint32_t level) {
    if (touch.object.space == Space::kEverything) return;
    Use& use = uses_[touch.object];
    if (touch.writes) ++use.writes, use.write_level = level, use.read_level = 0;
    else ++use.reads, use.read_level = std::max(use.read_level, level);
  }

  std::map<Object, Use> uses_;
  std::vector<std::uint32_t> threads_;  // the level of the last event of each
  std::uint32_t barriers_ = 0, barrier_level_ = 0, highest_ = 0, count_ = 0;
};

}  // namespace

bool Label::touches_everything() const {
  return std::any_of(touches.begin(), touches.end(), [](const Touch& touch) { return touch.object.space == Space::kEverything; });
}

std::string bytes_of(const Label& label) {
  std::string out;
  append(out, label.thread);
  append(out, static_cast<std::uint32_t>(label.kind));
  append(out, label.size);
  append(out, static_cast<std::uint32_t>(label.touches.size()));
  append(out, label.object);
  append(out, label.also);
  append(out, label.module);
  append(out, label.offset);
  for (const Touch& touch : label.touches) {
    append(out, touch.object);
    append(out, static_cast<std::uint32_t>(touch.writes ? 1 : 0));
  }
  return out;
}

std::size_t label_at(std::string_view bytes, Label& out) {
  Reader reader(bytes);
  out = {};
  out.thread = reader.take<std::uint32_t>();
  const auto kind = reader.take<std::uint32_t>();
  if (kind >= static_cast<std::uint32_t>(Kind::kCount)) return 0;
  out.kind = static_cast<Kind>(kind);
  out.size = reader.take<std::uint32_t>();
  const auto touches = reader.take<std::uint32_t>();
  out.object = reader.object();
  out.also = reader.object();
  out.module = reader.take<std::uint32_t>();
  out.offset = reader.take<std::uint64_t>();
  for (std::uint32_t i = 0; i < touches && !reader.failed(); ++i) {
    Touch touch;
    touch.object = reader.object();
    touch.writes = reader.take<std::uint32_t>() != 0;
    out.touches.push_back(touch);
  }
  return reader.failed() ? 0 : reader.at();
}

std::vector<Event> word_of(std::span<const Label> labels, std::span<const std::uint32_t> execution) {
  Ordering ordering;
  std::vector<Event> events;
  std::vector<std::uint32_t> levels(execution.size());
  events.reserve(execution.size());
  for (std::size_t i = 0; i < execution.size(); ++i) events.push_back(ordering.place(labels[execution[i]], execution[i], levels[i]));
  std::vector<std::uint32_t> order(execution.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(levels[a], labels[execution[a]].thread) < std::pair(levels[b], labels[execution[b]].thread);
  });
  std::vector<Event> out;
  out.reserve(events.size());
  for (const std::uint32_t i : order) out.push_back(std::move(events[i]));
  return out;
}

}  // namespace tarry::enforce
