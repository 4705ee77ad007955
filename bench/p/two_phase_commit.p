// Two-phase commit with failures: participants vote as they like and may crash and recover, the coordinator has a timer that may fire at any time,
// clients read what they wrote. Written as people write it: maps, sequences of named tuples, counters, a timer, specs with history.
enum tStatus { SUCCESS, ERROR, TIMEOUT }
type tTrans = (key: int, val: int, transId: int);
type tWriteReq = (client: Client, trans: tTrans);
type tWriteResp = (transId: int, status: tStatus);
type tReadReq = (client: Client, key: int);
type tReadResp = (key: int, val: int, status: tStatus);
type tVote = (participant: Participant, transId: int, status: tStatus);

event eWriteTransReq: tWriteReq;
event eWriteTransResp: tWriteResp;
event eReadTransReq: tReadReq;
event eReadTransResp: tReadResp;
event ePrepareReq: (coordinator: Coordinator, trans: tTrans);
event ePrepareResp: tVote;
event eCommitTrans: int;
event eAbortTrans: int;
event eStartTimer;
event eCancelTimer;
event eTimeOut;
event eDelayedTimeOut;
event eShutDown;
event eMonitor_Init: int;
event eCrash;
event eRecovered: Participant;

param numParticipants: int;
param numClients: int;
param numTransactions: int;
param numCrashes: int;

machine Timer {
  var client: machine;
  start state Init {
    entry (owner: machine) { client = owner; goto WaitForTimerRequests; }
  }
  state WaitForTimerRequests {
    on eStartTimer goto TimerStarted;
    ignore eCancelTimer, eDelayedTimeOut;
  }
  state TimerStarted {
    defer eStartTimer;
    entry {
      if ($) { send client, eTimeOut; goto WaitForTimerRequests; }
      else { send this, eDelayedTimeOut; }
    }
    on eDelayedTimeOut do { send client, eTimeOut; goto WaitForTimerRequests; }
    on eCancelTimer goto WaitForTimerRequests;
  }
}

machine Participant {
  var kvStore: map[int, int];
  var pending: map[int, tTrans];
  var log: seq[(transId: int, status: tStatus)];
  var voted: int;

  start state WaitForRequests {
    on ePrepareReq do (req: (coordinator: Coordinator, trans: tTrans)) {
      assert !(req.trans.transId in pending), format("transaction {0} is prepared twice", req.trans.transId);
      voted = voted + 1;
      if ($) {
        pending[req.trans.transId] = req.trans;
        send req.coordinator, ePrepareResp, (participant = this, transId = req.trans.transId, status = SUCCESS);
      } else {
        send req.coordinator, ePrepareResp, (participant = this, transId = req.trans.transId, status = ERROR);
      }
    }
    on eCommitTrans do (transId: int) {
      assert transId in pending, format("transaction {0} is committed and was not prepared", transId);
      kvStore[pending[transId].key] = pending[transId].val;
      pending -= (transId);
      log += (sizeof(log), (transId = transId, status = SUCCESS));
    }
    on eAbortTrans do (transId: int) {
      if (transId in pending) { pending -= (transId); }
      log += (sizeof(log), (transId = transId, status = ERROR));
    }
    on eReadTransReq do (req: tReadReq) {
      if (req.key in kvStore) { send req.client, eReadTransResp, (key = req.key, val = kvStore[req.key], status = SUCCESS); }
      else { send req.client, eReadTransResp, (key = req.key, val = -1, status = ERROR); }
    }
    on eCrash goto Crashed;
    on eShutDown do { raise halt; }
  }

  // Loses what comes while it is down; what it has prepared is on disk.
  state Crashed {
    entry { send this, eRecovered, this; }
    ignore ePrepareReq, eReadTransReq, eCrash;
    defer eCommitTrans, eAbortTrans, eShutDown;
    on eRecovered goto WaitForRequests;
  }
}

machine Coordinator {
  var participants: seq[Participant];
  var pending: tWriteReq;
  var current: int;
  var votes: set[Participant];
  var seen: map[int, tStatus];
  var timer: Timer;
  var decided: seq[(transId: int, status: tStatus)];

  start state Init {
    entry (all: seq[Participant]) {
      participants = all;
      timer = new Timer(this);
      goto WaitForTransactions;
    }
  }

  state WaitForTransactions {
    on eWriteTransReq do (req: tWriteReq) {
      if (req.trans.transId in seen) {
        send req.client, eWriteTransResp, (transId = req.trans.transId, status = TIMEOUT);
        return;
      }
      pending = req;
      current = req.trans.transId;
      Broadcast(ePrepareReq, (coordinator = this, trans = req.trans));
      send timer, eStartTimer;
      goto WaitForVotes;
    }
    on eReadTransReq do (req: tReadReq) { send choose(participants), eReadTransReq, req; }
    ignore ePrepareResp, eTimeOut;
  }

  state WaitForVotes {
    defer eWriteTransReq;
    on ePrepareResp do (vote: tVote) {
      if (vote.transId != current) { return; }
      if (vote.status == SUCCESS) {
        votes += (vote.participant);
        if (sizeof(votes) == sizeof(participants)) {
          Decide(SUCCESS);
          goto WaitForTransactions;
        }
      } else {
        Decide(ERROR);
        goto WaitForTransactions;
      }
    }
    on eTimeOut do { Decide(TIMEOUT); goto WaitForTransactions; }
    on eReadTransReq do (req: tReadReq) { send choose(participants), eReadTransReq, req; }
    exit { votes = default(set[Participant]); }
  }

  fun Broadcast(message: event, payload: any) {
    var i: int;
    while (i < sizeof(participants)) {
      send participants[i], message, payload;
      i = i + 1;
    }
  }

  fun Decide(status: tStatus) {
    seen[current] = status;
    decided += (sizeof(decided), (transId = current, status = status));
    if (status == SUCCESS) { Broadcast(eCommitTrans, current); } else { Broadcast(eAbortTrans, current); }
    send pending.client, eWriteTransResp, (transId = current, status = status);
    if (status != TIMEOUT) { send timer, eCancelTimer; }
  }
}

machine Client {
  var coordinator: Coordinator;
  var id: int;
  var left: int;
  var current: tTrans;
  var done: map[int, tStatus];

  start state Init {
    entry (config: (coordinator: Coordinator, id: int, n: int)) {
      coordinator = config.coordinator;
      id = config.id;
      left = config.n;
      goto SendWrite;
    }
  }
  state SendWrite {
    entry {
      if (left == 0) { goto Done; }
      current = (key = choose(2), val = left, transId = id * 100 + left);
      left = left - 1;
      send coordinator, eWriteTransReq, (client = this, trans = current);
    }
    on eWriteTransResp do (resp: tWriteResp) {
      done[resp.transId] = resp.status;
      if (resp.status == SUCCESS) { goto ConfirmRead; } else { goto SendWrite; }
    }
  }
  state ConfirmRead {
    entry { send coordinator, eReadTransReq, (client = this, key = current.key); }
    on eReadTransResp do (resp: tReadResp) { goto SendWrite; }
  }
  state Done { ignore eReadTransResp, eWriteTransResp; }
}

// Somebody may crash at any time, so often.
machine FailureInjector {
  start state Init {
    entry (config: (participants: seq[Participant], n: int)) {
      var i: int;
      while (i < config.n) {
        send choose(config.participants), eCrash;
        i = i + 1;
      }
    }
  }
}

// Committed only if all voted for it, once; aborted or timed out only if not committed.
spec Atomicity observes ePrepareResp, eWriteTransResp, eMonitor_Init {
  var votes: map[int, map[Participant, tStatus]];
  var outcomes: seq[(transId: int, status: tStatus)];
  var all: int;

  start state Init {
    on eMonitor_Init goto Watching with (n: int) { all = n; }
  }
  state Watching {
    on ePrepareResp do (vote: tVote) {
      if (!(vote.transId in votes)) { votes[vote.transId] = default(map[Participant, tStatus]); }
      votes[vote.transId][vote.participant] = vote.status;
    }
    on eWriteTransResp do (resp: tWriteResp) {
      var i: int;
      while (i < sizeof(outcomes)) {
        assert outcomes[i].transId != resp.transId, format("{0} is decided twice", resp.transId);
        i = i + 1;
      }
      outcomes += (sizeof(outcomes), resp);
      if (resp.status == SUCCESS) {
        assert resp.transId in votes && sizeof(votes[resp.transId]) == all, "committed, and not all have voted";
        foreach (i in keys(votes)) {
          if (i == resp.transId) { assert !(ERROR in values(votes[i])), "committed, and somebody was against it"; }
        }
      }
    }
  }
}

spec Progress observes eWriteTransReq, eWriteTransResp {
  var open: set[int];
  start state Idle {
    on eWriteTransReq goto Waiting with (req: tWriteReq) { open += (req.trans.transId); }
  }
  hot state Waiting {
    on eWriteTransReq do (req: tWriteReq) { open += (req.trans.transId); }
    on eWriteTransResp do (resp: tWriteResp) {
      open -= (resp.transId);
      if (sizeof(open) == 0) { goto Idle; }
    }
  }
}

machine Driver {
  start state Init {
    entry {
      var all: seq[Participant];
      var coordinator: Coordinator;
      var i: int;
      announce eMonitor_Init, numParticipants;
      while (i < numParticipants) {
        all += (i, new Participant());
        i = i + 1;
      }
      coordinator = new Coordinator(all);
      i = 0;
      while (i < numClients) {
        new Client((coordinator = coordinator, id = i + 1, n = numTransactions));
        i = i + 1;
      }
      if (numCrashes > 0) { new FailureInjector((participants = all, n = numCrashes)); }
    }
  }
}

test param (numParticipants in [2, 3], numClients in [1, 2], numTransactions in [1, 2, 3], numCrashes in [0, 1]) tcCommit [main = Driver]:
  assert Atomicity, Progress in { Driver, Coordinator, Participant, Client, Timer, FailureInjector };
