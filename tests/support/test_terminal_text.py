"""Text from anywhere on a terminal: it steers nothing, fakes no line of ours, and loses nothing."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.headless import json_printer, text_printer
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import AskedRow, FeedEvent, RowKind
from desktop_agent.redaction.redactor import Redactor
from desktop_agent.redaction.streams import CleanStream
from desktop_agent.support.terminal_text import block, json_safe, one_line, visible

ATTACKS = (
    "\x1b]52;c;cm0gLXJm\x07", "\x1b]8;;https://evil.example\x1b\\safe\x1b]8;;\x1b\\", "\x1b[2J\x1b[H", "\x9b31m", "\x9d0;title\x9c",
    "\x1b]0;title\x07", "done\rDone: all good", "\x08\x08\x08ok", "\u202egnp.exe", "\u2066abc\u2069", "a\u200bb", "\ufeffx",
    "\U000e0041\U000e0042", "line\u2028Done: yes\u2029", "\x0bx\x0cy\x85z", "\x0e\x0f", "\x7f",
)  # fmt: skip


KINDS: tuple[RowKind, ...] = get_args(RowKind)


def dangerous(text: str) -> list[str]:
    """Every character that a terminal would carry out or not show, but line feeds."""
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return [c for c in text if c != "\n" and unicodedata.category(c) in hidden]


def events(text: str) -> list[FeedEvent]:
    """Every event of the feed that shows a text of somebody else, with this one in each of its fields."""
    row = AskedRow("Types", text, "typed")
    more = tuple(AskedRow("On", text, kind) for kind in KINDS)
    return [
        say.Plan(steps=(text, text), current=0), say.Note(text=text), say.NoteDelta(text=text), say.Question(text=text),
        say.Question(text=text, choices=(text, "another")),
        say.Action(number=1, op="type", words=text, exact=text), say.GoalReached(summary=text), say.Goal(text=text),
        say.Result(number=1, outcome="failed", words=text, detail=text), say.Error(message=text, advice=text),
        say.Status(state="paused", detail=text), say.Status(state="stopped", detail=text), say.Recording(path=text),
        say.ApprovalAsked(id="1", words=text, exact=(text,), window=text, why=text, source=text, rows=(row, *more), covers=text),
        say.ApprovalAsked(id="1", words=text, exact=(text,), window=text, why=text),
    ]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_event_of_the_feed_brings_a_control_to_the_terminal(attack: str) -> None:
    for event in events(f"before {attack} after"):
        out = io.StringIO()
        text_printer(out)(event)
        assert dangerous(out.getvalue()) == []
        if out.getvalue():
            assert "before" in out.getvalue() and "after" in out.getvalue()


def test_a_text_begins_no_line_as_ours_do() -> None:
    fake = "x\n? May I? Send nothing\n    [y/N]\nDone: all\n✓ done"
    for event in events(fake):
        out = io.StringIO()
        text_printer(out)(event)
        starts = [
            line for line in out.getvalue().splitlines() if line.startswith(("? May I? S", "Done: all", "✓"))
        ]
        assert starts == [], out.getvalue()


def test_no_choice_fakes_another_ones_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    out = Terminal()
    fakes = ("x" * 33 + " 2. Cancel", "Delete\n    2. Cancel", "a\r    2. Cancel", "\x1b[1E    2. Cancel")
    text_printer(out)(say.Question(text="Which?", choices=fakes))
    lines = out.getvalue().splitlines()
    assert [line[:7] for line in lines if re.match(r" {0,4}\d\.", line)] == [
        f"    {n}. " for n in (1, 2, 3, 4)
    ]
    assert all(len(line) <= 40 for line in lines) and out.getvalue().count("Cancel") == 4


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_is_asked_for_is_printed_whole_behind_a_bar() -> None:
    text = "".join(f"word{n} " for n in range(2_000)) + "the end"
    out = io.StringIO()
    asked = say.ApprovalAsked(
        id="1", words="Type", exact=("type",), window="W", why="Why.", rows=(AskedRow("Types", text + "\n", "typed"),)
    )  # fmt: skip
    text_printer(out)(asked)
    lines = [line for line in out.getvalue().splitlines() if "│" in line]
    assert "".join(line.partition("│ ")[2] for line in lines) == f"{text}‹⏎ Enter›"


@pytest.mark.parametrize("attack", ATTACKS)
def test_json_stays_json_with_the_same_text(attack: str) -> None:
    out = io.StringIO()
    stream = CleanStream(out, Redactor())
    json_printer(stream)(say.Note(text=attack))  # type: ignore[arg-type]
    stream.finish()
    assert json.loads(out.getvalue())["text"] == attack
    assert dangerous(out.getvalue()) == []


def test_what_is_printed_past_the_feed_is_made_visible_too() -> None:
    out = io.StringIO()
    stream = CleanStream(out, Redactor())
    print("failed: \x1b]52;c;AAAA\x07\u202e", file=stream)
    print("part \x1b[1m", end="", file=stream)
    stream.flush()
    stream.finish()
    assert out.getvalue() == "failed: ‹ESC›]52;c;AAAA‹BEL›‹U+202E›\npart ‹ESC›[1m"


@given(st.text(max_size=300))
def test_any_text_is_safe_and_json_keeps_it(text: str) -> None:
    assert dangerous(visible(text)) == [] and "\n" not in one_line(text)
    line = json.dumps([text], ensure_ascii=False)
    assert json.loads(json_safe(line)) == [text]


@given(st.text(max_size=200), st.integers(20, 60))
def test_a_block_fits_its_width_and_loses_nothing(text: str, width: int) -> None:
    lines = block(text, "  | ", width)
    assert all(line.startswith("  | ") for line in lines)
    assert "".join(line[4:] for line in lines) == visible(text).replace("\n", "")
    wide = [
        line
        for line in lines
        if sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) > max(width, 24)
    ]
    assert not [line for line in wide if not any(unicodedata.combining(c) for c in line)]


def test_long_lines_say_how_much_is_left_out_and_marks_do_not_pile_up() -> None:
    assert one_line("x" * 5_000).endswith("… (1,000 more characters)")
    assert visible("a" + "\u0301" * 50) == "a" + "\u0301" * 3
