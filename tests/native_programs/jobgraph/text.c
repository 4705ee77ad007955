#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void text_init(struct text* text) {
  text->bytes = NULL;
  text->size = text->capacity = 0;
}

void text_free(struct text* text) {
  free(text->bytes);
  text_init(text);
}

void text_add(struct text* text, const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int needed = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (needed < 0) abort();
  if (text->size + (size_t)needed + 1 > text->capacity) {
    text->capacity = (text->size + (size_t)needed + 1) * 2;
    text->bytes = realloc(text->bytes, text->capacity);
    if (text->bytes == NULL) {
      fprintf(stderr, "jobgraph: out of memory\n");
      exit(3);
    }
  }
  vsnprintf(text->bytes + text->size, (size_t)needed + 1, format, again);
  va_end(again);
  text->size += (size_t)needed;
}

const char* text_get(const struct text* text) { return text->bytes == NULL ? "" : text->bytes; }
