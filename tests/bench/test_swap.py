"""The benchmark of swaps in short: every swap is refused, nothing else is."""

from __future__ import annotations

import random

from benchmarks.swapping import calm, swaps
from benchmarks.swapping.stage import Program, stage


def test_every_swap_is_refused_and_calm_clicks_are_not() -> None:
    random.seed(7)
    with stage() as desk:
        asked, other = Program("asked", desk.environment), Program("other", desk.environment)
        try:
            before = [swaps.trial(desk, asked, other, kind, None) for kind in swaps.KINDS]
            during = [swaps.trial(desk, asked, other, kind, 4.0) for kind in ("popup", "move", "steal")]
        finally:
            asked.close()
            other.close()
        quiet = calm.work(desk, 4, ("a Qt window", "galculator"))
    assert [(trial.kind, trial.refused, trial.wrong) for trial in before] == [
        (kind, True, 0) for kind in swaps.KINDS
    ]
    assert [trial.wrong for trial in during] == [0, 0, 0]
    assert sum(quiet.done.values()) >= 8 and quiet.refusals == []
