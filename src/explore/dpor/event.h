// An event of an execution: a step of a process, by what it touches, or the value that it chose.
//
// A step that chooses values is a sequence of events without interruption: what it touches, and then each choice. So choices are events that touch nothing.
// The values of a choice exclude each other.
//
// Executions have most of their events in common, and sleep sets and wake-up trees hold events of executions that are gone. So a table keeps each event once:
// events are equal if and only if their addresses are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/rng.h"
#include "core/footprint.h"

namespace tarry {

/// A step that was taken, or will be taken.
struct Event {
  std::uint32_t process = 0;
  bool certain = true;       // false: where it is planned, its process may have to wait
  bool global = false;       // it touches everything
  std::uint32_t choice = 0;  // the value of a data choice, plus 1; 0: it is none
  std::vector<ObjectUse> touches = {};
  std::uint64_t reads = 0, writes = 0;  // one bit or more for each object: no bit in common, no object in common
  std::uint32_t number = 0;             // in its table

  void touch(std::span<const ObjectUse> objects) {
    touches.assign(objects.begin(), objects.end());
    reads = writes = 0;
    global = false;
    for (const ObjectUse& one : touches) {
      global |= one.object == kEverything;
      (one.use == Use::kRead ? reads : writes) |= std::uint64_t{1} << (mix64(one.object) >> 58);
    }
  }
};

/// Are steps of different processes dependent?
inline bool depend(const Event& a, const Event& b) {
  if (a.global || b.global) return true;
  return ((a.writes & (b.reads | b.writes)) | (a.reads & b.writes)) != 0 && depend(a.touches, b.touches);
}

/// Keeps events, each once, to the end of the search.
class EventTable {
 public:
  /// Returns the event that is equal to this one, whose number does not matter.
  const Event& keep(const Event& event);
  const Event& operator[](std::uint32_t number) const { return *all_[number]; }
  std::size_t size() const { return all_.size(); }

 private:
  void grow();

  std::vector<std::unique_ptr<Event>> all_;
  std::vector<std::uint32_t> table_;  // by hash: the number of an event, plus 1
};

}  // namespace tarry
