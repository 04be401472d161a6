#!/bin/sh
# run in the repository's root
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
python3 -m unittest || exit 1
out=$(python3 orders.py) || exit 1
[ "$out" = "2024-02 92.50
2024-03 32.49" ] || { echo "own: $out"; exit 1; }
python3 - <<'P' || exit 1
import json, csv, io, datetime
def pairs(items):
    keys = [k for k, _ in items]
    assert len(keys) == len(set(keys)), "a key twice: %r" % keys
    return dict(items)
data = json.load(open("data/prices.json", encoding="utf-8"), object_pairs_hook=pairs)
assert data == {"currency": "EUR", "prices": {"A-100": 12.5, "A-101": 3.2, "A-102": 48.0, "A-103": 7.75, "B-200": 0.99, "B-201": 1.49}}, data
raw = open("data/orders.csv", "rb").read()
assert raw.count(b"\n") == raw.count(b"\r\n") == 7, "the line ends were spoilt"
rows = list(csv.reader(io.StringIO(raw.decode(), newline="")))
assert len(rows) == 7 and all(len(r) == 5 for r in rows), rows
assert rows[4] == ["4", "2024-02-29", "A-101", "3", ""] and rows[5][4] == "call, then deliver"
assert rows[2][4] == "gift, wrapped" and rows[6] == ["6", "2024-03-05", "B-201", "1", ""]
P
