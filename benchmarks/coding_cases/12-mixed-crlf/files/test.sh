#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
want="==============================
         HELLO, WORLD
==============================
RED
GREEN"
got=$(sh "$here/page.sh") || { echo "page.sh failed"; exit 1; }
[ "$got" = "$want" ] || { echo "wanted:"; echo "$want"; echo "got:"; echo "$got" | cat -A; exit 1; }
grep -q 'is 30 unless' "$here/README.rst" || { echo "README.rst names another default"; exit 1; }
echo ok
