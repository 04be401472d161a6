"""Where the window stands: docked, dragged, resized, on another screen."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication

from desktop_agent.ui.run_window import WindowOptions, open_window
from desktop_agent.ui.shell.dock import GAP, WindowIni
from tests.desk import Desk
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scripted import ScriptedPort


def test_it_starts_docked_at_the_right_edge(stage: Stage, qapp: QApplication) -> None:
    room = qapp.primaryScreen().availableGeometry()
    stage.wait(lambda: stage.window.frameGeometry().right() == room.right() - GAP, "the right edge")
    assert stage.window.width() == 400
    assert stage.window.height() == room.height() - 2 * GAP
    assert stage.window.windowFlags() & Qt.WindowType.WindowStaysOnTopHint


def test_it_need_not_be_on_top(qapp: QApplication, tmp_path: Path) -> None:
    window, bridge = open_window(ScriptedPort(), WindowOptions(tmp_path, on_top=False))
    assert not window.windowFlags() & Qt.WindowType.WindowStaysOnTopHint
    window.close()
    bridge.close()


def test_dragging_snaps_to_the_left_edge_and_is_remembered(
    opened: Callable[..., Stage], hands: Hands, tmp_path: Path
) -> None:
    stage = opened()
    drag(stage, hands, to=(60, 40))
    stage.wait(lambda: stage.window.pos().x() == GAP, "docked left")
    assert stage.window.side == "left"
    stage.window.close()
    again = opened()
    assert again.window.side == "left"
    assert again.window.pos().x() == GAP


def test_dragging_to_the_middle_leaves_it_there(opened: Callable[..., Stage], hands: Hands) -> None:
    stage = opened()
    drag(stage, hands, to=(500, 40))
    stage.wait(lambda: stage.window.side == "none", "let go")
    place = stage.window.geometry()
    assert GAP + 48 < place.x() < 800
    stage.window.close()
    assert opened().window.geometry() == place


def test_snapping_can_be_switched_off(qapp: QApplication, opened: Callable[..., Stage], hands: Hands) -> None:
    stage = opened()
    stage.window.snaps = False
    drag(stage, hands, to=(100, 40))
    stage.wait(lambda: not stage.window.dragged, "let go")
    stage.wait(lambda: stage.window.side == "none", "left where it is")
    assert stage.window.pos().x() == 20


def drag(stage: Stage, hands: Hands, to: tuple[int, int]) -> None:
    """By the name in the header, in steps, as a hand does."""
    start = stage.window.header.mapToGlobal(stage.window.header.rect().topLeft())
    hands.move(start.x() + 80, start.y() + 12)
    hands.press()
    stage.wait(lambda: stage.window.dragged, "the window taken")
    for step in range(1, 11):
        hands.move(
            start.x() + 80 + (to[0] - start.x() - 80) * step // 10, start.y() + 12 + (to[1] - start.y() - 12) * step // 10
        )  # fmt: skip
    stage.wait(lambda: stage.window.pos().x() == to[0] - 80 + GAP - GAP, "the window moved")
    hands.release()
    stage.wait(lambda: not stage.window.dragged, "the window let go")


def test_a_place_on_a_screen_that_is_gone_is_forgotten(
    opened: Callable[..., Stage], qapp: QApplication
) -> None:
    stage = opened()
    stage.window.side = "none"
    stage.window._settings.save_place(QRect(9_000, 9_000, 500, 700), "none")
    room = qapp.primaryScreen().availableGeometry()
    assert room.contains(opened().window.geometry())


def test_resizing_keeps_the_other_edge(stage: Stage, hands: Hands) -> None:
    right = stage.window.geometry().right()
    grip = stage.window.grips[0]
    hands.point(grip)
    hands.press()
    at = grip.mapToGlobal(grip.rect().center())
    hands.move(at.x() - 90, at.y())
    stage.wait(lambda: stage.window.width() == 490, "the new width")
    hands.release()
    stage.wait(lambda: stage.window.geometry().right() == right, "the other edge where it was")


def test_it_stays_on_the_screen_when_the_screen_gets_smaller(
    opened: Callable[..., Stage], desk: Desk, qapp: QApplication
) -> None:
    stage = opened()
    screen = qapp.primaryScreen()
    xrandr(desk, "--newmode", "small", "38", "1024", "1056", "1136", "1248", "600", "603", "607", "624")
    xrandr(desk, "--addmode", "screen", "small")
    try:
        xrandr(desk, "--output", "screen", "--mode", "small")
        stage.wait(lambda: screen.geometry().width() == 1024, "the smaller screen")
        stage.wait(lambda: screen.availableGeometry().contains(stage.window.geometry()), "the window in it")
        stage.wait(lambda: stage.window.geometry().right() == 1024 - GAP - 1, "docked right")
    finally:
        xrandr(desk, "--output", "screen", "--mode", "1280x900")
        stage.wait(lambda: screen.geometry().width() == 1280, "the screen as it was")


def xrandr(desk: Desk, *words: str) -> None:
    subprocess.run(["xrandr", *words], env={**os.environ, **desk.environment}, check=True)


def test_a_folder_that_cannot_be_written_only_forgets(qapp: QApplication, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    memory = WindowIni(tmp_path / "file" / "settings")
    memory.save_theme("dark")
    assert WindowIni(tmp_path / "file" / "settings").place() is None
