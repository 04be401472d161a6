"""The window as its user meets it: states, buttons, words that are sent, questions."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop_agent.protocol.agent_events import Goal, GoalReached, Note, Plan, Preview, Question, Status
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.ui.chat.message_view import MessageText
from desktop_agent.ui.panels.body import QuestionCard
from desktop_agent.ui.panels.plan import StepLine
from desktop_agent.ui.widgets.scroll_area import ScrollArea
from desktop_agent.ui.widgets.theme import Mode
from desktop_agent.ui.widgets.wrapped_button import WrappedButton
from desktop_agent.ui.widgets.wrapped_text import WrappedText
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scenes import SCENES
from tests.ui.scripted import INFO, ScriptedPort


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
    assert stage.window.header.close_button.isVisible()


def test_the_title_tells_the_state(stage: Stage) -> None:
    stage.play(*SCENES["running"]())
    assert stage.window.windowTitle() == "Desktop Agent – running"
    stage.play(*SCENES["done"]())
    assert stage.window.windowTitle() == "Desktop Agent – done"


def test_an_embedded_display_is_shown_live(stage: Stage) -> None:
    card = stage.window.body.live
    assert not card.isVisible()
    stage.play(*scenes.running(), Preview(region=scenes.SCREEN, picture=scenes.desktop_picture()))
    stage.wait(card.isVisible, "the live picture")
    assert not card.picture.empty


def test_the_result_can_be_copied(stage: Stage, qapp: QApplication) -> None:
    stage.play(*scenes.done())
    stage.window.body.ending.copy.click()
    assert qapp.clipboard().text() == "The composite video output of the CM4 is pin 15 (TV_OUT)."


def test_page_keys_in_the_input_turn_the_conversation(stage: Stage, hands: Hands) -> None:
    stage.play(*(Note(text=scenes.LONG) for _ in range(10)))
    bar = stage.window.body.area.verticalScrollBar()
    chat = stage.window.body.chat
    stage.wait(lambda: bar.value() == bar.maximum() > 1_000 and chat.settled, "the end")
    stage.wait(hands.writes_here, "the window active")
    hands.chord("page_up")
    stage.wait(lambda: bar.value() < bar.maximum() and chat.settled, "a page up")
    hands.chord("page_down")
    stage.wait(lambda: bar.value() == bar.maximum(), "a page down")


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
        lambda: all(view.isVisible() for view in stage.window.findChildren(MessageText)), "the words shown"
    )
    said = stage.window.findChildren(MessageText)
    assert [view.toPlainText() for view in said] == ["write a list\nof fruit"]


def marked(stage: Stage) -> list[str]:
    """What a screen reader is told of the steps in the plan card."""
    lines = stage.window.body.plan.findChildren(StepLine)
    return [line.findChildren(WrappedText)[0].accessibleName() for line in lines]


def test_the_plan_and_its_step_are_posted_quietly_and_marked_in_the_card(stage: Stage) -> None:
    steps = ("Open it", "Type the text", "Save it")
    stage.play(Goal(text="go"), Status(state="planning"), Plan(steps=steps, current=0))
    stage.play(Plan(steps=steps, current=1), Plan(steps=steps, current=1))
    chat = stage.window.body.chat
    stage.wait(lambda: [view.kind for view in chat.views()] == ["user", "plan", "plan"], "the lines")
    _, plan, step = chat.views()
    assert plan.text.toPlainText() == "Plan: 1. Open it · 2. Type the text · 3. Save it"
    assert step.text.toPlainText() == "Step 2 of 3: Type the text"
    theme = stage.window.theme
    assert step.text.palette().color(QPalette.ColorRole.Text) == theme.color("soft")
    assert step.text.font().pointSizeF() == theme.font("small").pointSizeF() < theme.font("body").pointSizeF()
    assert marked(stage) == ["done: Open it", "current step: Type the text", "open: Save it"]


def test_an_answer_in_words_is_not_told_as_done(stage: Stage) -> None:
    stage.play(Goal(text="go"), Status(state="planning"), Plan(steps=("Answer",), current=0))
    stage.play(GoalReached(summary="By hand.", answered=True), Status(state="done"))
    assert stage.window.header.pill.text() == "ANSWERED"
    titles = [label.text() for label in stage.window.body.ending.findChildren(WrappedText)]
    assert "ANSWERED" in titles and "By hand." in titles and "DONE" not in titles
    assert marked(stage) == ["current step: Answer"]


def test_a_new_conversation_is_in_the_menu_and_clears_the_window(stage: Stage) -> None:
    stage.play(*SCENES["done"]())
    body = stage.window.body
    stage.wait(lambda: body.chat.views(), "the conversation")
    (entry,) = [each for each in stage.window.header.menu.actions() if each.text() == "New conversation"]
    entry.trigger()
    assert stage.told("new_conversation") and body.greeting.isVisible()
    assert not (
        body.chat.views() or body.chat.isVisible() or body.ending.isVisible() or body.plan.isVisible()
    )
    assert stage.window.header.pill.text() == "READY"
    stage.play(Goal(text="next"), Status(state="planning"))
    stage.wait(lambda: [view.message.text for view in body.chat.views()] == ["next"], "the next goal alone")
    stage.window.new_conversation()
    assert len(stage.told("new_conversation")) == 1, "a run is in progress"


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
    kinds = ["user", "agent", "plan", "stopped", "user"]
    stage.wait(lambda: [view.kind for view in stage.window.body.chat.views()] == kinds, "what was said")


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
    assert any("You took the mouse" in each.text() for each in strip.findChildren(WrappedText))
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


def asked(stage: Stage) -> QuestionCard:
    """The card of a question with four choices, ready to be pressed."""
    stage.play(*scenes.choices())
    card = stage.window.body.question
    stage.wait(lambda: card.armed and not shown_buttons(card)[-1].visibleRegion().isEmpty(), "the choices")
    return card


def shown_buttons(card: QuestionCard) -> list[WrappedButton]:
    return [each for each in card.choices if each.isVisible()]


def test_a_press_of_a_choice_answers_the_question(stage: Stage, hands: Hands) -> None:
    card = asked(stage)
    assert [each.accessibleName() for each in shown_buttons(card)] == [
        f"Answer {n}: {choice}" for n, choice in enumerate(scenes.CHOICES, 1)
    ]
    stage.window.composer.input.setPlainText("half a thought")
    hands.click(card.choices[2])
    stage.wait(lambda: stage.told("send"), "the answer")
    assert stage.port.told == [("send", scenes.CHOICES[2])]
    assert not card.isVisible() and not any(each.isEnabled() for each in card.choices)
    assert stage.window.findChildren(MessageText)[-1].toPlainText() == scenes.CHOICES[2]
    assert stage.window.composer.input.toPlainText() == "half a thought"
    card.choices[2].click()
    card.choices[0].click()
    assert len(stage.told("send")) == 1


def test_a_choice_is_reached_and_pressed_with_the_keyboard(stage: Stage, hands: Hands) -> None:
    stage.wait(hands.writes_here, "the window active")
    card = asked(stage)
    stage.window.composer.input.clearFocus()  # the click alone gives it back, however late it comes
    hands.click(stage.window.composer.input)
    stage.wait(
        lambda: stage.window.composer.input.hasFocus() and hands.writes_here(), "the input has the keyboard"
    )
    card.copy.setFocus(Qt.FocusReason.TabFocusReason)
    stage.wait(lambda: card.copy.hasFocus() and hands.writes_here(), "the card has the keyboard")
    for each in shown_buttons(card)[:2]:
        hands.chord("tab")
        stage.wait(each.hasFocus, "the next choice has the keyboard")
    hands.chord("space")
    stage.wait(lambda: stage.told("send"), "the answer")
    assert stage.told("send") == [("send", scenes.CHOICES[1])]


def test_a_question_higher_than_the_window_is_read_from_its_first_line(stage: Stage, hands: Hands) -> None:
    stage.window.resize(340, 420)
    stage.wait(hands.writes_here, "the window active")
    card, area = asked_in_little_room(stage), stage.window.body.area
    stage.wait(lambda: in_sight(area, card._words), "the question from its first line")
    assert area.verticalScrollBar().value() < area.verticalScrollBar().maximum()
    assert not in_sight(area, card.choices[3])
    card.copy.setFocus(Qt.FocusReason.TabFocusReason)
    for button in card.choices:
        hands.chord("tab")
        stage.wait(lambda: button.hasFocus() and in_sight(area, button), "the choice reached in sight")  # noqa: B023
    stage.play(Status(state="executing"), Note(text="All right."))
    bar = area.verticalScrollBar()
    stage.wait(lambda: bar.value() == bar.maximum(), "the end again")


def asked_in_little_room(stage: Stage) -> QuestionCard:
    stage.play(*scenes.choices())
    card = stage.window.body.question
    stage.wait(
        lambda: card.isVisible() and card.height() > stage.window.body.area.viewport().height(), "a high card"
    )
    return card


def in_sight(area: ScrollArea, widget: QWidget) -> bool:
    """Is all of the widget within what the scroll area shows?"""
    at = widget.rect().translated(widget.mapTo(area.viewport(), QPoint(0, 0)))
    return area.viewport().rect().contains(at)


def test_a_question_with_choices_may_be_answered_in_other_words(stage: Stage) -> None:
    card = asked(stage)
    stage.window.composer.sent.emit("The one with 8 GB")
    assert stage.port.told == [("send", "The one with 8 GB")] and not card.isVisible()
    stage.play(Question(text="Which one?"))
    assert card.isVisible() and shown_buttons(card) == []


def test_a_click_already_on_its_way_picks_no_choice(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_agent.ui.panels.body.ARMED_MS", 60_000)
    stage.play(*scenes.choices())
    stage.window.body.question.choices[0].click()
    assert not stage.told("send") and stage.window.body.question.choices[0].isEnabled()
    monkeypatch.setattr("desktop_agent.ui.panels.body.ARMED_MS", 0)
    stage.pump(5)
    stage.window.body.question.choices[0].click()
    assert stage.told("send") == [("send", scenes.CHOICES[0])]


def test_the_next_question_has_its_own_choices(stage: Stage) -> None:
    card = asked(stage)
    stage.play(Question(text="And which size?", choices=("S", "M")))
    stage.wait(lambda: card.armed, "the second question armed")
    assert [each.accessibleName() for each in shown_buttons(card)] == ["Answer 1: S", "Answer 2: M"]
    card.choices[1].click()
    assert stage.told("send") == [("send", "M")]


def test_a_stop_takes_the_choices_away(stage: Stage) -> None:
    card = asked(stage)
    stage.play(Status(state="stopped", detail="you pressed Esc"))
    assert not card.isVisible()
    card.choices[0].click()
    assert not stage.told("send")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [340, 640])
def test_a_long_choice_is_whole(opened: Callable[..., Stage], theme: Mode, width: int) -> None:
    stage = opened(theme=theme)
    stage.window.resize(width, 700)
    card = asked(stage)
    for button, choice in zip(card.choices, scenes.CHOICES, strict=True):
        (label,) = button.findChildren(WrappedText)
        stage.wait(lambda: label.height() >= label.heightForWidth(label.width()), "room for all its lines")  # noqa: B023
        assert label.text().endswith(f"  {choice}") and not label.toolTip()
        assert button.rect().contains(label.geometry())
        assert readable(button, label)


def readable(button: WrappedButton, label: WrappedText) -> bool:
    """Does what is painted of the words differ from the button's fill as light from dark?"""
    image = button.grab().toImage()
    at = label.geometry()
    tones = [
        image.pixelColor(x, y).lightness()
        for x in range(at.left(), at.right())
        for y in range(at.top(), at.bottom())
    ]
    return max(tones) - min(tones) > 120


def test_an_early_yes_is_no_yes(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "desktop_agent.ui.panels.approval_card.ARMED_MS", 3_000
    )  # longer than a test is kept waiting
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
