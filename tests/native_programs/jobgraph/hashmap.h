/* From strings to pointers: open addressing with linear probing. Keys are borrowed. Not thread-safe. */
#ifndef JOBGRAPH_HASHMAP_H
#define JOBGRAPH_HASHMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hashmap_slot {
  const char* key; /* NULL: free */
  void* value;
  uint64_t hash;
};

struct hashmap {
  struct hashmap_slot* slots;
  size_t capacity; /* a power of two, or 0 */
  size_t size;
};

uint64_t hash_text(const char* text);

void hashmap_init(struct hashmap* map);
void hashmap_free(struct hashmap* map);

/* False: the key was there; its value stays. */
bool hashmap_insert(struct hashmap* map, const char* key, void* value);
void* hashmap_find(const struct hashmap* map, const char* key);
bool hashmap_erase(struct hashmap* map, const char* key);

/* In the order of the slots. */
void hashmap_each(const struct hashmap* map, void (*visit)(const char* key, void* value, void* context), void* context);

#endif
