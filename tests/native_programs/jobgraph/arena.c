#include "arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kChunk = 4096 };

struct arena_chunk {
  struct arena_chunk* next;
  size_t used, size;
  alignas(max_align_t) char bytes[];
};

void arena_init(struct arena* arena) {
  arena->chunks = NULL;
  arena->total = 0;
}

void arena_free(struct arena* arena) {
  struct arena_chunk* chunk = arena->chunks;
  while (chunk != NULL) {
    struct arena_chunk* next = chunk->next;
    free(chunk);
    chunk = next;
  }
  arena_init(arena);
}

static struct arena_chunk* grow(struct arena* arena, size_t size) {
  const size_t room = size > kChunk ? size : kChunk;
  struct arena_chunk* chunk = malloc(sizeof *chunk + room);
  if (chunk == NULL) {
    fprintf(stderr, "jobgraph: out of memory\n");
    exit(3);
  }
  chunk->next = arena->chunks;
  chunk->used = 0;
  chunk->size = room;
  arena->chunks = chunk;
  return chunk;
}

void* arena_alloc(struct arena* arena, size_t size) {
  const size_t align = alignof(max_align_t);
  size = (size + align - 1) / align * align;
  struct arena_chunk* chunk = arena->chunks;
  if (chunk == NULL || chunk->size - chunk->used < size) chunk = grow(arena, size);
  void* memory = chunk->bytes + chunk->used;
  chunk->used += size;
  arena->total += size;
  memset(memory, 0, size);
  return memory;
}

char* arena_strndup(struct arena* arena, const char* text, size_t length) {
  char* copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char* arena_strdup(struct arena* arena, const char* text) { return arena_strndup(arena, text, strlen(text)); }
