/* Memory that is freed all at once. Not thread-safe: whoever shares an arena guards it. */
#ifndef JOBGRAPH_ARENA_H
#define JOBGRAPH_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
  struct arena_chunk* chunks; /* the newest first */
  size_t total;               /* bytes handed out */
};

void arena_init(struct arena* arena);
void arena_free(struct arena* arena);

/* Zeroed, aligned for any type. Never NULL: ends the program if there is no memory. */
void* arena_alloc(struct arena* arena, size_t size);
char* arena_strdup(struct arena* arena, const char* text);
char* arena_strndup(struct arena* arena, const char* text, size_t length);

#endif
