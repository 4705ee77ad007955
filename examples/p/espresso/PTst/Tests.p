test param (numActions in [1, 2]) tcThirstyUser [main = ThirstyUser]:
  assert ModesOfOperation, UserIsAnswered in (union Machine, { ThirstyUser });

test param (numActions in [2, 3, 4]) tcPlayfulUser [main = PlayfulUser]:
  assert ModesOfOperation, UserIsAnswered in (union Machine, { PlayfulUser });

test param (numActions in [4]) tcBugLateReport [main = PlayfulUser]:
  assert ModesOfOperation, UserIsAnswered in (union TrustingMachine, { PlayfulUser });
