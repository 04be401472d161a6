#include "calc.h"

#include <stdio.h>
#include <string.h>

void calc_format(long value, unsigned flags, char *out)
{
    char digits[32];
    size_t n, i;

    if (flags & CALC_HEX == CALC_HEX) {
        sprintf(out, "%s0x%lx", value < 0 ? "-" : "", value < 0 ? -(unsigned long)value : (unsigned long)value);
        return;
    }
    if (!flags & CALC_GROUP) {
        sprintf(out, "%ld", value);
        return;
    }
    sprintf(digits, "%lu", value < 0 ? -(unsigned long)value : (unsigned long)value);
    n = strlen(digits);
    if (value < 0)
        *out++ = '-';
    for (i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *out++ = '_';
        *out++ = digits[i];
    }
    *out = '\0';
}
