#include "arena.h"

#include <stdlib.h>
#include <string.h>

int arena_init(Arena *a, size_t cap)
{
    a->base = calloc(1, cap);
    a->cap = cap;
    a->used = 0;
    return a->base ? 0 : -1;
}

void arena_free(Arena *a)
{
    free(a->base);
    a->base = NULL;
    a->cap = a->used = 0;
}

static size_t align_up(size_t n)
{
    return (n + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
}

void *arena_alloc(Arena *a, size_t n)
{
    void *piece;
    if (a->used + n > a->cap)
        return NULL;
    a->used = align_up(a->used);
    piece = a->base + a->used;
    a->used += n;
    return piece;
}

char *arena_strdup(Arena *a, const char *text)
{
    size_t n = strlen(text);
    char *copy;
    if (n > a->cap - a->used)
        return NULL;
    copy = a->base + a->used;
    memcpy(copy, text, n);
    a->used += n;
    return copy;
}
