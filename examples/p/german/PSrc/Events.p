enum tCache { INVALID, SHARED, EXCLUSIVE }
type tCacheChange = (client: Client, cache: tCache);

// Client to host.
event eReqShared: Client;
event eReqExclusive: Client;
event eInvAck: Client;

// Host to client.
event eInvalidate;
event eGrantShared;
event eGrantExclusive;

// Announced for the specs: all clients, and each change of a client's cache.
event eClients: seq[Client];
event eCacheChange: tCacheChange;
