// Signals between threads.
#pragma once

namespace tarry::native::rt {

enum class Handled { kIgnored, kRestart, kInterrupt };

/// Runs the handlers of the signals that are due for the running thread, and says what they mean for the call that it is in.
Handled handle_signals();

}  // namespace tarry::native::rt
