test tcNoCrash [main = NoCrash]:
  assert ReadsSeeAcknowledgedWrites, UpdatesFlowDown, WritesAreAnswered in (union Chain, Clients, { NoCrash });

test param (victim in [0, 1, 2]) tcOneCrash [main = OneCrash]:
  assert ReadsSeeAcknowledgedWrites, UpdatesFlowDown, WritesAreAnswered in (union Chain, Clients, { OneCrash });

test param (victim in [0, 1, 2]) tcCrashAndReader [main = CrashAndReader]:
  assert ReadsSeeAcknowledgedWrites, UpdatesFlowDown, WritesAreAnswered in (union Chain, Clients, { CrashAndReader });

test param (victim in [1], bugNoResend in [true]) tcBugNoResend [main = OneCrash]:
  assert ReadsSeeAcknowledgedWrites, UpdatesFlowDown, WritesAreAnswered in (union Chain, Clients, { OneCrash });
