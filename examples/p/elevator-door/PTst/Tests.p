test tcDoor [main=Controller]: assert DoorCloses in { Controller, Door, Passenger };

test tcBugStubborn [main=StubbornController]: assert DoorCloses in { StubbornController, Door, Passenger };
