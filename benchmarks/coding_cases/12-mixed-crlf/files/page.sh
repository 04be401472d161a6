#!/bin/sh
# prints the page: its heading, then the words of words.txt in upper case
set -e
cd "$(dirname "$0")"
python3 tool.py settings.ini
cc -o "${TMPDIR:-/tmp}/upcase.$$" upcase.c
"${TMPDIR:-/tmp}/upcase.$$" <words.txt
rm -f "${TMPDIR:-/tmp}/upcase.$$"
