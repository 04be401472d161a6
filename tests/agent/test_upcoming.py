"""Whoever shows hints is told where the next operation acts, before it does; the log is not."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from desktop_agent.protocol.agent_events import Action, Upcoming
from desktop_agent.protocol.geometry import Rect
from tests.support.memory_desk import SAVE, Bench, ScriptedModel

NAME = msgspec.structs.replace(SAVE, id="e2", role="entry", name="Name", bounds=Rect(300, 100, 100, 20))
PASSWORD = msgspec.structs.replace(
    NAME, id="e3", name="Password", states=frozenset({"password", "focused"}), bounds=Rect(300, 200, 100, 20)
)
DONE = {"op": "done", "summary": "done"}


def bench(folder: Path, *actions: dict[str, object], lead: float | None = 0.0) -> Bench:
    replies = (
        json.dumps({"notes": "", "high_level": ["Go on"], "step": 1, "actions": list(each)})
        for each in (actions, [DONE])
    )
    found = Bench(ScriptedModel(*replies), folder, permission="full", hint_lead=lead)
    found.target.things = (SAVE, NAME, PASSWORD)
    return found


def test_each_place_is_told_of_before_it_is_acted_on(tmp_path: Path) -> None:
    desk = bench(
        tmp_path,
        {"op": "click_element", "element": "e1"},
        {"op": "type", "text": "Ada", "element": "e2"},
        {"op": "drag_element", "element": "e1", "to": "e2"},
    )
    desk.run()
    told = [each for each in desk.events if isinstance(each, Upcoming | Action)]
    assert [each.op for each in told] == [
        op for op in ("click_element", "type", "drag_element") for _ in range(2)
    ]
    assert [type(each) for each in told] == [Upcoming, Action] * 3
    click, typing, drag = desk.of(Upcoming)
    assert (click.at, click.words) == (SAVE.bounds.center, "Clicking “Save”")
    assert (typing.at, typing.words) == (NAME.bounds.center, "Typing “Ada” into “Name”")
    assert (drag.at, drag.to) == (SAVE.bounds.center, NAME.bounds.center)
    assert "upcoming" not in next(tmp_path.rglob("events.jsonl")).read_text("utf-8")


def test_what_goes_into_a_password_field_is_not_told(tmp_path: Path) -> None:
    """Named, or the field with the keyboard."""
    desk = bench(
        tmp_path, {"op": "type", "text": "hunter2", "element": "e3"}, {"op": "type", "text": "hunter3"}
    )
    desk.run()
    assert {each.words for each in desk.of(Upcoming)} == {"Typing a password"}
    assert {each.at for each in desk.of(Upcoming)} == {PASSWORD.bounds.center}


def test_nobody_is_told_where_nobody_shows_hints(tmp_path: Path) -> None:
    desk = bench(tmp_path, {"op": "click_element", "element": "e1"}, lead=None)
    desk.run()
    assert desk.of(Action) and not desk.of(Upcoming)
