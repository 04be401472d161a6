"""A run that cannot be recorded stops before its next action, says why, and holds nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.runlog.audit import verify
from desktop_agent.agent.runlog.hash_chained_log import RunStore, read
from desktop_agent.agent.runlog.heads import Heads
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.errors import StoreError
from tests.agent.test_run_loop import turn
from tests.support.memory_desk import Bench, ScriptedModel

MOVES: list[dict[str, Any]] = [{"op": "key_down", "key": "shift"}, {"op": "move", "x": 5, "y": 6}]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with little room."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets nobody mount a small disk")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def fill(place: Path, leave: int = 0) -> Path:
    """Leave about so many bytes free."""
    stuffing = place / "stuffing"
    with stuffing.open("ab", buffering=0) as file:
        while (found := os.statvfs(place)).f_bavail * found.f_frsize > leave:
            file.write(bytes(found.f_frsize))
    return stuffing


def working(folder: Path, when: Callable[[Any], bool], harm: Callable[[], object]) -> Bench:
    """Runs for ever, with something held in each batch, until harm is done at the event that `when` picks."""
    bench = Bench(ScriptedModel(*[turn(*MOVES, {"op": "move", "x": n, "y": 9}) for n in range(50)]), folder)
    done: list[bool] = []

    def hear(event: say.FeedEvent) -> None:
        if when(event) and not done:
            done.append(True)
            harm()

    bench.on_event = hear
    return bench


def is_result(event: Any) -> bool:
    return isinstance(event, say.Result)


def is_action(event: Any) -> bool:
    return isinstance(event, say.Action)


def check_ending(bench: Bench, words: str) -> None:
    """Stopped with these words, nothing done that is not in the log, nothing held."""
    (error,) = bench.of(say.Error)
    assert words in error.message and error.advice
    assert bench.states[-1] == "error" and not bench.target.input.down
    assert bench.hand.shared.stopped


@pytest.mark.parametrize("when", [is_result, is_action])
def test_a_disk_that_fills_up(small_disk: Path, when: Callable[[Any], bool]) -> None:
    bench = working(small_disk / "runs", when, lambda: fill(small_disk))
    began = len(bench.target.input.events)
    bench.run()
    check_ending(bench, "No space left on device")
    (log,) = (small_disk / "runs").glob("*/events.jsonl")
    (small_disk / "stuffing").unlink()
    intents = [r for r in read(log) if r.kind == "intent"]
    assert verify(log).whole
    # Every batch that acted has its intent: shift down, two moves and shift up are its events.
    assert began < len(bench.target.input.events) <= 4 * len(intents)


def test_a_disk_with_room_for_half_a_line(small_disk: Path) -> None:
    store = RunStore(small_disk / "runs" / "run")
    store.append("note", {"text": "before"})
    stuffing = fill(small_disk)
    with pytest.raises(StoreError, match="No space left"):
        for _ in range(100):
            store.append("note", {"text": "x" * 999})
    with pytest.raises(StoreError, match="No space left"):
        store.append("note", {"text": "x" * 9999})
    stuffing.unlink()
    store.append("note", {"text": "room again"})
    store.close()
    texts = [record.data["text"] for record in read(store.path)]
    assert texts[0] == "before" and texts[-1] == "room again" and set(texts[1:-1]) <= {"x" * 999}


def test_a_disk_without_room_for_the_picture(small_disk: Path) -> None:
    store = RunStore(small_disk / "runs" / "run")
    fill(small_disk, leave=8192)
    with pytest.raises(StoreError, match="picture cannot be kept"):
        store.keep_frame("abc", bytes(99_999), "jpg")
    assert list((store.folder / "frames").iterdir()) == []
    store.append("note", {"text": "still room for words"})
    store.close()


def test_a_disk_that_is_full_from_the_start(small_disk: Path) -> None:
    fill(small_disk)
    bench = Bench(ScriptedModel(turn(*MOVES)), small_disk / "runs")
    bench.run()
    (error,) = bench.of(say.Error)
    assert "No space left" in error.message and "Free some space" in error.advice
    assert bench.target.input.events == []


def test_a_disk_without_room_for_the_head(small_disk: Path) -> None:
    run = small_disk / "runs" / "run"
    heads = Heads(run, lambda path, text, last: False)
    fill(small_disk)
    with pytest.raises(StoreError, match="head of the log cannot be written"):
        heads.begin(0, "abc")
    heads.end(0, "abc")  # at the end of a run there is nothing left to stop: it is logged


@pytest.mark.linux("Windows removes no folder in which a file is open")
def test_a_folder_that_is_removed_during_the_run(tmp_path: Path) -> None:
    bench = working(tmp_path / "runs", is_result, lambda: shutil.rmtree(tmp_path / "runs"))
    bench.run()
    check_ending(bench, "was removed during the run")
    assert len(bench.target.input.events) == 4


def test_a_log_that_somebody_empties_during_the_run(tmp_path: Path) -> None:
    def empty() -> None:
        (log,) = (tmp_path / "runs").glob("*/events.jsonl")
        os.truncate(log, 0)

    bench = working(tmp_path / "runs", is_result, empty)
    bench.run()
    check_ending(bench, "changed by somebody else")
    assert len(bench.target.input.events) == 4


def test_frames_that_are_removed_during_the_run(tmp_path: Path) -> None:
    def remove() -> None:
        (frames,) = (tmp_path / "runs").glob("*/frames")
        shutil.rmtree(frames)

    bench = working(tmp_path / "runs", is_result, remove)
    bench.run()
    check_ending(bench, "picture cannot be kept")
    assert len(bench.target.input.events) == 4


def test_a_folder_that_may_not_be_written(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    bench = Bench(ScriptedModel(turn(*MOVES)), small_disk / "runs")
    bench.run()
    (error,) = bench.of(say.Error)
    assert "Read-only file system" in error.message and error.advice
    assert bench.target.input.events == []
