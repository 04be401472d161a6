"""Every main state, in German and from right to left: nothing overlaps, is cut or leaves the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from desktop_agent.ui.widgets.buttons import Button
from tests.ui.conftest import Stage
from tests.ui.look import cut_words
from tests.ui.scenes import SCENES

NARROW = 340
STATES = (
    "running",
    "approval",
    "choices",
    "paused",
    "stopped",
    "failed",
    "done",
    "sending approval",
    "many grants",
)


@pytest.fixture
def from_the_right(qapp: QApplication) -> Iterator[None]:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def narrowed(stage: Stage) -> None:
    stage.window.resize(NARROW, 700)
    stage.wait(lambda: stage.window.header.width() == NARROW, "the width")


def shown(stage: Stage, scene: str) -> None:
    stage.play(*SCENES[scene]())
    stage.pump(20)


def seen(window: QWidget) -> list[tuple[QWidget, QRect]]:
    """The words and buttons that are there, and where in the window, as far as they are not scrolled away."""
    parts = [each for each in window.findChildren(QWidget) if isinstance(each, QLabel | QPushButton)]
    there = [each for each in parts if each.isVisible() and not each.visibleRegion().isEmpty()]
    return [(each, QRect(each.mapTo(window, QPoint(0, 0)), each.size())) for each in there]


def told(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName()[:60]}"


def side_margins(stage: Stage) -> tuple[int, int]:
    """The room left and right of the card of the actions."""
    card, window = stage.window.body.activity, stage.window
    left = card.mapTo(window, QPoint(0, 0)).x()
    return left, window.width() - left - card.width()


def check(window: QWidget) -> None:
    """Every part is within the window, no word is cut, and none lies on another."""
    parts = seen(window)
    assert len(parts) > 8
    outside = [told(each) for each, place in parts if place.left() < 0 or place.right() >= window.width()]
    assert (outside, cut_words(window)) == ([], [])


@pytest.mark.usefixtures("in_german")
def test_german_has_room_in_a_narrow_window(opened: Callable[..., Stage]) -> None:
    stage = opened()
    narrowed(stage)
    check(stage.window)
    said = {stage.window.header.pill.text()}
    for scene in STATES:
        shown(stage, scene)
        check(stage.window)
        said.add(stage.window.header.pill.text())
        for part, _ in seen(stage.window):
            if isinstance(part, Button) and part.text() and part.kind != "chip":
                assert part.width() >= part.sizeHint().width(), (scene, told(part))
    assert {"BEREIT", "ARBEITET", "FRAGT", "PAUSIERT", "GESTOPPT", "FERTIG", "FEHLER"} == said


@pytest.mark.usefixtures("in_german")
def test_stop_names_its_key_in_german_as_well(opened: Callable[..., Stage]) -> None:
    stage = opened()
    shown(stage, "running")
    assert stage.window.header.stop.text() == "Stopp"
    assert stage.window.header.stop.accessibleName() == "Stopp (Esc)"


@pytest.mark.usefixtures("from_the_right")
def test_from_right_to_left_nothing_overlaps(opened: Callable[..., Stage]) -> None:
    stage = opened()
    narrowed(stage)
    header = stage.window.header
    assert header.close_button.geometry().right() < header.pill.geometry().left()
    for scene in STATES:
        shown(stage, scene)
        check(stage.window)
    shown(stage, "done")
    left, right = side_margins(stage)
    assert left == right
    header.show_menu()
    stage.wait(header.menu.isVisible, "the menu")
    place = QRect(stage.window.mapFromGlobal(header.menu.pos()), header.menu.size())
    header.menu.close()
    assert place.left() >= 0
    assert place.right() < stage.window.width()
