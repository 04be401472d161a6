"""A person goes through the first page with mouse and keyboard."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.protocol.agent_events import ApprovalAsked, GoalReached, Preview, Receipt, Status
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.run_window import WindowOptions, open_window
from desktop_agent.ui.welcome.welcome_guide import KeyVerdict
from desktop_agent.ui.welcome.welcome_page import WelcomePage
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.scripted import ScriptedPort
from tests.ui.test_pills import WrittenChoices
from tests.ui.told_guide import TITLES, WAYLAND, ToldGuide

SECRET = "sk-ant-0123456789abcdef"


class FirstStage(Stage):
    """The window of a first start, and what is behind it."""

    bridge: Bridge
    guide: ToldGuide
    choices: WrittenChoices
    practice: ScriptedPort

    @property
    def page(self) -> WelcomePage:
        welcome = self.window.welcome
        assert welcome is not None and welcome.page is not None
        return welcome.page

    @property
    def gone(self) -> bool:
        welcome = self.window.welcome
        return welcome is not None and welcome.page is None


@pytest.fixture
def start(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[..., FirstStage]]:
    """`start()` opens the window as the program does; each call is one more start of the same user."""
    stages: list[FirstStage] = []

    def make(guide: ToldGuide | None = None, goal: str = "", page: bool = True) -> FirstStage:
        practice, port, choices = ScriptedPort(), ScriptedPort(), WrittenChoices()
        guide = guide or ToldGuide(practice)
        options = WindowOptions(tmp_path, goal=goal, theme="light", choices=choices, guide=guide)
        window, bridge = open_window(port, options)
        stage = FirstStage(window, bridge, port)
        stage.bridge, stage.guide, stage.choices, stage.practice = bridge, guide, choices, practice
        stages.append(stage)
        stage.wait(lambda: window.windowHandle() and window.windowHandle().isExposed(), "the window shown")
        if page:
            stage.wait(lambda: not stage.gone, "the first page")
        return stage

    yield make
    for stage in stages:
        stage.window.close()
        assert stage.bridge.close()
        stage.window.deleteLater()
    qapp.processEvents()


@pytest.fixture
def stage(start: Callable[..., FirstStage]) -> FirstStage:
    return start()


def ready(stage: FirstStage, widget: QWidget) -> QWidget:
    """The widget, once it is where it is clicked."""
    stage.wait(widget.isVisible, f"{widget.accessibleName()} shown")
    stage.page.area.ensureWidgetVisible(widget)
    QApplication.processEvents()
    return widget


def go_to(stage: FirstStage, hands: Hands, at: int) -> None:
    while stage.page.at < at:
        wanted = stage.page.at + 1
        hands.click(stage.page.next)
        stage.wait(partial(at_step, stage, wanted), f"step {wanted + 1}")


def at_step(stage: FirstStage, wanted: int) -> bool:
    return stage.page.at == wanted


# ---- the page as a whole -----------------------------------------------------------------------------


def test_it_is_gone_through_with_the_mouse_and_not_shown_again(
    start: Callable[..., FirstStage], hands: Hands
) -> None:
    stage = start()
    assert not stage.window.composer.isVisible() and not stage.window.body.isVisible()
    go_to(stage, hands, 3)
    hands.click(stage.page.next)
    stage.wait(lambda: stage.gone, "the chat")
    assert stage.window.composer.isVisible() and stage.window.body.greeting.isVisible()
    stage.window.close()
    again = start(page=False)
    again.pump(150)
    assert again.gone


def test_it_comes_back_until_it_was_finished_or_skipped(
    start: Callable[..., FirstStage], hands: Hands
) -> None:
    stage = start()
    go_to(stage, hands, 1)
    stage.window.close()
    again = start()
    hands.click(again.page.skip)
    again.wait(lambda: again.gone, "the chat")
    again.window.close()
    third = start(page=False)
    third.pump(150)
    assert third.gone


def test_it_is_gone_through_with_the_keyboard(stage: FirstStage, hands: Hands) -> None:
    stage.window.activateWindow()
    stage.wait(hands.writes_here, "the keyboard")
    stage.wait(stage.page.next.hasFocus, "Next has the keyboard")
    for at in (1, 2, 3):
        hands.chord("enter")
        stage.wait(partial(at_step, stage, at), f"step {at + 1}")
    hands.chord("enter")
    stage.wait(lambda: stage.gone, "the chat")
    stage.wait(stage.window.composer.input.hasFocus, "the keyboard in the input")


def test_a_goal_goes_before_it(start: Callable[..., FirstStage]) -> None:
    stage = start(goal="Do it", page=False)
    stage.pump(150)
    assert stage.gone


def test_the_menu_shows_it_again(start: Callable[..., FirstStage], hands: Hands) -> None:
    stage = start()
    hands.click(stage.page.skip)
    stage.wait(lambda: stage.gone, "the chat")
    stage.pump(30)
    entry = next(each for each in stage.window.header.menu.actions() if each.text() == "Welcome…")
    entry.trigger()
    stage.wait(lambda: not stage.gone, "the page")
    assert stage.page.at == 0


def test_everything_on_it_has_a_name(stage: FirstStage, hands: Hands) -> None:
    for at in range(4):
        go_to(stage, hands, at)
        stage.pump(50)
        focusable = [
            each for each in stage.page.findChildren(QWidget)
            if each.isVisible() and each.focusPolicy() and each.isEnabled()
        ]  # fmt: skip
        assert focusable and all(each.accessibleName() for each in focusable)
        assert all(each.height() >= 28 for each in focusable)


# ---- what is here -------------------------------------------------------------------------------------


def test_each_finding_appears_with_what_it_means(stage: FirstStage, hands: Hands) -> None:
    rows = stage.page.here.rows
    stage.wait(lambda: all(row.finding for row in rows.values()), "all findings")
    assert list(rows) == list(TITLES)
    assert "not needed" in rows["ocr"].said and "tesseract" in rows["ocr"].said
    hands.click(ready(stage, rows["ocr"].copy))
    stage.wait(lambda: "tesseract-ocr" in QGuiApplication.clipboard().text(), "the command copied")
    assert "No telemetry" in "".join(
        each.text() for each in stage.page.here.findChildren(type(rows["ocr"].words))
    )
    stage.wait(lambda: stage.page.here.leaves.isVisible(), "what leaves the computer")


def test_a_wayland_session_is_explained(start: Callable[..., FirstStage]) -> None:
    guide = ToldGuide()
    guide.findings["screen"] = WAYLAND
    stage = start(guide)
    row = stage.page.here.rows["screen"]
    stage.wait(lambda: row.finding, "the finding")
    assert "limited" in row.said and "Xorg" in row.advice.text()


# ---- who thinks -----------------------------------------------------------------------------------------


def test_a_model_is_chosen(stage: FirstStage, hands: Hands) -> None:
    go_to(stage, hands, 1)
    thinker = stage.page.thinker
    stage.wait(lambda: thinker.rows, "the models")
    assert [row.offer.value for row in thinker.rows] == ["offline", "openai"]  # anthropic has no key
    hands.click(ready(stage, thinker.rows[1]))
    stage.wait(lambda: stage.choices.told == [{"agent.model": "openai"}], "the model chosen")


def test_a_choice_that_fails_says_so_on_the_page(stage: FirstStage, hands: Hands) -> None:
    stage.choices.refuses = {"openai"}
    go_to(stage, hands, 1)
    stage.wait(lambda: stage.page.thinker.rows, "the models")
    hands.click(ready(stage, stage.page.thinker.rows[1]))
    stage.wait(stage.page.thinker.problem.isVisible, "the problem")
    assert not stage.window.view.messages


def test_a_key_is_kept_tried_and_never_shown(stage: FirstStage, hands: Hands) -> None:
    go_to(stage, hands, 1)
    key = stage.page.thinker.key
    stage.guide.hold.clear()
    hands.click(ready(stage, key.field))
    stage.wait(key.field.hasFocus, "the field has the keyboard")
    hands.type(SECRET)
    stage.wait(lambda: key.field.text() == SECRET, "the key typed")
    assert key.field.displayText() != SECRET and key.maker.name == "anthropic"
    hands.chord("enter")
    stage.wait(lambda: stage.guide.kept == [("anthropic", SECRET)], "the key handed over")
    assert key.field.text() == "" and not key.field.isUndoAvailable()
    stage.wait(key.cancel.isVisible, "the way to cancel")
    stage.guide.hold.set()
    stage.wait(lambda: key.told.text() == "The key works.", "the verdict")
    stage.wait(lambda: stage.choices.told == [{"agent.model": "anthropic"}], "its model chosen")


def test_the_beginning_of_a_key_tells_whose_it_is(stage: FirstStage, hands: Hands) -> None:
    go_to(stage, hands, 1)
    key = stage.page.thinker.key
    key.field.setText("sk-proj-abc")
    assert key.maker.name == "openai"
    hands.click(ready(stage, key.chips["anthropic"]))
    stage.wait(lambda: key.maker.name == "anthropic", "the other one chosen")


def test_a_wrong_key_is_told_and_changes_nothing(stage: FirstStage, hands: Hands) -> None:
    stage.guide.verdict = KeyVerdict("refused", "This key does not work.")
    go_to(stage, hands, 1)
    key = stage.page.thinker.key
    key.field.setText(SECRET)
    hands.click(ready(stage, key.keep))
    stage.wait(lambda: key.told.text() == "This key does not work.", "the verdict")
    assert stage.choices.told == [] and key.field.isEnabled()


def test_the_trial_of_a_key_can_be_cancelled(stage: FirstStage, hands: Hands) -> None:
    stage.guide.hold.clear()
    go_to(stage, hands, 1)
    key = stage.page.thinker.key
    key.field.setText(SECRET)
    hands.click(ready(stage, key.keep))
    stage.wait(lambda: stage.guide.kept, "the key handed over")
    hands.click(ready(stage, key.cancel))
    stage.wait(lambda: "Cancelled" in key.told.text(), "it cancelled")
    assert stage.choices.told == []


# ---- Esc ---------------------------------------------------------------------------------------------------


def test_esc_is_seen_by_the_guard(stage: FirstStage, hands: Hands) -> None:
    go_to(stage, hands, 2)
    step = stage.page.escape
    stage.wait(lambda: stage.guide.watches, "the watch")
    stage.guide.watches[-1].seen()  # the guard is first; the window may follow
    stage.wait(lambda: step.by_guard, "Esc seen")
    assert "guard" in step.about.text() and step.key.pressed
    hands.click(stage.page.next)
    stage.wait(lambda: stage.guide.watches[0].closed, "the watch ended")


def test_without_a_guard_the_window_sees_esc(start: Callable[..., FirstStage], hands: Hands) -> None:
    guide = ToldGuide()
    guide.problem = "This is a Wayland session."
    stage = start(guide)
    go_to(stage, hands, 2)
    step = stage.page.escape
    stage.wait(lambda: "only this window" in step.about.text(), "what is tested")
    stage.wait(hands.writes_here, "the keyboard")
    hands.chord("escape")
    stage.wait(lambda: step.by_guard is False, "Esc seen by the window")
    assert "this window saw it" in step.about.text() and not stage.told("stop")


# ---- the practice run ---------------------------------------------------------------------------------------


def practising(stage: FirstStage, hands: Hands) -> None:
    go_to(stage, hands, 3)
    hands.click(ready(stage, stage.page.practice.begin))
    stage.wait(lambda: stage.practice.told, "the goal given")
    stage.practice.play(
        Status(state="executing", time=time.time()),
        Preview(region=scenes.SCREEN, picture=scenes.desktop_picture()),
    )
    stage.wait(stage.page.practice.live.isVisible, "the live picture")


def test_a_practice_run_shows_its_picture_and_receipt(stage: FirstStage, hands: Hands) -> None:
    practising(stage, hands)
    receipt = Receipt("tree", "verified", "the box holds it")
    stage.practice.play(
        GoalReached(summary="Typed.", verdict="verified", receipts=(receipt,)), Status(state="done")
    )
    step = stage.page.practice
    stage.wait(step.ending.isVisible, "the ending")
    assert "DONE" in step.ending.accessibleName() and step.begin.text() == "Once more"
    stage.wait(lambda: ("quit",) in stage.practice.told, "its display let go")
    assert (
        stage.port.told == [] and stage.choices.told == []
    )  # the user's own agent and choices are as they were


def test_esc_in_another_program_stops_the_practice_run(stage: FirstStage, hands: Hands) -> None:
    practising(stage, hands)
    stage.wait(lambda: stage.guide.watches, "the watch")
    stage.guide.watches[-1].seen()
    stage.wait(lambda: any(each[0] == "stop" for each in stage.practice.told), "it stopped")


def test_esc_in_the_window_stops_the_practice_run(stage: FirstStage, hands: Hands) -> None:
    practising(stage, hands)
    stage.wait(hands.writes_here, "the keyboard")
    hands.chord("escape")
    stage.wait(lambda: any(each[0] == "stop" for each in stage.practice.told), "it stopped")


def test_what_it_asks_ends_it(stage: FirstStage, hands: Hands) -> None:
    practising(stage, hands)
    asked = ApprovalAsked(id="a", words="May I?", exact=("click",), window="w", why="because")
    stage.practice.play(asked, Status(state="waiting_for_user"))
    stage.wait(lambda: any(each[0] == "stop" for each in stage.practice.told), "it stopped")


def test_where_none_is_possible_it_says_so(start: Callable[..., FirstStage], hands: Hands) -> None:
    stage = start(ToldGuide())
    go_to(stage, hands, 3)
    hands.click(ready(stage, stage.page.practice.begin))
    stage.wait(stage.page.practice.problem.isVisible, "the problem")
    assert "xvfb" in stage.page.practice.problem_words.text()
    hands.click(stage.page.next)
    stage.wait(lambda: stage.gone, "the chat")


# ---- the examples ------------------------------------------------------------------------------------------


def test_the_examples_are_those_that_work_here(start: Callable[..., FirstStage], hands: Hands) -> None:
    stage = start()
    hands.click(stage.page.skip)
    greeting = stage.window.body.greeting
    stage.wait(lambda: greeting.examples[0].goal == "Open the text editor", "the examples")
    assert [each.isVisible() for each in greeting.examples] == [True, True, False]
    hands.click(greeting.examples[1])
    stage.wait(lambda: stage.window.composer.input.toPlainText() == "Open the calculator", "it filled in")
