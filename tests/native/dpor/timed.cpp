// Waits that may be given up, beside what ends them. HOW says which.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <thread>

namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
sem_t permits;
std::atomic<int> seen;
const timespec past{0, 0};

void waits() {
  pthread_mutex_lock(&lock);
  pthread_cond_timedwait(&condition, &lock, &past);
  pthread_mutex_unlock(&lock);
}
void signals() {
  pthread_cond_signal(&condition);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
void broadcasts() {
  pthread_mutex_lock(&lock);
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&lock);
}
void locks() {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
void locks_in_time() {
  if (pthread_mutex_timedlock(&lock, &past) == 0) pthread_mutex_unlock(&lock);
  else seen.fetch_add(1);
}
void reads_in_time() {
  if (pthread_rwlock_timedrdlock(&shared, &past) == 0) pthread_rwlock_unlock(&shared);
}
void writes() {
  pthread_rwlock_wrlock(&shared);
  pthread_rwlock_unlock(&shared);
}
void waits_for_permit() {
  if (sem_timedwait(&permits, &past) == 0) sem_post(&permits);
  else seen.fetch_add(1);
}
void posts() { sem_post(&permits); }

void (*const kThreads[][3])() = {
    {waits, waits, signals},
    {waits, locks, signals},
    {waits, waits, broadcasts},
    {locks_in_time, locks_in_time, locks},
    {locks_in_time, waits, signals},
    {waits_for_permit, waits_for_permit, posts},
    {reads_in_time, reads_in_time, writes},
};

}  // namespace

int main() {
  sem_init(&permits, 0, 0);
  std::thread threads[3];
  for (int i = 0; i < 3; ++i) threads[i] = std::thread(kThreads[HOW][i]);
  for (std::thread& thread : threads) thread.join();
}
