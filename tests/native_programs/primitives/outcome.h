/* What the programs of this folder share: an order of events, names of error numbers, and how to print the outcome. */
#ifndef OUTCOME_H
#define OUTCOME_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#ifdef __cplusplus
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
using std::atomic_fetch_add;
using std::atomic_int;
#else
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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
    case ETIMEDOUT: return "ETIMEDOUT";
    default: return "another error";
  }
}

#define OUTCOME(...) (printf("outcome: " __VA_ARGS__), putchar('\n'))

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
