type tServerConfig = (creator: machine, accounts: map[int, int]);

// The server tells its creator that it takes requests.
event eServerReady;

// What has to stay on every account.
fun MinBalance(): int {
  return 10;
}

// One withdrawal at a time: reads the balance, writes the new one, answers.
machine Server {
  var database: Database;

  start state Init {
    entry (config: tServerConfig) {
      database = new Database(config.accounts);
      send config.creator, eServerReady;
      goto Serving;
    }
  }

  state Serving {
    on eWithdrawReq do (req: tWithdrawReq) {
      var balance: int;
      balance = ReadBalance(this, database, req.account);
      if (balance - req.amount < MinBalance()) {
        send req.client, eWithdrawResp, (status = REFUSED, rId = req.rId, account = req.account, balance = balance);
      } else {
        balance = balance - req.amount;
        send database, eUpdate, (account = req.account, balance = balance);
        send req.client, eWithdrawResp, (status = WITHDRAWN, rId = req.rId, account = req.account, balance = balance);
      }
    }
  }
}
