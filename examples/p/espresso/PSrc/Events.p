// What the panel shows.
enum tMode { WARMING, READY, GRINDING, BREWING, OPEN, BROKEN }
enum tWork { WARM_UP, GRIND, BREW }

// From the user to the panel.
event eCoffeeButton;
event eResetButton;
event eDoor: bool;  // true: it is opened

// From the panel to the works and back. A report has the number of the order that it answers.
event eOrder: (panel: machine, number: int, work: tWork);
event eReport: (number: int, done: bool);

// For specs: the panel changes its mode.
event eMode: tMode;
