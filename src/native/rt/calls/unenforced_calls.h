// Calls that `tarry run` refuses (enforce/rt/out_of_scope.cc). An execution that makes one is not admitted, whatever its steps are. A test holds the two
// lists together (tests/enforce/enforcement_test.py).
#pragma once

namespace tarry::native::rt {

/// The running thread calls this function. The name must live for ever.
void is_not_enforced(const char* function);
/// The first of them in this execution; nullptr: there was none.
const char* unenforced_call();

}  // namespace tarry::native::rt
