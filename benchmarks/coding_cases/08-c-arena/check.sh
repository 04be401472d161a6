#!/bin/sh
# run in the repository's root
sh test.sh || exit 1
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
cat >"$t/own.c" <<'C'
#include <stdio.h>
#include <string.h>
#include "arena.h"
#include "words.h"
#define MUST(x) do { if (!(x)) { printf("own %d: %s\n", __LINE__, #x); return 1; } } while (0)
int main(void)
{
    Arena a; char *out[4]; int i;
    MUST(arena_init(&a, 6) == 0);
    MUST(arena_strdup(&a, "sixsix") == NULL);
    MUST(a.used == 0);
    MUST(arena_strdup(&a, "five5") == a.base);
    MUST(strlen(a.base) == 5 && a.used == 6);
    MUST(arena_strdup(&a, "") == NULL);
    MUST(arena_alloc(&a, 1) == NULL);
    MUST(a.used <= a.cap);
    arena_free(&a);
    MUST(arena_init(&a, 24) == 0);
    MUST(arena_strdup(&a, "ab") == a.base);
    MUST(arena_alloc(&a, 8) == a.base + 8);
    memset(a.base + 8, 'x', 8);
    MUST(arena_alloc(&a, 8) == a.base + 16);
    memset(a.base + 16, 'y', 8);
    MUST(arena_alloc(&a, 1) == NULL);
    MUST(strcmp(a.base, "ab") == 0);
    arena_free(&a);
    MUST(arena_init(&a, 5) == 0);
    MUST(words_split(&a, "ab cd", out, 4) == -1);
    arena_free(&a);
    MUST(arena_init(&a, 100) == 0);
    MUST(words_split(&a, "a b c d e", out, 4) == 4);
    for (i = 0; i < 4; i++) MUST(out[i][0] == 'a' + i && !out[i][1]);
    MUST(words_split(&a, "   ", out, 4) == 0);
    arena_free(&a);
    return 0;
}
C
cc -std=c99 -I. -o "$t/own" arena.c words.c "$t/own.c" && "$t/own" || exit 1
# once more under the sanitizer, where there is one
if cc -std=c99 -g -fsanitize=address,undefined -I. -o "$t/asan" arena.c words.c "$t/own.c" 2>/dev/null; then
    echo 'int main(void){return 0;}' >"$t/e.c"
    cc -fsanitize=address -o "$t/e" "$t/e.c" && if ASAN_OPTIONS=detect_leaks=0 "$t/e" 2>/dev/null; then
        ASAN_OPTIONS=detect_leaks=0 "$t/asan" || exit 1
    fi
fi
exit 0
