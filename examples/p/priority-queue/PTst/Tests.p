test tcOneWorker [main = OneWorker]:
  assert MostUrgentFirst, AllDone in (union Scheduling, { OneWorker });

test tcTwoWorkers [main = TwoWorkers]:
  assert MostUrgentFirst, AllDone in (union Scheduling, { TwoWorkers });

test tcBugLazy [main = OneWorker]:
  assert MostUrgentFirst, AllDone in (union LazyScheduling, { OneWorker });
