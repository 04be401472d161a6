#include <stdio.h>
#include <string.h>
#include "calc.h"

int main(int argc, char **argv)
{
    unsigned flags = 0;
    long value;
    char out[64];
    int i = 1;

    for (; i < argc && argv[i][0] == '-' && argv[i][1] == '-'; i++) {
        if (strcmp(argv[i], "--hex") == 0)
            flags |= CALC_HEX;
        else if (strcmp(argv[i], "--group") == 0)
            flags |= CALC_GROUP;
    }
    if (i != argc - 1 || calc_eval(argv[i], &value) != 0) {
        fprintf(stderr, "calc: a fault in the expression\n");
        return 2;
    }
    calc_format(value, flags, out);
    puts(out);
    return 0;
}
