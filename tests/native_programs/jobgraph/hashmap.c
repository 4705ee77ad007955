#include "hashmap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t hash_text(const char* text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text != '\0'; ++text) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

void hashmap_init(struct hashmap* map) { memset(map, 0, sizeof *map); }

void hashmap_free(struct hashmap* map) {
  free(map->slots);
  hashmap_init(map);
}

/* Where the key is, or where it would go. Requires: there is a free slot. */
static struct hashmap_slot* slot_of(struct hashmap_slot* slots, size_t capacity, const char* key, uint64_t hash) {
  size_t i = hash & (capacity - 1);
  while (slots[i].key != NULL && (slots[i].hash != hash || strcmp(slots[i].key, key) != 0)) i = (i + 1) & (capacity - 1);
  return &slots[i];
}

static void resize(struct hashmap* map, size_t capacity) {
  struct hashmap_slot* slots = calloc(capacity, sizeof *slots);
  if (slots == NULL) {
    fprintf(stderr, "jobgraph: out of memory\n");
    exit(3);
  }
  for (size_t i = 0; i < map->capacity; ++i)
    if (map->slots[i].key != NULL) *slot_of(slots, capacity, map->slots[i].key, map->slots[i].hash) = map->slots[i];
  free(map->slots);
  map->slots = slots;
  map->capacity = capacity;
}

bool hashmap_insert(struct hashmap* map, const char* key, void* value) {
  if ((map->size + 1) * 4 > map->capacity * 3) resize(map, map->capacity == 0 ? 8 : map->capacity * 2);
  const uint64_t hash = hash_text(key);
  struct hashmap_slot* slot = slot_of(map->slots, map->capacity, key, hash);
  if (slot->key != NULL) return false;
  *slot = (struct hashmap_slot){key, value, hash};
  ++map->size;
  return true;
}

void* hashmap_find(const struct hashmap* map, const char* key) {
  if (map->capacity == 0) return NULL;
  const struct hashmap_slot* slot = slot_of(map->slots, map->capacity, key, hash_text(key));
  return slot->key == NULL ? NULL : slot->value;
}

bool hashmap_erase(struct hashmap* map, const char* key) {
  if (map->capacity == 0) return false;
  struct hashmap_slot* slot = slot_of(map->slots, map->capacity, key, hash_text(key));
  if (slot->key == NULL) return false;
  size_t hole = (size_t)(slot - map->slots);
  size_t i = hole;
  for (;;) { /* closes the gap: what probing would no longer find moves up */
    i = (i + 1) & (map->capacity - 1);
    if (map->slots[i].key == NULL) break;
    const size_t home = map->slots[i].hash & (map->capacity - 1);
    const bool between = hole <= i ? hole < home && home <= i : hole < home || home <= i;
    if (between) continue;
    map->slots[hole] = map->slots[i];
    hole = i;
  }
  map->slots[hole] = (struct hashmap_slot){NULL, NULL, 0};
  --map->size;
  return true;
}

void hashmap_each(const struct hashmap* map, void (*visit)(const char* key, void* value, void* context), void* context) {
  for (size_t i = 0; i < map->capacity; ++i)
    if (map->slots[i].key != NULL) visit(map->slots[i].key, map->slots[i].value, context);
}
