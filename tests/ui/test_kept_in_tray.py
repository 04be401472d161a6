"""The whole program, started as at log-on and kept in the tray: a second start shows its window, its menu ends it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.protocol.geometry import Rect
from desktop_agent.startup import single_instance
from desktop_agent.ui.around.tray import LOOK
from tests.desk import Desk, until
from tests.project_copy import ROOT
from tests.ui.hands import Hands
from tests.ui.test_tray import colour_in_panel
from tests.ui.tray_host import SIZE, TrayHost

TITLE = "Desktop Agent – ready"


@pytest.fixture
def program(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[subprocess.Popen[bytes], TrayHost]]:
    """The program beside a panel, both on the private display, with settings and folders of the test's own."""
    config = tmp_path / "config.toml"
    config.write_text("[window]\nclose_to_tray = true\n")
    runtime = tempfile.TemporaryDirectory()  # sockets want a short path
    monkeypatch.setenv("XDG_RUNTIME_DIR", runtime.name)
    home = {
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": runtime.name,
        "XDG_SESSION_TYPE": "x11",
        "LC_ALL": "C.UTF-8",
    }
    host = TrayHost(desk.environment)
    words = ["--quietly", "--model", "offline", "--config", str(config)]
    process = subprocess.Popen(
        [sys.executable, "-m", "desktop_agent", *words],
        cwd=ROOT,
        env={**os.environ, **desk.environment, **home},
    )
    yield process, host
    process.kill()
    process.wait()
    host.close()
    runtime.cleanup()


def shown(desk: Desk) -> bool:
    return any(window.title.startswith("Desktop Agent") for window in desk.target.windows())


def show(desk: Desk, process: subprocess.Popen[bytes], hands: Hands) -> None:
    """Have a second start show the window."""
    assert single_instance.ask(os.environ["DISPLAY"], "show") == "done"
    desk.wait_for_window(TITLE)
    until(lambda: hands.writes_in(process.pid), "the keyboard in it")


def test_it_waits_in_the_tray_until_it_is_asked_for(
    desk: Desk, program: tuple[subprocess.Popen[bytes], TrayHost], hands: Hands
) -> None:
    process, _ = program
    until(lambda: colour_in_panel(desk) == LOOK["idle"][0], "the icon in the panel")
    assert not shown(desk)
    show(desk, process, hands)
    hands.chord("ctrl", "q")
    until(lambda: not shown(desk), "the window hidden again")
    assert process.poll() is None
    # Without it Qt may hear that the window lost the keyboard when the menu is open, and close the menu.
    show(desk, process, hands)
    hands.move(SIZE // 2, SIZE // 2)
    below = Rect(SIZE, 3 * SIZE, 4 * SIZE, 2 * SIZE)
    before = desk.target.observe(below).pixels
    hands.press("right")
    hands.release("right")
    until(lambda: desk.target.observe(below).pixels != before, "the menu of the icon")
    hands.chord("up")  # the last entry of the menu
    hands.chord("enter")
    assert process.wait(20) == 0
