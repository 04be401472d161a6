"""What is made of a kill: the looks themselves are Windows' part, and may come late on a busy machine."""

from __future__ import annotations

import itertools
import time

import pytest

from installer.windows_check.probes import killing


def test_looks_that_come_late_do_not_end_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, looks, ended = itertools.count(0.0, 2 * killing.CALM_SECONDS), iter([[1, 7], [7]]), iter([0] * 5)
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(killing, "held", lambda: next(looks, []))
    monkeypatch.setattr(killing, "over", lambda _: bool(next(ended, 1)))
    seen = killing._watch(2, 0.0, [4])
    assert seen.ended and seen.left == () and seen.released is not None and seen.held == 2


def test_what_stays_is_told_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0.0, 1.0)
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(killing, "held", lambda: [7])
    monkeypatch.setattr(killing, "over", lambda _: True)
    seen = killing._watch(1, 0.0, [4])
    assert (seen.released, seen.left) == (None, (7,)) and next(clock) > killing.LIMIT_SECONDS
