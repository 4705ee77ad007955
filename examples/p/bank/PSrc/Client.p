type tWithdrawReq = (client: Client, rId: int, account: int, amount: int);
type tWithdrawResp = (status: tStatus, rId: int, account: int, balance: int);
type tClientConfig = (server: Server, account: int, firstId: int, withdrawals: int);

enum tStatus { WITHDRAWN, REFUSED }

event eWithdrawReq: tWithdrawReq;
event eWithdrawResp: tWithdrawResp;

// Withdraws 10 or 20 from one account, a few times, and stops when it is refused.
machine Client {
  var server: Server;
  var account: int;
  var nextId: int;
  var left: int;

  start state Init {
    entry (config: tClientConfig) {
      server = config.server;
      account = config.account;
      nextId = config.firstId;
      left = config.withdrawals;
      goto Withdrawing;
    }
  }

  state Withdrawing {
    entry {
      if (left == 0) {
        goto Done;
      }
      send server, eWithdrawReq, (client = this, rId = nextId, account = account, amount = 10 + 10 * choose(2));
    }
    on eWithdrawResp do (resp: tWithdrawResp) {
      assert resp.rId == nextId, format("asked {0}, got the answer to {1}", nextId, resp.rId);
      nextId = nextId + 1;
      left = left - 1;
      if (resp.status == REFUSED) {
        goto Done;
      }
      goto Withdrawing;
    }
  }

  state Done { }
}
