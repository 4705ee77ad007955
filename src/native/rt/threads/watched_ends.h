// Ends of threads as scheduling points.
//
// A thread ends in the same step as its last operation. A thread that joins it cannot tell whether it ended then or later. Calls that look whether it has
// ended, and do not wait for that, can: pthread_tryjoin_np, joins with a time limit, calls that take the number of a thread. From the first such call on, the
// end is a step of its own. The search begins anew then, as it does for accesses that race. Other programs have no step more.
#pragma once

namespace tarry::native::rt {

/// The running thread looks whether another one has ended.
void looks_at_ends();
/// Whether some execution did so.
bool ends_are_points();

}  // namespace tarry::native::rt
