"""The fuzzing in its short form: nothing malformed reaches an input, and faults would be seen."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from benchmarks import fuzz
from benchmarks.fuzz_check import FAULTS, Checker
from benchmarks.fuzz_oracle import Invalid, judge
from desktop_agent.hand.injector.controller import Controller
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.input_events import ButtonDown, InputEvent, Text
from desktop_agent.protocol.reply import Reply
from tests.support.memory_input import MemoryInput


def test_nothing_malformed_reaches_an_input() -> None:
    figures = {each.figure: each for each in fuzz.run(quick=True).figures}
    assert [each.figure for each in figures.values() if each.met is False] == []
    assert sum(each.goal is not None for each in figures.values()) == len(FAULTS) + 1
    assert figures[FAULTS["escaped"]].n > 20_000
    assert 0.1 < figures["of these: valid, and done as said"].p50 < 0.5
    assert figures["input events that valid texts asked for"].p50 > 5_000


def faults(texts: int = 3_000) -> set[str]:
    tally = fuzz.Tally()
    for number in range(texts):
        tally.take(*fuzz.case(number))
    return set(FAULTS) & set(tally.kinds)


def test_the_same_number_is_the_same_text() -> None:
    assert [fuzz.case(n)[0] for n in range(50)] == [fuzz.case(n)[0] for n in range(50)]


def test_an_input_that_gets_more_than_was_said_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    emit = MemoryInput.emit

    def twice(self: MemoryInput, event: InputEvent) -> None:
        emit(self, event)
        if isinstance(event, ButtonDown | Text):
            emit(self, event)

    monkeypatch.setattr(MemoryInput, "emit", twice)
    assert "strayed" in faults()


def test_what_stays_pressed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Controller, "release", lambda self: None)
    assert "held" in faults()


def test_a_decoder_that_takes_more_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def lenient(text: str, allowed: Iterable[str] | None) -> Reply:
        return decode(text[text.find("{") : text.rfind("}") + 1], allowed)

    monkeypatch.setattr("benchmarks.fuzz_check.decode", lenient)
    assert "escaped" in faults()


@pytest.mark.parametrize(
    "text",
    [
        '{"actions":[{"op":"move","x":1,"y":true}]}',
        '{"actions":[{"op":"approve"}]}',
        "[]",
        '{"notes":"\\ud800"}',
        '{"step":NaN}',
    ],
)
def test_the_judge_has_an_opinion_of_its_own(text: str) -> None:
    with pytest.raises(Invalid):
        judge(text, None)
    assert Checker().check(text, random.Random(1)).kind == "refused"  # noqa: S311
