#include "heap.h"

#include <stdio.h>
#include <stdlib.h>

void heap_init(struct heap* heap, bool (*before)(const void* a, const void* b)) {
  heap->items = NULL;
  heap->size = heap->capacity = 0;
  heap->before = before;
}

void heap_free(struct heap* heap) {
  free(heap->items);
  heap->items = NULL;
  heap->size = heap->capacity = 0;
}

static void swap(struct heap* heap, size_t i, size_t j) {
  void* item = heap->items[i];
  heap->items[i] = heap->items[j];
  heap->items[j] = item;
}

static void sift_up(struct heap* heap, size_t i) {
  while (i > 0 && heap->before(heap->items[i], heap->items[(i - 1) / 2])) {
    swap(heap, i, (i - 1) / 2);
    i = (i - 1) / 2;
  }
}

static void sift_down(struct heap* heap, size_t i) {
  for (;;) {
    size_t first = i;
    for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < heap->size; ++child)
      if (heap->before(heap->items[child], heap->items[first])) first = child;
    if (first == i) return;
    swap(heap, i, first);
    i = first;
  }
}

void heap_push(struct heap* heap, void* item) {
  if (heap->size == heap->capacity) {
    heap->capacity = heap->capacity == 0 ? 16 : heap->capacity * 2;
    heap->items = realloc(heap->items, heap->capacity * sizeof *heap->items);
    if (heap->items == NULL) {
      fprintf(stderr, "jobgraph: out of memory\n");
      exit(3);
    }
  }
  heap->items[heap->size++] = item;
  sift_up(heap, heap->size - 1);
}

void* heap_top(const struct heap* heap) { return heap->size == 0 ? NULL : heap->items[0]; }

void* heap_pop(struct heap* heap) {
  if (heap->size == 0) return NULL;
  void* item = heap->items[0];
  heap->items[0] = heap->items[--heap->size];
  sift_down(heap, 0);
  return item;
}

bool heap_remove(struct heap* heap, const void* item) {
  for (size_t i = 0; i < heap->size; ++i) {
    if (heap->items[i] != item) continue;
    heap->items[i] = heap->items[--heap->size];
    if (i < heap->size) {
      sift_up(heap, i);
      sift_down(heap, i);
    }
    return true;
  }
  return false;
}
