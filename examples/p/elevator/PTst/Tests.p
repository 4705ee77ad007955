test tcPatientUser [main = PatientUser]:
  assert DoorIsClosedInMotion, CallsAreServed in (union Lift, { PatientUser });

test param (numPresses in [1, 2, 3]) tcAnyUser [main = AnyUser]:
  assert DoorIsClosedInMotion, CallsAreServed in (union Lift, { AnyUser });

test param (numPresses in [3]) tcBugLateReport [main = AnyUser]:
  assert DoorIsClosedInMotion, CallsAreServed in (union TrustingLift, { AnyUser });
