#!/bin/sh
# run in the repository's root
PYTHONDONTWRITEBYTECODE=1; PYTHONPYCACHEPREFIX=$(mktemp -d); export PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
trap 'rm -rf "$PYTHONPYCACHEPREFIX"' EXIT
for zone in UTC Asia/Tokyo America/New_York; do TZ=$zone python3 -m unittest || exit 1; done
python3 - <<'P' || exit 1
import sys; sys.path.insert(0, ".")
from datetime import date, datetime, timezone
from dues import add_months, parse_stamp, days_late
d = date
assert add_months(d(2023, 12, 31), 0) == d(2023, 12, 31)
assert add_months(d(2023, 12, 31), 2) == d(2024, 2, 29)
assert add_months(d(2024, 1, 31), -1) == d(2023, 12, 31)
assert add_months(d(2024, 3, 31), -13) == d(2023, 2, 28)
assert add_months(d(2020, 6, 30), 120) == d(2030, 6, 30)
assert add_months(d(2023, 1, 31), 23) == d(2024, 12, 31)
u = timezone.utc
assert parse_stamp("2024-01-01T00:00:00Z") == datetime(2024, 1, 1, tzinfo=u)
assert parse_stamp("2024-01-01T00:00:00") == datetime(2024, 1, 1, tzinfo=u)
p = parse_stamp("2024-01-01T00:00:00-05:30")
assert p == datetime(2024, 1, 1, 5, 30, tzinfo=u) and p.date() == d(2024, 1, 1) and p.utcoffset().total_seconds() == 0
assert parse_stamp("2023-12-31T23:00:00-02:00").date() == d(2024, 1, 1)
assert days_late(d(2024, 1, 1), datetime(2024, 1, 5, tzinfo=u)) == 3
P
