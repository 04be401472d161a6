"""The first start as a new user lives it: the program, a fresh home, and the keyboard; nothing else is given."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move
from desktop_agent.targets import display as embedded
from desktop_agent.vision.encoding.encode import encode
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.jobs.commands import ROOT, environment

SECONDS = 120


class Newcomer:
    """Somebody who sits at the desk, and reads the window through the accessibility tree."""

    def __init__(self, desk: Desk, pid: int, human: Input) -> None:
        self._desk, self._pid, self._human = desk, pid, human

    def sees(self, words: str) -> Element:
        """The element of the program's window whose name begins so, as soon as it is there."""

        def found() -> Element | None:
            named = (each for each in self._desk.target.elements() if each.name.startswith(words))
            return next(named, None)

        try:
            return until(found, words, SECONDS)
        finally:
            if folder := os.environ.get("SHOTS"):
                shot = encode(self._desk.target.observe(), form="png")
                Path(folder, f"{words[:20]}.png").write_bytes(shot)

    def presses(self, key: str) -> None:
        self._human.emit(KeyDown(key))
        self._human.emit(KeyUp(key))

    def clicks(self, words: str) -> None:
        at = self.sees(words).bounds.center
        for event in (Move(at.x, at.y), ButtonDown("left"), ButtonUp("left")):
            self._human.emit(event)


@pytest.fixture
def newcomer(display: Desk, tmp_path: Path) -> Iterator[Newcomer]:
    around = environment(tmp_path) | display.environment | {"HOME": str(tmp_path)}
    human = embedded.attach(display.target.address())
    with subprocess.Popen([sys.executable, "main.py"], cwd=ROOT, env=around) as process:
        try:
            yield Newcomer(display, process.pid, human)
        finally:
            human.close()
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def test_the_first_minute(newcomer: Newcomer, display: Desk, tmp_path: Path) -> None:
    newcomer.sees("Your screen, there")
    newcomer.sees("Keys of model providers, not needed")
    newcomer.clicks("Next")
    newcomer.sees("Offline model")
    newcomer.clicks("Next")
    newcomer.sees("A process of its own watches now")
    newcomer.presses("escape")
    newcomer.sees("Tested: the guard")
    assert display.held() == (set(), 0)
    newcomer.clicks("Next")
    newcomer.clicks("Start the practice run")
    newcomer.sees("DONE")
    newcomer.sees("Verified")
    newcomer.clicks("Done")
    newcomer.sees("Example goal: Open the text editor")
    assert "welcomed=true" in (tmp_path / ".config/desktop-agent/window.ini").read_text()
    assert not (tmp_path / ".config/desktop-agent/config.toml").exists()  # nothing was chosen
