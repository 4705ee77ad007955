/* What the programs of this folder share: an order of events, names of error numbers, and how to print the outcome. */
#ifndef OUTCOME_H
#define OUTCOME_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#ifdef __cplusplus
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
using std::atomic_fetch_add;
using std::atomic_int;
#else
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#endif

static char order[32];
static atomic_int order_length;

/* Appends a letter to `order`. */
static inline void note(char letter) { order[atomic_fetch_add(&order_length, 1)] = letter; }

static inline const char* name_of(int error) {
  switch (error) {
    case 0: return "0";
    case EAGAIN: return "EAGAIN";
    case EBUSY: return "EBUSY";
    case EDEADLK: return "EDEADLK";
    case EINVAL: return "EINVAL";
    case EPERM: return "EPERM";
    case ESRCH: return "ESRCH";
    case ETIMEDOUT: return "ETIMEDOUT";
    default: return "another error";
  }
}

/* Whether the text is one of the lines. */
static inline int is_line_of(const char* text, const char* lines) {
  const size_t length = strlen(text);
  for (; *lines != '\0'; lines += strcspn(lines, "\n"), lines += *lines == '\n')
    if (strcspn(lines, "\n") == length && strncmp(lines, text, length) == 0) return 1;
  return 0;
}

/* Prints the outcome. With OUTCOMES_REFUSED in the environment, one of these lines is a failure; with OUTCOMES_ALLOWED, any other
 * line is. So any checker can tell which outcomes there are: check_primitives.py. */
static inline void outcome(const char* format, ...) {
  char text[128] = "outcome: ";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + strlen(text), sizeof text - strlen(text), format, arguments);
  va_end(arguments);
  puts(text);
  const char* refused = getenv("OUTCOMES_REFUSED");
  const char* allowed = getenv("OUTCOMES_ALLOWED");
  assert(refused == NULL || !is_line_of(text, refused));
  assert(allowed == NULL || is_line_of(text, allowed));
}

#define OUTCOME(...) outcome(__VA_ARGS__)

#ifndef __cplusplus
static inline pthread_t go(void* (*body)(void*), const void* argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, (void*)argument) != 0) abort();
  return thread;
}

/* A moment from now, for timed waits. */
static inline struct timespec soon(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += 1000000;
  if (time.tv_nsec >= 1000000000) {
    time.tv_nsec -= 1000000000;
    ++time.tv_sec;
  }
  return time;
}
#endif

#endif
