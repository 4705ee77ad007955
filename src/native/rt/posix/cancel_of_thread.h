// Requests to cancel a thread.
#pragma once

namespace tarry::native::rt {

struct CancelOfThread {
  bool disabled = false, asynchronous = false, requested = false;
};

}  // namespace tarry::native::rt
