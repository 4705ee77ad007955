module Devices = { Door, Motor, Timer };
module Lift = (union { Elevator }, Devices);
module TrustingLift = (union { TrustingElevator -> Elevator }, Devices);
