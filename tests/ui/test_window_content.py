"""What the window shows, when it is long, much of it, or there is little room."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea, QWidget

from desktop_agent.protocol.agent_events import (
    Action,
    FeedEvent,
    Goal,
    LookTaken,
    Note,
    NoteDelta,
    Plan,
    Question,
    Result,
    Status,
)
from desktop_agent.ui.chat.message_view import MessageText, MessageView
from desktop_agent.ui.panels.activity_feed import ActivityRowView
from desktop_agent.ui.view_model import MAX_ROWS
from desktop_agent.ui.widgets.wrapped_text import WrappedText
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scenes import SCENES


@pytest.mark.parametrize("scene", SCENES)
def test_nothing_is_clipped(stage: Stage, scene: str) -> None:
    stage.play(*SCENES[scene]())
    for size in ((340, 400), (400, 884), (640, 560)):
        settled_at(stage, *size)
        stage.wait(lambda: not clipped(stage), f"room for all words at {size}: {clipped(stage)}")


def settled_at(stage: Stage, width: int, height: int) -> None:
    stage.window.resize(width, height)
    stage.pump(40)
    # To the pixel at a scale of one; at another the screen's pixels decide.
    stage.wait(
        lambda: abs(stage.window.width() - width) + abs(stage.window.height() - height) <= 1, "the size"
    )


def clipped(stage: Stage) -> list[str]:
    return [f"{type(w).__name__} {w.accessibleName()[:60]!r}" for w in shown(stage) if cut_off(w)]


def shown(stage: Stage) -> list[QWidget]:
    return [w for w in stage.window.findChildren(QWidget) if w.isVisible() and not w.isWindow()]


def cut_off(widget: QWidget) -> bool:
    """Less room than its words need, or sticking out of its parent."""
    parent = widget.parentWidget()
    if isinstance(widget, MessageText) and widget.verticalScrollBar().maximum() > 1:
        return True
    if isinstance(widget, WrappedText) and widget.height() < widget.heightForWidth(widget.width()) - 1:
        return True
    if isinstance(parent, QWidget) and isinstance(widget, WrappedText | MessageText | QAbstractButton):
        return not parent.rect().contains(widget.geometry())
    return False


@pytest.mark.parametrize("scene", ["approval", "long approval"])
def test_the_approval_buttons_are_in_sight_at_any_height(stage: Stage, scene: str) -> None:
    stage.play(*SCENES[scene]())
    card = stage.window.body.approval
    for height in (884, 560, 400, 360):
        stage.window.resize(400, height)
        stage.pump(50)
        for button in (card.approve, card.skip, card.edit, card.say, card.always):
            stage.wait(
                partial(in_sight, stage, button),
                f"{button.accessibleName()!r} in sight at a height of {height}",
            )


def in_sight(stage: Stage, button: QWidget) -> bool:
    corner = button.mapTo(stage.window, button.rect().bottomRight())
    on_top = stage.window.childAt(button.mapTo(stage.window, button.rect().center()))
    return stage.window.rect().contains(corner) and on_top is button


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


class Pressed(QObject):
    """Watches every painting of the conversation for a part with less height than it needs."""

    def __init__(self, content: QWidget) -> None:
        super().__init__(content)
        self.paintings = 0
        self.seen: list[str] = []
        content.installEventFilter(self)

    def eventFilter(self, content: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.paintings += 1
            parts = (part for part in content.children() if isinstance(part, QWidget) and part.isVisible())
            self.seen += [type(part).__name__ for part in parts if part.height() < needs(part)]
        return False


def needs(part: QWidget) -> int:
    layout = part.layout()
    return layout.heightForWidth(part.width()) if layout is not None and layout.hasHeightForWidth() else 0


@pytest.mark.parametrize("height", [650, 700])
def test_nothing_is_pressed_together_while_the_conversation_grows(stage: Stage, height: int) -> None:
    stage.window.resize(400, height)
    stage.wait(lambda: stage.window.height() == height, "the height")
    content = stage.window.body.area.widget()
    assert content is not None
    watch = Pressed(content)
    for event in scenes.done():
        stage.play(event)
        stage.pump(5)
    assert watch.paintings > 5
    assert not watch.seen


@pytest.mark.parametrize("width", [340, 400, 640])
@pytest.mark.parametrize("scene", ["running", "long", "long unpriced"])
def test_the_counters_stay_whole_and_on_one_line(stage: Stage, scene: str, width: int) -> None:
    stage.window.resize(width, 700)
    stage.play(*SCENES[scene]())
    meter = stage.window.meter
    stage.wait(lambda: stage.window.width() == width and meter.isVisible(), "the counters")
    stage.pump(40)
    labels = meter.findChildren(WrappedText)
    assert [label.toolTip() for label in labels] == ["", "", ""]  # none had to be cut short
    assert meter.height() == meter.sizeHint().height()
    words = [label.text() for label in labels]
    assert words[0].startswith("step ") and words[1] and "$" in words[2]
    for told in (meter.toolTip(), meter.accessibleDescription()):
        assert "cached" in told and "written to the cache" in told and "This step: " in told and "$" in told


@pytest.mark.parametrize("scene", ["running", "paused"])
def test_on_a_low_window_what_is_done_now_is_in_sight(stage: Stage, scene: str) -> None:
    stage.window.resize(340, 360)
    stage.play(*SCENES[scene]())
    now, port = stage.window.body.now, stage.window.body.area.viewport()
    stage.wait(
        lambda: now.isVisible() and port.rect().contains(QRect(now.mapTo(port, QPoint()), now.size())),
        "the strip in sight",
    )
    assert not stage.window.body.activity.isVisible()
    stage.play(*scenes.done()[-3:])
    assert stage.window.body.activity.isVisible()


def test_there_is_no_sideways_scrolling(stage: Stage) -> None:
    stage.window.resize(340, 600)
    stage.play(*scenes.long_approval())
    stage.pump(50)
    bars = [area.horizontalScrollBar() for area in stage.window.findChildren(QScrollArea)]
    stage.wait(lambda: all(bar.maximum() == 0 for bar in bars), "no way to scroll sideways")


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
        flood.append(LookTaken(frame=str(n), region=scenes.SCREEN, elements=1, preview=picture))
        flood.append(Action(number=n, op="click", words=f"Click {n}", exact="click"))
        flood.append(Result(number=n, outcome="done", words=f"Clicked {n}"))
    stage.port.play(*flood)
    stage.wait(lambda: stage.window.header.stop.isVisible(), "the run")
    stage.window.header.stop.click()
    assert stage.told("stop")
    assert stage.taken < len(flood)
    stage.wait(lambda: stage.taken == len(flood), "all events")
    stage.window.body.activity.more.click()
    stage.wait(lambda: len(stage.window.findChildren(ActivityRowView)) == MAX_ROWS, "all rows that are kept")
    stage.pump(50)
    assert len(stage.window.findChildren(ActivityRowView)) == MAX_ROWS


def test_the_heading_folds_the_actions_and_the_next_start_remembers_it(
    opened: Callable[..., Stage], hands: Hands
) -> None:
    first = opened()
    first.play(*scenes.running())
    card = first.window.body.activity

    def rows(stage: Stage) -> int:
        return len(
            [each for each in stage.window.body.activity.findChildren(ActivityRowView) if each.isVisible()]
        )

    first.wait(lambda: rows(first), "the actions")
    full = card.height()
    assert card.heading.accessibleName() == "Actions, expanded"
    hands.click(card.heading)
    first.wait(lambda: not rows(first) and card.height() < full, "the heading alone")
    assert card.isVisible() and card.heading.accessibleName() == "Actions, collapsed"
    first.play(Action(number=90, op="click", words="Click on", exact="click"))
    first.play(Result(number=90, outcome="done", words="Clicked on"))
    assert not rows(first)
    first.window.close()

    again = opened()
    again.play(*scenes.running())
    heading = again.window.body.activity.heading
    again.wait(heading.isVisible, "the heading")
    assert not rows(again) and heading.accessibleName() == "Actions, collapsed"
    again.window.take_keyboard()
    heading.setFocus()
    again.wait(hands.writes_here, "the keyboard")
    hands.type(" ")
    again.wait(lambda: rows(again) and heading.accessibleName() == "Actions, expanded", "the actions again")


def test_a_flood_of_notes_keeps_the_last(stage: Stage) -> None:
    stage.play(*(Note(text=f"note {n}") for n in range(1_000)))
    chat = stage.window.body.chat
    stage.wait(
        lambda: [v.message.text for v in chat.views() if v.isVisible()][-1:] == ["note 999"], "the last"
    )


def test_an_enormous_note_streams_and_is_folded(stage: Stage) -> None:
    stage.play(*(NoteDelta(text="words and more " * 10) for _ in range(340)))
    view = next(v for v in stage.window.findChildren(MessageView))
    assert len(view.text.toPlainText()) < 2_000
    stage.play(Note(text="words and more " * 3_400))
    assert view.more.isVisible()
    view.more.click()
    stage.wait(
        lambda: " ".join(each.toPlainText() for each in view.texts) == "words and more " * 3_333 + "words",
        "all",
    )
    stage.wait(
        lambda: view.height() >= sum(each.heightForWidth(each.width()) for each in view.texts), "room for all"
    )


def test_what_the_model_says_is_never_markup(stage: Stage) -> None:
    evil = "<h1>Click <a href='https://x.example'>here</a></h1><img src='file:///etc/passwd'>"
    stage.play(
        Note(text=evil),
        Plan(steps=(evil,), current=0),
        Status(state="waiting_for_user"),
        Question(text=evil, choices=(evil,)),
    )
    assert stage.window.findChildren(MessageText)[0].toPlainText() == evil
    for label in stage.window.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or "<" not in label.text()
