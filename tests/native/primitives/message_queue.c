/* A message is waited for, and is ordered behind what its sender did; so is room in the queue. A limit of time may be over at once. */
#include "outcome.h"

#include <fcntl.h>
#include <mqueue.h>

static mqd_t queue;
static int sent;

static void* sends(void* unused) {
  sent = 1;
  mq_send(queue, "ab", 2, 0);
  mq_send(queue, "cde", 3, 0);
  return unused;
}

int main(void) {
  struct mq_attr size = {.mq_maxmsg = 1, .mq_msgsize = 16};
  queue = mq_open("/tarry-primitives", O_CREAT | O_RDWR | O_EXCL, 0600, &size);
  mq_unlink("/tarry-primitives");
  pthread_t a = go(sends, NULL);
  char text[16];
  const struct timespec time = soon(CLOCK_REALTIME);
  const ssize_t first = mq_timedreceive(queue, text, sizeof text, NULL, &time);
  const int error = first < 0 ? errno : 0;
  const ssize_t second = mq_receive(queue, text, sizeof text, NULL);
  if (first < 0) mq_receive(queue, text, sizeof text, NULL);
  const int seen = sent;
  pthread_join(a, NULL);
  OUTCOME("%s, %d and %d bytes, sent %d", name_of(error), (int)first, (int)second, seen);
}
