type tEntry = (term: int, value: int);

// From the driver.
event eGroup: seq[Server];  // all servers
event eTimeout;             // nothing was heard from a leader for too long
event eCommand: int;        // a value to append to the log

// Between servers.
event eRequestVote: (from: Server, term: int, lastTerm: int, length: int);
event eVote: (from: Server, term: int, granted: bool);
event eAppend: (from: Server, term: int, log: seq[tEntry], committed: int);
event eAppended: (from: Server, term: int, length: int);

// For specs.
event eElected: (leader: Server, term: int);
event eCommitted: (index: int, what: tEntry);
