/* Output that goes around stdio: its order is part of what the program did, with caching too. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int a, b;

static void* one(void* unused) {
  atomic_store(&a, 1);
  if (write(1, "1", 1) != 1) _exit(1);
  atomic_store(&a, 2);
  return unused;
}
static void* two(void* unused) {
  atomic_store(&b, 1);
  if (write(1, "2", 1) != 1) _exit(1);
  atomic_store(&b, 2);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
