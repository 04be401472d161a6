#!/bin/sh
# run in the repository's root
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
python3 -m unittest || exit 1
python3 - <<'P' || exit 1
import sys; sys.path.insert(0, ".")
from lib import names, paths
from lib.index import Index
assert paths.normalize("A/\u00c9.txt") == "A/\u00c9.txt", "a path keeps case and accents"
assert paths.normalize("\\x\\.\\y\\") == "/x/y" and paths.normalize("") == "" and paths.normalize("a/,b") == "a/,b"
assert names.normalize("") == "" and names.normalize("  Plato ") == "plato"
assert names.normalize("Lovelace,  Ada") == "ada lovelace"
i = Index(); i.add("B\u00f6ll, Heinrich", "Docs/\u00c9.txt"); i.add("x", "Docs/./\u00c9.txt")
assert i.of("heinrich boll") == ["Docs/\u00c9.txt"] and i.authors() == ["heinrich boll", "x"] and i.of("nobody") == []
P
