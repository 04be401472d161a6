"""The chat: all of a session within reach, and what can be done with a message."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu

from desktop_agent.protocol.agent_events import Action, FeedEvent, Goal, GoalReached, Note, Result, Status
from desktop_agent.ui.chat.conversation import FoldLine
from desktop_agent.ui.chat.height_column import HeightColumn
from desktop_agent.ui.chat.message_view import MessageView
from desktop_agent.ui.panels.activity_feed import ActivityRowView
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands


def views(stage: Stage) -> list[MessageView]:
    return [each for each in stage.window.body.chat.views() if each.isVisible()]


def texts(stage: Stage) -> list[str]:
    return [each.message.text for each in views(stage)]


def long_talk(count: int) -> list[FeedEvent]:
    events: list[FeedEvent] = [Status(state="executing")]
    for n in range(count):
        events.append(Goal(text=f"goal {n}") if n % 2 == 0 else Note(text=f"note {n}\n\n- a\n- b"))
    return events


def test_the_first_of_thousands_is_reached_and_few_are_built(stage: Stage) -> None:
    stage.play(*long_talk(4_000))
    bar = stage.window.body.area.verticalScrollBar()
    stage.wait(lambda: any(each.startswith("note 3999") for each in texts(stage)), "the last")
    assert len(stage.window.findChildren(MessageView)) < 150
    bar.setValue(0)
    stage.wait(lambda: "goal 0" in texts(stage), "the first")
    stage.pump(100)
    assert len(stage.window.findChildren(MessageView)) < 150
    bar.setValue(bar.maximum() // 2)
    stage.wait(lambda: any("goal 1" in each or "goal 2" in each for each in texts(stage)), "the middle")


def test_what_is_read_stays_in_place_while_more_is_built_above_it(stage: Stage) -> None:
    stage.play(*long_talk(400))
    body = stage.window.body
    bar = body.area.verticalScrollBar()
    stage.wait(lambda: bar.value() == bar.maximum() > 0, "the end")
    bar.setValue(bar.maximum() // 2)
    stage.wait(lambda: len(views(stage)) > 5, "the middle")
    stage.pump(200)
    middle = body.area.viewport().height() // 2
    read = min(views(stage), key=lambda v: abs(v.mapTo(body.area.viewport(), QPoint(0, 0)).y() - middle))
    at = read.mapTo(body.area.viewport(), QPoint(0, 0)).y()
    stage.play(Note(text="and more " * 50), Goal(text="below"))
    stage.pump(100)
    assert read.mapTo(body.area.viewport(), QPoint(0, 0)).y() == at
    for _ in range(6):  # parts above turn out to be of another height
        bar.setValue(bar.value() - 40)
        stage.pump(40)
    assert abs(read.mapTo(body.area.viewport(), QPoint(0, 0)).y() - (at + 240)) <= 6


def test_actions_of_earlier_runs_are_folded_into_a_line(stage: Stage, hands: Hands) -> None:
    done = [
        each
        for n in range(1, 4)
        for each in (
            Action(number=n, op="click", words=f"Click {n}", exact="click left"),
            Result(number=n, outcome="done", words=f"Clicked {n}", effect="confirmed"),
        )
    ]
    stage.play(
        Goal(text="one"), Status(state="executing"), *done, GoalReached(summary="Done."), Status(state="done")
    )
    chat = stage.window.body.chat
    assert not [each for each in chat.findChildren(FoldLine) if each.isVisible()]
    stage.play(Goal(text="two"), Status(state="executing"))
    stage.wait(
        lambda: [each for each in chat.findChildren(FoldLine) if each.isVisible()], "the folded actions"
    )
    (fold,) = chat.findChildren(FoldLine)
    assert fold.accessibleName() == "3 actions"
    hands.click(fold)
    rows = chat.findChildren
    stage.wait(lambda: len([each for each in rows(ActivityRowView) if each.isVisible()]) == 3, "each action")
    assert "Clicked 2" in [each for each in rows(ActivityRowView) if each.isVisible()][1].accessibleName()
    hands.click(fold)
    stage.wait(lambda: not [each for each in rows(ActivityRowView) if each.isVisible()], "folded again")


def test_a_message_is_copied_edited_and_sent_again_with_the_mouse(
    stage: Stage, hands: Hands, qapp: QApplication
) -> None:
    stage.play(Goal(text="write a list"), Status(state="executing"), Note(text="**Fine**, I do."))
    chat, tools = stage.window.body.chat, stage.window.body.chat.tools
    stage.wait(lambda: len(views(stage)) == 2, "both messages")
    hands.point(views(stage)[0])
    stage.wait(tools.isVisible, "the tools")
    assert tools.edit.isVisible() and not tools.retry.isEnabled()
    hands.point(views(stage)[1])
    stage.wait(lambda: not tools.edit.isVisible(), "the tools of the agent's message")
    hands.click(tools.copy)
    stage.wait(lambda: qapp.clipboard().text() == "**Fine**, I do.", "the copy")
    stage.play(Status(state="stopped", detail="you pressed Esc"))
    hands.point(views(stage)[0])
    stage.wait(lambda: tools.edit.isVisible() and tools.retry.isEnabled(), "the tools of my own message")
    hands.click(tools.edit)
    stage.wait(lambda: stage.window.composer.input.toPlainText() == "write a list", "the words in the input")
    hands.point(views(stage)[0])
    stage.wait(tools.isVisible, "the tools")
    hands.click(tools.retry)
    stage.wait(lambda: stage.told("send"), "sent again")
    assert stage.told("send") == [("send", "write a list")]
    assert chat.isVisible()


def test_messages_are_reached_and_copied_with_the_keyboard(
    stage: Stage, hands: Hands, qapp: QApplication
) -> None:
    stage.play(*(each for n in range(8) for each in (Goal(text=f"goal {n}"), Note(text=f"note {n}"))))
    stage.wait(lambda: "note 7" in texts(stage), "the last")
    stage.wait(hands.writes_here, "the window active")
    stops = [each for each in views(stage) if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert [each.message.text for each in stops] == ["note 7"]
    stops[0].setFocus(Qt.FocusReason.TabFocusReason)
    hands.chord("up")
    stage.wait(lambda: focused(stage) == "goal 7", "the message before")
    hands.chord("ctrl", "c")
    stage.wait(lambda: qapp.clipboard().text() == "goal 7", "the copy")
    assert views(stage)[-2].accessibleName() == "You: goal 7"
    hands.chord("tab")
    stage.wait(stage.window.body.chat.tools.copy.hasFocus, "the tools")
    hands.chord("shift", "tab")
    stage.wait(lambda: focused(stage) == "goal 7", "the message again")
    for _ in range(14):
        hands.chord("up")
    stage.wait(lambda: focused(stage) == "goal 0", "the first message")


def focused(stage: Stage) -> str:
    return next((each.message.text for each in views(stage) if each.hasFocus()), "")


def test_a_context_menu_offers_the_same(stage: Stage, hands: Hands, qapp: QApplication) -> None:
    stage.play(Goal(text="my words"), Note(text="Run this:\n\n```sh\nls -l\npwd\n```\n"))
    stage.wait(lambda: len(views(stage)) == 2, "both messages")
    mine, answer = views(stage)
    menu = stage.window.body.chat.deeds.open_menu(mine, mine.text, mine.mapToGlobal(QPoint(20, 15)))
    assert [each.text() for each in menu.actions()] == ["Copy the message", "Edit in the input", "Send again"]
    menu.close()
    code = next(
        QPoint(10, y) for y in range(2, answer.text.height(), 3) if answer.text.code_at(QPoint(10, y))
    )
    menu = stage.window.body.chat.deeds.open_menu(
        answer, answer.text, answer.text.viewport().mapToGlobal(code)
    )
    next(each for each in menu.actions() if each.text() == "Copy this code").trigger()
    assert qapp.clipboard().text() == "ls -l\npwd"
    menu.close()
    assert isinstance(menu, QMenu)


def test_an_edit_keeps_what_was_half_typed(stage: Stage, hands: Hands) -> None:
    stage.play(Goal(text="old goal"))
    stage.wait(hands.writes_here, "the window active")
    hands.type("half a thought")
    edit = stage.window.composer.input
    stage.wait(lambda: edit.toPlainText() == "half a thought", "the words")
    stage.window.body.chat.deeds.edit_wanted.emit("old goal")
    stage.wait(lambda: edit.toPlainText() == "old goal", "the goal to edit")
    edit.clear()
    stage.wait(hands.writes_here, "the window active")
    hands.chord("up")
    stage.wait(lambda: edit.toPlainText() == "half a thought", "what was typed before")


def test_a_question_is_answered_by_a_number_typed(stage: Stage, hands: Hands) -> None:
    stage.play(*scenes.choices())
    card = stage.window.body.question
    stage.wait(lambda: card.armed, "the question")
    assert card.meant("2") == scenes.CHOICES[1]
    assert card.meant("2 of them") == "2 of them" and card.meant("7") == "7"
    stage.wait(hands.writes_here, "the window active")
    hands.click(stage.window.composer.input)
    hands.type("2")
    hands.chord("enter")
    stage.wait(lambda: stage.told("send"), "the answer")
    assert stage.told("send") == [("send", scenes.CHOICES[1])]


def test_heights_are_found_by_their_lines() -> None:
    column = HeightColumn(10)
    column.insert(0, [50, 0, 30, 20])
    assert (column.total, column.tops) == (120, [0, 60, 60, 100, 130])
    assert list(column.between(0, 40)) == [0]
    assert 2 in column.between(65, 70) and 3 not in column.between(65, 70)
    assert list(column.between(500, 600)) == [3] and list(column.between(-90, -50)) == [0]
    assert column.put(1, 5) and column.total == 135 and not column.put(1, 5)
    column.remove(0, 2)
    assert column.total == 60 and len(column) == 2
    assert list(HeightColumn(10).between(0, 10)) == []
