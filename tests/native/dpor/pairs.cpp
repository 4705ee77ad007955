// Two operations on one synchronisation object, by two threads, in a small state of the object.
//
//   pairs list                        the operations: object, name, states
//   pairs natively OBJECT A B         for each state in which both are allowed, a line "state dependent why": each order is run in a process of its own
//   pairs explored OBJECT A B         for Tarry: the state is a data choice; each actor yields, performs its operation and cleans up
//
// Natively, the second operation begins when the first one is over, or waits in the kernel. They are dependent if one of them can be performed in the state
// but not behind the other (or the other way round), or if the orders differ in what the operations return or leave behind.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <tarry/test.h>

namespace {

int state;
bool explored;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;
sem_t semaphore, ready, go;
std::atomic<int> number;
const timespec kPast{0, 0};

/// What is there before the operations: by main, by each actor, and by further threads.
void prepare(const std::string& object) {
  if (object == "semaphore") sem_init(&semaphore, 0, static_cast<unsigned>(state));
  if (object == "barrier") pthread_barrier_init(&barrier, nullptr, state == 0 ? 3 : 2);  // state 1: for two; state 2: one of them is there
  if (object == "atomic") number = state;
}
/// Mutexes: 1 and 2 are held by an actor. Read-write locks: bits of who reads; 4 and 5 are held for writing.
void prepare_actor(const std::string& object, int me) {
  if (object == "mutex" && state == me + 1) pthread_mutex_lock(&mutex);
  if (object == "condition" && me == 0) pthread_mutex_lock(&mutex);
  if (object == "rwlock" && state < 4 && (state >> me & 1) != 0) pthread_rwlock_rdlock(&rw);
  if (object == "rwlock" && state == 4 + me) pthread_rwlock_wrlock(&rw);
}
int helpers(const std::string& object) { return object == "condition" ? state : object == "barrier" && state == 2 ? 1 : 0; }
bool holds(const std::string& object, int me) {
  if (object == "mutex") return state == me + 1;
  return state < 4 ? (state >> me & 1) != 0 : state == 4 + me;
}

struct Operation {
  const char* object;
  const char* name;
  long (*perform)();
  void (*undo)(long result);           // so that the other one is performed, too
  bool (*allowed)(int me);
  bool waits_inside;                   // it is performed, and then waits
};

bool always(int) { return true; }
bool no_self_lock(int me) { return !holds("mutex", me); }
bool only_holder(int me) { return holds("mutex", me); }
bool no_reentry(int me) { return !holds("rwlock", me); }
bool only_reader(int me) { return holds("rwlock", me); }
bool only_first(int me) { return me == 0; }
bool only_second(int me) { return me == 1; }
void unlock_if(long result) { if (result == 0) pthread_mutex_unlock(&mutex); }
void unlock_rw_if(long result) { if (result == 0) pthread_rwlock_unlock(&rw); }
void post_if(long result) { if (result == 0) sem_post(&semaphore); }
void nothing(long) {}

const Operation kOperations[] = {
    {"mutex", "lock", [] { return long{pthread_mutex_lock(&mutex)}; }, unlock_if, no_self_lock, false},
    {"mutex", "try", [] { return long{pthread_mutex_trylock(&mutex)}; }, unlock_if, always, false},
    {"mutex", "timed", [] { return long{pthread_mutex_timedlock(&mutex, &kPast)}; }, unlock_if, no_self_lock, false},
    {"mutex", "unlock", [] { return long{pthread_mutex_unlock(&mutex)}; }, nothing, only_holder, false},
    {"semaphore", "wait", [] { return long{sem_wait(&semaphore)}; }, post_if, always, false},
    {"semaphore", "try", [] { return long{sem_trywait(&semaphore)}; }, post_if, always, false},
    {"semaphore", "timed", [] { return long{sem_timedwait(&semaphore, &kPast)}; }, post_if, always, false},
    {"semaphore", "post", [] { return long{sem_post(&semaphore)}; }, nothing, always, false},
    {"semaphore", "value", [] { int value = 0; sem_getvalue(&semaphore, &value); return long{value}; }, nothing, always, false},
    {"rwlock", "read", [] { return long{pthread_rwlock_rdlock(&rw)}; }, unlock_rw_if, no_reentry, false},
    {"rwlock", "try to read", [] { return long{pthread_rwlock_tryrdlock(&rw)}; }, unlock_rw_if, no_reentry, false},
    {"rwlock", "write", [] { return long{pthread_rwlock_wrlock(&rw)}; }, unlock_rw_if, no_reentry, false},
    {"rwlock", "try to write", [] { return long{pthread_rwlock_trywrlock(&rw)}; }, unlock_rw_if, no_reentry, false},
    {"rwlock", "unlock", [] { return long{pthread_rwlock_unlock(&rw)}; }, nothing, only_reader, false},
    {"condition", "wait", [] { return long{pthread_cond_wait(&condition, &mutex)}; }, unlock_if, only_first, true},
    {"condition", "signal", [] { return long{pthread_cond_signal(&condition)}; }, nothing, always, false},
    {"condition", "broadcast", [] { return long{pthread_cond_broadcast(&condition)}; }, nothing, always, false},
    {"condition", "try the mutex", [] { return long{pthread_mutex_trylock(&mutex)}; }, unlock_if, only_second, false},
    {"barrier", "wait", [] { return long{pthread_barrier_wait(&barrier)}; }, nothing, always, true},
    {"atomic", "load", [] { return long{number.load()}; }, nothing, always, false},
    {"atomic", "store 1", [] { number = 1; return 0L; }, nothing, always, false},
    {"atomic", "store 2", [] { number = 2; return 0L; }, nothing, always, false},
    {"atomic", "add", [] { return long{number.fetch_add(1)}; }, nothing, always, false},
    {"atomic", "exchange", [] { return long{number.exchange(2)}; }, nothing, always, false},
    {"atomic", "compare 0", [] { int seen = 0; return long{number.compare_exchange_strong(seen, 1)}; }, nothing, always, false},
    {"atomic", "compare 1", [] { int seen = 1; return long{number.compare_exchange_strong(seen, 2)}; }, nothing, always, false},
};

int states_of(const std::string& object) { return object == "rwlock" ? 6 : object == "atomic" ? 2 : 3; }

const Operation& find(const std::string& object, const std::string& name) {
  for (const Operation& one : kOperations)
    if (object == one.object && name == one.name) return one;
  std::abort();
}

// ---------------------------------------------------------------- natively

struct Actor {
  std::atomic<int> task{0}, released{0}, done{0};
  long result = 0;
} actors[4];

bool waits_in_kernel(const Actor& actor) {
  char name[64], text[64] = {};
  std::snprintf(name, sizeof name, "/proc/self/task/%d/syscall", actor.task.load());
  const int file = open(name, O_RDONLY);
  if (file < 0) std::abort();
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  return size > 0 && std::atoi(text) == SYS_futex;
}

/// Until it is done or waits.
bool settled(const Actor& actor) {
  for (int same = 0; same < 4; usleep(500)) {
    if (actor.done != 0) return true;
    same = waits_in_kernel(actor) ? same + 1 : 0;
  }
  return actor.done != 0;
}

struct Seen {
  bool could[2];         // by actor: was the operation performed when its turn came?
  bool done[4];
  long result[2], left[2];
};

/// By whether the first could be performed at all, and by what is there at last.
Seen in_order(const std::string& object, const Operation* const operations[2], int first) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  if (const pid_t child = fork(); child != 0) {
    Seen seen{};
    if (read(ends[0], &seen, sizeof seen) != sizeof seen) std::abort();
    waitpid(child, nullptr, 0);
    close(ends[0]), close(ends[1]);
    return seen;
  }
  prepare(object);
  for (int i = 0; i < 2; ++i) {
    std::thread([&, i] {
      actors[i].task = static_cast<int>(syscall(SYS_gettid));
      prepare_actor(object, i);
      actors[i].released = 2;
      while (actors[i].released != 1) sched_yield();
      actors[i].result = operations[i]->perform();
      actors[i].done = 1;
      while (true) pause();
    }).detach();
    while (actors[i].released != 2) sched_yield();
    if (i == 0 && object == "condition") pthread_mutex_unlock(&mutex);  // helpers come first; it is a plain mutex
  }
  const int further = helpers(object);
  for (int i = 2; i < 2 + further; ++i) {
    std::thread([&, i] {
      actors[i].task = static_cast<int>(syscall(SYS_gettid));
      if (object == "barrier") pthread_barrier_wait(&barrier);
      else pthread_mutex_lock(&mutex), pthread_cond_wait(&condition, &mutex), pthread_mutex_unlock(&mutex);
      actors[i].done = 1;
      while (true) pause();
    }).detach();
    while (actors[i].task == 0) sched_yield();
    settled(actors[i]);
  }
  if (object == "condition") pthread_mutex_lock(&mutex);
  Seen seen{};
  for (const int i : {first, 1 - first}) {
    actors[i].released = 1;
    seen.could[i] = settled(actors[i]) || operations[i]->waits_inside;
  }
  for (int i = 0; i < 2 + further; ++i) seen.done[i] = settled(actors[i]);
  for (int i = 0; i < 2; ++i) seen.result[i] = actors[i].result;
  if (object == "mutex" || object == "condition") seen.left[0] = pthread_mutex_trylock(&mutex);
  if (object == "semaphore") { int value = 0; sem_getvalue(&semaphore, &value), seen.left[0] = value; }
  if (object == "rwlock") seen.left[0] = pthread_rwlock_tryrdlock(&rw), seen.left[0] == 0 ? pthread_rwlock_unlock(&rw) : 0, seen.left[1] = pthread_rwlock_trywrlock(&rw);
  if (object == "atomic") seen.left[0] = number;
  if (write(ends[1], &seen, sizeof seen) != sizeof seen) std::abort();
  _exit(0);
}

const char* difference(const std::string& object, const Operation* const operations[2]) {
  const Seen a = in_order(object, operations, 0), b = in_order(object, operations, 1);
  if (a.could[0] != b.could[0]) return "the first can be performed only on one side of the second";  // where the second was performed or waits
  if (a.could[1] != b.could[1]) return "the second can be performed only on one side of the first";
  if (!a.could[0] || !a.could[1]) return nullptr;
  if (a.result[0] != b.result[0] || a.result[1] != b.result[1]) return "other results";
  // Which of several waiting threads wakes up is not the order's matter: so many do.
  if (std::memcmp(a.left, b.left, sizeof a.left) != 0 || a.done[0] != b.done[0] || a.done[1] != b.done[1] || a.done[2] + a.done[3] != b.done[2] + b.done[3]) return "another state";
  return nullptr;
}

// ---------------------------------------------------------------- for Tarry

void explore(const std::string& object, const Operation* const operations[2], const std::vector<int>& states) {
  state = states[static_cast<std::size_t>(tarry::choose(static_cast<int>(states.size())))];
  prepare(object);
  sem_init(&ready, 0, 0), sem_init(&go, 0, 0);
  std::vector<std::thread> threads;
  const int further = helpers(object);
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([object, operation = operations[i], i] {  // copies: main ends before its threads
      prepare_actor(object, i);
      if (object == "condition" && i == 0) pthread_mutex_unlock(&mutex);
      sem_post(&ready), sem_wait(&go);
      if (object == "condition" && operation->allowed == only_first) pthread_mutex_lock(&mutex);
      sched_yield();
      operation->undo(operation->perform());
    });
  for (int i = 0; i < further; ++i)
    threads.emplace_back([object] {
      if (object == "barrier") {
        sem_post(&ready), pthread_barrier_wait(&barrier);
      } else {
        pthread_mutex_lock(&mutex), sem_post(&ready), pthread_cond_wait(&condition, &mutex), pthread_mutex_unlock(&mutex);
      }
    });
  for (int i = 0; i < 2 + further; ++i) sem_wait(&ready);
  sem_post(&go), sem_post(&go);
  for (std::thread& thread : threads) thread.detach();
  pthread_exit(nullptr);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "list";
  if (what == "list") {
    for (const Operation& one : kOperations) std::printf("%s\t%s\n", one.object, one.name);
    return 0;
  }
  const std::string object = arguments[2];
  const Operation* const operations[2] = {&find(object, arguments[3]), &find(object, arguments[4])};
  std::vector<int> states;
  for (state = 0; state < states_of(object); ++state)
    if (operations[0]->allowed(0) && operations[1]->allowed(1)) states.push_back(state);
  if (what == "explored") {
    if (!states.empty()) explore(object, operations, states);
    return 0;
  }
  for (const int one : states) {
    state = one;
    const char* const why = difference(object, operations);
    std::printf("%d\t%d\t%s\n", one, why != nullptr ? 1 : 0, why != nullptr ? why : "");
  }
}
