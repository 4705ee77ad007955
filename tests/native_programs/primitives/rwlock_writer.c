/* Nobody is inside together with a writer. */
#include "outcome.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&rw);
  note('r');
  note('R');
  pthread_rwlock_unlock(&rw);
  return unused;
}

static void* writer(void* letters) {
  pthread_rwlock_wrlock(&rw);
  note(((char*)letters)[0]);
  note(((char*)letters)[1]);
  pthread_rwlock_unlock(&rw);
  return NULL;
}

int main(void) {
  pthread_t a = go(reader, NULL), b = go(writer, "wW"), c = go(writer, "vV");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  OUTCOME("%s", order);
}
