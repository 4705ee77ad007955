// Buttons. A call carries the floor.
event eCall: int;
event eOpenButton;
event eCloseButton;

// Elevator and door.
event eOpenDoor;
event eCloseDoor;
event eDoorOpened;
event eDoorClosed;
event eObstacle;

// Elevator and motor. Both carry the floor.
event eMoveTo: int;
event eArrived: int;

// Elevator and timer.
event eStartTimer;
event eCancelTimer;
event eTimeOut;

// Announced when the door is open at a floor.
event eServed: int;
