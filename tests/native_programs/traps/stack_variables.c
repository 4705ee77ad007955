/* What threads share is on the stack of one of them, and changed under a lock that is there too. */
#include <assert.h>
#include <pthread.h>

struct shared {
  pthread_mutex_t lock;
  int count;
};

static void* increment(void* argument) {
  struct shared* shared = argument;
  pthread_mutex_lock(&shared->lock);
  ++shared->count;
  pthread_mutex_unlock(&shared->lock);
  return NULL;
}

static void* creates(void* unused) {
  struct shared shared = {PTHREAD_MUTEX_INITIALIZER, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, increment, &shared);
  increment(&shared);
  pthread_join(thread, NULL);
  assert(shared.count == 2);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, creates, NULL);
  creates(NULL);
  pthread_join(a, NULL);
}
