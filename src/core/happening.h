// What happens within a step of a program whose processes send each other events: for charts and lists that people read.
#pragma once

#include <cstdint>
#include <string>

namespace tarry {

struct Happening {
  enum class Kind : std::uint8_t {
    kCreate,  // who makes whom
    kSend,    // who sends to whom
    kArrive,  // what who has sent before is now in the inbox of whom
    kLost,    // or is not, since whom is gone
    kTake,    // who takes an event from its inbox
    kEnter,   // who enters a state
    kSee,     // an observer is told of an event
    kHalt,    // who is gone from here on
    kNote,    // anything else, in words
  };
  Kind kind = Kind::kNote;
  bool observer = false;  // who only watches: a spec
  std::string who;
  std::string whom;      // kCreate, kSend, kArrive, kLost
  std::string text;      // the event, the state or the words
  std::string detail;    // what the event carries, in full; may be empty
  std::string location;  // file:line:column, may be empty
};

}  // namespace tarry
