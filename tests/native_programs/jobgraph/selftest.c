#include "selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "graph.h"
#include "hashmap.h"
#include "heap.h"
#include "parse.h"
#include "text.h"

static int checks;

#define CHECK(condition) check((condition), #condition, __LINE__)

static void check(bool holds, const char* what, int line) {
  ++checks;
  if (holds) return;
  fprintf(stderr, "selftest.c:%d: failed: %s\n", line, what);
  exit(1);
}

static void test_arena(void) {
  struct arena arena;
  arena_init(&arena);
  char* small = arena_strdup(&arena, "small");
  char* large = arena_alloc(&arena, 10000);
  char* after = arena_strndup(&arena, "afterwards", 5);
  CHECK(strcmp(small, "small") == 0);
  CHECK(large[0] == 0 && large[9999] == 0);
  CHECK(strcmp(after, "after") == 0);
  CHECK(arena.total >= 10000);
  arena_free(&arena);
  CHECK(arena.chunks == NULL);
}

static void count_one(const char* key, void* value, void* context) {
  (void)key;
  *(long*)context += *(int*)value;
}

static void test_hashmap(void) {
  static char keys[100][8];
  static int values[100];
  struct hashmap map;
  hashmap_init(&map);
  CHECK(hashmap_find(&map, "none") == NULL);
  for (int i = 0; i < 100; ++i) {
    snprintf(keys[i], sizeof keys[i], "k%d", i);
    values[i] = i;
    CHECK(hashmap_insert(&map, keys[i], &values[i]));
  }
  CHECK(!hashmap_insert(&map, "k7", NULL));
  long sum = 0;
  hashmap_each(&map, count_one, &sum);
  CHECK(sum == 4950);
  for (int i = 0; i < 100; i += 3) CHECK(hashmap_erase(&map, keys[i]));
  CHECK(!hashmap_erase(&map, "k0"));
  for (int i = 0; i < 100; ++i) CHECK((hashmap_find(&map, keys[i]) == NULL) == (i % 3 == 0));
  CHECK(map.size == 66);
  hashmap_free(&map);
}

static bool smaller(const void* a, const void* b) { return *(const int*)a < *(const int*)b; }

static void test_heap(void) {
  int numbers[] = {5, 3, 8, 1, 9, 2, 7};
  struct heap heap;
  heap_init(&heap, smaller);
  CHECK(heap_pop(&heap) == NULL);
  for (int i = 0; i < 7; ++i) heap_push(&heap, &numbers[i]);
  CHECK(*(int*)heap_top(&heap) == 1);
  CHECK(heap_remove(&heap, &numbers[0]));
  CHECK(!heap_remove(&heap, &numbers[0]));
  const int expected[] = {1, 2, 3, 7, 8, 9};
  for (int i = 0; i < 6; ++i) CHECK(*(int*)heap_pop(&heap) == expected[i]);
  CHECK(heap_top(&heap) == NULL);
  heap_free(&heap);
}

static void parse_wrong(const char* input, const char* expected) {
  struct graph graph;
  struct text problem;
  graph_init(&graph);
  text_init(&problem);
  CHECK(!parse_graph(&graph, input, &problem));
  CHECK(strcmp(text_get(&problem), expected) == 0);
  text_free(&problem);
  graph_free(&graph);
}

static void test_parse(void) {
  struct graph graph;
  struct text problem;
  graph_init(&graph);
  text_init(&problem);
  CHECK(parse_graph(&graph, "# two jobs\na priority=3 work=2\n\nb delay=1 : a a # once\n", &problem));
  CHECK(graph.count == 2);
  CHECK(graph_find(&graph, "a")->priority == 3);
  CHECK(graph_find(&graph, "b")->need_count == 1);
  CHECK(graph_cycle(&graph) == NULL);
  text_free(&problem);
  graph_free(&graph);
  parse_wrong("a\na\n", "line 2: there are two jobs 'a'");
  parse_wrong("a : b\n", "line 1: there is no job 'b'");
  parse_wrong("a : a\n", "line 1: a job needs itself: 'a'");
  parse_wrong("a work=x\n", "line 1: wrong number 'x'");
  parse_wrong("a speed=1\n", "line 1: unknown setting 'speed'");
  parse_wrong("\n1a\n", "line 2: wrong name '1a'");
  parse_wrong("a : c\nb : a\nc : b\n", "job 'a' waits for itself, through others");
}

int selftest(void) {
  test_arena();
  test_hashmap();
  test_heap();
  test_parse();
  return checks;
}
