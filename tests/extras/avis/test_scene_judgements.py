"""Policy, scope and evidence on scenes: what is asked when a simulated desktop is judged like a real one, and what counts as done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.scenes_parts.scene_run import SceneSession
from desktop_agent.extras.avis.simulation.scene_file import load_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Point
from tests.support.memory_desk import ScriptedModel


def target(scene: str, *, fault: str = "", as_real: bool = False) -> SimulatedTarget:
    return SimulatedTarget(
        load_scene(scene), Options(scene=scene, fault=fault, clock="stepped", as_real=as_real)
    )


def middle(of: SimulatedTarget, element: str) -> Point:
    return of.desktop.layout.shown(element).center


def turn(*actions: dict[str, Any]) -> str:
    return json.dumps({"high_level": ["Do it"], "actions": list(actions), "notes": ""})


def click(at: Point) -> dict[str, Any]:
    return {"op": "click", "x": at.x, "y": at.y}


def worked(folder: Path, on: SimulatedTarget, words: str, *texts: str, proves: bool = False) -> SceneSession:
    session = SceneSession(on, ScriptedModel(*texts, proves_done=proves), folder, max_steps=8)
    session.run(words)
    session.close()
    return session


def asked(session: SceneSession) -> list[say.ApprovalAsked]:
    return [each for each in session.events if isinstance(each, say.ApprovalAsked)]


def test_nothing_is_asked_where_nothing_real_can_be_reached(tmp_path: Path) -> None:
    on = target("login")
    session = worked(
        tmp_path, on, "tick the box", turn(click(middle(on, "keep"))), turn({"op": "done", "summary": ""})
    )
    assert not asked(session) and on.desktop.widgets["keep"].checked


def test_judged_like_a_real_desktop_another_program_than_the_goals_is_asked_about(tmp_path: Path) -> None:
    on = target("login", as_real=True)
    words = "Open https://example.org and read it to me"
    session = worked(tmp_path, on, words, turn(click(middle(on, "keep"))))
    assert asked(session) and asked(session)[0].window == "Town Library"
    assert not on.desktop.widgets["keep"].checked, "it was done before the answer"


def test_judged_like_a_real_desktop_a_deletion_that_was_not_asked_for_needs_a_yes(tmp_path: Path) -> None:
    on = target("contacts", as_real=True)
    rows = [each for each in on.desktop.layout.pieces if each.kind == "row" and each.element == "list"]
    table = rows or [
        each for each in on.desktop.layout.pieces if each.kind == "row" and each.style == "table"
    ]
    button = next(
        each for each in on.desktop.layout.pieces if each.kind == "button" and each.text.startswith("Delete")
    )
    session = worked(
        tmp_path,
        on,
        "Look in the address book for the phone number of Dr. Aziz",
        turn(click(table[0].rect.center)),
        turn(click(button.rect.center)),
        turn({"op": "done", "summary": "looked"}),
    )
    before = len(load_scene("contacts").store["contacts"])
    assert len(on.desktop.store["contacts"]) == before
    assert asked(session), "it may delete without a question"


@pytest.mark.parametrize("proves", [False, True])
def test_a_program_that_lies_is_no_evidence_for_a_done(tmp_path: Path, proves: bool) -> None:
    on = target("login", fault="lying")
    user, password, button = middle(on, "user"), middle(on, "password"), middle(on, "go")
    session = worked(
        tmp_path,
        on,
        "Sign in as j.winter with the password quince-27",
        turn(click(user), {"op": "type", "text": "j.winter"}),
        turn(click(password), {"op": "type", "text": "quince-27"}),
        turn(click(button)),
        turn({"op": "done", "summary": "You are signed in."}),
        proves=proves,
    )
    assert on.desktop.store["session"]["user"] == ""
    done = [each for each in session.events if isinstance(each, say.GoalReached)]
    assert all(each.verdict != "verified" for each in done)
    questions = [each for each in session.events if isinstance(each, say.Question)]
    assert done or questions, "the user is told nothing"
