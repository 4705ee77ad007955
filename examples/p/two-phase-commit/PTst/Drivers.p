param numParticipants: int;

fun MakeParticipants(count: int): set[Participant] {
  var participants: set[Participant];
  var i: int;
  while (i < count) {
    participants += (new Participant());
    i = i + 1;
  }
  announce eParticipants, count;
  return participants;
}

fun MakeCoordinator(participants: set[Participant]): Coordinator {
  return new Coordinator((participants = participants, timer = new Timer()));
}

// One client, one transaction.
machine OneTransaction {
  start state Init {
    entry {
      var coordinator: Coordinator;
      coordinator = MakeCoordinator(MakeParticipants(numParticipants));
      new Client((coordinator = coordinator, first = 0, count = 1));
    }
  }
}

// One client, two transactions, two participants.
machine TwoTransactions {
  start state Init {
    entry {
      var coordinator: Coordinator;
      coordinator = MakeCoordinator(MakeParticipants(2));
      new Client((coordinator = coordinator, first = 0, count = 2));
    }
  }
}

// Two clients with one transaction each.
machine TwoClients {
  start state Init {
    entry {
      var coordinator: Coordinator;
      coordinator = MakeCoordinator(MakeParticipants(numParticipants));
      new Client((coordinator = coordinator, first = 0, count = 1));
      new Client((coordinator = coordinator, first = 10, count = 1));
    }
  }
}

// One of two participants stops at some moment.
machine OneCrash {
  start state Init {
    entry {
      var coordinator: Coordinator;
      var participants: set[Participant];
      participants = MakeParticipants(2);
      coordinator = MakeCoordinator(participants);
      new Client((coordinator = coordinator, first = 0, count = 1));
      send choose(participants), halt;
    }
  }
}
