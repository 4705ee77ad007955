// Events within a step of a program whose processes send events to each other. They are for charts and lists that people read.
#pragma once

#include <cstdint>
#include <string>

namespace tarry {

struct Happening {
  enum class Kind : std::uint8_t {
    kCreate,  // `who` creates `whom`
    kSend,    // `who` sends to `whom`
    kArrive,  // an event that `who` sent earlier reaches the inbox of `whom`
    kLost,    // an event is lost, because `whom` has halted
    kTake,    // `who` takes an event from its inbox
    kEnter,   // `who` enters a state
    kSee,     // an observer sees an event
    kHalt,    // `who` has halted
    kNote,    // any other text
  };
  Kind kind = Kind::kNote;
  bool observer = false;  // `who` only observes: a spec
  std::string who;
  std::string whom;      // kCreate, kSend, kArrive, kLost
  std::string text;      // the event, the state or the text
  std::string detail;    // the complete payload of the event; may be empty
  std::string location;  // file:line:column, may be empty
};

}  // namespace tarry
