// Stands for the server and its database when only the clients are of interest.
machine AbstractServer {
  var balances: map[int, int];

  start state Init {
    entry (config: tServerConfig) {
      balances = config.accounts;
      send config.creator, eServerReady;
      goto Serving;
    }
  }

  state Serving {
    on eWithdrawReq do (req: tWithdrawReq) {
      var status: tStatus;
      if (balances[req.account] - req.amount >= MinBalance()) {
        balances[req.account] = balances[req.account] - req.amount;
        status = WITHDRAWN;
      } else {
        status = REFUSED;
      }
      send req.client, eWithdrawResp,
        (status = status, rId = req.rId, account = req.account, balance = balances[req.account]);
    }
  }
}
