/* Two threads talk through a pair of sockets, with poll. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void* answers(void* unused) {
  char byte;
  struct pollfd ready = {ends[1], POLLIN, 0};
  assert(poll(&ready, 1, -1) == 1);
  assert(read(ends[1], &byte, 1) == 1);
  ++byte;
  assert(write(ends[1], &byte, 1) == 1);
  return unused;
}

int main(void) {
  pthread_t a;
  char byte = 'a';
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  pthread_create(&a, NULL, answers, NULL);
  assert(write(ends[0], &byte, 1) == 1);
  assert(read(ends[0], &byte, 1) == 1);
  pthread_join(a, NULL);
  assert(byte == 'b');
}
