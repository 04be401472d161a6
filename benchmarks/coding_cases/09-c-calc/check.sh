#!/bin/sh
# run in the repository's root
sh test.sh || exit 1
t=$(mktemp -d); trap 'rm -rf "$t"' EXIT
cc -std=c99 -o "$t/calc" main.c eval.c format.c 2>/dev/null || exit 1
bad=0
c() { w=$1; shift; g=$("$t/calc" "$@" 2>/dev/null); [ "$g" = "$w" ] || { echo "own: calc $*: wanted $w, got $g"; bad=1; }; }
c 2 '10 - 4 - 3 - 1'
c 8 '10-4+2'
c 1 '100 / 10 / 10'
c 5 '2 * (3 - 1 - 1) + 3'
c -0x10 --hex '-16'
c 0x3e8 --hex --group 1000
c 1000 1000
c 0 0
c 999 --group 999
c 12_345 --group 12345
c -123 --group '0-123'
c '' '1 % 0'
c '' '1 2'
c '' '(1'
"$t/calc" '5 % (2 - 2)' 2>/dev/null; [ $? = 2 ] || { echo "own: division by zero must exit 2"; bad=1; }
"$t/calc" '7 / (1-1) + 2' 2>/dev/null; [ $? = 2 ] || { echo "own: division by zero must exit 2"; bad=1; }
exit $bad
