"""The benchmark of fleets in short: no goal is lost, and every figure is measured."""

from __future__ import annotations

import importlib.util

import pytest

from benchmarks import fleet

pytestmark = [
    pytest.mark.linux("Ray's nodes are killed as Linux does it"),
    pytest.mark.skipif(
        any(importlib.util.find_spec(each) is None for each in ("ray", "psutil")),
        reason="the packages ray and psutil are not installed",
    ),
]


def test_every_figure_is_measured_and_no_goal_is_lost() -> None:
    found = fleet.run(quick=True)
    assert all(each.n for each in found.figures)
    assert [each.met for each in found.figures if each.goal is not None] == [True] * 3
