#!/bin/sh
# run in the repository's root
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
python3 -m unittest || exit 1
out=$(python3 -m weather 32 - 104) || exit 1
[ "$out" = "min 0.0  mean 20.0  max 40.0
ALARM 40.0" ] || { echo "main: $out"; exit 1; }
out=$(python3 -m weather) || exit 1
[ "$out" = "min --  mean --  max --" ] || { echo "main: $out"; exit 1; }
python3 - <<'P' || exit 1
import sys; sys.path.insert(0, ".")
from weather import report, units
assert report.alarm([]) == [] and report.alarm([86]) == [] and report.alarm([50], limit=9) == [10.0]
assert report.day([32]) == "min 0.0  mean 0.0  max 0.0"
assert units.to_celsius(212) == 100
P
