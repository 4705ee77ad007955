#include "parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct parser {
  struct graph* graph;
  struct text* problem;
  int line;
};

struct pending_need {
  struct job* job;
  const char* name;
  int line;
};

struct needs {
  struct pending_need* items;
  size_t size, capacity;
};

static bool fail(struct parser* parser, const char* what, const char* which) {
  text_add(parser->problem, "line %d: %s '%s'", parser->line, what, which);
  return false;
}

static bool is_name(const char* word) {
  if (!isalpha((unsigned char)word[0])) return false;
  for (; *word != '\0'; ++word)
    if (!isalnum((unsigned char)*word) && *word != '_' && *word != '-') return false;
  return true;
}

/* "key=number" into the job's field. */
static bool parse_setting(struct parser* parser, struct job* job, char* word) {
  char* equals = strchr(word, '=');
  if (equals == NULL) return fail(parser, "expected 'key=number' or ':', found", word);
  *equals = '\0';
  char* end;
  const long number = strtol(equals + 1, &end, 10);
  if (end == equals + 1 || *end != '\0' || number < 0 || number > 1000000) return fail(parser, "wrong number", equals + 1);
  struct {
    const char* key;
    int* field;
  } settings[] = {{"priority", &job->priority},
                  {"delay", &job->delay_ms},
                  {"work", &job->work},
                  {"attempts", &job->attempts},
                  {"fails", &job->fails_until}};
  for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i) {
    if (strcmp(word, settings[i].key) != 0) continue;
    *settings[i].field = (int)number;
    return true;
  }
  return fail(parser, "unknown setting", word);
}

static void need(struct needs* needs, struct job* job, const char* name, int line) {
  if (needs->size == needs->capacity) {
    needs->capacity = needs->capacity == 0 ? 16 : needs->capacity * 2;
    needs->items = realloc(needs->items, needs->capacity * sizeof *needs->items);
    if (needs->items == NULL) exit(3);
  }
  needs->items[needs->size++] = (struct pending_need){job, name, line};
}

static bool parse_line(struct parser* parser, char* line, struct needs* needs) {
  char* comment = strchr(line, '#');
  if (comment != NULL) *comment = '\0';
  char* rest;
  char* word = strtok_r(line, " \t", &rest);
  if (word == NULL) return true;
  if (!is_name(word)) return fail(parser, "wrong name", word);
  struct job* job = graph_add(parser->graph, word);
  if (job == NULL) return fail(parser, "there are two jobs", word);
  while ((word = strtok_r(NULL, " \t", &rest)) != NULL && strcmp(word, ":") != 0)
    if (!parse_setting(parser, job, word)) return false;
  if (word == NULL) return true;
  while ((word = strtok_r(NULL, " \t", &rest)) != NULL) need(needs, job, arena_strdup(&parser->graph->arena, word), parser->line);
  return true;
}

static bool resolve(struct parser* parser, const struct needs* needs) {
  for (size_t i = 0; i < needs->size; ++i) {
    const struct pending_need* pending = &needs->items[i];
    struct job* on = graph_find(parser->graph, pending->name);
    parser->line = pending->line;
    if (on == NULL) return fail(parser, "there is no job", pending->name);
    if (on == pending->job) return fail(parser, "a job needs itself:", pending->name);
    graph_depend(parser->graph, pending->job, on);
  }
  const struct job* cyclic = graph_cycle(parser->graph);
  if (cyclic == NULL) return true;
  text_add(parser->problem, "job '%s' waits for itself, through others", cyclic->name);
  return false;
}

bool parse_graph(struct graph* graph, const char* input, struct text* problem) {
  struct parser parser = {graph, problem, 0};
  struct needs needs = {NULL, 0, 0};
  bool right = true;
  while (right && *input != '\0') {
    const size_t length = strcspn(input, "\n");
    char* line = arena_strndup(&graph->arena, input, length);
    ++parser.line;
    right = parse_line(&parser, line, &needs);
    input += length + (input[length] == '\n');
  }
  right = right && resolve(&parser, &needs);
  free(needs.items);
  return right;
}
