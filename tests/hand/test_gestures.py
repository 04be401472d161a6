"""Gestures on real windows: what they do there, not which events they are made of."""

from __future__ import annotations

from pathlib import Path

from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from tests.desk import until
from tests.hand.workplace import Workplace


def terminal(place: Workplace, title: str, path: Path, corner: str) -> int:
    command = ("sh", "-c", f"cat > {path}")
    return place.desk.launch("xterm", "-T", title, "-geometry", f"40x8{corner}", "-e", *command, title=title)


def bounds(place: Workplace, title: str) -> Rect:
    return next(window.bounds for window in place.desk.target.windows() if window.title == title)


def await_text(path: Path, wanted: str) -> None:
    until(lambda: path.read_text() == wanted, f"{wanted!r} in {path.name}")


def test_text_goes_to_the_window_that_was_clicked_just_before(workplace: Workplace, tmp_path: Path) -> None:
    """The window manager is still moving the keyboard when the click is over."""
    windows = {
        name: terminal(workplace, name, tmp_path / name, c) for name, c in (("a", "+0+0"), ("b", "-0+0"))
    }
    for number in range(10):
        for name in windows:
            spot = bounds(workplace, name).center
            assert workplace.do(ops.Click(spot.x, spot.y), ops.Type(f"{name}{number}\n")) == ["done", "done"]
    for name, pid in windows.items():
        await_text(tmp_path / name, "".join(f"{name}{number}\n" for number in range(10)))
        workplace.desk.end(pid)


def test_a_window_is_dragged_by_its_title(workplace: Workplace, tmp_path: Path) -> None:
    pid = terminal(workplace, "dragged", tmp_path / "typed", "+100+100")
    before = bounds(workplace, "dragged")
    grip = (before.center.x, before.y + 8)
    drop = ops.Spot(grip[0] + 220, grip[1] + 130)
    assert workplace.do(ops.Drag((ops.Spot(*grip), drop))) == ["done"]
    moved = Rect(before.x + 220, before.y + 130, before.width, before.height)
    until(lambda: bounds(workplace, "dragged") == moved, "the window in its new place")
    workplace.desk.end(pid)
