"""The short form of `./bench kill`: whoever is killed, nothing stays held and the key map is put back."""

from __future__ import annotations

from benchmarks import kill

ROUNDS = 9


def test_nothing_stays_held_whoever_is_killed() -> None:
    found = kill.rounds(ROUNDS)
    assert {each.victim for each in found} == {"brain", "hand", "guard"}
    assert any(each.seen.held for each in found)
    for each in found:
        assert each.seen.left == () and each.seen.released is not None, each
        assert each.seen.restored is not None and each.seen.ended, each
