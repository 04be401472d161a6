"""The window never takes the keyboard from the application being worked, and gives it when it is wanted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from xcffib.xproto import AccessError

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.protocol.agent_events import Status
from desktop_agent.ui.shell.x11.x11_hotkeys import CONTROL, MOD1
from desktop_agent.ui.widgets.theme import LIGHT
from tests.desk import Desk
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands


def active(desk: Desk) -> str:
    first = next(iter(desk.target.windows()), None)
    return first.title if first else ""


@pytest.fixture
def working(opened: Callable[..., Stage], terminal: str, desk: Desk) -> Stage:
    """A run under way in the terminal, started with a goal from the command line."""
    stage = opened(goal="write a list")
    stage.play(*scenes.running())
    assert active(desk) == terminal
    return stage


@pytest.fixture
def asked(working: Stage) -> Stage:
    working.play(*scenes.approval())
    working.wait(lambda: working.window.body.approval.isVisible(), "the card")
    armed(working)
    return working


def armed(stage: Stage) -> None:
    """Wait until the card takes a yes."""
    stage.wait(lambda: stage.window.body.approval.armed, "the card armed")


def test_starting_with_a_goal_and_the_feed_leave_the_focus_alone(
    working: Stage, terminal: str, desk: Desk
) -> None:
    assert refuses_focus(working, desk)
    for scene in (
        scenes.approval,
        scenes.question,
        scenes.paused,
        scenes.done,
        scenes.failed,
        scenes.stopped,
    ):
        working.play(*scene())
        assert active(desk) == terminal


def test_the_approval_buttons_work_without_taking_the_focus(
    asked: Stage, hands: Hands, terminal: str, desk: Desk
) -> None:
    hands.click(asked.window.body.approval.approve)
    asked.wait(lambda: asked.told("approve"), "the approval")
    assert asked.told("approve") == [("approve", "b1", "False")]
    assert active(desk) == terminal
    assert not asked.window.isActiveWindow()


@pytest.mark.parametrize(
    ("button", "told"),
    [("skip", ("skip", "b1")), ("always", ("approve", "b1", "True"))],
)
def test_skip_and_always_are_told(
    asked: Stage, hands: Hands, terminal: str, desk: Desk, button: str, told: tuple[str, ...]
) -> None:
    hands.click(getattr(asked.window.body.approval, button))
    asked.wait(lambda: asked.told(told[0]), "the answer")
    assert asked.told(told[0]) == [told]
    assert active(desk) == terminal


def test_stop_and_pause_work_without_taking_the_focus(
    working: Stage, hands: Hands, terminal: str, desk: Desk
) -> None:
    hands.click(working.window.header.pause)
    working.wait(lambda: working.told("pause"), "the pause")
    hands.click(working.window.header.stop)
    working.wait(lambda: working.told("stop"), "the stop")
    assert active(desk) == terminal


@pytest.mark.parametrize("lock", ["", "num_lock", "caps_lock"])
@pytest.mark.parametrize(
    ("keys", "told"),
    [(("enter",), ("approve", "b1", "False")), (("backspace",), ("skip", "b1"))],
)
def test_the_shortcuts_reach_the_card_from_the_application(
    asked: Stage,
    hands: Hands,
    terminal: str,
    desk: Desk,
    keys: tuple[str, ...],
    told: tuple[str, ...],
    lock: str,
) -> None:
    asked.wait(lambda: asked.window.keys.held, "the shortcuts")
    if lock:
        hands.chord(lock)
    hands.chord("ctrl", "alt", *keys)
    asked.wait(lambda: asked.told(told[0]), "the answer")
    if lock:
        hands.chord(lock)
    assert asked.told(told[0]) == [told]
    assert active(desk) == terminal


def test_the_answer_waits_until_the_fingers_are_off(asked: Stage, hands: Hands) -> None:
    asked.wait(lambda: asked.window.keys.held, "the shortcuts")
    pressed: list[str] = []
    asked.window.keys.pressed.connect(pressed.append)
    for key in ("ctrl", "alt", "enter"):
        hands.down(key)
    hands.up("enter")
    hands.up("alt")
    asked.pump(200)
    assert not pressed
    hands.up("ctrl")
    asked.wait(lambda: asked.told("approve"), "the approval")


def test_the_shortcuts_are_free_again_when_the_card_is_gone(asked: Stage, desk: Desk) -> None:
    asked.wait(lambda: asked.window.keys.held, "the shortcuts")
    assert not can_grab(desk)
    asked.play(Status(state="executing"))
    asked.wait(lambda: can_grab(desk), "the shortcuts free")


def refuses_focus(stage: Stage, desk: Desk) -> bool:
    """What the window manager is told (ICCCM 4.1.7: the "No Input" model)."""
    x = Display(desk.environment)
    try:
        window = int(stage.window.winId())
        offers = x.atom("WM_TAKE_FOCUS") in x.numbers(window, "WM_PROTOCOLS")
        return not offers and x.numbers(window, "WM_HINTS")[1] == 0
    finally:
        x.close()


RETURN = 36


def can_grab(desk: Desk) -> bool:
    """Whether control + alt + Return is nobody's."""
    x = Display(desk.environment)
    try:
        x.core.GrabKeyChecked(False, x.root, CONTROL | MOD1, RETURN, 1, 1).check()
    except AccessError:
        return False
    finally:
        x.close()
    return True


@pytest.fixture
def taken(desk: Desk) -> Iterator[None]:
    """Another program has control + alt + Return."""
    x = Display(desk.environment)
    x.core.GrabKeyChecked(False, x.root, CONTROL | MOD1, RETURN, 1, 1).check()
    yield
    x.close()


def test_a_shortcut_another_program_has_is_said_on_the_card(taken: None, asked: Stage) -> None:
    note = asked.window.body.approval.keys_note
    asked.wait(lambda: note.isVisible(), "the note")
    assert "approve" in note.text()
    card = asked.window.body.approval
    assert card.height() >= card.heightForWidth(card.width())


def test_a_click_into_the_input_gives_it_the_keyboard_and_sending_gives_it_back(
    working: Stage, hands: Hands, terminal: str, desk: Desk
) -> None:
    box = working.window.composer.input
    hands.click(box.viewport())
    working.wait(lambda: hands.writes_here() and box.hasFocus(), "the input active")
    hands.type("use the blue one")
    working.wait(lambda: box.toPlainText() == "use the blue one", "the words typed")
    hands.chord("enter")
    working.wait(lambda: ("send", "use the blue one") in working.port.told, "the words sent")
    working.wait(lambda: active(desk) == terminal, "the focus back")
    hands.click(working.window.header.pause)
    working.wait(lambda: working.told("pause"), "the pause")
    assert active(desk) == terminal


def test_the_edge_of_the_composer_says_where_typing_goes(working: Stage, hands: Hands, terminal: str) -> None:
    composer = working.window.composer

    def edge() -> str:
        return composer.grab().toImage().pixelColor(0, composer.height() // 2).name()

    working.wait(lambda: edge() == LIGHT.line, "a quiet edge")
    hands.click(composer.input.viewport())
    working.wait(lambda: edge() == LIGHT.accent, "the edge of what has the keyboard")
    hands.move(100, 200)
    hands.press()
    hands.release()
    working.wait(lambda: edge() == LIGHT.line, "a quiet edge again")


def test_leaving_the_input_makes_the_window_quiet_again(
    working: Stage, hands: Hands, terminal: str, desk: Desk
) -> None:
    hands.click(working.window.composer.input.viewport())
    working.wait(lambda: hands.writes_here(), "the input active")
    hands.move(100, 200)
    hands.press()
    hands.release()
    working.wait(lambda: refuses_focus(working, desk), "the window quiet")
    hands.click(working.window.header.pause)
    working.wait(lambda: working.told("pause"), "the pause")
    assert active(desk) == terminal


def test_saying_instead_brings_the_keyboard_and_the_words_replace_what_was_proposed(
    asked: Stage, hands: Hands, desk: Desk
) -> None:
    hands.click(asked.window.body.approval.say)
    asked.wait(lambda: hands.writes_here() and asked.window.composer.input.hasFocus(), "the input")
    hands.type("press cancel")
    hands.chord("enter")
    asked.wait(lambda: asked.told("skip"), "the skip")
    assert asked.port.told[-2:] == [("send", "press cancel"), ("skip", "b1")]


def test_idle_the_window_is_an_ordinary_one(
    opened: Callable[..., Stage], hands: Hands, terminal: str, desk: Desk
) -> None:
    stage = opened()
    stage.wait(lambda: hands.writes_here(), "the window active at the user's start")
    assert not refuses_focus(stage, desk)
    hands.type("hello")
    stage.wait(lambda: stage.window.composer.input.toPlainText() == "hello", "typing without a click")


def test_escape_in_the_window_stops(working: Stage, hands: Hands) -> None:
    hands.click(working.window.composer.input.viewport())
    working.wait(lambda: hands.writes_here(), "the input active")
    hands.chord("escape")
    working.wait(lambda: working.told("stop"), "the stop")


def test_our_process_owns_the_window(working: Stage, desk: Desk) -> None:
    assert any(w.pid == os.getpid() for w in desk.target.windows())
