/* System calls that are made without the library: caught where the machine allows it. */
#include "outcome.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static atomic_int word;

static long futex(int operation, int value) {
  long result;
  register long timeout __asm__("r10") = 0;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_futex), "D"(&word), "S"(operation), "d"(value), "r"(timeout) : "rcx", "r11", "memory");
  return result;
}

static void* waits(void* unused) {
  while (word == 0) futex(FUTEX_WAIT_PRIVATE, 0);
  note('w');
  return unused;
}

int main(void) {
  pthread_t a = go(waits, NULL);
  note('s');
  word = 1;
  futex(FUTEX_WAKE_PRIVATE, 1);
  pthread_join(a, NULL);
  OUTCOME("%s", order);
}
