event eSubmit: tJob;
event eAsk: Worker;         // a worker has nothing to do
event eRun: tJob;
event eFinished: tJob;
event eQueued: (job: tJob, waiting: int);  // announced: for the spec

// Hands the most urgent job to whoever asks next.
machine Scheduler {
  var queue: tQueue;
  var idle: seq[Worker];

  // Which job is the next one. Implemented in C++, as the queue itself.
  fun Pick(queue: tQueue): tJob;

  start state Serving {
    on eSubmit do (job: tJob) {
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
    job = Pick(queue);
    queue = TakeJob(queue, job.id);
    worker = idle[0];
    idle -= (0);
    send worker, eRun, job;
  }
}

machine Worker {
  var scheduler: Scheduler;
  start state Init {
    entry (s: Scheduler) {
      scheduler = s;
      send scheduler, eAsk, this;
    }
    on eRun do (job: tJob) {
      send job.from, eFinished, job;
      send scheduler, eAsk, this;
    }
  }
}

// Submits its jobs, then waits until all of them are done.
machine Client {
  var left: int;
  start state Submitting {
    entry (work: (scheduler: Scheduler, first: int, urgencies: seq[int])) {
      var i: int;
      left = sizeof(work.urgencies);
      while (i < sizeof(work.urgencies)) {
        send work.scheduler, eSubmit, (id = work.first + i, urgency = work.urgencies[i], from = this);
        i = i + 1;
      }
      goto Waiting;
    }
    defer eFinished;
  }
  state Waiting {
    on eFinished do (job: tJob) {
      left = left - 1;
      assert left >= 0, "a job was done twice";
    }
  }
}
