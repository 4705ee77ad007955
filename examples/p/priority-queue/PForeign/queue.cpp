// The queue of the scheduler: jobs, the most urgent first, and among equals in the order of their ids.
//
// The order is part of the value, so queues with the same jobs are equal however they came about: fewer states to explore.
#include <tarry/foreign.h>

#include <algorithm>
#include <stdexcept>

namespace {

struct Job {
  std::int64_t id = 0;
  std::int64_t urgency = 0;
  tarry::p::Machine from;
  TARRY_NAMED_TUPLE(id, urgency, from)
};

struct Queue {
  std::vector<Job> jobs;

  static constexpr const char* p_type = "tQueue";
  std::string save() const { return tarry::p::pack(jobs); }
  static Queue load(std::string_view bytes) {
    Queue queue;
    tarry::p::unpack(bytes, queue.jobs);
    return queue;
  }
  std::string text() const {
    std::string out;
    for (const Job& job : jobs) out += (out.empty() ? "" : ", ") + std::to_string(job.id) + "!" + std::to_string(job.urgency);
    return "[" + out + "]";
  }
};

// A variable of a foreign type starts as null: here that is the empty queue.
using MaybeQueue = std::optional<Queue>;

Queue add(const MaybeQueue& before, const Job& job) {
  Queue queue = before.value_or(Queue{});
  const auto goes_before = [](const Job& a, const Job& b) { return a.urgency != b.urgency ? a.urgency > b.urgency : a.id < b.id; };
  queue.jobs.insert(std::upper_bound(queue.jobs.begin(), queue.jobs.end(), job, goes_before), job);
  return queue;
}

std::int64_t count(const MaybeQueue& queue) { return queue ? static_cast<std::int64_t>(queue->jobs.size()) : 0; }

Queue take(Queue queue, std::int64_t id) {
  if (std::erase_if(queue.jobs, [&](const Job& job) { return job.id == id; }) == 0) throw std::invalid_argument("no job " + std::to_string(id));
  return queue;
}

Job pick(const Queue& queue) { return queue.jobs.at(0); }

}  // namespace

TARRY_FOREIGN("AddJob", add)
TARRY_FOREIGN("CountJobs", count)
TARRY_FOREIGN("TakeJob", take)
TARRY_FOREIGN("Scheduler.Pick", pick)
TARRY_FOREIGN("LazyScheduler.Pick", pick)
