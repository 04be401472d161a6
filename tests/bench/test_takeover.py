"""The short form of the takeover benchmark: nothing missed, nothing held, nothing imagined."""

from __future__ import annotations

from benchmarks import takeover


def test_every_takeover_is_noticed_and_no_other() -> None:
    found = {figure.figure: figure for figure in takeover.run(quick=True).figures}
    counts = {name: figure.p50 for name, figure in found.items() if figure.p99 is None}
    assert counts == {
        "takeovers missed": 0,
        "keys and buttons held afterwards": 0,
        "false pauses with nobody there": 0,
    }
    assert found["human input to paused (told)"].n == takeover.QUICK_TRIALS
