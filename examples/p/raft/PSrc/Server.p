// What the bugs are; false in all tests that have none.
param bugVotesTwice: bool;  // a vote is forgotten
param bugAnyLog: bool;      // a candidate gets votes whatever its log has

machine Server {
  var servers: seq[Server];
  var term: int;
  var voted: set[Server];     // whom it voted for in this term: at most one
  var log: seq[tEntry];
  var committed: int;         // entries of the log
  var votes: set[Server];     // of a candidate
  var has: map[Server, int];  // of a leader: how many of its entries each server has

  start state Joining {
    on eGroup goto Follower with (group: seq[Server]) { servers = group; }
    defer eTimeout, eCommand, eRequestVote, eAppend;
  }

  state Follower {
    on eTimeout goto Candidate;
    on eRequestVote do ConsiderVote;
    on eAppend do Append;
    ignore eVote, eAppended, eCommand;
  }

  state Candidate {
    entry {
      var server: Server;
      NewTerm(term + 1);
      voted += (this);
      votes += (this);
      foreach (server in servers) {
        if (server != this) { send server, eRequestVote, (from = this, term = term, lastTerm = LastTerm(), length = sizeof(log)); }
      }
    }
    on eVote do (vote: (from: Server, term: int, granted: bool)) {
      if (vote.term > term) { NewTerm(vote.term); goto Follower; }
      if (vote.term == term && vote.granted) { votes += (vote.from); }
      if (IsMajority(sizeof(votes))) { goto Leader; }
    }
    on eRequestVote do ConsiderVote;
    on eAppend do Append;
    on eTimeout goto Candidate;
    defer eCommand;
    ignore eAppended;
  }

  state Leader {
    entry {
      announce eElected, (leader = this, term = term);
      has = default(map[Server, int]);
      SendLog();
    }
    on eCommand do (value: int) {
      log += (sizeof(log), (term = term, value = value));
      SendLog();
    }
    on eAppended do (answer: (from: Server, term: int, length: int)) {
      if (answer.term > term) { NewTerm(answer.term); goto Follower; }
      if (answer.term == term) { Count(answer.from, answer.length); }
    }
    on eRequestVote do ConsiderVote;
    on eAppend do Append;
    ignore eVote, eTimeout;
  }

  fun NewTerm(next: int) {
    term = next;
    voted = default(set[Server]);
    votes = default(set[Server]);
  }

  fun LastTerm(): int {
    if (sizeof(log) == 0) { return 0; }
    return log[sizeof(log) - 1].term;
  }

  fun IsMajority(count: int): bool { return 2 * count > sizeof(servers); }

  fun ConsiderVote(request: (from: Server, term: int, lastTerm: int, length: int)) {
    var stepsDown, isNewer: bool;
    if (request.term > term) {
      NewTerm(request.term);
      stepsDown = true;
    }
    isNewer = request.lastTerm > LastTerm() || request.lastTerm == LastTerm() && request.length >= sizeof(log);
    if (request.term == term && (sizeof(voted) == 0 || request.from in voted || bugVotesTwice) && (isNewer || bugAnyLog)) {
      voted += (request.from);
      send request.from, eVote, (from = this, term = term, granted = true);
    } else {
      send request.from, eVote, (from = this, term = term, granted = false);
    }
    if (stepsDown) { goto Follower; }
  }

  // The leader sends all of its log, so that there is no place to agree on first.
  fun SendLog() {
    var server: Server;
    foreach (server in servers) {
      if (server != this) { send server, eAppend, (from = this, term = term, log = log, committed = committed); }
    }
  }

  fun Append(message: (from: Server, term: int, log: seq[tEntry], committed: int)) {
    if (message.term < term) {
      send message.from, eAppended, (from = this, term = term, length = 0);
      return;
    }
    if (message.term > term) { NewTerm(message.term); }
    if (!IsPrefix(message.log)) { log = message.log; }
    Commit(message.committed);
    send message.from, eAppended, (from = this, term = term, length = sizeof(message.log));
    goto Follower;
  }

  // Of what this server has: then the message is an old one, or says nothing new.
  fun IsPrefix(entries: seq[tEntry]): bool {
    var i: int;
    if (sizeof(entries) > sizeof(log)) { return false; }
    while (i < sizeof(entries)) {
      if (entries[i] != log[i]) { return false; }
      i = i + 1;
    }
    return true;
  }

  // Entries of earlier terms are committed by one of this term behind them.
  fun Count(from: Server, length: int) {
    var count: int;
    var server: Server;
    if (!(from in has) || has[from] < length) { has[from] = length; }
    if (length <= committed || log[length - 1].term != term) { return; }
    count = 1;
    foreach (server in keys(has)) {
      if (has[server] >= length) { count = count + 1; }
    }
    if (IsMajority(count)) {
      Commit(length);
      SendLog();
    }
  }

  fun Commit(length: int) {
    while (committed < length) {
      announce eCommitted, (index = committed, what = log[committed]);
      committed = committed + 1;
    }
  }
}
