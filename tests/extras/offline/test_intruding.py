"""A dialog that comes up by itself while the offline model works: it is put off, and what it may have swallowed is done again."""

from __future__ import annotations

import msgspec
import pytest

from benchmarks.scenes import dictated
from benchmarks.scenes_parts.scene_run import Case, run_case
from desktop_agent.extras.avis.simulation.scene_file import load_scene
from desktop_agent.extras.offline.llm import offline


@pytest.mark.parametrize(
    ("scene", "goal"), [("login", "sign_in"), ("settings", "volume"), ("contacts", "star_lea")]
)
def test_a_dialog_of_another_program_is_put_off(scene: str, goal: str) -> None:
    found = load_scene(scene)
    wanted = next(each for each in found.goals if each.id == goal)
    worded = msgspec.structs.replace(found, goals=(dictated(wanted),))
    run = run_case(worded, Case(scene, goal, fault="dialog", seed=1), offline.create(offline.Options()))
    assert run.solved and not run.held, run.detail
