// Whoever is handed out is the most urgent of those that wait. The spec has a queue of its own.
spec MostUrgentFirst observes eQueued, eRun {
  var waiting: seq[tJob];
  start state Watching {
    on eQueued do (queued: (job: tJob, waiting: int)) {
      waiting += (sizeof(waiting), queued.job);
      assert sizeof(waiting) == queued.waiting, format("{0} jobs wait, but the queue has {1}", sizeof(waiting), queued.waiting);
    }
    on eRun do (job: tJob) {
      var i: int;
      var at: int;
      at = -1;
      while (i < sizeof(waiting)) {
        assert waiting[i].urgency <= job.urgency,
          format("job {0} of urgency {1} is handed out, and job {2} of urgency {3} waits", job.id, job.urgency, waiting[i].id, waiting[i].urgency);
        if (waiting[i].id == job.id)
          at = i;
        i = i + 1;
      }
      assert at >= 0, format("job {0} is handed out, and does not wait", job.id);
      waiting -= (at);
    }
  }
}

// Every job is done in the end.
spec AllDone observes eQueued, eFinished {
  var open: int;
  start state Nothing {
    on eQueued goto Something with { open = open + 1; }
  }
  hot state Something {
    on eQueued do { open = open + 1; }
    on eFinished do {
      open = open - 1;
      if (open == 0)
        goto Nothing;
    }
  }
}
