"""A real client sees moves, clicks, drags and the wheel as they were sent."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import Button, ButtonDown, ButtonUp, KeyDown, KeyUp, Move, Wheel
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until

APPS = Path(__file__).parent.parent / "apps"


@pytest.fixture
def log(shared_display: Desk, hand: Input, tmp_path: Path) -> Iterator[Path]:
    """The log of a window over 200,200 to 600,500, with the pointer at 300,300."""
    file = tmp_path / "events"
    pid = shared_display.launch(sys.executable, str(APPS / "event_log.py"), str(file), title="event log")
    hand.emit(Move(300, 301))
    hand.emit(Move(300, 300))
    until(lambda: "300 300" in file.read_text(), "the window under the pointer")
    file.write_text("")
    yield file
    shared_display.end(pid)


def lines(log: Path, count: int) -> list[str]:
    try:
        until(lambda: len(log.read_text().splitlines()) >= count, f"{count} events")
    except AssertionError as error:
        raise AssertionError(f"{error}: {log.read_text()}") from None
    return log.read_text().splitlines()


@pytest.mark.parametrize(
    ("button", "name"),
    [
        ("left", "LeftButton"),
        ("middle", "MiddleButton"),
        ("right", "RightButton"),
        ("back", "BackButton"),
        ("forward", "ForwardButton"),
    ],
)
def test_buttons(hand: Input, log: Path, shared_display: Desk, button: Button, name: str) -> None:
    hand.emit(ButtonDown(button))
    if button in ("left", "middle", "right"):  # the X protocol shows no state of the others
        assert shared_display.held()[1]
    hand.emit(ButtonUp(button))
    assert shared_display.held() == (set(), 0)
    assert lines(log, 2) == [f"press {name} 300 300 0", f"release {name} 300 300 0"]


def test_a_drag_with_a_modifier(hand: Input, log: Path) -> None:
    hand.emit(KeyDown("ctrl"))
    hand.emit(ButtonDown("left"))
    for x in (310, 320, 330):
        hand.emit(Move(x, 305))
    hand.emit(ButtonUp("left"))
    hand.emit(KeyUp("ctrl"))
    seen = lines(log, 3)
    until(lambda: lines(log, 3)[-1].startswith("release"), "the release")
    seen = lines(log, 3)
    assert seen[0] == "press LeftButton 300 300 4000000"
    assert seen[-1] == "release LeftButton 330 305 4000000"
    assert any(line.startswith("move") for line in seen)


def test_double_clicks(hand: Input, log: Path) -> None:
    for x in range(220, 580, 40):  # far enough apart not to count as one
        hand.emit(Move(x, 300))
        for _ in range(2):
            hand.emit(ButtonDown("left"))
            hand.emit(ButtonUp("left"))

    def clicks() -> list[str]:
        return [kind for line in log.read_text().splitlines() if (kind := line.split()[0]) != "move"]

    until(lambda: len(clicks()) >= 9 * 4, "all clicks")
    assert clicks() == ["press", "release", "double", "release"] * 9


@pytest.mark.parametrize(("dx", "dy"), [(0, -3), (0, 2), (1, 0), (-2, 0)])
def test_the_wheel(hand: Input, log: Path, dx: int, dy: int) -> None:
    hand.emit(Wheel(dx, dy))

    def turned() -> tuple[int, int]:
        found = [line.split()[1:] for line in log.read_text().splitlines() if line.startswith("wheel")]
        return sum(int(x) for x, _ in found), sum(int(y) for _, y in found)

    # Qt: 120 a notch, positive to the left and up.
    until(lambda: turned() == (-120 * dx, 120 * dy), "all notches")


def test_the_pointer_s_place(hand: Input) -> None:
    hand.emit(Move(17, 33))
    assert hand.pointer() == Point(17, 33)


def test_a_dead_display_is_a_target_error(display: Desk) -> None:
    hand = embedded.attach(display.target.address())
    display.target.stop()
    for act in (lambda: hand.emit(Move(1, 1)), hand.geometry, hand.focus_owner, hand.pointer):
        with pytest.raises(TargetError, match="gone"):
            act()
    with pytest.raises(TargetError):
        hand.open("text editor")
    hand.close()
    with pytest.raises(TargetError):
        embedded.attach(display.target.address())
