/* aio_write: libc starts a thread without asking anybody. */
#include <aio.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  struct aiocb request;
  const struct aiocb* const requests[] = {&request};
  memset(&request, 0, sizeof request);
  request.aio_fildes = fileno(tmpfile());
  request.aio_buf = "text";
  request.aio_nbytes = 4;
  if (aio_write(&request) != 0) return 1;
  while (aio_error(&request) != 0) aio_suspend(requests, 1, NULL);
  return aio_return(&request) != 4;
}
