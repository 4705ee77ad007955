// Multi-decree Paxos: replicas that propose what clients ask for in slot after slot, acceptors that remember all they accepted, learners that
// count, and a spec with the history of all slots. Written as people write it: maps of maps, sequences of named tuples, counters, a timer.
type tBallot = (round: int, leader: int);
type tCommand = (client: int, id: int, op: int);
type tPValue = (ballot: tBallot, slot: int, command: tCommand);

event ePropose: tCommand;
event eP1A: (leader: Leader, ballot: tBallot);
event eP1B: (acceptor: Acceptor, ballot: tBallot, accepted: map[int, tPValue]);
event eP2A: (leader: Leader, pvalue: tPValue);
event eP2B: (acceptor: Acceptor, ballot: tBallot, slot: int);
event eDecision: (slot: int, command: tCommand);
event eChosen: tPValue;
event eTimeOut;
event eStartTimer;
event eSetUp: (acceptors: int, commands: int);

param numAcceptors: int;
param numLeaders: int;
param numCommands: int;
param numTimeouts: int;

fun Less(a: tBallot, b: tBallot): bool {
  if (a.round != b.round) { return a.round < b.round; }
  return a.leader < b.leader;
}

// Fires as often as it may, when it likes.
machine Timer {
  var owner: Leader;
  var left: int;
  start state Init {
    entry (config: (owner: Leader, left: int)) {
      owner = config.owner;
      left = config.left;
    }
    on eStartTimer do {
      if (left > 0) {
        if ($) {
          left = left - 1;
          send owner, eTimeOut;
        }
      }
    }
  }
}

machine Acceptor {
  var ballot: tBallot;
  var accepted: map[int, tPValue];
  var handled: int;

  start state Serving {
    on eP1A do (m: (leader: Leader, ballot: tBallot)) {
      handled = handled + 1;
      if (Less(ballot, m.ballot)) { ballot = m.ballot; }
      send m.leader, eP1B, (acceptor = this, ballot = ballot, accepted = accepted);
    }
    on eP2A do (m: (leader: Leader, pvalue: tPValue)) {
      handled = handled + 1;
      if (!Less(m.pvalue.ballot, ballot)) {
        ballot = m.pvalue.ballot;
        accepted[m.pvalue.slot] = m.pvalue;
      }
      send m.leader, eP2B, (acceptor = this, ballot = ballot, slot = m.pvalue.slot);
    }
  }
}

machine Replica {
  var decisions: map[int, tCommand];
  var performed: seq[(slot: int, command: tCommand)];
  var next: int;

  start state Learning {
    on eDecision do (decision: (slot: int, command: tCommand)) {
      if (decision.slot in decisions) {
        assert decisions[decision.slot] == decision.command, format("slot {0} is decided twice", decision.slot);
      }
      decisions[decision.slot] = decision.command;
      while (next in decisions) {
        performed += (sizeof(performed), (slot = next, command = decisions[next]));
        next = next + 1;
      }
    }
  }
}

machine Leader {
  var id: int;
  var acceptors: set[Acceptor];
  var replicas: set[Replica];
  var ballot: tBallot;
  var proposals: map[int, tCommand];
  var waiting: seq[tCommand];
  var promised: set[Acceptor];
  var counts: map[int, set[Acceptor]];
  var best: map[int, tPValue];
  var nextSlot: int;
  var timer: Timer;

  start state Init {
    entry (config: (id: int, acceptors: set[Acceptor], replicas: set[Replica])) {
      id = config.id;
      acceptors = config.acceptors;
      replicas = config.replicas;
      ballot = (round = 1, leader = id);
      timer = new Timer((owner = this, left = numTimeouts));
      goto Scouting;
    }
    defer ePropose;
  }

  state Scouting {
    entry {
      var a: Acceptor;
      promised = default(set[Acceptor]);
      best = default(map[int, tPValue]);
      foreach (a in acceptors) { send a, eP1A, (leader = this, ballot = ballot); }
    }
    on ePropose do (command: tCommand) { waiting += (sizeof(waiting), command); }
    on eP1B do (m: (acceptor: Acceptor, ballot: tBallot, accepted: map[int, tPValue])) {
      var slot: int;
      if (Less(ballot, m.ballot)) { goto Preempted, m.ballot; }
      if (m.ballot != ballot) { return; }
      foreach (slot in keys(m.accepted)) {
        if (!(slot in best) || Less(best[slot].ballot, m.accepted[slot].ballot)) { best[slot] = m.accepted[slot]; }
      }
      promised += (m.acceptor);
      if (2 * sizeof(promised) > sizeof(acceptors)) { goto Leading; }
    }
    ignore eP2B, eTimeOut;
  }

  state Leading {
    entry {
      var slot: int;
      var command: tCommand;
      counts = default(map[int, set[Acceptor]]);
      foreach (slot in keys(best)) {
        proposals[slot] = best[slot].command;
        if (slot >= nextSlot) { nextSlot = slot + 1; }
      }
      foreach (slot in keys(proposals)) { Command(slot); }
      while (sizeof(waiting) > 0) {
        command = waiting[0];
        waiting -= (0);
        Assign(command);
      }
      send timer, eStartTimer;
    }
    on ePropose do (command: tCommand) { Assign(command); }
    on eP2B do (m: (acceptor: Acceptor, ballot: tBallot, slot: int)) {
      var r: Replica;
      if (Less(ballot, m.ballot)) { goto Preempted, m.ballot; }
      if (m.ballot != ballot || !(m.slot in counts)) { return; }
      counts[m.slot] += (m.acceptor);
      if (2 * sizeof(counts[m.slot]) > sizeof(acceptors)) {
        counts -= (m.slot);
        announce eChosen, (ballot = ballot, slot = m.slot, command = proposals[m.slot]);
        foreach (r in replicas) { send r, eDecision, (slot = m.slot, command = proposals[m.slot]); }
      }
    }
    on eTimeOut do { goto Preempted, ballot; }
    ignore eP1B;
  }

  state Preempted {
    entry (by: tBallot) {
      if (by.round >= ballot.round) { ballot = (round = by.round + 1, leader = id); }
      if (ballot.round > 2) { goto Retired; }
      goto Scouting;
    }
    defer ePropose;
    ignore eP1B, eP2B, eTimeOut;
  }

  state Retired { ignore ePropose, eP1B, eP2B, eTimeOut; }

  fun Assign(command: tCommand) {
    var known: tCommand;
    foreach (known in values(proposals)) {
      if (known == command) { return; }
    }
    proposals[nextSlot] = command;
    nextSlot = nextSlot + 1;
    Command(nextSlot - 1);
  }

  fun Command(slot: int) {
    var a: Acceptor;
    counts[slot] = default(set[Acceptor]);
    foreach (a in acceptors) { send a, eP2A, (leader = this, pvalue = (ballot = ballot, slot = slot, command = proposals[slot])); }
  }
}

// All that was chosen, by slot; what is chosen was asked for.
spec OneCommandASlot observes eChosen, ePropose {
  var asked: set[tCommand];
  var history: seq[tPValue];
  var bySlot: map[int, tCommand];
  start state Watching {
    on ePropose do (command: tCommand) { asked += (command); }
    on eChosen do (p: tPValue) {
      assert p.command in asked, format("{0} was not asked for", p.command);
      if (p.slot in bySlot) { assert bySlot[p.slot] == p.command, format("slot {0} has two commands", p.slot); }
      bySlot[p.slot] = p.command;
      history += (sizeof(history), p);
    }
  }
}

machine Client {
  start state Asking {
    entry (config: (id: int, leaders: seq[Leader], n: int)) {
      var i: int;
      var j: int;
      while (i < config.n) {
        j = 0;
        while (j < sizeof(config.leaders)) {
          send config.leaders[j], ePropose, (client = config.id, id = i, op = 7);
          j = j + 1;
        }
        i = i + 1;
      }
    }
  }
}

machine Driver {
  start state Init {
    entry {
      var acceptors: set[Acceptor];
      var replicas: set[Replica];
      var leaders: seq[Leader];
      var i: int;
      while (i < numAcceptors) { acceptors += (new Acceptor()); i = i + 1; }
      replicas += (new Replica());
      i = 0;
      while (i < numLeaders) { leaders += (i, new Leader((id = i, acceptors = acceptors, replicas = replicas))); i = i + 1; }
      i = 0;
      while (i < numCommands) { new Client((id = i, leaders = leaders, n = 1)); i = i + 1; }
    }
  }
}

test param (numAcceptors in [2, 3], numLeaders in [1, 2], numCommands in [1, 2, 3], numTimeouts in [0, 1]) tcPaxos [main = Driver]:
  assert OneCommandASlot in { Driver, Client, Replica, Leader, Acceptor, Timer };
