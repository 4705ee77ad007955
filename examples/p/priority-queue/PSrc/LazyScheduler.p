// The bug: it remembers the most urgent job when a job arrives, and hands out that one even if another has come since.
machine LazyScheduler {
  var queue: tQueue;
  var idle: seq[Worker];
  var next: tJob;

  fun Pick(queue: tQueue): tJob;

  start state Serving {
    on eSubmit do (job: tJob) {
      if (CountJobs(queue) == 0)
        next = job;
      queue = AddJob(queue, job);
      announce eQueued, (job = job, waiting = CountJobs(queue));
      HandOut();
    }
    on eAsk do (worker: Worker) {
      idle += (sizeof(idle), worker);
      HandOut();
    }
  }

  fun HandOut() {
    var job: tJob;
    var worker: Worker;
    if (sizeof(idle) == 0 || CountJobs(queue) == 0)
      return;
    job = next;
    queue = TakeJob(queue, job.id);
    if (CountJobs(queue) > 0)
      next = Pick(queue);
    worker = idle[0];
    idle -= (0);
    send worker, eRun, job;
  }
}
