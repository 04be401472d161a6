#include <stdio.h>
#include <string.h>
#include "arena.h"
#include "words.h"

static int failed;
#define CHECK(x) do { if (!(x)) { printf("%s:%d: %s\n", __FILE__, __LINE__, #x); failed = 1; } } while (0)

int main(void)
{
    Arena a;
    char *out[8];

    CHECK(arena_init(&a, 64) == 0);
    CHECK(words_split(&a, "  alpha beta\tgamma ", out, 8) == 3);
    CHECK(strcmp(out[0], "alpha") == 0);
    CHECK(strcmp(out[1], "beta") == 0);
    CHECK(strcmp(out[2], "gamma") == 0);
    arena_free(&a);

    CHECK(arena_init(&a, 16) == 0);
    CHECK(arena_alloc(&a, 9) == a.base);
    CHECK(arena_alloc(&a, 7) == NULL); /* would start at 16 */
    arena_free(&a);
    if (!failed)
        printf("ok\n");
    return failed;
}
