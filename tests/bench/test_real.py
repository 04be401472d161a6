"""Our benchmarks, carried out once and shortly: they measure what they say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import startup, steps

ROOT = Path(__file__).parents[2]


@pytest.mark.linux("works on an embedded display")
def test_a_step_is_measured_and_every_operation_was_done() -> None:
    figures = {each.figure: each for each in steps.run(quick=True).figures}
    assert figures["operations done of those asked for"].p50 == 1.0
    click = figures["a step that clicks"]
    assert click.n == 5 and click.p50 > 0
    parts = [figures[f"of a step: {part}"].p50 for part in ("looking", "acting", "settling", "all else")]
    assert all(part >= 0 for part in parts) and sum(parts) > 0


@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="starts ./run, which would set up first")
def test_the_way_to_the_first_look_is_measured_and_the_program_is_ended() -> None:
    seconds = startup.until_mark(["--no-window", startup.GOAL], {"DISPLAY": ""}, "first_observation")
    assert seconds > startup.until_own_code() > 0
