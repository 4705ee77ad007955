/* A set of semaphores is changed as a whole, when all of it can be; who waits is ordered behind who made that possible. */
#include "outcome.h"

#include <sys/sem.h>

static int semaphores;
int raised;  // not static: semop is a leaf to gcc, which changes nothing of this file's own

static void* raises(void* unused) {
  struct sembuf first = {.sem_num = 0, .sem_op = 1}, second = {.sem_num = 1, .sem_op = 2};
  semop(semaphores, &first, 1);
  raised = 1;
  semop(semaphores, &second, 1);
  return unused;
}

int main(void) {
  semaphores = semget(IPC_PRIVATE, 2, 0600);
  pthread_t a = go(raises, NULL);
  struct sembuf both[] = {{.sem_num = 0, .sem_op = -1}, {.sem_num = 1, .sem_op = -2}};
  const struct timespec time = {.tv_sec = 1};
  const int error = semtimedop(semaphores, both, 2, &time) == 0 ? 0 : errno;
  if (error != 0) semop(semaphores, both, 2);
  const int seen = raised;
  pthread_join(a, NULL);
  OUTCOME("%s, raised %d, left %d", name_of(error), seen, semctl(semaphores, 0, GETVAL) + semctl(semaphores, 1, GETVAL));
  semctl(semaphores, 0, IPC_RMID);
}
