test param (numNodes in [1, 2], numAttempts in [1, 2]) assume (numNodes + numAttempts < 4) tcNoFailure [main = NoFailure]:
  assert ShutDownsAreReported, ReportedOnce in (union FailureDetection, { NoFailure });

test param (numNodes in [1], numAttempts in [1, 2]) tcOneNodeFails [main = OneFailure]:
  assert ShutDownsAreReported, ReportedOnce in (union FailureDetection, { OneFailure });

test param (numNodes in [2], numAttempts in [1]) tcOneOfTwoFails [main = OneFailure]:
  assert ShutDownsAreReported, ReportedOnce in (union FailureDetection, { OneFailure });

test param (numNodes in [1], numAttempts in [2], bugStalePong in [true]) tcBugStalePong [main = OneFailure]:
  assert ShutDownsAreReported, ReportedOnce in (union FailureDetection, { OneFailure });
