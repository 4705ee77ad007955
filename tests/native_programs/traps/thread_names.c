/* Names, and attributes that are read back. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void* named(void* name) {
  char got[16];
  assert(pthread_setname_np(pthread_self(), name) == 0);
  assert(pthread_getname_np(pthread_self(), got, sizeof got) == 0 && strcmp(got, name) == 0);
  pthread_attr_t attribute;
  void* stack;
  size_t size;
  assert(pthread_getattr_np(pthread_self(), &attribute) == 0);
  assert(pthread_attr_getstack(&attribute, &stack, &size) == 0);
  assert((char*)stack <= got && got < (char*)stack + size);
  pthread_attr_destroy(&attribute);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, named, "worker-a");
  pthread_create(&b, NULL, named, "worker-b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
