test param (n in [3, 4, 5, 6]) tcRing [main = Main]:
  assert OneLeader in (union Ring, { Main });

test tcNine [main = NineNodes]:
  assert OneLeader in (union Ring, { NineNodes });

test tcBugNoDefer [main = ThreeNodes]:
  assert OneLeader in (union HastyRing, { ThreeNodes });
