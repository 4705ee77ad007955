// A bank: a server in front of a database, clients that withdraw as much as they like, a timer for each request that is answered late, and a
// spec that keeps the whole history. Written as people write it: maps, sequences of named tuples, counters.
type tRequest = (client: Client, account: int, amount: int, id: int);
type tAnswer = (id: int, account: int, granted: bool, balance: int);
type tEntry = (account: int, amount: int, balance: int);

event eWithdraw: tRequest;
event eAnswer: tAnswer;
event eRead: (bank: Bank, account: int);
event eRow: (account: int, balance: int);
event eUpdate: (account: int, balance: int);
event eOpened: map[int, int];
event eStartTimer;
event eCancelTimer;
event eTimeOut;
event eCancelled;

param clients: int;
param requests: int;

machine Client {
  var bank: Bank;
  var account: int;
  var left: int;
  var next: int;
  var balance: int;
  var log: seq[(id: int, amount: int, granted: bool)];
  var waiting: map[int, int];

  start state Init {
    entry (config: (bank: Bank, account: int, balance: int)) {
      bank = config.bank;
      account = config.account;
      balance = config.balance;
      left = requests;
      goto Withdrawing;
    }
  }

  state Withdrawing {
    entry {
      var amount: int;
      if (left == 0) { goto Done; }
      left = left - 1;
      next = next + 1;
      amount = 1 + choose(3);
      waiting[next] = amount;
      send bank, eWithdraw, (client = this, account = account, amount = amount, id = next);
    }
    on eAnswer do (answer: tAnswer) {
      assert answer.id in waiting, format("client got an answer to {0}, which it did not ask", answer.id);
      log += (sizeof(log), (id = answer.id, amount = waiting[answer.id], granted = answer.granted));
      waiting -= (answer.id);
      balance = answer.balance;
      goto Withdrawing;
    }
  }

  state Done { ignore eAnswer; }
}

machine Database {
  var rows: map[int, int];
  var reads: int;

  start state Serving {
    entry (first: map[int, int]) { rows = first; }
    on eRead do (ask: (bank: Bank, account: int)) {
      assert ask.account in rows, "no such account";
      send ask.bank, eRow, (account = ask.account, balance = rows[ask.account]);
    }
    on eUpdate do (row: (account: int, balance: int)) { rows[row.account] = row.balance; }
  }
}

machine Bank {
  var database: Database;
  var history: seq[tEntry];
  var served: map[Client, int];

  start state Serving {
    entry (first: map[int, int]) {
      database = new Database(first);
    }
    on eWithdraw do (request: tRequest) {
      var balance: int;
      if (!(request.client in served)) { served[request.client] = 0; }
      served[request.client] = served[request.client] + 1;
      send database, eRead, (bank = this, account = request.account);
      receive {
        case eRow: (row: (account: int, balance: int)) { balance = row.balance; }
      }
      if (balance - request.amount >= 10) {
        balance = balance - request.amount;
        send database, eUpdate, (account = request.account, balance = balance);
        history += (sizeof(history), (account = request.account, amount = request.amount, balance = balance));
        send request.client, eAnswer, (id = request.id, account = request.account, granted = true, balance = balance);
      } else {
        send request.client, eAnswer, (id = request.id, account = request.account, granted = false, balance = balance);
      }
    }
  }
}

// What was granted and what is left is what there was; whoever has enough gets it.
spec BalanceIsRight observes eOpened, eWithdraw, eAnswer {
  var balances: map[int, int];
  var open: map[int, seq[tRequest]];
  var history: seq[tEntry];
  var events: seq[(account: int, id: int, asked: bool, granted: bool)];

  start state Init {
    on eOpened goto Watching with (first: map[int, int]) { balances = first; }
  }
  state Watching {
    on eWithdraw do (request: tRequest) {
      if (!(request.account in open)) { open[request.account] = default(seq[tRequest]); }
      open[request.account] += (sizeof(open[request.account]), request);
      events += (sizeof(events), (account = request.account, id = request.id, asked = true, granted = false));
    }
    on eAnswer do (answer: tAnswer) {
      var i: int;
      var request: tRequest;
      events += (sizeof(events), (account = answer.account, id = answer.id, asked = false, granted = answer.granted));
      while (i < sizeof(open[answer.account])) {
        request = open[answer.account][i];
        if (request.id == answer.id) {
          if (answer.granted) {
            balances[answer.account] = balances[answer.account] - request.amount;
            history += (sizeof(history), (account = answer.account, amount = request.amount, balance = answer.balance));
          } else {
            assert balances[answer.account] - request.amount < 10, "there is enough, and it was not granted";
          }
          assert balances[answer.account] == answer.balance, "the balance is wrong";
          open[answer.account] -= (i);
          return;
        }
        i = i + 1;
      }
      assert false, format("the answer {0} fits no request", answer);
    }
  }
}

machine Driver {
  start state Init {
    entry {
      var first: map[int, int];
      var bank: Bank;
      var i: int;
      while (i < clients) {
        first[i] = 14 + i * 2;
        i = i + 1;
      }
      announce eOpened, first;
      bank = new Bank(first);
      i = 0;
      while (i < clients) {
        new Client((bank = bank, account = i, balance = first[i]));
        i = i + 1;
      }
    }
  }
}

test param (clients in [2, 3, 4], requests in [1, 2, 3, 4]) tcBank [main = Driver]:
  assert BalanceIsRight in { Driver, Bank, Database, Client };
