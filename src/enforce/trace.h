// A Mazurkiewicz trace, as it is enforced: the events of all threads, and for each the orders that it needs.
//
// An event touches objects. A trace says for every object in which order it is written, and between which writes each read comes. So an event needs counts:
// a read of an object, how often that was written before; a write, how often it was written and read before. Two executions are of one trace if and only if
// they have the same events with the same counts. An event that touches everything (the end of the program) needs all events before it, and all that come
// later need it (`barrier`).
//
// The word of a trace is its events by level: the number of events on the longest chain of dependent events that leads to one; on one level by thread. All
// executions of a trace have the same word. Levels, and not threads one after the other, because traces that differ late then have long common beginnings.
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
  kThing,   // something without an address, as the numbers of threads are
  kMemory,  // on a heap or a stack: the address that it had when the trace was verified, which only tells apart
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

/// An event without its order: what a thread does, to what, and where in the code.
struct Label {
  std::uint32_t thread = 0;
  Kind kind = Kind::kNone;
  std::uint32_t size = 0;    // bytes of memory that it accesses; 0: an object as a whole
  Object object = {}, also = {};
  std::uint32_t module = 0;  // of the code
  std::uint64_t offset = 0;  // 0: unknown
  std::vector<Touch> touches = {};
  friend auto operator<=>(const Label&, const Label&) = default;

  bool touches_everything() const;
};

/// As plain bytes: equal labels, equal bytes.
std::string bytes_of(const Label& label);
/// The label that begins there, and how many bytes it has; 0: there is none.
std::size_t label_at(std::string_view bytes, Label& out);

/// How often an object was accessed before.
struct Need {
  std::uint32_t writes = 0;
  std::uint32_t reads = 0;  // 0 if the event itself only reads
  friend auto operator<=>(const Need&, const Need&) = default;
};

struct Event {
  std::uint32_t label = 0;
  std::uint32_t barrier = 0;       // events that touch everything, before it
  std::uint32_t total = 0;         // it touches everything: so many events come before it
  std::vector<Need> needs = {};    // by touch of the label
  friend auto operator<=>(const Event&, const Event&) = default;
};

/// The word of the trace of an execution, which is given by numbers of labels.
std::vector<Event> word_of(std::span<const Label> labels, std::span<const std::uint32_t> execution);

}  // namespace tarry::enforce
