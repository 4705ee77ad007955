/* A try by the owner fails with EBUSY; recursive and error-checking mutexes have their own rules. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t make(int type) {
  pthread_mutex_t mutex;
  pthread_mutexattr_t attribute;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_settype(&attribute, type);
  pthread_mutex_init(&mutex, &attribute);
  return mutex;
}

static void* owner(void* unused) {
  pthread_mutex_t normal = make(PTHREAD_MUTEX_NORMAL), recursive = make(PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_t checking = make(PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_lock(&normal) == 0 && pthread_mutex_trylock(&normal) == EBUSY);
  assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_trylock(&recursive) == 0);
  assert(pthread_mutex_lock(&checking) == 0 && pthread_mutex_trylock(&checking) == EBUSY);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  pthread_mutex_unlock(&normal);
  pthread_mutex_unlock(&recursive);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&checking) == 0 && pthread_mutex_unlock(&checking) == EPERM);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, owner, NULL);
  pthread_join(thread, NULL);
}
