/* A reader-writer lock whose readers can become writers. */
#ifndef UPGRADE_LOCK_H
#define UPGRADE_LOCK_H

#include <pthread.h>
#include <stdbool.h>

struct upgrade_lock {
  pthread_mutex_t mutex; /* guards all that follows */
  pthread_cond_t changed;
  int readers;
  bool writing;
  bool upgrading;
};

void upgrade_lock_init(struct upgrade_lock* lock);
void upgrade_lock_destroy(struct upgrade_lock* lock);

void upgrade_lock_read(struct upgrade_lock* lock);
void upgrade_lock_read_end(struct upgrade_lock* lock);
void upgrade_lock_write(struct upgrade_lock* lock);
void upgrade_lock_write_end(struct upgrade_lock* lock);

/* Makes a reader the writer; nobody writes in between. False: another reader is about to do so. The caller is a reader still, and
 * has to end that before it tries anything else. */
bool upgrade_lock_upgrade(struct upgrade_lock* lock);

#endif
