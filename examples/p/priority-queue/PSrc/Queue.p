// The queue is written in C++ (PForeign/queue.cpp): P has no loops over sorted things that would not be slow and long.
type tJob = (id: int, urgency: int, from: Client);
type tQueue;

fun AddJob(queue: tQueue, job: tJob): tQueue;
fun CountJobs(queue: tQueue): int;
fun TakeJob(queue: tQueue, id: int): tQueue;
