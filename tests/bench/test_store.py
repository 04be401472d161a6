"""The store's benchmark in its short form: nothing is lost, and every tampering found."""

from __future__ import annotations

import pytest

from benchmarks import store

pytestmark = pytest.mark.linux(
    "writes files thousands of times, which takes minutes there; the sums are the same"
)


def test_nothing_is_lost_and_every_tampering_is_found() -> None:
    figures = store.run(quick=True).figures
    assert [each.figure for each in figures if each.met is False] == []
    tried = {each.figure: each.n for each in figures}
    assert tried["cut at every byte and opened again: whole records lost"] > 2_000
    assert tried["found: a bit of a byte flipped, at every byte"] > 2_000
    assert tried["session killed: input events without an intent in the log"] > 10
    assert min(tried.values()) >= 3
