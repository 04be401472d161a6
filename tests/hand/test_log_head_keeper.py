"""The guard keeps the heads of logs, whatever becomes of the brain and of the disk."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from desktop_agent.hand.guard.log_head_keeper import LONGEST, LogHeadKeeper, offer, patiently, write_whole
from tests.desk import until
from tests.hand.workplace import Workplace, gone
from tests.systems import kept_private


class Line:
    """A witness in a thread, and our end of the pipe to it."""

    def __init__(self) -> None:
        self._theirs, self.ours = os.pipe()
        self.witness = LogHeadKeeper()
        self._thread = Thread(target=self.witness.follow, args=(self._theirs,))
        self._thread.start()

    def end(self) -> None:
        os.close(self.ours)
        self._thread.join()
        os.close(self._theirs)
        self.witness.close(20)


def said(path: Path) -> str:
    """What is in a head's file, "" before it is there."""
    return patiently(path.read_text) if path.exists() else ""


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    if made._thread.is_alive():
        made.end()


def test_the_newest_head_of_every_log_is_there_at_the_end(line: Line, tmp_path: Path) -> None:
    paths = [tmp_path / "a.head", tmp_path / "büro b.head"]
    for number in range(300):
        until(lambda: all(offer(line.ours, path, f"{number}", False) for path in paths), "room in the pipe")  # noqa: B023
    line.end()
    assert [path.read_text() for path in paths] == ["299\n", "299\n"]
    assert sorted(tmp_path.iterdir()) == sorted(paths)
    assert all(map(kept_private, paths))


def test_the_last_head_is_written_at_once_and_others_soon(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "a.head"
    for number in range(20):
        assert offer(line.ours, path, f"{number}", False)
    until(lambda: said(path) == "19\n", "the newest head")
    assert offer(line.ours, path, "the end", True)
    until(lambda: said(path) == "the end\n", "the last head")


def test_noise_is_passed_over(line: Line, tmp_path: Path) -> None:
    os.write(line.ours, b"head\nkeep x\n\xff\xfe\nhead no path\nhead a\trelative\t\nlast \t\t\n")
    os.write(line.ours, b"x" * LONGEST)
    path = os.fsencode(tmp_path / "a.head")
    os.write(line.ours, b"\nhead good\t" + path + b"\t\nhead torn\t" + path)
    line.end()
    assert [each.read_text() for each in tmp_path.iterdir()] == ["good\n"]


def test_a_line_that_the_pipe_cut_short_is_passed_over(line: Line, tmp_path: Path) -> None:
    whole = b"\nhead cut\t" + os.fsencode(tmp_path / "cut.head") + b"\t\n"
    for length in range(len(whole) - 1):
        os.write(line.ours, whole[:length])
        until(lambda: offer(line.ours, tmp_path / "a.head", "good", False), "room in the pipe")
    line.end()
    assert [each.read_text() for each in tmp_path.iterdir()] == ["good\n"]


def test_a_disk_that_refuses_is_tried_again_with_the_next_head(line: Line, tmp_path: Path) -> None:
    path = tmp_path / "missing" / "a.head"
    assert offer(line.ours, path, "lost", True)
    assert offer(line.ours, tmp_path / "b.head", "kept", True)
    until((tmp_path / "b.head").exists, "the other head")
    path.parent.mkdir()
    assert offer(line.ours, path, "there", True)
    until(path.exists, "the head")


def test_telling_never_waits(tmp_path: Path) -> None:
    theirs, ours = os.pipe()
    while offer(ours, tmp_path / "a.head", "x" * 200, False):
        pass  # nobody reads: at some time it is full
    os.close(theirs)
    assert not offer(ours, tmp_path / "a.head", "x", True)
    os.close(ours)
    assert not offer(ours, tmp_path / "a.head", "x", True)


def test_what_no_line_can_say_is_not_told(line: Line, tmp_path: Path) -> None:
    for name in ("new\nline.head", "a\ttab.head", "long" * LONGEST):
        assert not offer(line.ours, tmp_path / name, "x", True)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.head"
    write_whole(path, "one")
    (tmp_path / f".a.head.{os.getpid()}").mkdir()
    with pytest.raises(OSError):
        write_whole(path, "two")
    assert path.read_text() == "one\n"


def test_the_guard_is_such_a_witness_and_keeps_watching(workplace: Workplace, tmp_path: Path) -> None:
    path = tmp_path / "a.head"
    assert workplace.hands.witness(path, "one", False)
    until(path.exists, "the head")
    assert workplace.hands.witness(tmp_path / "no" / "such.head", "x", True)
    assert workplace.hands.witness(path, "two", False)  # waits for its turn when the end comes
    workplace.hands.close()
    assert path.read_text() == "two\n"
    assert not workplace.hands.witness(path, "three", True)


def test_a_guard_that_hangs_keeps_nobody_waiting(workplace: Workplace, tmp_path: Path) -> None:
    guard = workplace.guard
    os.kill(guard, signal.SIGSTOP)
    while workplace.hands.witness(tmp_path / "a.head", "x" * 200, False):
        pass
    os.kill(guard, signal.SIGCONT)
    until(lambda: workplace.hands.witness(tmp_path / "a.head", "newest", True), "room again")
    until(lambda: (tmp_path / "a.head").exists(), "a head")
    workplace.hands.close()
    assert (tmp_path / "a.head").read_text() == "newest\n"
    assert gone(guard)
