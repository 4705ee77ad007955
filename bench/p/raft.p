// Raft with log and membership: elections by timers, logs of named tuples, commits by majority, a cluster that grows by one server through an entry
// of the log, and specs with the history of leaders and committed entries. Written as people write it: maps, sequences of named tuples, counters.
enum tKind { COMMAND, CONFIG }
type tEntry = (term: int, kind: tKind, command: int, members: seq[int]);
type tVoteReq = (candidate: int, term: int, lastIndex: int, lastTerm: int);
type tVoteResp = (voter: int, term: int, granted: bool);
type tAppendReq = (leader: int, term: int, prevIndex: int, prevTerm: int, entries: seq[tEntry], commit: int);
type tAppendResp = (follower: int, term: int, success: bool, matched: int);

event eVoteReq: tVoteReq;
event eVoteResp: tVoteResp;
event eAppendReq: tAppendReq;
event eAppendResp: tAppendResp;
event eClientReq: (client: Client, command: int);
event eClientResp: (command: int, accepted: bool);
event eAddServer: int;
event ePeers: map[int, Server];
event eElectionTimeout;
event eHeartbeat;
event eStartTimer;
event eCancelTimer;
event eBecomeLeader: (server: int, term: int);
event eCommitted: (server: int, index: int, item: tEntry);

param numServers: int;
param numTimeouts: int;
param numCommands: int;
param grows: bool;

// Fires when it likes, a bounded number of times in all.
machine ElectionTimer {
  var server: Server;
  var left: int;
  start state Idle {
    entry (config: (server: Server, left: int)) {
      server = config.server;
      left = config.left;
    }
    on eStartTimer do {
      if (left > 0) {
        left = left - 1;
        send server, eElectionTimeout;
      }
    }
    ignore eCancelTimer;
  }
}

machine Server {
  var id: int;
  var peers: map[int, Server];
  var members: seq[int];
  var term: int;
  var votedFor: int;
  var log: seq[tEntry];
  var commitIndex: int;
  var votes: set[int];
  var nextIndex: map[int, int];
  var matchIndex: map[int, int];
  var timer: ElectionTimer;
  var waiting: map[int, Client];

  start state Init {
    entry (config: (id: int, members: seq[int])) {
      id = config.id;
      members = config.members;
      votedFor = -1;
      timer = new ElectionTimer((server = this, left = numTimeouts));
    }
    on ePeers do (all: map[int, Server]) {
      peers = all;
      goto Follower;
    }
    defer eVoteReq, eAppendReq, eClientReq, eElectionTimeout, eAddServer;
  }

  state Follower {
    entry { if (IsMember(id)) { send timer, eStartTimer; } }
    on eElectionTimeout goto Candidate;
    on eVoteReq do (req: tVoteReq) { HandleVoteReq(req); }
    on eAppendReq do (req: tAppendReq) { HandleAppendReq(req); }
    on eClientReq do (req: (client: Client, command: int)) { send req.client, eClientResp, (command = req.command, accepted = false); }
    ignore eVoteResp, eAppendResp, eAddServer, eHeartbeat;
  }

  state Candidate {
    entry {
      var peer: int;
      term = term + 1;
      votedFor = id;
      votes = default(set[int]);
      votes += (id);
      if (2 * sizeof(votes) > sizeof(members)) { goto Leader; }
      foreach (peer in members) {
        if (peer != id) { send peers[peer], eVoteReq, (candidate = id, term = term, lastIndex = sizeof(log), lastTerm = LastTerm()); }
      }
      send timer, eStartTimer;
    }
    on eElectionTimeout goto Candidate;
    on eVoteResp do (resp: tVoteResp) {
      if (resp.term > term) { StepDown(resp.term); goto Follower; }
      if (resp.term == term && resp.granted) {
        votes += (resp.voter);
        if (2 * sizeof(votes) > sizeof(members)) { goto Leader; }
      }
    }
    on eVoteReq do (req: tVoteReq) {
      if (req.term > term) { StepDown(req.term); HandleVoteReq(req); goto Follower; }
      HandleVoteReq(req);
    }
    on eAppendReq do (req: tAppendReq) {
      if (req.term >= term) { StepDown(req.term); HandleAppendReq(req); goto Follower; }
      HandleAppendReq(req);
    }
    on eClientReq do (req: (client: Client, command: int)) { send req.client, eClientResp, (command = req.command, accepted = false); }
    ignore eAppendResp, eAddServer, eHeartbeat;
  }

  state Leader {
    entry {
      var peer: int;
      announce eBecomeLeader, (server = id, term = term);
      nextIndex = default(map[int, int]);
      matchIndex = default(map[int, int]);
      foreach (peer in keys(peers)) {
        nextIndex[peer] = sizeof(log) + 1;
        matchIndex[peer] = 0;
      }
      Replicate();
    }
    on eClientReq do (req: (client: Client, command: int)) {
      log += (sizeof(log), (term = term, kind = COMMAND, command = req.command, members = members));
      waiting[sizeof(log)] = req.client;
      Replicate();
      Advance();
    }
    on eAddServer do (who: int) {
      var more: seq[int];
      if (IsMember(who)) { return; }
      more = members;
      more += (sizeof(more), who);
      members = more;
      log += (sizeof(log), (term = term, kind = CONFIG, command = 0, members = more));
      Replicate();
      Advance();
    }
    on eAppendResp do (resp: tAppendResp) {
      if (resp.term > term) { StepDown(resp.term); goto Follower; }
      if (resp.term != term) { return; }
      if (resp.success) {
        if (resp.matched > matchIndex[resp.follower]) { matchIndex[resp.follower] = resp.matched; }
        nextIndex[resp.follower] = matchIndex[resp.follower] + 1;
        Advance();
      } else if (nextIndex[resp.follower] > 1) {
        nextIndex[resp.follower] = nextIndex[resp.follower] - 1;
        SendAppend(resp.follower);
      }
    }
    on eVoteReq do (req: tVoteReq) {
      if (req.term > term) { StepDown(req.term); HandleVoteReq(req); goto Follower; }
      HandleVoteReq(req);
    }
    on eAppendReq do (req: tAppendReq) {
      if (req.term > term) { StepDown(req.term); HandleAppendReq(req); goto Follower; }
      HandleAppendReq(req);
    }
    ignore eVoteResp, eElectionTimeout, eHeartbeat;
  }

  fun IsMember(who: int): bool {
    var i: int;
    while (i < sizeof(members)) {
      if (members[i] == who) { return true; }
      i = i + 1;
    }
    return false;
  }

  fun LastTerm(): int {
    if (sizeof(log) == 0) { return 0; }
    return log[sizeof(log) - 1].term;
  }

  fun TermAt(index: int): int {
    if (index == 0) { return 0; }
    return log[index - 1].term;
  }

  fun StepDown(newTerm: int) {
    if (newTerm > term) { term = newTerm; votedFor = -1; }
    votes = default(set[int]);
  }

  fun HandleVoteReq(req: tVoteReq) {
    var upToDate: bool;
    if (req.term > term) { StepDown(req.term); }
    upToDate = req.lastTerm > LastTerm() || (req.lastTerm == LastTerm() && req.lastIndex >= sizeof(log));
    if (req.term == term && upToDate && (votedFor == -1 || votedFor == req.candidate)) {
      votedFor = req.candidate;
      send peers[req.candidate], eVoteResp, (voter = id, term = term, granted = true);
    } else {
      send peers[req.candidate], eVoteResp, (voter = id, term = term, granted = false);
    }
  }

  fun HandleAppendReq(req: tAppendReq) {
    var i: int;
    var at: int;
    if (req.term > term) { StepDown(req.term); }
    if (req.term < term || req.prevIndex > sizeof(log) || TermAt(req.prevIndex) != req.prevTerm) {
      send peers[req.leader], eAppendResp, (follower = id, term = term, success = false, matched = 0);
      return;
    }
    at = req.prevIndex;
    while (i < sizeof(req.entries)) {
      if (at < sizeof(log) && log[at].term != req.entries[i].term) {
        while (sizeof(log) > at) { log -= (sizeof(log) - 1); }
      }
      if (at >= sizeof(log)) { log += (at, req.entries[i]); }
      if (log[at].kind == CONFIG) { members = log[at].members; }
      at = at + 1;
      i = i + 1;
    }
    CommitUpTo(req.commit);
    send peers[req.leader], eAppendResp, (follower = id, term = term, success = true, matched = at);
  }

  fun CommitUpTo(index: int) {
    while (commitIndex < index && commitIndex < sizeof(log)) {
      commitIndex = commitIndex + 1;
      announce eCommitted, (server = id, index = commitIndex, item = log[commitIndex - 1]);
      if (commitIndex in waiting) {
        send waiting[commitIndex], eClientResp, (command = log[commitIndex - 1].command, accepted = true);
        waiting -= (commitIndex);
      }
    }
  }

  fun Advance() {
    var n: int;
    var peer: int;
    var have: int;
    n = sizeof(log);
    while (n > commitIndex && log[n - 1].term == term) {
      have = 1;
      foreach (peer in members) {
        if (peer != id && matchIndex[peer] >= n) { have = have + 1; }
      }
      if (2 * have > sizeof(members)) {
        CommitUpTo(n);
        return;
      }
      n = n - 1;
    }
  }

  fun Replicate() {
    var peer: int;
    foreach (peer in members) {
      if (peer != id) { SendAppend(peer); }
    }
  }

  fun SendAppend(peer: int) {
    var entries: seq[tEntry];
    var i: int;
    i = nextIndex[peer];
    while (i <= sizeof(log)) {
      entries += (sizeof(entries), log[i - 1]);
      i = i + 1;
    }
    send peers[peer], eAppendReq, (leader = id, term = term, prevIndex = nextIndex[peer] - 1, prevTerm = TermAt(nextIndex[peer] - 1), entries = entries, commit = commitIndex);
  }
}

machine Client {
  var servers: map[int, Server];
  var asked: int;
  var accepted: seq[int];
  start state Asking {
    entry (all: map[int, Server]) {
      servers = all;
      Next();
    }
    on eClientResp do (resp: (command: int, accepted: bool)) {
      if (resp.accepted) { accepted += (sizeof(accepted), resp.command); }
      Next();
    }
  }
  fun Next() {
    if (asked < numCommands) {
      asked = asked + 1;
      send servers[choose(keys(servers))], eClientReq, (client = this, command = 100 + asked);
    }
  }
}

spec ElectionSafety observes eBecomeLeader {
  var leaders: map[int, int];
  start state Watching {
    on eBecomeLeader do (who: (server: int, term: int)) {
      if (who.term in leaders) { assert leaders[who.term] == who.server, format("term {0} has two leaders", who.term); }
      leaders[who.term] = who.server;
    }
  }
}

spec StateMachineSafety observes eCommitted {
  var history: seq[tEntry];
  var applied: map[int, int];
  start state Watching {
    on eCommitted do (c: (server: int, index: int, item: tEntry)) {
      if (c.index <= sizeof(history)) {
        assert history[c.index - 1] == c.item, format("server {0} commits another entry at {1}", c.server, c.index);
      } else {
        assert c.index == sizeof(history) + 1, "a gap";
        history += (sizeof(history), c.item);
      }
      applied[c.server] = c.index;
    }
  }
}

machine Driver {
  start state Init {
    entry {
      var servers: map[int, Server];
      var members: seq[int];
      var all: int;
      var i: int;
      while (i < numServers) { members += (i, i); i = i + 1; }
      all = numServers;
      if (grows) { all = all + 1; }
      i = 0;
      while (i < all) { servers[i] = new Server((id = i, members = members)); i = i + 1; }
      i = 0;
      while (i < all) { send servers[i], ePeers, servers; i = i + 1; }
      new Client(servers);
      if (grows) {
        i = 0;
        while (i < numServers) { send servers[i], eAddServer, numServers; i = i + 1; }
      }
    }
  }
}

test param (numServers in [2, 3], numTimeouts in [1, 2], numCommands in [1, 2], grows in [true, false]) tcRaft [main = Driver]:
  assert ElectionSafety, StateMachineSafety in { Driver, Server, ElectionTimer, Client };
