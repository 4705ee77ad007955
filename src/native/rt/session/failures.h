// Every failure that was met, once each. Searches carry texts; the places in the code wait here until the answer is written.
#pragma once

#include <string>
#include <vector>

#include "native/abi/messages.h"
#include "native/rt/threads/scheduler.h"

namespace tarry::native::rt {

class Failures {
 public:
  FailureId keep(const Failure& failure);
  bool is_new(const Failure& failure) const;
  /// Adds the finding to the answer, with what is known of its failure.
  void tell(Finding finding, Answer& answer) const;

 private:
  struct Met {
    Failure failure;
    std::vector<std::uintptr_t> points;  // accesses that were points when it was met
  };
  std::vector<Met> all_;
};

Failures& met_failures();

}  // namespace tarry::native::rt
