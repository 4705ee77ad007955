// The pump runs only behind a grinder that has finished, and the panel is ready only after it has warmed up or brewed.
spec ModesOfOperation observes eMode, eOrder, eReport {
  var mode: tMode;
  var open: map[int, tWork];  // orders that are not answered
  var finished: tWork;        // the work that was answered last, and whether it was done
  var done: bool;

  start state Watching {
    on eOrder do (order: (panel: machine, number: int, work: tWork)) {
      open += (order.number, order.work);
      done = false;
    }
    on eReport do (report: (number: int, done: bool)) {
      finished = open[report.number];
      done = report.done;
      open -= report.number;
    }
    on eMode do (next: tMode) {
      if (next == BREWING) {
        assert mode == GRINDING && finished == GRIND && done, format("brews in mode {0}, before the beans are ground", mode);
      }
      if (next == READY) {
        assert done && (finished == WARM_UP && mode == WARMING || finished == BREW && mode == BREWING),
          format("is ready in mode {0}, before the work is done", mode);
      }
      mode = next;
    }
  }
}

// Whoever asks for a coffee gets one, or sees that the machine is open or broken.
spec UserIsAnswered observes eMode {
  start cold state Idle {
    on eMode do (mode: tMode) { if (mode == GRINDING) { goto Busy; } }
  }
  hot state Busy {
    on eMode do (mode: tMode) { if (mode != GRINDING && mode != BREWING) { goto Idle; } }
  }
}
