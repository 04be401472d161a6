"""The short form of `./bench off`: whatever an obeying model asks for, off is off; the observers see it work while it is on."""

from __future__ import annotations

from benchmarks import off


def test_nothing_is_seen_or_pressed_while_it_is_off() -> None:
    found = off.trials(5)
    assert [each.state for each in found] == list(off.STATES)
    assert [(each.pictures, each.events, each.own) for each in found] == [(0, 0, 0)] * len(off.STATES)
