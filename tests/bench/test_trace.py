"""A run that ends in whichever way leaves no trace; and the observer of that sees each change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
import xcffib
import xcffib.xproto

from benchmarks.trace_parts.snapshot import Eye, differences
from benchmarks.trace_parts.stage import Stage, Way
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from tests.desk import until
from tests.platforms.x11.test_clipboard import TEXT, Somebody
from tests.support.desk import LabDesk
from tests.support.private_desk import Desk


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with LabDesk() as target, Stage(Desk(target)) as made:
        yield made


@pytest.mark.parametrize("way", ["done unnamed", "esc", "kill brain"])
def test_a_run_leaves_no_trace(stage: Stage, way: Way) -> None:
    seen = stage.play(way, Random(7))  # noqa: S311
    assert (seen.left, seen.moved) == ([], [])


@pytest.fixture
def x(shared_display: Desk) -> Iterator[Display]:
    made = Display(shared_display.environment)
    yield made
    made.close()


def _minimise(x: Display, window: int) -> None:
    EwmhWindows(x).request(window, "WM_CHANGE_STATE", 3)


def _other_key(x: Display) -> None:
    x.core.ChangeKeyboardMapping(1, 255, 1, [0x61])


CHANGES: dict[str, Callable[[Display, int], object]] = {
    "windows: window": _minimise,
    "pointer: place": lambda x, _: x.core.WarpPointer(0, x.root, 0, 0, 0, 0, 77, 78),
    "pointer: speed": lambda x, _: x.core.ChangePointerControl(5, 2, 9, True, True),
    "keyboard: repeat": lambda x, _: x.core.ChangeKeyboardControl(xcffib.xproto.KB.AutoRepeatMode, [0]),
    "keyboard: bell": lambda x, _: x.core.ChangeKeyboardControl(xcffib.xproto.KB.BellPercent, [7]),
    "keyboard: key map": lambda x, _: _other_key(x),
    "settings: screen saver": lambda x, _: x.core.SetScreenSaver(77, 7, 1, 1),
}


@pytest.mark.parametrize("fact", CHANGES)
def test_the_observer_sees_each_change(shared_display: Desk, x: Display, tmp_path: Path, fact: str) -> None:
    shared_display.launch("xterm", "-T", "one", title="one")
    window = until(EwmhWindows(x).active, "an active window")
    eye = Eye(shared_display.environment, tmp_path)
    before = eye.look()
    assert differences(before, eye.look()) == []
    CHANGES[fact](x, window)
    x.sync()
    found = until(lambda: differences(before, eye.look()), f"another {fact}")
    assert any(each.startswith(fact) for each in found), found
    eye.close()


def test_the_observer_sees_what_lies_on_the_clipboard_and_in_the_folder(
    shared_display: Desk, tmp_path: Path
) -> None:
    eye = Eye(shared_display.environment, tmp_path)
    before = eye.look()
    Somebody(shared_display, TEXT)
    (tmp_path / "left").touch()
    found = differences(before, eye.look())
    assert [each.split(": ")[0] for each in found] == ["clipboard", "files"]
    eye.close()
