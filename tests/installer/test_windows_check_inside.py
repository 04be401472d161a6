"""This side of the probe: what it makes of answers, and of none. The probe itself runs in Windows alone."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.protocol.geometry import Rect
from installer.windows_check import inside as inside_module
from installer.windows_check.inside import Inside, connected
from installer.windows_check.machine import Machine
from installer.windows_check.namespace import Namespace
from installer.windows_check.outcome import Broken
from installer.windows_check.probes.server import files as probe_files

Answer = Callable[[str, list[Any]], Any]


def test_files_are_listed_while_their_folder_goes(tmp_path: Path) -> None:
    """As a removal is waited for: until nothing is left, and what is there last is told last."""
    for turn in range(20):
        folder = tmp_path / f"program-{turn}" / "inner"
        folder.mkdir(parents=True)
        for name in map(str, range(100)):
            (folder / name).touch()
        assert len(probe_files(str(tmp_path), "program*/**")) == 102
        going = threading.Thread(target=shutil.rmtree, args=(folder.parent,))
        going.start()
        while probe_files(str(tmp_path), "program*/**"):
            pass
        going.join()


def test_files_come_with_the_newest_last_and_hidden_ones_too(tmp_path: Path) -> None:
    for age, name in enumerate(("b", ".c", "a")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (age, age))
    assert probe_files(str(tmp_path), "*") == [str(tmp_path / name) for name in ("b", ".c", "a")]


def served(answer: Answer | None) -> Inside:
    """A probe that is asked over a real socket; None hangs up at the first question."""
    here, there = socket.socketpair()

    def serve() -> None:
        with there, there.makefile("rwb") as stream:
            for line in stream:
                if answer is None:
                    return
                stream.write(json.dumps(answer(*json.loads(line))).encode() + b"\n")
                stream.flush()

    threading.Thread(target=serve, daemon=True).start()
    return Inside(here)


def test_windows_come_as_they_were_told() -> None:
    told = {"window": 7, "title": "Untitled - Notepad", "kind": "Notepad", "pid": 4, "place": [0, 1, 20, 30],
            "topmost": False, "minimised": False}  # fmt: skip
    probe = served(lambda _task, _arguments: {"value": [told]})
    found = probe.window("notepad")
    assert found is not None and found.place == Rect(0, 1, 20, 30) and found.pid == 4
    assert probe.window("something else") is None


def test_lines_of_an_edit_control_end_as_ours_do() -> None:
    assert served(lambda *_: {"value": "one\r\ntwo"}).text(7) == "one\ntwo"


def test_an_error_inside_is_told_with_its_task() -> None:
    probe = served(lambda *_: {"error": "OSError: no such window"})
    with pytest.raises(Broken, match="length: OSError: no such window"):
        probe.ask("length", 7)


def test_a_probe_that_ends_is_told() -> None:
    with pytest.raises(Broken, match="held"):
        served(None).held()


def test_the_ledger_is_read_from_the_block_itself(tmp_path: Path) -> None:
    path = tmp_path / "shared"
    shared = Shared.create(path)
    shared[Word.BRAIN_PID], shared[Word.HAND_PID], shared[Word.GUARD_PID] = 11, 22, 33

    def answer(task: str, _: list[Any]) -> Any:
        told = {"environment": {"TEMP": "T"}, "files": ["gone", str(path)]}
        if task != "numbers":
            return {"value": told[task]}
        return {"value": list(memoryview(path.read_bytes()).cast("Q"))}

    probe = served(lambda task, a: {"error": "gone"} if a == ["gone"] else answer(task, a))
    (free,) = probe.hands()
    assert (free.brain, free.hand, free.guard, free.holding) == (11, 22, 33, False)
    shared.add_codes(Word.KEYS, (0x10, 0xA0))
    (held,) = probe.hands()
    assert held.keys == (0x10, 0xA0) and held.holding
    shared.close()


class Here(Machine):
    """A machine that is this one."""

    def start(self, argv: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(argv)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """With a module `caller` that calls, and writes `ended` when the other side has hung up."""
    program = (
        "import pathlib, socket, sys\n"
        "with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as line:\n"
        "    line.recv(1)\n"
        f"pathlib.Path({str(tmp_path / 'ended')!r}).touch()\n"
    )
    (tmp_path / "caller.py").write_text(program)
    (tmp_path / "mute.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    namespace = cast(Namespace, None)  # nothing is started in one
    return Here(":0", tmp_path, tmp_path, tmp_path, namespace, tmp_path, sys.executable)


def test_what_runs_inside_hears_that_we_hang_up(here: Machine, tmp_path: Path) -> None:
    with connected(here, "caller") as line:
        stream = line.makefile("rwb")
    assert (tmp_path / "ended").exists()
    stream.close()


def test_what_does_not_call_is_told(here: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside_module, "START_SECONDS", 0.3)
    with pytest.raises(Broken, match="mute did not start"), connected(here, "mute"):
        pass
