// The panel. A report counts only if it answers the order that was given last: the door may have been opened since.
machine Panel {
  var works: Works;
  var orders: int;  // that were given so far

  start state Init {
    entry {
      works = new Works();
      goto Warming;
    }
  }

  state Warming {
    entry { Order(WARMING, WARM_UP); }
    on eReport do (report: (number: int, done: bool)) {
      if (report.number == orders) { Continue(report.done, READY); }
    }
    on eDoor do Door;
    defer eCoffeeButton;
    ignore eResetButton;
  }

  state Ready {
    entry { announce eMode, READY; }
    on eCoffeeButton goto Grinding;
    on eDoor do Door;
    ignore eReport, eResetButton;
  }

  state Grinding {
    entry { Order(GRINDING, GRIND); }
    on eReport do (report: (number: int, done: bool)) {
      if (report.number == orders) { Continue(report.done, BREWING); }
    }
    on eDoor do Door;
    ignore eCoffeeButton, eResetButton;
  }

  state Brewing {
    entry { Order(BREWING, BREW); }
    on eReport do (report: (number: int, done: bool)) {
      if (report.number == orders) { Continue(report.done, READY); }
    }
    on eDoor do Door;
    ignore eCoffeeButton, eResetButton;
  }

  state Open {
    entry { announce eMode, OPEN; }
    on eDoor do (open: bool) { if (!open) { goto Warming; } }
    ignore eCoffeeButton, eResetButton, eReport;
  }

  state Broken {
    entry { announce eMode, BROKEN; }
    on eResetButton goto Warming;
    on eDoor do Door;
    ignore eCoffeeButton, eReport;
  }

  fun Order(mode: tMode, work: tWork) {
    announce eMode, mode;
    orders = orders + 1;
    send works, eOrder, (panel = this, number = orders, work = work);
  }

  fun Continue(done: bool, next: tMode) {
    if (!done) { goto Broken; }
    if (next == READY) { goto Ready; }
    goto Brewing;
  }

  fun Door(open: bool) {
    if (open) { goto Open; }
  }
}
