#ifndef CALC_H
#define CALC_H

#define CALC_HEX   1u   /* write the result as hexadecimal */
#define CALC_GROUP 2u   /* write _ between groups of three digits (decimal only) */

/* 0, or -1 for a fault in the expression */
int calc_eval(const char *text, long *result);
/* writes the number as the flags say; out holds 64 bytes */
void calc_format(long value, unsigned flags, char *out);

#endif
