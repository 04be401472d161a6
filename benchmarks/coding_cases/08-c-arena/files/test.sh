#!/bin/sh
set -e
out=$(mktemp)
trap 'rm -f "$out"' EXIT
cc -std=c99 -Wall -o "$out" arena.c words.c test.c
"$out"
