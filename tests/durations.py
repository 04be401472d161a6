"""Records how long tests take, and hands out the longest files first.

`python -m tests.durations` writes `long_files.json` anew from what is on record.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from scripts import results

LONG_FILES = Path(__file__).with_name("long_files.json")
"""The seconds of each file that takes ten or more."""
LONG = 10


def longest_first(items: list[pytest.Item]) -> None:
    """Sort the tests of long files to the front, so that no worker is left alone with one at the end."""
    seconds = _long()
    items.sort(key=lambda item: -seconds.get(_split(item.nodeid)[0], 0))


class Recorder:
    """Pytest plug-in that adds a line to `test-results/durations.jsonl`: the seconds of each test, by files."""

    def __init__(self) -> None:
        self._seconds: dict[str, Counter[str]] = defaultdict(Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up set-up, call and tear-down."""
        file, test = _split(report.nodeid)
        self._seconds[file][test] += report.duration  # type: ignore[assignment]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the line."""
        rounded = {
            file: {test: round(seconds, 3) for test, seconds in tests.items()}
            for file, tests in self._seconds.items()
        }
        results.add("durations", tier=session.config.getoption("tier"), seconds=rounded)


def main() -> None:
    """Write the longest time on record of each file; what is not on record keeps the time it had."""
    recorded: Counter[str] = Counter()
    for record in results.read("durations"):
        for file, tests in record["seconds"].items():
            recorded[file] = max(recorded[file], round(sum(tests.values())))
    seconds = Counter(_long() | recorded)
    long = {file: n for file, n in seconds.most_common() if n >= LONG and (results.ROOT / file).is_file()}
    LONG_FILES.write_text(json.dumps(long, indent=0) + "\n", encoding="utf-8")


def _long() -> dict[str, int]:
    seconds: dict[str, int] = json.loads(LONG_FILES.read_text(encoding="utf-8"))
    return seconds


def _split(nodeid: str) -> tuple[str, str]:
    file, _, test = nodeid.partition("::")
    return file, test


if __name__ == "__main__":
    main()
