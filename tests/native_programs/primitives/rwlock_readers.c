/* Readers may be inside together. */
#include "outcome.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void* reader(void* letters) {
  pthread_rwlock_rdlock(&rw);
  note(((char*)letters)[0]);
  note(((char*)letters)[1]);
  pthread_rwlock_unlock(&rw);
  return NULL;
}

int main(void) {
  pthread_t a = go(reader, "aA"), b = go(reader, "bB");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  OUTCOME("%s", order);
}
