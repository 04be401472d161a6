/* words.c: cuts a line into words that live in an arena */
#include "words.h"

#include <ctype.h>
#include <string.h>

int words_split(Arena *a, const char *line, char **out, int max)
{
    int count = 0;
    char word[64];
    while (*line && count < max) {
        size_t n = 0;
        while (*line && isspace((unsigned char)*line))
            line++;
        while (*line && !isspace((unsigned char)*line)) {
            if (n < sizeof word - 1)
                word[n++] = *line;
            line++;
        }
        if (n == 0)
            break;
        word[n] = '\0';
        out[count] = arena_strdup(a, word);
        if (!out[count])
            return -1;
        count++;
    }
    return count;
}
