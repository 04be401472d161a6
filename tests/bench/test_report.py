"""The figures of a benchmark: their statistics, goals and form."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.report import (
    BenchmarkError,
    Goal,
    counted,
    machine,
    measured,
    percentile,
    report,
    table,
)


def test_percentiles_are_nearest_ranks() -> None:
    samples = [float(n) for n in range(1, 101)]
    assert [percentile(samples, share) for share in (50, 99, 100, 1)] == [50, 99, 100, 1]
    assert percentile([3.0, 1.0, 2.0], 50) == 2.0
    assert percentile([7.0], 99) == 7.0


@given(st.lists(st.floats(-1e9, 1e9), min_size=1), st.floats(1, 100))
def test_at_least_the_share_is_not_above_the_percentile(samples: list[float], share: float) -> None:
    found = percentile(samples, share)
    assert found in samples
    assert sum(sample <= found for sample in samples) >= share / 100 * len(samples) - 1e-6


def test_a_goal_is_met_by_the_statistic_it_names() -> None:
    samples = [0.1] * 99 + [5.0]
    assert measured("a", samples, "s", Goal(1.0)).met is True
    assert measured("a", samples, "s", Goal(1.0, "max")).met is False
    assert measured("a", samples, "s").met is None
    assert counted("share", 0.9, 10, "share", Goal(0.95, at_least=True)).met is False
    assert str(Goal(0.95, at_least=True)) == "p50 >= 0.95"


def test_nothing_measured_is_an_error() -> None:
    with pytest.raises(BenchmarkError, match="nothing was measured for 'a'"):
        measured("a", [], "s")


def test_the_file_has_the_agreed_form() -> None:
    found = report("name", measured("f", [1.0, 2.0, 3.0], "s", Goal(2.5)), counted("c", 4, 4, "things"))
    data = json.loads(msgspec.json.encode(found))
    assert list(data) == ["name", "machine", "commit", "figures", "notes"]
    assert data["figures"] == [
        {"figure": "f", "n": 3, "p50": 2.0, "p99": 3.0, "max": 3.0, "unit": "s", "goal": "p50 <= 2.5", "met": True},
        {"figure": "c", "n": 4, "p50": 4, "p99": None, "max": None, "unit": "things", "goal": None, "met": None},
    ]  # fmt: skip
    assert data["commit"] and data["machine"] == machine()


def test_the_table_shows_every_figure_and_what_was_missed() -> None:
    lines = table(
        report("name", measured("slow", [3.0], "s", Goal(2.0)), counted("many", 7, 7, "things"))
    ).splitlines()
    assert lines[2].split() == ["figure", "n", "p50", "p99", "max", "unit", "goal", "met"]
    assert lines[4].split() == ["slow", "1", "3", "3", "3", "s", "p50", "<=", "2", "NO"]
    assert lines[5].split() == ["many", "7", "7", "things"]
