param numServers: int;
param numTimeouts: int;
param numCommands: int;

fun MakeServers(count: int): seq[Server] {
  var servers: seq[Server];
  var server: Server;
  while (sizeof(servers) < count) { servers += (sizeof(servers), new Server()); }
  foreach (server in servers) { send server, eGroup, servers; }
  return servers;
}

// Some servers do not hear from a leader for too long. The first of them are asked to append a command, if they become leaders.
machine World {
  start state Init {
    entry {
      var servers: seq[Server];
      var server: Server;
      var i: int;
      servers = MakeServers(numServers);
      while (i < numTimeouts) {
        server = choose(servers);
        send server, eTimeout;
        if (i < numCommands) { send server, eCommand, i; }
        i = i + 1;
      }
    }
  }
}
