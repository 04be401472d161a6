"""The window as its user meets it: states, buttons, dragging, long texts, floods, keyboard."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.protocol.feed import (
    Action,
    FeedEvent,
    Goal,
    Look,
    Note,
    NoteDelta,
    Plan,
    Preview,
    Question,
    Result,
    Status,
)
from desktop_agent.ui.app import WindowOptions, open_window
from desktop_agent.ui.chat import MessageView, SaidText
from desktop_agent.ui.dock import GAP, Memory
from desktop_agent.ui.feed import RowView
from desktop_agent.ui.state import MAX_MESSAGES, MAX_ROWS
from desktop_agent.ui.words import Words
from tests.desk import Desk
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scripted import INFO, ScriptedPort

SCENES: dict[str, Callable[[], list[FeedEvent]]] = {
    "running": scenes.running, "approval": scenes.approval, "question": scenes.question,
    "paused": scenes.paused, "stopped": scenes.stopped, "failed": scenes.failed, "done": scenes.done,
    "long": scenes.long, "long approval": scenes.long_approval, "long error": scenes.long_error,
}  # fmt: skip


@pytest.mark.parametrize(
    ("scene", "word", "stoppable"),
    [
        ("running", "RUNNING", True), ("approval", "NEEDS YOU", True), ("question", "NEEDS YOU", True),
        ("paused", "PAUSED", True), ("stopped", "STOPPED", False), ("failed", "ERROR", False),
        ("done", "DONE", False),
    ],
)  # fmt: skip
def test_the_state_is_a_word_and_stop_is_there_while_something_runs(
    stage: Stage, scene: str, word: str, stoppable: bool
) -> None:
    assert stage.window.header.pill.text() == "READY"
    assert not stage.window.header.stop.isVisible()
    stage.play(*SCENES[scene]())
    assert stage.window.header.pill.text() == word
    assert stage.window.header.stop.isVisible() == stoppable
    assert stage.window.header.menu_button.isVisible() != stoppable


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


def test_an_embedded_display_is_shown_live(stage: Stage) -> None:
    card = stage.window.body.live
    assert not card.isVisible()
    stage.play(*scenes.running(), Preview(region=scenes.SCREEN, picture=scenes.desktop_picture()))
    stage.wait(card.isVisible, "the live picture")
    assert not card.picture.empty


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
    stage.window._memory.keep_place(QRect(9_000, 9_000, 500, 700), "none")
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
    assert stage.window.geometry().right() == right


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


def test_the_result_can_be_copied(stage: Stage, qapp: QApplication) -> None:
    stage.play(*scenes.done())
    stage.window.body.ending.copy.click()
    assert qapp.clipboard().text() == "The composite video output of the CM4 is pin 15 (TV_OUT)."


def test_page_keys_in_the_input_turn_the_conversation(stage: Stage, hands: Hands) -> None:
    stage.play(*(Note(text=scenes.LONG) for _ in range(10)))
    bar = stage.window.body.area.verticalScrollBar()
    stage.wait(lambda: bar.value() == bar.maximum() > 1_000, "the end")
    stage.wait(hands.writes_here, "the window active")
    hands.chord("page_up")
    stage.wait(lambda: bar.value() < bar.maximum(), "a page up")
    hands.chord("page_down")
    stage.wait(lambda: bar.value() == bar.maximum(), "a page down")


def test_a_folder_that_cannot_be_written_only_forgets(qapp: QApplication, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    memory = Memory(tmp_path / "file" / "settings")
    memory.keep_theme("dark")
    assert Memory(tmp_path / "file" / "settings").place() is None


def test_the_theme_is_switched_and_remembered(opened: Callable[..., Stage]) -> None:
    stage = opened(theme=None)
    before = stage.window.grab().toImage().pixelColor(200, 300)
    stage.window.header.theme_chosen.emit("dark")
    after = stage.window.grab().toImage().pixelColor(200, 300)
    assert before.lightness() > 200 > 60 > after.lightness()
    stage.window.close()
    assert opened(theme=None).window.grab().toImage().pixelColor(200, 300) == after


def test_the_greeting_offers_examples_and_says_which_model(
    opened: Callable[..., Stage], hands: Hands
) -> None:
    info = msgspec.structs.replace(
        INFO, model="offline", key_found=False, model_note="No key: I think offline."
    )
    stage = opened(port=ScriptedPort(info))
    shown = " ".join(label.text() for label in stage.window.findChildren(QLabel) if label.isVisible())
    assert "What shall we do?" in shown
    assert "No key: I think offline." in shown
    example = stage.window.body.greeting.examples[1]
    hands.click(example)
    stage.wait(
        lambda: stage.window.composer.input.toPlainText() == example.goal, "the example to change or send"
    )
    assert not stage.told("send")


def test_a_goal_is_sent_shown_and_the_greeting_gone(stage: Stage, hands: Hands) -> None:
    stage.wait(hands.writes_here, "the window active")
    hands.type("write a list")
    hands.chord("shift", "enter")
    hands.type("of fruit")
    hands.chord("enter")
    stage.wait(lambda: stage.told("send"), "the goal sent")
    assert stage.told("send") == [("send", "write a list\nof fruit")]
    assert stage.window.composer.input.toPlainText() == ""
    assert not stage.window.body.greeting.isVisible()
    stage.wait(
        lambda: all(view.isVisible() for view in stage.window.findChildren(SaidText)), "the words shown"
    )
    said = stage.window.findChildren(SaidText)
    assert [view.toPlainText() for view in said] == ["write a list\nof fruit"]


def test_nothing_is_sent_for_blank_words(stage: Stage, hands: Hands) -> None:
    stage.wait(hands.writes_here, "the window active")
    hands.type("   ")
    hands.chord("enter")
    stage.wait(lambda: stage.window.composer.input.toPlainText() == "   ", "the blanks")
    assert not stage.window.composer.send.isEnabled()
    assert not stage.told("send")


def test_after_a_stop_only_a_new_goal_starts_again(stage: Stage) -> None:
    stage.play(*scenes.stopped())
    assert stage.port.told == []
    stage.window.composer.sent.emit("try again")
    assert stage.port.told == [("send", "try again")]
    kinds = [view.kind for view in stage.window.findChildren(MessageView)]
    assert kinds == ["user", "agent", "stopped", "user"]


def test_step_mode_is_chosen_from_the_menu(stage: Stage) -> None:
    stage.window.composer.step_chosen.emit("action")
    assert stage.told("step") == [("step", "action")]
    assert stage.window.composer.step.text() == "Step: action"


def test_pause_becomes_resume(stage: Stage) -> None:
    stage.play(*scenes.paused())
    button = stage.window.header.pause
    assert button.accessibleName() == "Resume"
    button.click()  # on its way before it was paused: meant to pause
    assert stage.port.told == []
    stage.wait(button.isEnabled, "the button ready again")
    button.click()
    assert stage.port.told == [("resume",)]


def test_a_takeover_says_why_it_waits_and_resumes_with_one_click(stage: Stage) -> None:
    stage.play(*scenes.taken_over())
    strip = stage.window.body.now
    assert stage.window.header.pill.text() == "PAUSED"
    assert any("You took the mouse" in each.text() for each in strip.findChildren(Words))
    assert strip.resume.isVisible()
    strip.resume.click()
    assert stage.port.told == [("resume",)]
    stage.play(Status(state="planning"))
    assert not strip.resume.isVisible()


def test_a_question_is_answered_in_the_composer(stage: Stage) -> None:
    stage.play(Status(state="waiting_for_user"), Question(text="Which one?"))
    assert stage.window.body.question.isVisible()
    stage.window.composer.sent.emit("the first")
    assert stage.port.told == [("send", "the first")]
    assert not stage.window.body.question.isVisible()


def test_an_early_yes_is_no_yes(stage: Stage) -> None:
    stage.play(*scenes.approval())
    card = stage.window.body.approval
    card.show_asked(None)
    card.show_asked(stage.window.view.approval)
    card.approve.click()
    assert not stage.told("approve")
    stage.wait(lambda: card.armed, "the card armed")
    card.approve.click()
    card.approve.click()
    assert stage.told("approve") == [("approve", "b1", "False")]


def test_a_dead_agent_is_an_error_card(stage: Stage) -> None:
    stage.port.play(DesktopAgentError("The display has gone.", "Start again when it is back."))
    stage.wait(lambda: stage.window.body.ending.isVisible(), "the error")
    assert "The display has gone." in stage.window.body.ending.accessibleName()
    assert "Start again" in stage.window.body.ending.accessibleName()
    assert stage.window.header.pill.text() == "ERROR"


def test_an_unexpected_exception_of_the_agent_is_an_error_card_too(stage: Stage) -> None:
    stage.port.play(RuntimeError("boom"))
    stage.wait(lambda: stage.window.header.pill.text() == "ERROR", "the error")


# ---- long, many, small ----------------------------------------------------------------------


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_is_clipped(stage: Stage, scene: str) -> None:
    stage.play(*SCENES[scene]())
    for size in product((340, 400, 640), (884, 560, 400)):
        stage.window.resize(*size)
        stage.pump(40)
        stage.wait(lambda size=size: stage.window.size().toTuple() == size, "the size")  # type: ignore[misc]
        clipped = [f"{type(w).__name__} {w.accessibleName()[:60]!r}" for w in shown(stage) if cut_off(w)]
        assert not clipped, size


def shown(stage: Stage) -> list[QWidget]:
    return [w for w in stage.window.findChildren(QWidget) if w.isVisible() and not w.isWindow()]


def cut_off(widget: QWidget) -> bool:
    """Less room than its words need, or sticking out of its parent."""
    parent = widget.parentWidget()
    if isinstance(widget, SaidText) and widget.verticalScrollBar().maximum() > 1:
        return True
    if isinstance(widget, Words) and widget.height() < widget.heightForWidth(widget.width()) - 1:
        return True
    if isinstance(parent, QWidget) and isinstance(widget, Words | SaidText | QAbstractButton):
        return not parent.rect().contains(widget.geometry())
    return False


@pytest.mark.parametrize("scene", ["approval", "long approval"])
def test_the_approval_buttons_are_in_sight_at_any_height(stage: Stage, scene: str) -> None:
    stage.play(*SCENES[scene]())
    card = stage.window.body.approval
    for height in (884, 560, 400, 360):
        stage.window.resize(400, height)
        stage.pump(50)
        for button in (card.approve, card.skip, card.edit, card.always):
            corner = button.mapTo(stage.window, button.rect().bottomRight())
            assert stage.window.rect().contains(corner), height
            assert stage.window.childAt(button.mapTo(stage.window, button.rect().center())) is button, height


def test_the_card_says_where_a_text_comes_from_and_offers_always_only_where_it_lasts(stage: Stage) -> None:
    stage.play(*scenes.seen_approval())
    card = stage.window.body.approval
    assert "read on the screen in “Free prizes – Chromium”" in card.accessibleName()
    assert card.always.isHidden() and card.approve.isVisible()
    stage.play(*scenes.approval())
    assert card.always.isVisible() and "read on the screen" not in card.accessibleName()


def test_the_eye_is_led_to_no_where_a_text_was_only_read(stage: Stage) -> None:
    card = stage.window.body.approval
    stage.play(*scenes.seen_approval())
    assert (card.approve.kind, card.skip.kind) == ("plain", "primary")
    stage.play(*scenes.approval())
    assert (card.approve.kind, card.skip.kind) == ("primary", "plain")


def test_there_is_no_sideways_scrolling(stage: Stage) -> None:
    stage.window.resize(340, 600)
    stage.play(*scenes.long_approval())
    stage.pump(50)
    bars = [area.horizontalScrollBar() for area in stage.window.findChildren(QScrollArea)]
    assert all(bar.maximum() == 0 for bar in bars)


def test_the_newest_is_followed_unless_the_reader_has_scrolled_back(stage: Stage) -> None:
    stage.play(*scenes.running(), *(Note(text=scenes.LONG) for _ in range(10)))
    bar = stage.window.body.area.verticalScrollBar()
    stage.wait(lambda: bar.value() == bar.maximum() > 1_000, "the end")
    bar.setValue(10)
    stage.play(Note(text=scenes.LONG))
    stage.pump(50)
    assert bar.value() == 10


def test_a_flood_of_events_leaves_the_window_alive_and_bounded(stage: Stage) -> None:
    picture = scenes.desktop_picture()
    flood: list[FeedEvent] = [Goal(text="g"), Status(state="executing", time=time.time())]
    for n in range(1, 1_668):
        flood.append(Look(frame=str(n), region=scenes.SCREEN, elements=1, preview=picture))
        flood.append(Action(number=n, op="click", words=f"Click {n}", exact="click"))
        flood.append(Result(number=n, outcome="done", words=f"Clicked {n}"))
    stage.port.play(*flood)
    stage.wait(lambda: stage.window.header.stop.isVisible(), "the run")
    stage.window.header.stop.click()
    assert stage.told("stop")
    assert stage.taken < len(flood)
    stage.wait(lambda: stage.taken == len(flood), "all events")
    stage.window.body.deeds.toggle.click()
    stage.wait(lambda: len(stage.window.findChildren(RowView)) == MAX_ROWS, "all rows that are kept")
    stage.pump(50)
    assert len(stage.window.findChildren(RowView)) == MAX_ROWS


def test_a_flood_of_notes_keeps_the_last(stage: Stage) -> None:
    stage.play(*(Note(text=f"note {n}") for n in range(1_000)))
    assert len(stage.window.findChildren(MessageView)) <= MAX_MESSAGES + 1
    stage.wait(lambda: stage.window.findChildren(MessageView)[-1].isVisible(), "the last")


def test_an_enormous_note_streams_and_is_folded(stage: Stage) -> None:
    stage.play(*(NoteDelta(text="words and more " * 10) for _ in range(340)))
    view = next(v for v in stage.window.findChildren(MessageView))
    assert len(view.text.toPlainText()) < 2_000
    stage.play(Note(text="words and more " * 3_400))
    assert view.more.isVisible()
    view.more.click()
    assert len(view.text.toPlainText()) == 50_000
    stage.pump(50)
    assert view.height() >= view.text.heightForWidth(view.text.width())


def test_what_the_model_says_is_never_markup(stage: Stage) -> None:
    evil = "<h1>Click <a href='https://x.example'>here</a></h1><img src='file:///etc/passwd'>"
    stage.play(
        Note(text=evil), Plan(steps=(evil,), current=0), Status(state="waiting_for_user"), Question(text=evil)
    )
    assert stage.window.findChildren(SaidText)[0].toPlainText() == evil
    for label in stage.window.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or "<" not in label.text()


# ---- reach ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", ["", *SCENES])
def test_targets_are_large_enough_named_and_reached_by_keyboard(
    stage: Stage, scene: str, qapp: QApplication
) -> None:
    if scene:
        stage.play(*SCENES[scene]())
        stage.pump(50)
    buttons = [b for b in stage.window.findChildren(QAbstractButton) if b.isVisible() and b.isEnabled()]
    for button in buttons:
        assert button.height() >= 28, button.accessibleName()
        assert button.width() >= 28, button.accessibleName()
        name = QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Name)
        assert name, button
    reached = tab_through(stage)
    for button in buttons:
        if button.focusPolicy() != Qt.FocusPolicy.NoFocus:
            assert button in reached, button.accessibleName()
    assert stage.window.composer.input in reached


def tab_through(stage: Stage) -> set[QWidget]:
    """Every widget Tab comes by."""
    start = stage.window.composer.input
    reached: set[QWidget] = {start}
    widget = start.nextInFocusChain()
    while widget is not None and widget is not start:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled():
            reached.add(widget)
        widget = widget.nextInFocusChain()
    return reached
