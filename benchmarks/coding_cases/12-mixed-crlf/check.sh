#!/bin/sh
# run in the repository's root
sh test.sh || exit 1
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
python3 - <<'P' || exit 1
import sys, os, tempfile; sys.path.insert(0, ".")
raw = open("tool.py", "rb").read()
assert raw.count(b"\n") == raw.count(b"\r\n") > 30, "tool.py: mixed or changed line ends"
assert b"\r\r" not in raw
assert b"\r" not in open("page.sh", "rb").read(), "page.sh has \\r"
assert open("words.txt", "rb").read() == b"red\r\ngreen\r\n"
rst = open("README.rst", encoding="utf-8").read()
assert rst.count("\n=======\n") == 2 and "<<<<" not in rst and ">>>>" not in rst, "README.rst: headings spoilt"
assert rst.startswith("page\n=======\n\nPrints a page.\n")
assert "is 30 unless settings.ini" in rst
import tool
def read(data):
    with tempfile.TemporaryDirectory() as f:
        p = os.path.join(f, "s.ini")
        open(p, "wb").write(data)
        return tool.read_settings(p)
assert read(b"") == {"title": "Untitled", "width": "30", "upper": "no"}
for end in (b"\n", b"\r\n"):
    s = read(end.join([b"# c", b"", b"   ", b"title = a = b  # x", b"width=9", b"upper = yes"]))
    assert s == {"title": "a = b", "width": "9", "upper": "yes"}, s
    assert tool.heading(s) == "=========\n  A = B\n========="
P
