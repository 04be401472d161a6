"""The scripted model goes on where it was refused, as a model would: nothing twice, nothing left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.jobs.scripted import Script, Step, do

A, B, C = ({"op": "type", "text": letter} for letter in "abc")


def asked(script: Script, *record: str, screen: str = "a window") -> list[dict[str, Any]]:
    actions: list[dict[str, Any]] = json.loads(script.answer("\n".join(record), screen))["actions"]
    return actions


def test_what_was_refused_and_what_came_after_it_is_done_again() -> None:
    script = Script(["Type"], [Step("window", do(A, B, C)), Step("later", do(A))])
    assert asked(script) == [A, B, C]
    first = (
        "- turn 1: Typed “a”: done",
        "- turn 1: Typing “b”: refused; Look again.",
        "- turn 1: Typing “c”: skipped",
    )
    assert asked(script, *first) == [B, C]
    second = (*first, "- turn 2: Typed “b”: done", "- turn 2: Typing “c”: refused; Look again.")
    assert asked(script, *second) == [C]
    third = (*second, "- turn 3: Typed “c”: done")
    assert asked(script, *third) == [{"op": "wait", "seconds": 0.2}]


@pytest.mark.parametrize(
    "why", ["refused: Not asked about this: look again.", "failed: No answer.", "skipped: It moved"]
)
def test_whatever_kept_it_from_being_done_it_is_done_again_once_it_is_ready(why: str) -> None:
    script = Script(["Type"], [Step("window", do(A, B)), Step("later", do(C))])
    assert asked(script) == [A, B]
    record = ["- turn 1: Typed “a”: done", f"- turn 1: Typing “b”: {why}"]
    waiting = [{"op": "wait", "seconds": 0.2}]
    for turn in range(2, 5):
        assert asked(script, *record, screen="nothing yet") == waiting
        record.append(f"- turn {turn}: Waited: done")
    assert asked(script, *record) == [B]


def test_what_was_refused_for_good_is_not_done_again() -> None:
    script = Script(["Type"], [Step("window", do(A, B)), Step("window", do(C))])
    assert asked(script) == [A, B]
    assert asked(
        script, "- turn 1: Typing “a”: refused: It is our own window.", "- turn 1: Typing “b”: skipped"
    ) == [C]
