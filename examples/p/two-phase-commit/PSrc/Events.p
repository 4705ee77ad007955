enum tDecision { COMMITTED, ABORTED }
enum tAnswer { YES, NO }

type tWriteReq = (client: Client, trans: int);
type tWriteResp = (trans: int, decision: tDecision);
type tPrepare = (coordinator: Coordinator, trans: int);
type tVote = (participant: Participant, trans: int, answer: tAnswer);

// Client and coordinator.
event eWriteReq: tWriteReq;
event eWriteResp: tWriteResp;

// Coordinator and participants. Commit and abort carry the transaction.
event ePrepare: tPrepare;
event eVote: tVote;
event eCommit: int;
event eAbort: int;

// Sends one event to every participant.
fun Broadcast(everybody: set[Participant], message: event, payload: any) {
  var participant: Participant;
  foreach (participant in everybody) {
    send participant, message, payload;
  }
}
