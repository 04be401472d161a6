"""Rectangles are drawn on the picture of the screen by mouse and by keyboard, and hide what lies under them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QApplication

from desktop_agent.protocol.geometry import Rect
from desktop_agent.support import config
from desktop_agent.ui.settings.editors.mask_editor import MaskCanvas, MaskEditor
from tests.desk import Desk
from tests.ui.file_choices import FileChoices
from tests.ui.hands import Hands
from tests.ui.settings_scenes import SURROUNDINGS
from tests.ui.settings_stage import SettingsStage


@pytest.fixture
def stage(qapp: QApplication, hands: Hands, tmp_path: Path) -> Iterator[SettingsStage]:
    stage = SettingsStage(qapp, hands, FileChoices(tmp_path / "config.toml"), SURROUNDINGS)
    yield stage
    stage.close()


@pytest.fixture
def canvas(stage: SettingsStage) -> MaskCanvas:
    """The canvas with a picture of 1920 x 1080, all of it in sight."""
    editor = stage.row("privacy.regions").editor
    assert isinstance(editor, MaskEditor)
    stage.wait(lambda: editor.canvas.region.width == 1920, "the picture")
    stage.wait(
        lambda: editor.canvas.height() == editor.canvas.heightForWidth(editor.canvas.width()), "laid out"
    )
    stage.dialog.page_area.ensureWidgetVisible(editor.canvas, 0, 0)
    stage.wait(lambda: settled(editor.canvas), "its place")
    return editor.canvas


def settled(canvas: MaskCanvas) -> bool:
    """Has it stayed where it is while Qt worked?"""
    before = canvas.mapToGlobal(QPoint(0, 0))
    for _ in range(20):
        QApplication.processEvents()
    return canvas.mapToGlobal(QPoint(0, 0)) == before


def at(canvas: MaskCanvas, x: float, y: float) -> QPoint:
    """Where a screen pixel is on the canvas."""
    return canvas.to_widget(Rect(round(x), round(y), 1, 1)).topLeft().toPoint()


def drag(stage: SettingsStage, canvas: MaskCanvas, start: QPoint, end: QPoint) -> None:
    stage.hands.point(canvas, start)
    stage.hands.press()
    stage.wait(lambda: QApplication.mouseButtons(), "the button down")
    place = canvas.mapToGlobal(end)
    stage.hands.move(place.x(), place.y())
    stage.hands.release()
    stage.wait(lambda: not QApplication.mouseButtons() and canvas._hold is None, "the button up")


def near(one: Rect, other: Rect, by: int) -> bool:
    edges = ((a.x, a.y, a.x + a.width, a.y + a.height) for a in (one, other))
    return all(abs(a - b) <= by for a, b in zip(*edges, strict=True))


def test_a_part_is_drawn_moved_resized_and_removed_by_mouse(stage: SettingsStage, canvas: MaskCanvas) -> None:
    pixel = round(1920 / canvas.picture_area().width() + 1)
    drag(stage, canvas, at(canvas, 200, 200), at(canvas, 800, 500))
    stage.wait(lambda: canvas.rects and near(canvas.rects[0], Rect(200, 200, 600, 300), pixel), "drawn")
    drag(stage, canvas, at(canvas, 500, 350), at(canvas, 700, 450))
    stage.wait(lambda: near(canvas.rects[0], Rect(400, 300, 600, 300), 2 * pixel), "moved")
    drag(stage, canvas, at(canvas, 1000, 600), at(canvas, 1200, 700))
    stage.wait(lambda: near(canvas.rects[0], Rect(400, 300, 800, 400), 3 * pixel), "resized")
    drawn = canvas.rects[0]
    stage.save()
    assert config.load(stage.file, {}).privacy.regions == ((drawn.x, drawn.y, drawn.width, drawn.height),)
    drag(stage, canvas, at(canvas, 60, 60), at(canvas, 61, 61))
    assert len(canvas.rects) == 1  # a click draws nothing
    stage.hands.point(canvas, at(canvas, 700, 500))
    stage.hands.press()
    stage.hands.release()
    stage.wait(lambda: canvas.selected == 0, "selected again")
    stage.hands.chord("delete")
    stage.wait(lambda: not canvas.rects, "removed")


def test_a_part_is_made_by_keyboard_alone(stage: SettingsStage, canvas: MaskCanvas) -> None:
    canvas.setFocus()
    stage.hands.type("n")
    stage.wait(lambda: canvas.rects == [Rect(768, 432, 384, 216)], "one in the middle")
    stage.hands.chord("left")
    stage.hands.chord("ctrl", "down")
    stage.hands.chord("shift", "right")
    stage.wait(lambda: canvas.rects == [Rect(752, 433, 400, 216)], "moved and resized")
    assert "752, 433" in canvas.accessibleName()
    stage.save()
    assert config.load(stage.file, {}).privacy.regions == ((752, 433, 400, 216),)


def test_a_part_never_leaves_the_screen(canvas: MaskCanvas) -> None:
    canvas.show_rects([Rect(1800, 0, 100, 100)])
    canvas.select(0)
    for _ in range(40):
        canvas._nudge(1, 0, 16, resize=False)
        canvas._nudge(0, -1, 16, resize=False)
    assert canvas.rects == [Rect(1820, 0, 100, 100)]
    assert canvas.to_screen(QPointF(10_000, -10_000)) == QPointF(1920, 0)


_AT_SCALE = """
import sys
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from desktop_agent.protocol.geometry import Rect
from desktop_agent.ui.run_window import make_app
from desktop_agent.ui.settings.editors.mask_editor import MaskCanvas
from desktop_agent.ui.widgets.theme import Theme
app = make_app()
canvas = MaskCanvas(Theme("light"))
canvas.resize(400, 225)
canvas.show_picture(QImage(), Rect(0, 0, 1600, 900))
canvas.show()
QTest.qWaitForWindowExposed(canvas)
start, end = (canvas.to_widget(Rect(x, y, 1, 1)).topLeft().toPoint() for x, y in ((400, 200), (1200, 800)))
QTest.mousePress(canvas, Qt.LeftButton, Qt.NoModifier, start)
QTest.mouseMove(canvas, end)
QTest.mouseRelease(canvas, Qt.LeftButton, Qt.NoModifier, end)
drawn = canvas.rects[0]
print(canvas.devicePixelRatioF(), drawn.x, drawn.y, drawn.width, drawn.height)
"""


@pytest.mark.parametrize("scale", ["1.5", "2"])
def test_places_are_right_on_a_scaled_display(desk: Desk, scale: str) -> None:
    environment = {**os.environ, **desk.environment, "QT_SCALE_FACTOR": scale}
    done = subprocess.run(
        [sys.executable, "-c", _AT_SCALE],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    ratio, x, y, width, height = map(float, done.stdout.split())
    assert ratio == float(scale)
    assert near(Rect(round(x), round(y), round(width), round(height)), Rect(400, 200, 800, 600), 6)
