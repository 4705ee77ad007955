// The number of clients of one account.
param numClients: int;

// Accounts 0, 1, … with the same balance.
fun Accounts(count: int, balance: int): map[int, int] {
  var accounts: map[int, int];
  var i: int;
  while (i < count) {
    accounts[i] = balance;
    i = i + 1;
  }
  return accounts;
}

fun OpenBank(driver: machine, accounts: map[int, int]): Server {
  var server: Server;
  announce eAccountsOpened, accounts;
  server = new Server((creator = driver, accounts = accounts));
  receive {
    case eServerReady: { }
  }
  return server;
}

machine OneClient {
  start state Init {
    entry {
      var server: Server;
      server = OpenBank(this, Accounts(1, 50));
      new Client((server = server, account = 0, firstId = 10, withdrawals = 5));
    }
  }
}

// Two clients, each with its own account.
machine OwnAccounts {
  start state Init {
    entry {
      var server: Server;
      server = OpenBank(this, Accounts(2, 30));
      new Client((server = server, account = 0, firstId = 10, withdrawals = 2));
      new Client((server = server, account = 1, firstId = 20, withdrawals = 2));
    }
  }
}

// Several clients of the same account.
machine OneAccount {
  start state Init {
    entry {
      var server: Server;
      var i: int;
      server = OpenBank(this, Accounts(1, 40));
      while (i < numClients) {
        i = i + 1;
        new Client((server = server, account = 0, firstId = 10 * i, withdrawals = 2));
      }
    }
  }
}
