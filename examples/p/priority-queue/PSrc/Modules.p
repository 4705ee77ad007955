module Scheduling = { Scheduler, Worker, Client };
module LazyScheduling = { LazyScheduler -> Scheduler, Worker, Client };
