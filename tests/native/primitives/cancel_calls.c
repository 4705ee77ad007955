/* Calls that need not wait are cancellation points, too: with a request pending they never come back. So are functions of streams where they read. Others are none. */
#include "outcome.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

static int ends[2], sockets[2], file;
static FILE* stream;
static sem_t one;
static char byte;
static struct iovec part = {&byte, 1};
static struct pollfd polled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void call(char which) {
  struct timespec none = {0, 0};
  struct flock all = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  struct stat about;
  sigset_t set;
  switch (which) {
    case 'a': read(ends[0], &byte, 1); break;
    case 'b': write(ends[1], &byte, 1); break;
    case 'c': close(open("/dev/null", O_RDONLY)); break;
    case 'd': close(-1); break;
    case 'e': poll(&polled, 1, 0); break;
    case 'f': select(0, NULL, NULL, NULL, &(struct timeval){0, 0}); break;
    case 'g': recv(sockets[0], &byte, 1, MSG_DONTWAIT); break;
    case 'h': send(sockets[0], &byte, 1, 0); break;
    case 'i': readv(ends[0], &part, 1); break;
    case 'j': pread(file, &byte, 1, 0); break;
    case 'k': fcntl(file, F_SETLKW, &all); break;
    case 'l': waitpid(-1, NULL, WNOHANG); break;
    case 'm': fsync(file); break;
    case 'n': fgetc(stream); break;
    case 'o': sem_wait(&one); break;
    case 'p': nanosleep(&none, NULL); break;
    case 'q': usleep(0); break;
    case 'r': sigemptyset(&set), sigaddset(&set, SIGUSR2), sigtimedwait(&set, NULL, &none); break;
    case 'y': getrandom(&byte, 1, 0); break;
    case 's': fcntl(file, F_SETLK, &all); break;
    case 't': fstat(file, &about); break;
    case 'u': lseek(file, 0, SEEK_SET); break;
    case 'w': pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex); break;
    case 'x': sem_trywait(&one), sem_post(&one); break;
  }
}

static void* calls(void* which) {
  pthread_cancel(pthread_self());
  call(*(char*)which);
  return NULL;
}
static void* calls_disabled(void* which) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  return calls(which);
}

static void all_of(void* (*function)(void*), const char* letters) {
  for (const char* at = letters; *at != '\0'; at++) {
    pthread_t thread;
    void* value;
    char which = *at;
    pthread_create(&thread, NULL, function, &which);
    pthread_join(thread, &value);
    if (value == PTHREAD_CANCELED) note(which);
  }
}

int main(void) {
  pipe(ends);
  socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
  write(ends[1], "abc", 3);
  file = open("/proc/self/exe", O_RDONLY);
  stream = fopen("/dev/zero", "r");
  sem_init(&one, 0, 1);
  all_of(calls, "abcdefghijklmnopqrystuwx");
  note('/');
  all_of(calls_disabled, "abehno");
  OUTCOME("%s", order);
}
