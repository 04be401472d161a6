"""The approval card shows every character, names what cannot be seen, and takes nothing for markup."""

from __future__ import annotations

from typing import get_args

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTextEdit, QWidget

from desktop_agent.agent.readable_text import spans
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import ApprovalAsked, AskedRow, RowKind
from desktop_agent.ui.panels.approval_card import ApprovalCard
from desktop_agent.ui.widgets.wrapped_text import BREAK, CAP_PAD, JOIN, WrappedText
from tests.ui import scenes
from tests.ui.conftest import Stage

KINDS: tuple[RowKind, ...] = get_args(RowKind)
MARKUP = "<b>bold</b><img src='file:///etc/hostname'><a href='https://evil.example'>x</a>&amp;\u202e"


def shown(widget: QWidget) -> str:
    """What the labels in a widget show, without the marks that only lead the breaking of lines."""
    labels = [label for label in widget.findChildren(WrappedText) if not label.isHidden()]
    return "\n".join(label.text() for label in labels).replace(BREAK, "").replace(JOIN, "")


def caps(widget: QWidget) -> list[str]:
    """The words drawn as key caps."""
    found = []
    for label in widget.findChildren(WrappedText):
        text = label.text()
        found += [text[at : at + length] for at, length, role, _ in label._spans if role == "cap"]
    return [each.strip(CAP_PAD).replace(JOIN, "").replace("\u00a0", " ") for each in found]


def card_with(stage: Stage, *rows: AskedRow) -> ApprovalCard:
    asked = ApprovalAsked(id="1", words="Type", exact=("type",), window="W", why="Why.", rows=rows)
    stage.play(say.Status(state="waiting_for_user"), asked)
    return stage.window.body.approval


def test_ten_thousand_characters_are_all_there_and_scroll_inside_the_card(stage: Stage) -> None:
    stage.play(*scenes.lengthy_approval())
    card = stage.window.body.approval
    stage.wait(lambda: card.rows.whole, "the whole text")
    (text,) = [row.text for row in scenes.asked_of(scenes.lengthy_approval()).rows if row.kind == "typed"]
    plain = "".join(part.text for part in spans(text) if not part.named)
    on_card = shown(card.rows)
    for line in plain.split("\n"):
        assert line in on_card.replace(CAP_PAD, "").replace("⇥\u00a0Tab", "")
    assert caps(card.rows).count("⏎ Enter") == text.count("\n")
    assert stage.window.rect().contains(card.mapTo(stage.window, card.approve.geometry().bottomRight()))
    bar = card._text.verticalScrollBar()
    stage.wait(lambda: bar.maximum() > 0 and card._more.isVisible(), "a text that scrolls, and says so")


def test_a_long_headline_leaves_room_and_stands_whole_below(stage: Stage) -> None:
    words = " ".join(f"word{n}" for n in range(200))
    stage.play(ApprovalAsked(id="1", words=words, exact=("type",), window="W", why="Why."))
    card = stage.window.body.approval
    stage.wait(lambda: card.rows.whole, "the whole text")
    assert words in shown(card.rows).replace("\n", "")  # in several labels
    stage.wait(lambda: card._words.isVisible() and card._words.height() < 6 * card._words.fontMetrics().height(), "few lines")  # fmt: skip


@pytest.mark.parametrize(("text", "named"), [
    ("ls\n", ["⏎ Enter"]), ("a\tb", ["⇥ Tab"]), ("x\u202ey", ["U+202E right-to-left override"]), ("p\u0430y", ["а Cyrillic"]),
    ("\u200b", ["U+200B zero width space"]), ("", ["nothing"]),
])  # fmt: skip
def test_what_cannot_be_seen_is_a_key_cap(stage: Stage, text: str, named: list[str]) -> None:
    assert caps(card_with(stage, AskedRow("Types", text, "typed")).rows) == named


def test_no_text_draws_a_key_cap(stage: Stage) -> None:
    card = card_with(stage, AskedRow("Types", f"{BREAK}{CAP_PAD}Enter{CAP_PAD} ⏎ Enter", "typed"))
    assert "Enter" not in caps(card.rows) and "⏎ Enter" not in caps(card.rows)
    assert "U+23CE return symbol" in caps(card.rows)


def test_the_registered_part_of_a_host_is_set_apart_and_the_rest_is_there(stage: Stage) -> None:
    card = card_with(stage, AskedRow("Page", "https://shop.example.evil.example:81", "host", "evil.example"))
    (label,) = [each for each in card.rows.findChildren(WrappedText) if "evil" in each.text()]
    strong = [label.text()[at : at + length] for at, length, role, _ in label._spans if role == "mono_strong"]
    assert strong == ["evil.example"] and "https://shop.example.evil.example:81" in label.text()


def test_what_always_covers_is_said_on_the_card_and_the_button(stage: Stage) -> None:
    stage.play(*scenes.sending_approval())
    card = stage.window.body.approval
    words = "click “Send” in chromium at https://expenses.intranet.example.co.uk:8443, until you close the program"
    assert words in shown(card) and words in card.always.toolTip()


def test_nothing_is_taken_for_markup_anywhere_in_the_window(stage: Stage) -> None:
    text = MARKUP
    rows = tuple(AskedRow(text, text, kind) for kind in KINDS)
    stage.play(
        say.Goal(text=text), say.Status(state="planning", detail=text), say.Plan(steps=(text, text), current=0), say.Note(text=text),
        say.Status(state="executing"), say.Action(number=1, op="type", words=text, exact=text),
        say.Result(number=1, outcome="failed", words=text, detail=text), say.Action(number=2, op="type", words=text, exact=text),
        say.Status(state="waiting_for_user", detail=text),
        ApprovalAsked(id="1", words=text, exact=(text,), window=text, why=text, source=text, rows=rows, covers=text),
    )  # fmt: skip
    assert_plain(stage)
    stage.play(
        say.Status(state="executing"),
        say.Question(text=text, choices=(text, "another")),
        say.Error(message=text, advice=text),
        say.Recording(path=text),
    )
    assert_plain(stage)


def assert_plain(stage: Stage) -> None:
    """No label guesses at markup, no tool tip has a tag but its own, and nothing turns the direction of writing."""
    labels = stage.window.findChildren(QLabel)
    assert labels and [each.text() for each in labels if each.textFormat() != Qt.TextFormat.PlainText] == []
    for widget in stage.window.findChildren(QWidget):
        tip = widget.toolTip().replace("<p style='white-space: pre-wrap'>", "").replace("</p>", "")
        assert "<" not in tip, tip
    said = [each.text() for each in labels] + [
        each.toPlainText() for each in stage.window.findChildren(QTextEdit)
    ]
    assert not [each for each in said if "\u202e" in each] and any("‹U+202E›" in each for each in said)
    assert not [each for each in stage.window.findChildren(QTextEdit) if "<a href" in each.toHtml()]
    assert "<" not in stage.window.windowTitle()
