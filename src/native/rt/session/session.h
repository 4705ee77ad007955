// The runtime's side of a check: reads what it is asked to do, does it, and leaves the answer.
#pragma once

namespace tarry::native::rt {

/// Runs on the controller's stack: everything from the request to the answer. Ends the process.
void serve(void* unused);

}  // namespace tarry::native::rt
