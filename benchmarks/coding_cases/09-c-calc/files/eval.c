/* A recursive descent evaluator:
 *   sum     = product { (+|-) product }
 *   product = unary { (*|/|%) unary }
 *   unary   = [-] atom
 *   atom    = number | ( sum )
 */
#include "calc.h"

#include <ctype.h>
#include <stdlib.h>

static const char *at;
static int fault;

static long sum(void);

static void blank(void)
{
    while (isspace((unsigned char)*at))
        at++;
}

static long atom(void)
{
    long value = 0;
    char *end;
    blank();
    if (*at == '(') {
        at++;
        value = sum();
        blank();
        if (*at == ')')
            at++;
        else
            fault = 1;
        return value;
    }
    if (!isdigit((unsigned char)*at)) {
        fault = 1;
        return 0;
    }
    value = strtol(at, &end, 10);
    at = end;
    return value;
}

static long unary(void)
{
    blank();
    if (*at == '-') {
        at++;
        return -unary();
    }
    return atom();
}

static long product(void)
{
    long value = unary();
    for (;;) {
        long right;
        char sign;
        blank();
        sign = *at;
        if (sign != '*' && sign != '/' && sign != '%')
            return value;
        at++;
        right = unary();
        if (sign == '*')
            value *= right;
        else if (sign == '/')
            value /= right;
        else
            value %= right;
    }
}

static long sum(void)
{
    long value = product();
    blank();
    if (*at == '+') {
        at++;
        return value + sum();
    }
    if (*at == '-') {
        at++;
        return value - sum();
    }
    return value;
}

int calc_eval(const char *text, long *result)
{
    at = text;
    fault = 0;
    *result = sum();
    blank();
    return fault || *at ? -1 : 0;
}
