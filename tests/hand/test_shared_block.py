"""The shared block: the latch, generations, and sets of keycodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.hand.ipc.shared_block import Reason, Shared, Word
from desktop_agent.protocol.errors import HandError


def test_two_attachments_see_the_same(tmp_path: Path) -> None:
    one = Shared.create(tmp_path / "block")
    two = Shared.attach(tmp_path / "block")
    one.stop(Reason.BRAIN)
    assert two.stopped and two.reason is Reason.BRAIN
    two.stop(Reason.ESCAPE, guard=True)
    assert one.reason is Reason.ESCAPE
    assert one.reset() == 1 == two.generation
    assert not two.stopped and two.reason is Reason.NONE
    one.close()
    two.close()


def test_the_hands_own_stop_is_acknowledged_with_the_others() -> None:
    shared = Shared.private()
    shared.stop(Reason.ESCAPE, hand=True)
    assert shared.stopped and shared.reason is Reason.ESCAPE and shared.stop_age < 60
    assert shared.stops == (0, 0, 1)
    shared.reset()
    assert not shared.stopped


def test_a_stop_during_a_reset_stays() -> None:
    class Racing(Shared):
        def __setitem__(self, word: int, value: int) -> None:
            super().__setitem__(word, value)
            if word == Word.GENERATION:
                self.stop(Reason.ESCAPE, guard=True)

    shared = Racing(bytearray(Word.COUNT * 8))
    shared.stop(Reason.BRAIN)
    shared.reset()
    assert shared.stopped and shared.reason is Reason.ESCAPE


def test_an_age_is_right_while_its_writer_clears_it() -> None:
    class Cleared(Shared):
        """Another process sets the word back to 0 right after it was read."""

        def __getitem__(self, word: int) -> int:
            value = super().__getitem__(word)
            if word == Word.EMITTING_SINCE:
                self[word] = 0
            return value

    shared = Cleared(bytearray(Word.COUNT * 8))
    shared.beat(Word.EMITTING_SINCE)
    assert shared.age(Word.EMITTING_SINCE) < 60
    assert shared.age(Word.EMITTING_SINCE) == float("inf")


def test_sets_of_codes() -> None:
    shared = Shared.private()
    shared.add_codes(Word.KEYS, (8, 63, 64, 255))
    shared.add_codes(Word.SPARES, (9,))
    shared.drop_codes(Word.KEYS, (63, 10))
    assert shared.codes(Word.KEYS) == (8, 64, 255)
    assert shared.holding
    shared.drop_codes(Word.KEYS, (8, 64, 255))
    assert not shared.holding
    assert shared.codes(Word.SPARES) == (9,)


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(bytes(Word.COUNT * 8))
    (tmp_path / "short").write_bytes(b"x")
    for name in ("old", "short", "missing"):
        with pytest.raises(HandError, match="shared block"):
            Shared.attach(tmp_path / name)
    with pytest.raises(HandError, match="Cannot write"):
        Shared.create(tmp_path / "no" / "block")


@pytest.mark.linux("has locks that tell of a process's death")
def test_a_lock_that_is_still_held_lets_the_block_be_closed(tmp_path: Path) -> None:
    """By a thread that is late, on a busy machine."""
    shared = Shared.create(tmp_path / "block")
    lock = shared.life_lock()
    assert lock is not None
    lock.hold()
    shared.close()
    lock.let_go()
