"""Every character of a text can be read: what cannot be seen is named, and no text passes for such a name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.agent.readable_text import in_one, spans


@pytest.mark.parametrize(("text", "shown"), [
    ("ls\n", "ls‹⏎ Enter›\n"), ("a\tb", "a‹⇥ Tab›b"), ("a\n\n\n\n\nb", "a‹⏎ Enter × 5›\nb"),
    ("x\u202ey", "x‹U+202E right-to-left override›y"), ("a\u200b\u200b\u200b\u200bb", "a‹U+200B zero width space × 4›b"),
    ("rm\u00a0x", "rm‹U+00A0 no-break space›x"), ("a\x1b[2J", "a‹U+001B escape›[2J"), ("\U000e0041", "‹U+E0041 tag latin capital letter a›"),
    ("аpple", "‹а Cyrillic›pple"), ("shοp", "sh‹ο Greek›p"), ("сор -x", "‹с Cyrillic›‹о Cyrillic›‹р Cyrillic› -x"),
    ("ｏｋ", "‹U+FF4F fullwidth latin small letter o›‹U+FF4B fullwidth latin small letter k›"),
    ("a⁄b", "a‹U+2044 fraction slash›b"), ("a" + " " * 30 + "b", "a‹␣ 30 spaces›b"), ("a  \n", "a‹␣ 2 spaces›‹⏎ Enter›\n"),
    ("a\u2800b", "a‹U+2800 braille pattern blank›b"), ("\u3164", "‹U+3164 hangul filler›"), ("\u0301x", "‹U+0301 combining acute accent›x"),
])  # fmt: skip
def test_what_cannot_be_seen_is_named(text: str, shown: str) -> None:
    assert in_one(text) == shown


@pytest.mark.parametrize("text", [
    "Grüße aus Łódź – “ok” … 5 €", "Привет, это сор", "漢字テキスト", "שלום", "Ελληνικά αυτό", "r² ½ №", "❤️ ok", "    return 1",
])  # fmt: skip
def test_ordinary_texts_stay_as_they_are(text: str) -> None:
    assert [each.named for each in spans(text)] == [False]


@pytest.mark.parametrize("text", ["‹⏎ Enter›", "‹U+202E›", "a⇥ Tab", "␣ 5 spaces"])
def test_no_text_passes_for_a_name(text: str) -> None:
    assert in_one(text) != text and "".join(each.text for each in spans(text) if not each.named) != text


def test_an_empty_text_has_no_parts() -> None:
    assert spans("") == ()


@given(st.text(max_size=200))
def test_nothing_plain_is_invisible_and_nothing_is_left_out(text: str) -> None:
    parts = spans(text)
    plain = "".join(each.text for each in parts if not each.named)
    assert not [
        c
        for c in plain
        if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    ]
    kept = [c for c in text if c.isascii() and c.isalnum()]
    assert [c for c in plain if c.isascii() and c.isalnum()] == kept
