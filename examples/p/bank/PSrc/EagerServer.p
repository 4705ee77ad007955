// Bug: does not wait for the database. It takes the next request while it reads for the one before,
// so that two withdrawals can both start from the same balance.
machine EagerServer {
  var database: Database;
  var waiting: seq[tWithdrawReq];

  start state Init {
    entry (config: tServerConfig) {
      database = new Database(config.accounts);
      send config.creator, eServerReady;
      goto Serving;
    }
  }

  state Serving {
    on eWithdrawReq do (req: tWithdrawReq) {
      waiting += (sizeof(waiting), req);
      send database, eReadReq, (server = this, account = req.account);
    }
    // The database answers in the order of the questions.
    on eReadResp do (resp: tReadResp) {
      var req: tWithdrawReq;
      req = waiting[0];
      waiting -= 0;
      if (resp.balance - req.amount < MinBalance()) {
        send req.client, eWithdrawResp, (status = REFUSED, rId = req.rId, account = req.account, balance = resp.balance);
      } else {
        send database, eUpdate, (account = req.account, balance = resp.balance - req.amount);
        send req.client, eWithdrawResp,
          (status = WITHDRAWN, rId = req.rId, account = req.account, balance = resp.balance - req.amount);
      }
    }
  }
}
