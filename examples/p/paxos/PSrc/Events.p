// A ballot is the number of a proposer, from 1; 0 stands for none.
type tPrepare = (proposer: Proposer, ballot: int);
type tPromise = (ballot: int, acceptedBallot: int, acceptedValue: int);
type tAccept = (proposer: Proposer, ballot: int, value: int);

event ePrepare: tPrepare;
event ePromise: tPromise;
event eAccept: tAccept;
event eAccepted: int;
event eLearn: int;

fun Majority(acceptors: int): int {
  return acceptors / 2 + 1;
}
