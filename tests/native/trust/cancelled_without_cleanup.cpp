// Asynchronous cancellation in a function that has no cleanups of its own: the thread ends. Calls that instrumentation puts at the ends of functions would give
// it some, and std::terminate would be called.
#include <pthread.h>

#include <cassert>

static int count;

static void* work(void*) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
  for (int i = 1; i <= 2; ++i) __atomic_store_n(&count, i, __ATOMIC_SEQ_CST);
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
#ifndef FIXED
  assert(count == 2);  // it was cancelled before
#endif
}
