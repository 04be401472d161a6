#ifndef WORDS_H
#define WORDS_H
#include "arena.h"
/* The number of words, at most max; -1 where the arena is full. */
int words_split(Arena *a, const char *line, char **out, int max);
#endif
