type tReadReq = (server: machine, account: int);
type tReadResp = (account: int, balance: int);
type tUpdate = (account: int, balance: int);

event eReadReq: tReadReq;
event eReadResp: tReadResp;
event eUpdate: tUpdate;

// Stores the balances.
machine Database {
  var balances: map[int, int];

  start state Ready {
    entry (initial: map[int, int]) {
      balances = initial;
    }
    on eReadReq do (req: tReadReq) {
      assert req.account in balances, format("no account {0}", req.account);
      send req.server, eReadResp, (account = req.account, balance = balances[req.account]);
    }
    on eUpdate do (update: tUpdate) {
      balances[update.account] = update.balance;
    }
  }
}

// Asks the database and waits for the answer; the caller handles nothing else meanwhile.
fun ReadBalance(reader: machine, database: Database, account: int): int {
  var balance: int;
  send database, eReadReq, (server = reader, account = account);
  receive {
    case eReadResp: (resp: tReadResp) {
      balance = resp.balance;
    }
  }
  return balance;
}
