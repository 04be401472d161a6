/* upcase: one word a line, in upper case */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c;
    while ((c = getchar()) != EOF) {
        if (c == '\r')
            continue;
        putchar(toupper(c));
    }
    return 0;
}
