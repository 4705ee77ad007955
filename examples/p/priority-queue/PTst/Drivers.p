fun SetUp(workers: int, a: seq[int], b: seq[int]) {
  var scheduler: Scheduler;
  var i: int;
  scheduler = new Scheduler();
  while (i < workers) {
    new Worker(scheduler);
    i = i + 1;
  }
  new Client((scheduler = scheduler, first = 1, urgencies = a));
  new Client((scheduler = scheduler, first = 11, urgencies = b));
}

machine OneWorker {
  start state Init {
    entry {
      var a: seq[int];
      var b: seq[int];
      a += (0, 1);
      a += (1, 3);
      b += (0, 2);
      SetUp(1, a, b);
    }
  }
}

machine TwoWorkers {
  start state Init {
    entry {
      var a: seq[int];
      var b: seq[int];
      a += (0, 1);
      a += (1, 3);
      b += (0, 2);
      b += (1, 2);
      SetUp(2, a, b);
    }
  }
}
