type tWrite = (client: Client, value: int);
type tReadDone = (client: Client, value: int);
type tUpdate = (number: int, value: int, client: Client);
type tSetup = (position: int, predecessor: machine, successor: machine, master: Master);
type tNewSuccessor = (node: Node, last: int);
type tApplied = (position: int, number: int);
type tChain = (nodes: seq[Node], clients: seq[Client]);

// Clients and the ends of the chain: writes go to the head, the tail answers; reads go to the tail.
event eWrite: tWrite;
event eWriteDone: int;
event eRead: Client;
event eReadDone: tReadDone;

// Along the chain: updates down, acknowledgements (the number of the update) up.
event eUpdate: tUpdate;
event eAck: int;

// The driver sets the chain up and stops a node.
event eSetup: tSetup;
event eChain: tChain;
event eCrash;

// A failure, and how the master repairs the chain.
event eNodeFailed: Node;
event eBecomeHead;
event eBecomeTail;
event eNewPredecessor: machine;
event eLastUpdate: int;
event eNewSuccessor: tNewSuccessor;
event eNewHead: Node;
event eNewTail: Node;

// Announced for the specs: a node applies an update; a node (by position) stops.
event eApplied: tApplied;
event eCrashed: int;
