// Announced by the driver: account to balance.
event eAccountsOpened: map[int, int];

// Every answer fits the balance that the earlier answers left.
spec BalancesAreCorrect observes eAccountsOpened, eWithdrawReq, eWithdrawResp {
  var balances: map[int, int];
  var asked: map[int, tWithdrawReq];

  start state Init {
    on eAccountsOpened goto Open with (accounts: map[int, int]) {
      balances = accounts;
    }
  }

  state Open {
    on eWithdrawReq do (req: tWithdrawReq) {
      assert req.account in balances, format("no account {0}", req.account);
      asked[req.rId] = req;
    }
    on eWithdrawResp do (resp: tWithdrawResp) {
      var rest: int;
      assert resp.rId in asked, format("an answer to {0}, which nobody asked", resp.rId);
      rest = balances[resp.account] - asked[resp.rId].amount;
      if (resp.status == WITHDRAWN) {
        assert resp.balance == rest, format("account {0}: the server says {1}, should be {2}", resp.account, resp.balance, rest);
        assert rest >= MinBalance(), format("account {0} fell to {1}", resp.account, rest);
        balances[resp.account] = rest;
      } else {
        assert resp.balance == balances[resp.account],
          format("account {0}: the server says {1}, should be {2}", resp.account, resp.balance, balances[resp.account]);
        assert rest < MinBalance(), format("account {0}: refused, but {1} would have been left", resp.account, rest);
      }
      asked -= (resp.rId);
    }
  }
}

// No request is left without an answer.
spec RequestsAreAnswered observes eWithdrawReq, eWithdrawResp {
  var open: int;

  start cold state AllAnswered {
    on eWithdrawReq goto Waiting with {
      open = 1;
    }
  }

  hot state Waiting {
    on eWithdrawReq do {
      open = open + 1;
    }
    on eWithdrawResp do {
      open = open - 1;
      if (open == 0) {
        goto AllAnswered;
      }
    }
  }
}
