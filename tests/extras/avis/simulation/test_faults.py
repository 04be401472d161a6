"""Each fault in each dialect under a model that says done whatever happens: nothing false is told as checked."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from benchmarks.scenes_parts.scene_run import Case, SceneSession, run_case
from desktop_agent.extras.avis.simulation.expressions import holds
from desktop_agent.extras.avis.simulation.faults import FAULTS, make_fault
from desktop_agent.extras.avis.simulation.scene_file import SceneFile, SceneGoal, load_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, Move, Text
from tests.extras.avis.simulation.signing_in import DIALECTS, FormStep, Heedless
from tests.extras.avis.simulation.worked_desktop import WorkedDesktop, element

SCREEN_DIALECTS = [name for name in DIALECTS if name != "fenced"]
STAY = (FormStep("User name", "j.winter"), FormStep("Password", "quince-27"), FormStep("Keep me signed in"), FormStep("Sign in"))  # fmt: skip
RENEW = (
    FormStep("User name", "j.winter"),
    FormStep("Password", "quince-27"),
    FormStep("Sign in"),
    FormStep("Renew"),
)


class Ran(msgspec.Struct, frozen=True):
    """A run that has ended, and what its user was told."""

    target: SimulatedTarget
    goal: SceneGoal
    events: list[say.FeedEvent]

    @property
    def reached(self) -> bool:
        return holds(self.goal.reached, self.target.desktop.names)

    @property
    def told_as_done(self) -> list[say.GoalReached]:
        return [each for each in self.events if isinstance(each, say.GoalReached)]

    @property
    def results(self) -> list[say.Result]:
        return [each for each in self.events if isinstance(each, say.Result)]


def ran(folder: Path, fault: str, dialect: str, seed: int = 0, goal: str = "sign_in", model: Heedless | None = None) -> Ran:  # fmt: skip
    scene = load_scene("login")
    target = SimulatedTarget(scene, Options(fault=fault, seed=seed, clock="stepped"))
    wanted = next(each for each in scene.goals if each.id == goal)
    model = model or Heedless(dialect)
    session = SceneSession(target, model, folder, dialect=model.spoken, max_steps=12)
    session.run(wanted.say["en"])
    desktop = target.desktop
    held = (desktop.buttons, desktop.keyboard.held)
    session.close()
    assert held == (set(), frozenset())
    return Ran(target, wanted, session.events)


def honest(run: Ran) -> None:
    """Nothing that the store does not have is told as verified, and the user got a word to go by."""
    for each in run.told_as_done:
        assert run.reached or each.verdict != "verified", each
        assert each.receipts
    asked = [each for each in run.events if isinstance(each, say.Question)]
    errors = [each for each in run.events if isinstance(each, say.Error)]
    assert run.told_as_done or asked or errors
    assert all(len(each.text) > 20 for each in asked) and all(each.message and each.advice for each in errors)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("dialect", SCREEN_DIALECTS)
@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_false_is_told_as_done(tmp_path: Path, fault: str, dialect: str, seed: int) -> None:
    run = ran(tmp_path, fault, dialect, seed)
    assert [each for each in run.results if each.outcome == "done"]
    honest(run)


@pytest.mark.parametrize("dialect", SCREEN_DIALECTS)
def test_without_a_fault_the_same_model_reaches_it(tmp_path: Path, dialect: str) -> None:
    run = ran(tmp_path, "", dialect)
    assert run.reached
    honest(run)


@pytest.mark.parametrize(("goal", "steps"), [("stay", STAY), ("renew", RENEW)])
@pytest.mark.parametrize("fault", FAULTS)
def test_it_holds_for_longer_goals(
    tmp_path: Path, fault: str, goal: str, steps: tuple[FormStep, ...]
) -> None:
    honest(ran(tmp_path, fault, "json", 0, goal, Heedless("json", steps)))


@pytest.mark.parametrize("fault", ["", "lying", "crash"])
def test_the_fenced_dialect_has_no_desktop_and_says_so(tmp_path: Path, fault: str) -> None:
    run = ran(tmp_path, fault, "fenced")
    assert not run.results or all(each.outcome != "done" for each in run.results)
    assert not list(run.target.desktop.log)
    honest(run)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("dialect", SCREEN_DIALECTS)
def test_text_does_not_go_on_into_a_window_that_took_the_keyboard(
    tmp_path: Path, dialect: str, seed: int
) -> None:
    run = ran(tmp_path, "wrong focus", dialect, seed)
    field = run.target.desktop.widgets["fault_chat_reply"]
    assert len(field.value) <= 1  # the character under way when it came
    told = [each.detail for each in run.results if each.outcome != "done"]
    assert any("“Town Library”" in each and "“Chat with Kim”" in each for each in told), told


def test_a_run_that_lied_is_counted_as_false_where_it_was_believed() -> None:
    scene = load_scene("login")
    told = run_case(scene, Case("login", "sign_in", fault="lying"), Heedless("json"))
    assert not told.solved and not told.false_done and not told.held


# ---- the faults themselves ----


def saving(fault: str, seed: int = 0, scene: dict[str, object] | None = None) -> WorkedDesktop:
    return WorkedDesktop(
        element("name", "text_field", "Name"),
        element("save", "button", "Save", on={"click": [{"store": "kept.name", "to": "{name}"}, {"store": "n", "to": {"add": ["{store.n}", 1]}}, {"set": "told", "to": "Saved."}]}),
        element("told", "label", value=""),
        store={"kept": {"name": ""}, "n": 0}, fault=make_fault(fault, seed), **(scene or {}),
    )  # fmt: skip


def test_an_unknown_fault_is_told_with_those_there_are() -> None:
    with pytest.raises(ConfigError) as caught:
        make_fault("nonsense")
    assert "nonsense" in caught.value.message and all(each in caught.value.advice for each in FAULTS)


def test_a_slow_program_does_later_what_it_was_told() -> None:
    desk = saving("slow")
    desk.click("save")
    assert desk.store["n"] == 0 and desk.desktop.waiting
    desk.desktop.pass_time(2.0)
    assert desk.store["n"] == 1 and desk["told"].value == "Saved."


def test_a_lying_program_shows_what_it_did_not_do() -> None:
    desk = saving("lying")
    desk.click("save")
    assert desk.store == {"kept": {"name": ""}, "n": 0} and desk["told"].value == "Saved."
    some = saving("lying", scene={"faults": {"lying": ["kept"]}})
    some.click("save")
    assert some.store == {"kept": {"name": ""}, "n": 1}


def test_a_crash_closes_all_windows_and_shows_a_report() -> None:
    desk = saving("crash")
    for _ in range(4):
        desk.click("save")
    assert desk.desktop.front is desk["fault_crash"] and not desk["main"].visible
    assert desk.store["n"] == 3
    desk.click("fault_crash_close")
    assert desk.desktop.front is None


def test_a_dialog_comes_in_between_and_is_put_off() -> None:
    desk = saving("dialog")
    for _ in range(3):
        desk.click("save")
    assert desk.desktop.modal is desk["fault_dialog"]
    desk.desktop.emit(KeyDown("escape"))
    desk.click("save")
    assert desk["fault_dialog"].visible and desk.store["n"] == 3
    desk.click("fault_dialog_later")
    desk.click("save")
    assert desk.store["n"] == 4


def test_a_chat_takes_the_keyboard_in_the_midst_of_a_text() -> None:
    desk = saving("wrong focus", seed=1)
    desk.click("name")
    desk.type("abcd")
    assert (desk["name"].value, desk["fault_chat_reply"].value) == ("ab", "cd")
    desk.click("name")
    desk.type("efgh")
    assert desk["fault_chat_reply"].value == "cd"


def test_what_moves_does_so_between_two_looks_and_stays_on_the_screen() -> None:
    desk = saving("moving")
    desk.click("save")
    before = desk.desktop.layout.places["main"]
    places = []
    for _ in range(6):
        desk.desktop.look()
        places.append(desk.desktop.layout.places["main"])
    assert places[0] == before != places[1] == places[3] != places[4]
    assert all(desk.desktop.screen.intersection(each) == each for each in places)


def test_what_flickers_is_another_one_at_every_look() -> None:
    desk = saving("flicker")
    notices = []
    for _ in range(4):
        desk.desktop.look()
        notices.append(desk.desktop.pieces()[-2].text)
    assert notices[0] != notices[1] and notices[:2] == notices[2:]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_and_a_seed_give_the_same_again(fault: str) -> None:
    def played(seed: int) -> tuple[list[object], list[object]]:
        target = SimulatedTarget(scene, Options(fault=fault, seed=seed, clock="stepped"))
        hand = target.inline_input()
        frames: list[object] = []
        for at in ((500, 200), (500, 262), (257, 336), (257, 336), (500, 262)):
            for event in (Move(*at), ButtonDown("left"), ButtonUp("left"), Text("ab")):
                hand.emit(event)
            frames.append(target.observe().pixels)
        return frames, list(target.desktop.log)

    scene: SceneFile = load_scene("login")
    assert played(3) == played(3)
