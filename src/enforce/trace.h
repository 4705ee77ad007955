// A Mazurkiewicz trace for enforcement: the events of all threads, and the orders that each event needs.
//
// An event touches objects. A trace determines, for every object, the order of its writes, and between which writes each read
// comes. So an event needs counts: a read of an object needs the number of earlier writes; a write needs the numbers of earlier
// writes and reads. Two executions have the same trace if and only if they have the same events with the same counts. An event
// that touches everything (the end of the program) needs all events before it, and all later events need it (`barrier`).
//
// The word of a trace is its events sorted by level, and within one level by thread. The level of an event is the length of the
// longest chain of dependent events that leads to it. All executions of a trace have the same word. Sorting by level instead of
// by thread gives long common prefixes to traces that differ late.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "enforce/kind.h"

namespace tarry::enforce {

enum class Space : std::uint32_t {
  kNone,
  kEverything,
  kData,    // a variable of the program or of a library: module and offset
  kThread,  // its number
  kThing,   // an object without an address, such as the counter of thread numbers
  kMemory,  // on a heap or a stack: its address during verification, which only distinguishes objects
  kValue,   // the value of an input
  kEntry,   // the values with which a region is entered: the number of a footprint of the set
};

struct Object {
  Space space = Space::kNone;
  std::uint32_t module = 0;
  std::uint64_t value = 0;
  friend auto operator<=>(const Object&, const Object&) = default;
};

struct Touch {
  Object object;
  bool writes = false;
  friend auto operator<=>(const Touch&, const Touch&) = default;
};

/// Read by events before which their thread slept. As no event writes it, it orders nothing.
inline constexpr Object kSleep{Space::kThing, 0, 4096};  // things of the program are below

/// An event without its order: the operation of a thread, its object, and the place in the code.
struct Label {
  std::uint32_t thread = 0;
  Kind kind = Kind::kNone;
  std::uint32_t size = 0;    // bytes of memory that it accesses; 0: the object as a whole
  Object object = {}, also = {};
  std::uint32_t module = 0;  // of the code
  std::uint64_t offset = 0;  // 0: unknown
  std::vector<Touch> touches = {};
  friend auto operator<=>(const Label&, const Label&) = default;

  bool touches_everything() const;
};

/// Returns the label as plain bytes: equal labels give equal bytes.
std::string bytes_of(const Label& label);
/// Reads the label at the start of `bytes`. Returns its size, or 0 if there is none.
std::size_t label_at(std::string_view bytes, Label& out);

/// The number of earlier accesses to an object.
struct Need {
  std::uint32_t writes = 0;
  std::uint32_t reads = 0;  // 0 if the event itself only reads
  friend auto operator<=>(const Need&, const Need&) = default;
};

struct Event {
  std::uint32_t label = 0;
  std::uint32_t barrier = 0;       // number of earlier events that touch everything
  std::uint32_t total = 0;         // for an event that touches everything: the number of earlier events
  std::vector<Need> needs = {};    // by touched object of the label
  friend auto operator<=>(const Event&, const Event&) = default;
};

/// Returns the word of the trace of an execution, which is given by numbers of labels.
std::vector<Event> word_of(std::span<const Label> labels, std::span<const std::uint32_t> execution);

}  // namespace tarry::enforce
