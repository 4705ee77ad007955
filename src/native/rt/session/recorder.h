// Replay: follows a schedule and writes down every step.
#pragma once

#include "native/abi/messages.h"

namespace tarry::native::rt {

void replay(const Request& request, Answer& answer);

}  // namespace tarry::native::rt
