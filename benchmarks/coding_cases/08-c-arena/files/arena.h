#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

#define ARENA_ALIGN 8

/* Memory that is handed out piece by piece and given back all at once. */
typedef struct {
    char *base;
    size_t cap;
    size_t used;
} Arena;

int arena_init(Arena *a, size_t cap);
void arena_free(Arena *a);
void *arena_alloc(Arena *a, size_t n);           /* aligned; NULL where it does not fit */
char *arena_strdup(Arena *a, const char *text);  /* packed, not aligned; NULL where it does not fit */

#endif
