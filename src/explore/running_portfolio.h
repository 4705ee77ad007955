// The portfolio for programs that can only be run: a proof by iterative preemption bounding with the happens-before cache, and hunters.
//
// One worker does both, in turns. It begins with the proof, so that small programs are decided there, always in the same way; then
// the hunters (lockstep, pct, stratified sampling, random walk) get a quota of samples each and the proof as many executions, and both
// quotas double from round to round. Turns are counted in executions and samples, not in time: all is a function of the seed. Of
// several workers (processes) the last one hunts all the time and the others share the proof.
//
// It ends when a bug is found, when the proof is complete or has reached a bound that the user gave, or when time is over. Where the proof
// runs out of memory, hunting is what is left to do.
//
// Papers: Musuvathi, Qadeer, PLDI 2007; Burckhardt et al., ASPLOS 2010; Desai et al., FSE 2015: in its table 1 every column wins somewhere.
#pragma once

#include "explore/runner.h"

namespace tarry {

void running_portfolio(Session& session);

}  // namespace tarry
