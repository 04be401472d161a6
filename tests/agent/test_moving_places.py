"""Whole runs in which a place changes between the look and the click."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.runlog.hash_chained_log import read
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import ButtonDown, InputEvent
from desktop_agent.vision.capture.frame import Frame
from tests.support.memory_desk import Bench, MemoryTarget, ScriptedModel
from tests.support.memory_input import SCREEN

CLICK = json.dumps({"actions": [{"op": "click", "x": 300, "y": 200}]})
ELSEWHERE = json.dumps({"actions": [{"op": "click", "x": 600, "y": 500}]})
DONE = json.dumps({"actions": [{"op": "done", "summary": "ok"}]})
FILM = Rect(250, 150, 100, 100)


class Cinema(MemoryTarget):
    """Nothing moves but a film, which shows another picture each time somebody looks."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures = 0
        self.input.show = self.film

    def draw(self, area: Rect) -> bytes:
        return bytes(area.width * area.height * 4)

    def observe(self, region: Rect | None = None) -> Frame:
        return Frame(self.draw(SCREEN), SCREEN, self.input.layout.epoch, 0.0)

    def film(self, area: Rect) -> bytes:
        self.pictures += 1
        spots = ((x * y + self.pictures) % 5 > 1 for y in range(area.height) for x in range(area.width))
        shows = not area.intersection(FILM).empty
        return b"".join(bytes([255 * (spot and shows)] * 4) for spot in spots)


def bench(folder: Path, *answers: str) -> Bench:
    return Bench(ScriptedModel(*answers), folder, target=Cinema())


def presses(run: Bench) -> int:
    return sum(isinstance(event, ButtonDown) for event in run.target.input.events)


def test_a_stale_click_is_refused_and_the_agent_looks_again(tmp_path: Path) -> None:
    run = bench(tmp_path, CLICK, ELSEWHERE, DONE)
    run.run()
    assert [(e.outcome, "not what was looked at" in e.detail) for e in run.of(say.Result)] == [
        ("refused", True),
        ("done", False),
    ]
    assert len(run.of(say.LookTaken)) == 3 and presses(run) == 1
    assert run.of(say.ApprovalAsked) == []


@pytest.mark.parametrize("decision", ["approve", "skip"])
def test_the_human_decides_on_a_place_that_never_is_as_it_was(decision: str, tmp_path: Path) -> None:
    run = bench(tmp_path, CLICK, CLICK, CLICK, DONE)

    def answer(event: Any) -> None:
        if isinstance(event, say.ApprovalAsked):
            (run.session.approve if decision == "approve" else run.session.skip)(event.id)

    run.on_event = answer
    run.run()
    (asked,) = run.of(say.ApprovalAsked)
    assert "looks different each time" in asked.why and asked.picture and asked.exact == ("click at 300,200",)
    outcomes = [result.outcome for result in run.of(say.Result)]
    assert outcomes == ["refused", "refused", "done" if decision == "approve" else "refused"]
    assert presses(run) == (decision == "approve")


def test_a_yes_is_for_that_window_alone(tmp_path: Path) -> None:
    run = bench(tmp_path, CLICK, CLICK, CLICK, DONE)

    def answer(event: Any) -> None:
        if isinstance(event, say.ApprovalAsked):
            run.session.approve(event.id)
            run.target.input.before = pop_up  # once the pointer is there

    def pop_up(event: InputEvent) -> None:
        run.target.input.windows.insert(0, (FILM, 5))

    run.on_event = answer
    run.run()
    assert [result.outcome for result in run.of(say.Result)] == ["refused"] * 3
    assert "Another window" in run.of(say.Result)[-1].detail
    assert presses(run) == 0


def test_the_log_holds_where_but_not_what_was_seen(tmp_path: Path) -> None:
    run = bench(tmp_path, ELSEWHERE, DONE)
    run.run()
    (path,) = tmp_path.glob("*/events.jsonl")
    (intent,) = [record.data for record in read(path) if record.kind == "intent"]
    assert intent["expects"][0]["windows"] and not intent["expects"][0]["pixels"]


def test_what_was_approved_is_sealed_for_the_hand(tmp_path: Path) -> None:
    run = Bench(ScriptedModel(ELSEWHERE, DONE), tmp_path, target=Cinema(), step_mode="action")
    run.on_event = lambda event: (
        run.session.approve(event.id) if isinstance(event, say.ApprovalAsked) else None
    )
    run.run()
    (path,) = tmp_path.glob("*/events.jsonl")
    (intent,) = [record.data for record in read(path) if record.kind == "intent"]
    assert intent["approval"] and [result.outcome for result in run.of(say.Result)] == ["done"]
