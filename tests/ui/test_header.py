"""The header's buttons keep their places, and whoever goes for Stop never closes the window."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QRect

from desktop_agent.protocol.agent_events import Status
from desktop_agent.ui.panels.header import LOOKS
from desktop_agent.ui.widgets.wrapped_text import WrappedText
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scenes import SCENES

WIDTHS = (340, 400, 720)


def places(stage: Stage) -> dict[str, QRect]:
    """Where the buttons are, whether they are to be seen or not."""
    header = stage.window.header
    buttons = (header.pause, header.stop, header.menu_button, header.close_button)
    return {button.accessibleName().partition(" ")[0]: button.geometry() for button in buttons}


def resize(stage: Stage, width: int) -> None:
    stage.window.resize(width, 600)
    stage.wait(lambda: stage.window.header.width() == width, "the width")
    stage.pump(20)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_button_moves_or_stands_where_another_was(stage: Stage, width: int) -> None:
    resize(stage, width)
    seen = [places(stage)]
    for scene in ("running", "approval", "question", "paused", "stopped", "running", "failed", "done"):
        stage.play(*SCENES[scene]())
        stage.pump(20)
        seen.append(places(stage))
    of_each = [
        {tuple(each.getRect()) for each in places} for places in zip(*(p.values() for p in seen), strict=True)
    ]
    assert all(len(each) == 1 for each in of_each), of_each
    for one, other in combinations(seen[0].values(), 2):
        assert not one.intersects(other)


@pytest.mark.parametrize("width", WIDTHS)
def test_between_stop_and_the_cross_there_is_room_for_a_miss(stage: Stage, width: int) -> None:
    resize(stage, width)
    stage.play(*scenes.running())
    header = stage.window.header
    assert header.close_button.x() - header.stop.geometry().right() > 30
    assert header.menu_button.isEnabled()


def test_a_click_that_comes_too_late_for_stop_does_nothing(stage: Stage, hands: Hands) -> None:
    stage.play(*scenes.running())
    header = stage.window.header
    hands.point(header.stop)
    stage.wait(header.stop.underMouse, "the pointer on Stop")
    stage.play(*scenes.done()[-3:])
    stage.wait(lambda: not header.stop.isVisible(), "Stop gone")
    place = stage.window.pos()
    for _ in range(2):
        hands.press()
        stage.wait(lambda: stage.window.dragged, "the click taken by the empty place")
        hands.release()
        stage.wait(lambda: not stage.window.dragged, "the button let go")
    assert stage.window.isVisible()
    assert stage.window.pos() == place
    assert not stage.port.told


def test_a_run_that_begins_puts_nothing_under_a_pointer_at_the_cross(stage: Stage, hands: Hands) -> None:
    header = stage.window.header
    hands.point(header.close_button)
    stage.wait(header.close_button.underMouse, "the pointer on the cross")
    stage.play(*scenes.running())
    assert header.close_button.accessibleName() == "Stop, and close Desktop Agent"
    hands.press()
    hands.release()
    stage.wait(lambda: not stage.window.isVisible(), "the window closed")
    assert stage.told("stop") == [("stop", "the window was closed")]


def test_every_state_has_room_under_the_name(stage: Stage) -> None:
    name = next(words for words in stage.window.header.findChildren(WrappedText))
    for state in LOOKS:
        stage.play(Status(state=state))
        stage.pump(20)
        pill = stage.window.header.pill
        assert pill.width() == pill.sizeHint().width() <= name.sizeHint().width()
        assert stage.window.header.rect().contains(pill.geometry())
