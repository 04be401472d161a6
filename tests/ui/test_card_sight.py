"""A question comes to the user's sight without taking the keyboard, or is said to be out of sight; it never waits unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import client_message
from desktop_agent.protocol.agent_events import Status
from desktop_agent.ui.shell import card_sight
from tests.desk import Desk
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.test_focus import active


@pytest.fixture
def working(opened: Callable[..., Stage], terminal: str) -> Stage:
    stage = opened(goal="write a list")
    stage.play(*scenes.running())
    return stage


def ask(stage: Stage) -> None:
    stage.play(*scenes.approval()[-2:])


def in_sight(stage: Stage) -> None:
    stage.wait(lambda: stage.port.seen == ["b1"], "the question in sight")
    assert stage.window.sight._in_sight() and not stage.told("not_shown")


def tell_manager(desk: Desk, window: int, kind: str, *data: int) -> None:
    x = Display(desk.environment)
    try:
        message = client_message(window, x.atom(kind), *data)
        x.core.SendEvent(False, x.root, 0x00180000, message)  # SubstructureNotify and SubstructureRedirect
        x.sync()
    finally:
        x.close()


def minimise(stage: Stage, desk: Desk) -> None:
    tell_manager(desk, int(stage.window.winId()), "WM_CHANGE_STATE", 3)  # IconicState
    stage.wait(lambda: stage.window.isMinimized(), "the window minimised")


def test_the_window_promises_to_show(stage: Stage) -> None:
    assert stage.port.promised == card_sight.SHOW_WITHIN > card_sight.PATIENCE_MS / 1000


def test_a_minimised_window_comes_back_without_the_keyboard(
    working: Stage, desk: Desk, terminal: str
) -> None:
    minimise(working, desk)
    ask(working)
    in_sight(working)
    assert not working.window.isMinimized() and active(desk) == terminal


def test_a_hidden_window_comes_back(working: Stage, desk: Desk, terminal: str) -> None:
    working.window.hide()
    ask(working)
    in_sight(working)
    assert active(desk) == terminal


def test_a_window_off_the_screen_comes_back(working: Stage, desk: Desk, terminal: str) -> None:
    working.window.side = "none"
    working.window.move(4_000, 3_000)
    ask(working)
    in_sight(working)
    assert active(desk) == terminal


def test_a_window_on_another_desktop_comes_here(working: Stage, desk: Desk, terminal: str) -> None:
    x = Display(desk.environment)
    try:
        tell_manager(desk, x.root, "_NET_NUMBER_OF_DESKTOPS", 2)
        tell_manager(desk, int(working.window.winId()), "_NET_WM_DESKTOP", 1, 2)
        working.wait(
            lambda: x.numbers(int(working.window.winId()), "_NET_WM_DESKTOP") == [1], "the other desktop"
        )
        ask(working)
        in_sight(working)
        assert x.numbers(int(working.window.winId()), "_NET_WM_DESKTOP") == [0] and active(desk) == terminal
    finally:
        tell_manager(desk, x.root, "_NET_NUMBER_OF_DESKTOPS", 1)
        x.close()


@pytest.fixture
def full_screen(desk: Desk) -> Iterator[str]:
    pid = desk.launch("xterm", "-fullscreen", "-T", "the film", "-e", "cat", title="the film")
    yield "the film"
    desk.end(pid)


def test_a_full_screen_window_does_not_hide_it(working: Stage, desk: Desk, full_screen: str) -> None:
    working.wait(lambda: not any(shown_at(working)), "our window covered")
    ask(working)
    in_sight(working)
    assert active(desk) == full_screen


def shown_at(stage: Stage) -> list[bool]:
    return stage.window.sight._shown_at(stage.window.sight._points())


def test_what_cannot_be_brought_to_sight_is_told(
    working: Stage, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_sight, "PATIENCE_MS", 600)
    window = working.window
    window.setVisible(False)
    # Nothing that this window asks for is done any more, as for a screen that is locked.
    monkeypatch.setattr(window, "show_quietly", lambda: None)
    ask(working)
    working.wait(lambda: working.told("not_shown"), "the question told to be out of sight")
    ((_, id, why),) = working.told("not_shown")
    assert id == "b1" and "could not be brought to sight" in why and not working.port.seen


def test_what_was_seen_and_is_put_away_comes_back_later(
    working: Stage, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(working)
    in_sight(working)
    minimise(working, desk)
    working.pump(3 * card_sight.LOOK_MS)
    assert working.window.isMinimized(), "the user's own doing stands for a while"
    monkeypatch.setattr(card_sight, "REMIND_MS", 300)
    working.wait(lambda: not working.window.isMinimized(), "the window back")
    assert not working.told("not_shown") and not working.told("skip")


def test_no_question_leaves_the_window_alone(working: Stage, desk: Desk) -> None:
    ask(working)
    in_sight(working)
    working.play(Status(state="executing"))
    minimise(working, desk)
    working.pump(3 * card_sight.LOOK_MS)
    assert working.window.isMinimized()


@pytest.mark.parametrize(("attention", "flashes", "beeps"), [
    ("none", 0, 0), ("flash", 1, 0), ("sound", 0, 1), ("both", 1, 1),
])  # fmt: skip
def test_a_question_calls_as_the_settings_say(
    working: Stage, monkeypatch: pytest.MonkeyPatch, attention: card_sight.Attention, flashes: int, beeps: int
) -> None:
    called: list[str] = []
    monkeypatch.setattr(QApplication, "alert", lambda *_: called.append("flash"))
    monkeypatch.setattr(QApplication, "beep", lambda: called.append("beep"))
    working.window.sight.attention = attention
    ask(working)
    in_sight(working)
    assert (called.count("flash"), called.count("beep")) == (flashes, beeps)


def test_the_flash_is_told_to_the_window_manager(working: Stage, desk: Desk) -> None:
    ask(working)
    x = Display(desk.environment)
    try:
        wanted, window = x.atom("_NET_WM_STATE_DEMANDS_ATTENTION"), int(working.window.winId())
        working.wait(lambda: wanted in x.numbers(window, "_NET_WM_STATE"), "the flash")
        assert not working.window.windowState() & Qt.WindowState.WindowActive
    finally:
        x.close()


def test_a_window_closed_over_a_question_stays_closed(working: Stage) -> None:
    ask(working)
    working.window.close()
    working.pump(3 * card_sight.LOOK_MS)
    assert not working.window.isVisible()
