#!/bin/sh
# run in the repository's root
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
python3 -m unittest || exit 1
python3 - <<'P' || exit 1
import sys; sys.path.insert(0, ".")
from shop import Cart, Line
a, b = Cart("a"), Cart("b")
assert a.lines is not b.lines
l = ["sale"]
x, y = Line("x", 100, 1, l), Line("y", 100, 1, l)
x.label("member")
assert "sale" in x.labels and "member" in x.labels
p, q = Line("p", 1), Line("q", 1)
p.label("sale")
assert q.labels == [] and p.labels == ["sale"]
a.add(p); assert b.lines == {} and a.labels() == ["sale"]
a.remove("p"); assert a.total() == 0
try: a.remove("p")
except KeyError: pass
else: raise AssertionError
assert Cart("c").add(Line("z", 1000, labels=["sale"])).total() == 900
P
