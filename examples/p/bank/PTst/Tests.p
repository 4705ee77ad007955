test tcOneClient [main = OneClient]:
  assert BalancesAreCorrect, RequestsAreAnswered in (union Client, Bank, { OneClient });

test tcOwnAccounts [main = OwnAccounts]:
  assert BalancesAreCorrect, RequestsAreAnswered in (union Client, Bank, { OwnAccounts });

test param (numClients in [2, 3]) tcOneAccount [main = OneAccount]:
  assert BalancesAreCorrect, RequestsAreAnswered in (union Client, Bank, { OneAccount });

test tcAbstractServer [main = OwnAccounts]:
  assert BalancesAreCorrect, RequestsAreAnswered in (union Client, AbstractBank, { OwnAccounts });

test param (numClients in [2]) tcBugLostUpdate [main = OneAccount]:
  assert BalancesAreCorrect, RequestsAreAnswered in (union Client, EagerBank, { OneAccount });
