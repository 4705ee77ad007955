// The portfolio for programs that can only be run: two proofs and hunters for bugs, in turns.
//
// The proofs are partial-order reduction (explore/dpor) and iterative preemption bounding with the happens-before cache. Reduction needs the fewest
// executions, but it is not possible for all programs, and an endless execution ends it. Bounding has no such limits (fair scheduling ends endless
// executions), and it finds bugs with the fewest preemptions, which are the easiest to read.
//
// It begins with a look by reduction, which decides small programs, always in the same way. If the look finds a bug, or decides nothing, a look by bounding
// follows; if that finds a bug, the search reports this bug. Then the hunters (the searches that register for it: explore/hunters.h) get a quota of samples
// each and each proof as many executions, and the quotas double from round to round. Turns are counted in executions and samples, not in time: all is a
// function of the seed.
//
// Of several workers (processes) the last one has reduction and the hunters; the others share the proof by bounding from the start. A proof by bounding
// that comes to its end first waits for the end of the look, so that small programs are decided in the same way.
//
// It ends when a bug is found, when a proof is complete, when bounding has reached a bound that the user gave, or when time is over. Where the proofs
// run out of memory, hunting is what is left to do.
//
// Papers: Abdulla et al., POPL 2014; Musuvathi, Qadeer, PLDI 2007; Burckhardt et al., ASPLOS 2010; Desai et al., FSE 2015: in its table 1 every column
// wins somewhere.
#pragma once

#include "explore/runner.h"

namespace tarry {

void running_portfolio(Session& session);

}  // namespace tarry
