#!/bin/sh
# run in the repository's root
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
python3 -m unittest || exit 1
python3 - <<'P' || exit 1
import sys; sys.path.insert(0, ".")
from paginate import page_count, page_slice, window
from render import footer
assert [page_count(n, 5) for n in (0, 1, 4, 5, 6, 10, 11)] == [1, 1, 1, 1, 2, 2, 3]
assert page_count(100) == 10
assert page_slice([], 1) == []
for n in range(0, 40):
    for size in range(1, 9):
        items = list(range(n)); got = []
        for p in range(1, page_count(n, size) + 1):
            part = page_slice(items, p, size)
            assert part or n == 0
            got += part
        assert got == items
assert window(1, 1) == [1]
assert window(5, 9) == [3, 4, 5, 6, 7]
assert window(9, 9) == [7, 8, 9]
assert window(2, 9, 1) == [1, 2, 3]
assert footer(1, 0, 10) == "page 1 of 1: [1]"
try: page_count(3, 0)
except ValueError: pass
else: raise AssertionError("size 0")
P
