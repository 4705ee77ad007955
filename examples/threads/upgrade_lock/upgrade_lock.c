#include "upgrade_lock.h"

void upgrade_lock_init(struct upgrade_lock* lock) {
  pthread_mutex_init(&lock->mutex, NULL);
  pthread_cond_init(&lock->changed, NULL);
  lock->readers = 0;
  lock->writing = false;
  lock->upgrading = false;
}

void upgrade_lock_destroy(struct upgrade_lock* lock) {
  pthread_cond_destroy(&lock->changed);
  pthread_mutex_destroy(&lock->mutex);
}

void upgrade_lock_read(struct upgrade_lock* lock) {
  pthread_mutex_lock(&lock->mutex);
  while (lock->writing || lock->upgrading) pthread_cond_wait(&lock->changed, &lock->mutex);
  ++lock->readers;
  pthread_mutex_unlock(&lock->mutex);
}

void upgrade_lock_read_end(struct upgrade_lock* lock) {
  pthread_mutex_lock(&lock->mutex);
  --lock->readers;
  pthread_cond_broadcast(&lock->changed);
  pthread_mutex_unlock(&lock->mutex);
}

void upgrade_lock_write(struct upgrade_lock* lock) {
  pthread_mutex_lock(&lock->mutex);
  while (lock->writing || lock->readers > 0) pthread_cond_wait(&lock->changed, &lock->mutex);
  lock->writing = true;
  pthread_mutex_unlock(&lock->mutex);
}

void upgrade_lock_write_end(struct upgrade_lock* lock) {
  pthread_mutex_lock(&lock->mutex);
  lock->writing = false;
  pthread_cond_broadcast(&lock->changed);
  pthread_mutex_unlock(&lock->mutex);
}

bool upgrade_lock_upgrade(struct upgrade_lock* lock) {
  pthread_mutex_lock(&lock->mutex);
  if (lock->upgrading) {
    pthread_mutex_unlock(&lock->mutex);
    return false;
  }
  lock->upgrading = true;
  while (lock->readers > 1) pthread_cond_wait(&lock->changed, &lock->mutex);
  lock->upgrading = false;
  lock->readers = 0;
  lock->writing = true;
  pthread_mutex_unlock(&lock->mutex);
  return true;
}
