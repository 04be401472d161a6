"""Code that is executed on a simulated desktop which an agent's hand works: what grants it, and what ends it."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from desktop_agent.extras.avis.simulation.scene_file import load_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.hand.in_process import InlineHands
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, Move, Text
from desktop_agent.support.config import Config, SimulationSettings
from tests.desk import until
from tests.extras.avis.virtual_uis import boxed

GRANTED = SimulationSettings(can_execute_code=True)


def lab(simulation: SimulationSettings) -> SimulatedTarget:
    target = SimulatedTarget(load_scene("code_lab"), Options(clock="stepped"))
    target.grant(simulation)
    return target


def click(target: SimulatedTarget, element: str) -> None:
    at = target.desktop.layout.shown(element).center
    hand = target.inline_input()
    for event in (Move(at.x, at.y), ButtonDown("left"), ButtonUp("left")):
        hand.emit(event)


def run(target: SimulatedTarget, code: str) -> str:
    click(target, "code_editor")
    target.inline_input().emit(Text(code))
    click(target, "run_code_button")
    return str(target.desktop.widgets["code_output_display"].value)


@boxed
def test_granted_code_is_executed_by_raw_events() -> None:
    assert run(lab(GRANTED), "print(6 * 7)").endswith("stdout:\n42")


def test_without_a_grant_the_screen_says_why_nothing_is_executed() -> None:
    target = lab(Config().simulation)
    assert "can_execute_code" in run(target, "print(6 * 7)")
    shown = target.desktop.widgets
    assert shown["ai_permissions_display"].value.startswith("can_execute_code: not granted")
    assert shown["sim_hw_status_display"].value.startswith("There is a hardware status")


def box_runs() -> bool:
    """Has this process a box under way?"""
    for children in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with suppress(OSError):
            for pid in children.read_text().split():
                if Path(f"/proc/{pid}/comm").read_text() == "bwrap\n":
                    return True
    return False


@boxed
def test_a_stop_ends_the_script_that_a_hand_has_begun() -> None:
    target = lab(GRANTED)
    click(target, "code_editor")
    target.inline_input().emit(Text("while True: pass"))
    hands = InlineHands(target.inline_input)
    hands.start()
    hands.reset()
    geometry = target.geometry()
    view = Viewport(geometry.bounds, geometry.bounds.size, geometry.epoch)
    at = target.desktop.layout.shown("run_code_button").center
    batch = Batch("1", (ops.Click(at.x, at.y),), view, generation=hands.generation)
    results: list[OpResult] = []
    worker = threading.Thread(target=lambda: results.extend(hands.execute(batch)))
    worker.start()
    try:
        until(box_runs, "a box under way")
    finally:
        hands.stop("Esc")
        worker.join()
        hands.close()
    assert [each.outcome for each in results] == ["stopped"]
    attempt = [each for each in target.desktop.log if each.action == "execute_code"][-1]
    assert (attempt.outcome, attempt.outcome_message) == ("failed", "It was stopped.")
    assert not target.desktop.buttons and not box_runs()


@boxed
def test_a_scene_that_begins_again_keeps_what_was_granted() -> None:
    target = lab(GRANTED)
    target.begin_again()
    assert target.desktop.widgets["ai_permissions_display"].value.startswith("can_execute_code: granted")
    assert run(target, "print(6 * 7)").endswith("stdout:\n42")
