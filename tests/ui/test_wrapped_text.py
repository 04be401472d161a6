"""Text that wraps, ends in sight, and hides nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText, escape_invisible, tool_tip_text


@pytest.fixture
def words(qapp: QApplication) -> WrappedText:
    return WrappedText(Theme("light"))


@pytest.mark.parametrize("text", ["x" * 5_000, "word " * 1_000, "漢字" * 900, "a\n" * 300, "שלום " * 300])
def test_every_text_wraps_to_its_width(words: WrappedText, text: str) -> None:
    words.set_words(text)
    layout, height = words._laid_out(200)
    widths = [layout.lineAt(n).naturalTextWidth() for n in range(layout.lineCount())]
    assert max(widths) <= 201
    assert height > 200
    assert words.minimumSizeHint().width() < 50


def test_a_limit_of_lines_ends_with_an_ellipsis_and_the_tip_has_all(words: WrappedText) -> None:
    words.set_lines(3)
    words.set_words("word " * 200)
    layout, _ = words._laid_out(200)
    assert layout.lineCount() == 3
    assert layout.text().endswith("…")
    assert "word word" in words.toolTip()
    words.set_words("short")
    assert words.heightForWidth(200) < 30
    assert words.toolTip() == ""


def test_later_lines_of_a_marked_paragraph_begin_beside_its_mark(qapp: QApplication) -> None:
    goals = WrappedText(Theme("light"), hang="○  ")
    goals.set_words(("○\t", "strong"), "word " * 30, "\n", ("!\t", "strong"), "word " * 30)
    layout, _ = goals._laid_out(200)
    lines = [layout.lineAt(n) for n in range(layout.lineCount())]
    first = [each for each in lines if layout.text()[each.textStart()] in "○!"]
    later = {each.x() for each in lines if each.textStart() not in {one.textStart() for one in first}}
    assert [each.x() for each in first] == [0, 0] and len(later) == 1
    assert {each.cursorToX(each.textStart() + 2)[0] for each in first} == later  # type: ignore[index]
    assert max(each.x() + each.naturalTextWidth() for each in lines) <= 201


def test_a_key_cap_is_part_of_the_line_and_of_what_is_read_aloud(words: WrappedText) -> None:
    words.set_words("Press ", ("Esc", "cap"), " now")
    assert words.accessibleName() == "Press Esc now"


def test_characters_that_deceive_are_named() -> None:
    assert escape_invisible("rm \u202etxt.exe") == "rm ‹U+202E›txt.exe"
    assert escape_invisible("a\u200bb\x07c\u2066") == "a‹U+200B›b‹U+0007›c‹U+2066›"
    assert escape_invisible("Grüße, 漢字\nשלום") == "Grüße, 漢字\nשלום"


@settings(max_examples=60)
@given(st.text(max_size=200))
def test_a_tip_is_never_markup(text: str) -> None:
    shown = tool_tip_text(text)
    assert "<" not in shown.replace("<p style='white-space: pre-wrap'>", "").replace("</p>", "")
