#!/bin/sh
out=$(mktemp)
trap 'rm -f "$out"' EXIT
cc -std=c99 -o "$out" main.c eval.c format.c || exit 1
failed=0
check() { # WANTED ARGUMENT...
    want=$1
    shift
    got=$("$out" "$@" 2>/dev/null)
    [ "$got" = "$want" ] || { echo "calc $*: wanted '$want', got '$got'"; failed=1; }
}
check 7 '1 + 2 * 3'
check 3 '10 - 4 - 3'
check -12 '-(1 + 5) * 2'
check 0xff --hex 255
check 1234567 1234567
check 1_234_567 --group 1234567
check -1_000 --group '-1000'
check '' '2 +'
check '' '1 / 0'
[ $failed = 0 ] && echo ok
exit $failed
