/* A library with thread-local data is loaded inside a thread: libm, or whatever the argument names. */
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>

static const char* library = "libm.so.6";

static void* loads(void* unused) {
  void* handle = dlopen(library, RTLD_NOW);
  assert(handle != NULL);
  double (*square_root)(double);
  *(void**)&square_root = dlsym(handle, "sqrt");
  assert(square_root != NULL && square_root(49.0) == 7.0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, loads, NULL);
  pthread_create(&b, NULL, loads, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
