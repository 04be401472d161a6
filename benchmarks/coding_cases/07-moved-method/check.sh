#!/bin/sh
# run in the repository's root
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
python3 -m unittest || exit 1
python3 - <<'P' || exit 1
import sys; sys.path.insert(0, ".")
from bank import Account, Ledger, statement
l = Ledger(); a = Account(l, "a"); b = Account(l, "b", limit=100)
assert a.balance() == 0
a.pay_in(50); a.pay_out(50)
assert a.balance() == 0 and b.balance() == 0
b.pay_out(100); assert b.balance() == -100
for who in (a, b):
    try: who.pay_out(1)
    except ValueError: pass
    else: raise AssertionError("overdrawn")
assert statement(b).endswith("-1.00") and len(l.entries) == 3
assert l.of("b")[0].cents == -100
P
