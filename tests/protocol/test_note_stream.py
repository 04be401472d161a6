"""The note comes out of the stream whole, however the stream is cut."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol.dialects.json import MAX_NOTE, NoteStream

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


def note_in(text: str, cuts: list[int]) -> list[str]:
    """What is passed on when the text arrives cut at these places."""
    heard: list[str] = []
    stream = NoteStream(heard.append)
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    for begin, end in itertools.pairwise(places):
        stream.feed(text[begin:end])
    return heard


@given(
    note=texts,
    other=st.recursive(
        st.none() | st.integers() | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=8,
    ),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 2]),
    before=st.booleans(),
    cuts=st.lists(st.integers(0, 400), max_size=40),
)
def test_any_note_cut_anywhere(
    note: str, other: object, ascii_only: bool, indent: int | None, before: bool, cuts: list[int]
) -> None:
    fields = {"other": other, "notes": note} if before else {"notes": note, "other": other}
    text = json.dumps(fields, ensure_ascii=ascii_only, indent=indent)
    assert "".join(note_in(text, cuts)) == note


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ('Sure, "notes": "no"! ```json\n{"notes": "yes"}\n```', "yes"),
        ('{"actions": [{"notes": "inner", "x": {"notes": "no"}}], "notes": "outer"}', "outer"),
        ('{"a": "notes", "b": ["notes", "x"], "notes" : "outer"}', "outer"),
        ('{"notes": "one"} {"notes": "two"}', "one"),
        ('{"notes": 7, "b": "x"}', ""),
        ('{"notes": null}', ""),
        ('{"notes": ["x"]}', ""),
        ('["notes", "x"]', ""),
        ('{"no\\u0074es": "escaped key"}', "escaped key"),
        ('{"notes": "\\ud83d\\ude00"}', "\U0001f600"),
        ('{"notes": "\\ud83d!\\ude00"}', "\ufffd!\ufffd"),
        ('{"notes": "\\ud83d"}', "\ufffd"),
        ('{"notes": "\\ud83d\\ud83d\\ude00"}', "\ufffd\U0001f600"),
        ('{"notes": "\\uzzzz\\q"}', "\ufffdq"),
        ('{"notes": "half', "half"),
        ("}}]]", ""),
        ("", ""),
    ],
)
def test_odd_texts(text: str, note: str) -> None:
    assert "".join(note_in(text, [])) == note
    assert "".join(note_in(text, list(range(len(text))))) == note


def test_a_note_is_passed_on_as_it_comes() -> None:
    heard: list[str] = []
    stream = NoteStream(heard.append)
    for piece in ('{"notes": "Open', "ing the ", 'editor", "x": "', "y"):
        stream.feed(piece)
    assert heard == ["Open", "ing the ", "editor"]
    assert stream.started


def test_an_endless_note_ends() -> None:
    heard: list[str] = []
    stream = NoteStream(heard.append)
    stream.feed('{"notes": "')
    for length in range(1, 200):
        stream.feed("x" * length)
    assert len("".join(heard)) == MAX_NOTE
