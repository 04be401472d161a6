#!/bin/sh
# run in the repository's root
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
python3 -m unittest || exit 1
LC_ALL=C python3 - <<'P' || exit 1
import sys, os, tempfile; sys.path.insert(0, ".")
import srt, layout
with open("sample.srt", "rb") as h:
    raw = h.read()
assert raw.startswith(b"\xef\xbb\xbf1\r\n") and raw.count(b"\r\n") == 7, "the sample was changed"
assert open("layout.py", "rb").read().decode("utf-8").count("\u201eF\u00fc\u00dfe\u201c") == 1, "the comment was spoilt"
with tempfile.TemporaryDirectory() as f:
    p = os.path.join(f, "x.srt")
    cues = [(0, 1, "\u65e5\u672c\n\U0001f600"), (3600000, 3600001, "b")]
    srt.write(p, cues)
    assert not open(p, "rb").read().startswith(b"\xef\xbb\xbf")
    assert b"\r" not in open(p, "rb").read()
    assert srt.read(p) == cues
    open(p, "wb").close()
    assert srt.read(p) == []
assert layout.fold("\u00e4" * 5 + " " + "\u00e4" * 4, 10) == ["\u00e4" * 5 + " " + "\u00e4" * 4]
assert layout.fold("\u00e4" * 5 + " " + "\u00e4" * 5, 10) == ["\u00e4" * 5] * 2
assert layout.fold("abcdefgh ij", 4) == ["abcdefgh", "ij"] and layout.fold("") == []
P
