/* The alternate stack for handlers belongs to a thread. Handlers of signals and of crashes run on it, if they ask for it. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

enum { kSize = 65536 };
static __thread char *own;
static __thread volatile int inside;
static __thread sigjmp_buf back;

static int is_on_own(volatile char *local) { return own != NULL && (uintptr_t)local - (uintptr_t)own < kSize; }
static void handle(int signal) {
  (void)signal;
  volatile char local = 0;
  inside = is_on_own(&local);
}
static void handle_crash(int signal) {
  handle(signal);
  siglongjmp(back, 1);
}

static void *body(void *wanted) {
  stack_t stack, told;
  assert(sigaltstack(NULL, &told) == 0 && told.ss_flags == SS_DISABLE);
  if (wanted != NULL) {
    own = malloc(kSize);
    stack = (stack_t){.ss_sp = own, .ss_size = kSize};
    assert(sigaltstack(&stack, NULL) == 0);
    assert(sigaltstack(NULL, &told) == 0 && told.ss_sp == own && told.ss_flags == 0);
  }
  raise(SIGUSR1);
  assert(inside == (wanted != NULL));
  inside = 0;
  if (sigsetjmp(back, 1) == 0) *(volatile int *)8 = 1;
  assert(inside == (wanted != NULL));
  raise(SIGUSR2); /* without SA_ONSTACK */
  assert(!inside);
  return NULL;
}

int main(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  action.sa_handler = handle_crash;
  sigaction(SIGSEGV, &action, NULL);
  action.sa_handler = handle;
  action.sa_flags = 0;
  sigaction(SIGUSR2, &action, NULL);
  pthread_t with, without;
  pthread_create(&with, NULL, body, &with);
  pthread_join(with, NULL);
  pthread_create(&without, NULL, body, NULL);
  pthread_join(without, NULL);
#ifndef FIXED
  body(&with);
  assert(0);
#endif
  return 0;
}
