"""Puts the test files that take longest first, so that no worker of `./test` is left alone with one at the end."""

from __future__ import annotations

import pytest

LONG = (
    "tests/setup/test_start.py",
    "tests/jobs/test_model_jobs.py",
    "tests/bench/test_inject.py",
    "tests/ui/test_fonts.py",
    "tests/setup/test_system.py",
    "tests/setup/test_wheel.py",
    "tests/targets/test_container.py",
    "tests/jobs/test_acceptance.py",
    "tests/jobs/test_offline_jobs.py",
    "tests/vision/test_atspi_cache.py",
    "tests/platforms/x11/test_layout.py",
    "tests/platforms/x11/test_typing.py",
    "tests/bench/test_typing.py",
    "tests/agent/test_audit.py",
    "tests/bench/test_fidelity.py",
    "tests/bench/test_stop.py",
    "tests/bench/test_faults.py",
    "tests/bench/test_settle.py",
    "tests/bench/test_takeover.py",
    "tests/hand/test_double_click.py",
    "tests/vision/test_settling_by_events.py",
)
"""Files of more than ten seconds, the longest first; `./test --durations=50` tells which these are."""


def long_first(items: list[pytest.Item]) -> None:
    """Sort the tests of LONG to the front, in its order; all others stay in theirs."""
    items.sort(key=lambda item: rank(item.nodeid))


def rank(nodeid: str) -> int:
    """The place of a test's file in LONG, or after all of them."""
    file = nodeid.partition("::")[0]
    return LONG.index(file) if file in LONG else len(LONG)
