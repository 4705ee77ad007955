/* A text that grows. Not thread-safe. */
#ifndef JOBGRAPH_TEXT_H
#define JOBGRAPH_TEXT_H

#include <stddef.h>

struct text {
  char* bytes; /* ends with a zero; NULL: empty */
  size_t size, capacity;
};

void text_init(struct text* text);
void text_free(struct text* text);
void text_add(struct text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
const char* text_get(const struct text* text);

#endif
