/* A binary heap of pointers with the caller's order. Not thread-safe. */
#ifndef JOBGRAPH_HEAP_H
#define JOBGRAPH_HEAP_H

#include <stdbool.h>
#include <stddef.h>

struct heap {
  void** items;
  size_t size, capacity;
  bool (*before)(const void* a, const void* b);
};

void heap_init(struct heap* heap, bool (*before)(const void* a, const void* b));
void heap_free(struct heap* heap);
void heap_push(struct heap* heap, void* item);

/* NULL: it is empty. */
void* heap_top(const struct heap* heap);
void* heap_pop(struct heap* heap);

/* False: it is not there. */
bool heap_remove(struct heap* heap, const void* item);

#endif
