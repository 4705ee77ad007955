// Heater, grinder and pump. Water or beans may have run out.
machine Works {
  start state Working {
    on eOrder do (order: (panel: machine, number: int, work: tWork)) {
      send order.panel, eReport, (number = order.number, done = order.work == WARM_UP || $);
    }
  }
}
