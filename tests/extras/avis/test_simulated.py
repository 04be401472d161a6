"""The simulated desktop as a target: its elements, windows, stacking, time, and the hand's half of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.scenes_parts.scene_run import SceneSession
from desktop_agent.extras.avis.simulation.accessibility import FIRST_PID
from desktop_agent.extras.avis.simulation.faults import make_fault
from desktop_agent.extras.avis.simulation.scene_file import load_scene, read_scene
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget, create
from desktop_agent.hand.in_process import InlineHands
from desktop_agent.hand.ipc.shared_block import WORDS, Reason
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Move, Text
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup.escape_trial import EscapeInRuns
from desktop_agent.support.config import Config
from desktop_agent.targets import display as embedded
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.extras.avis.simulation.worked_desktop import Json, element, window
from tests.support.memory_desk import ScriptedModel


def target_of(
    *windows: Json, clock: str = "stepped", screen: tuple[int, int] = (800, 600)
) -> SimulatedTarget:
    told = {"format": 1, "title": "T", "screen": screen, "ui": list(windows), "store": {}}
    return SimulatedTarget(read_scene(json.dumps(told), "test"), Options(clock=clock))  # type: ignore[arg-type]


def everything() -> SimulatedTarget:
    return target_of(window(
        "main",
        element("bar", "menu_bar", children=[element("file", "menu", "File", children=[element("save", "menu_item", "Save")])]),
        element("head", "label", "Forms", style="heading"), element("oops", "label", style="error", value="Wrong."),
        element("blank", "label", value=""),
        element("name", "text_field", "Name", value="Ann"), element("pin", "text_field", "PIN", value="1234", is_secret=True),
        element("note", "text_area", "Note", lines=2, value="a\nb", is_read_only=True),
        element("nick", "text_field", placeholder="Nickname"),
        element("row1", "panel", layout="row", children=[
            element("go", "button", "Go"), element("off", "button", "Off", is_enabled=False),
            element("keep", "checkbox", "Keep", is_checked=True), element("one", "radio", "One"),
            element("help", "link", "Help"), element("gone", "button", "Gone", is_visible=False)]),
        element("fruit", "drop_down", "Fruit", options=["fig", "nut"], value="nut", de={}, shown_options=["Feige", "Nuss"]),
        element("row2", "panel", layout="row", children=[
            element("size", "slider", "Size", value=4, maximum=9), element("done", "progress", "Done", value=0.5)]),
        element("row3", "panel", layout="row", children=[
            element("many", "list", "Many", options=[f"Item {number}" for number in range(9)], value="Item 1", lines=3),
            element("tree", "tree", "Tree", lines=3, items=[{"id": "a", "label": "A", "items": [{"id": "b", "label": "B"}]}])]),
        element("loans", "table", columns=[{"field": "t", "label": "Title"}], rows=[{"t": "Emma"}], lines=1,
                row_actions=[{"id": "r", "label": "Renew", "do": []}]),
        label="All", application="Forms", bounds_relative=[0, 0, 1, 1],
    ), screen=(800, 1000))  # fmt: skip


def by_name(target: SimulatedTarget) -> dict[tuple[str, str], Element]:
    return {(each.role, each.name): each for each in target.elements()}


def click(target: SimulatedTarget, at: Point) -> None:
    hand = target.inline_input()
    for event in (Move(at.x, at.y), ButtonDown("left"), ButtonUp("left")):
        hand.emit(event)


def press(target: SimulatedTarget, *keys: str) -> None:
    hand = target.inline_input()
    for key in keys:
        hand.emit(KeyDown(key))
        hand.emit(KeyUp(key))


# ---- elements ----


def test_elements_have_roles_names_values_and_states() -> None:
    found = by_name(everything())
    assert ("frame", "All") in found and ("heading", "Forms") in found and ("alert", "Wrong.") in found
    assert found["entry", "Name"].value == "Ann" and "editable" in found["entry", "Name"].states
    assert found["text", "Note"].value == "a\nb"
    assert "editable" not in found["text", "Note"].states and "multiline" in found["text", "Note"].states
    assert ("entry", "Nickname") in found
    assert (
        "enabled" in found["push button", "Go"].states and "enabled" not in found["push button", "Off"].states
    )
    assert (
        "checked" in found["check box", "Keep"].states
        and "checked" not in found["radio button", "One"].states
    )
    assert found["combo box", "Fruit"].value == "Nuss" and "expandable" in found["combo box", "Fruit"].states
    assert found["slider", "Size"].value == "4" and found["progress bar", "Done"].value == "0.50"
    assert found["list", "Many"].value == "Item 1" and "selected" in found["list item", "Item 1"].states
    assert "expandable" in found["tree item", "A"].states and "expanded" not in found["tree item", "A"].states
    assert ("table cell", "Emma") in found and ("table column header", "Title") in found
    assert ("push button", "Renew") in found and ("link", "Help") in found and ("menu", "File") in found
    assert {each.application for each in found.values()} == {"Forms"}
    assert {each.window for each in found.values()} == {"All"} and {each.pid for each in found.values()} == {
        FIRST_PID
    }
    assert all("showing" in each.states for each in found.values())


def test_what_is_hidden_scrolled_away_or_closed_is_no_element() -> None:
    names = {each.name for each in everything().elements()}
    assert not names & {"Gone", "Item 8", "B", "Save"}


def test_a_secret_has_no_value_and_says_so() -> None:
    found = by_name(everything())["password text", "PIN"]
    assert found.value == "" and "password" in found.states
    assert not any("1234" in (each.value, each.name) for each in everything().elements())


def test_ids_stay_with_their_elements_and_bounds_are_what_shows() -> None:
    target = everything()
    before = {each.handle: each.id for each in target.elements()}
    click(target, by_name(target)["push button", "Go"].bounds.center)
    after = {each.handle: each.id for each in target.elements()}
    assert before == after and len(set(before.values())) == len(before)
    screen = target.geometry().bounds
    assert all(screen.intersection(each.bounds) == each.bounds for each in target.elements())
    focused = [each.name for each in target.elements() if "focused" in each.states]
    assert focused == ["Go"]


def test_popups_are_elements_while_they_are_open() -> None:
    target = everything()
    click(target, by_name(target)["menu", "File"].bounds.center)
    found = by_name(target)
    assert ("menu item", "Save") in found and "expanded" in found["menu", "File"].states
    press(target, "escape")
    assert ("menu item", "Save") not in by_name(target)
    click(target, by_name(target)["combo box", "Fruit"].bounds.center)
    found = by_name(target)
    assert "selected" in found["list item", "Nuss"].states and found["list item", "Feige"].whole is None
    click(target, found["list item", "Feige"].bounds.center)
    assert by_name(target)["combo box", "Fruit"].value == "Feige"


def two() -> SimulatedTarget:
    return target_of(
        window("back", element("a", "text_field", "A"), element("b", "button", "B", width=60), bounds_relative=[0, 0, 0.6, 0.5], label="Back", application="One"),
        window("fore", element("c", "button", "C"), bounds_relative=[0.3, 0, 0.5, 0.6], label="Fore", application="Two"),
    )  # fmt: skip


def test_what_a_window_covers_is_told_as_covered() -> None:
    target = two()
    found = by_name(target)
    field = found["entry", "A"]
    assert field.whole is not None and field.bounds.right <= 240 < field.whole.right
    assert found["push button", "B"].whole is None
    press(target)
    target.inline_input().open("back")
    found = by_name(target)
    assert found["entry", "A"].whole is None
    assert ("push button", "C") not in found or found["push button", "C"].whole is not None


# ---- windows ----


def test_windows_stand_front_to_back_with_their_programs() -> None:
    target = two()
    assert [(each.title, each.application) for each in target.windows()] == [("Fore", "Two"), ("Back", "One")]
    pids = [each.pid for each in target.windows()]
    assert len(set(pids)) == 2 and min(pids) >= FIRST_PID
    stack = target.scene()
    assert stack is not None and [each.pid for each in stack.stack] == [*pids, 0]
    hand = target.inline_input()
    both, left, nothing = Point(300, 100), Point(20, 100), Point(790, 590)
    assert hand.owner_at(both) == pids[0] == hand.focus_owner() and hand.owner_at(left) == pids[1]
    assert hand.owner_at(nothing) == 0 != hand.window_at(nothing)
    assert hand.window_at(both) == stack.focus == hand.focus_window() != hand.window_at(left)
    before = hand.window_at(left)
    click(target, left)
    assert hand.focus_window() == before and hand.window_at(both) == before


def test_a_window_is_opened_by_title_or_program_and_nothing_else_is() -> None:
    hand = two().inline_input()
    assert hand.open(" back ") == "opened Back" and hand.open("TWO") == "opened Fore"
    with pytest.raises(Refused) as caught:
        hand.open("xterm; rm -rf /")
    assert caught.value.advice


def test_the_pointer_and_what_is_read_of_the_screen_are_the_targets_own() -> None:
    target = two()
    hand = target.inline_input()
    hand.emit(Move(33, 44))
    assert target.pointer() == hand.pointer() == Point(33, 44)
    area = Rect(10, 10, 30, 20)
    assert hand.pixels(area) == target.observe(area).pixels and len(hand.pixels(area)) == 30 * 20 * 4


# ---- time ----

LATE = {"on": {"click": [{"after": 1.0, "do": [{"set": "told", "to": "there"}]}]}}


def test_it_comes_to_rest_on_its_own_clock() -> None:
    target = target_of(
        window("main", element("go", "button", "Go", **LATE), element("told", "label", value=""))
    )
    assert target.come_to_rest(1.0) is True and not target.busy()
    click(target, by_name(target)["push button", "Go"].bounds.center)
    assert target.busy() and target.come_to_rest(0.3) is False
    assert target.come_to_rest(5.0) is True and not target.busy()
    assert ("label", "there") in by_name(target)
    assert target.inline_input().pass_time(1.0)


def test_on_a_running_clock_only_real_time_passes() -> None:
    target = target_of(
        window("main", element("go", "button", "Go", **LATE), element("told", "label", value="")),
        clock="running",
    )
    click(target, by_name(target)["push button", "Go"].bounds.center)
    assert target.come_to_rest(0.3) is None and target.busy()
    assert not target.inline_input().pass_time(5.0)


def test_it_begins_again_as_the_file_has_it() -> None:
    target = SimulatedTarget(load_scene("login"), Options(clock="stepped"))
    before = target.observe().pixels
    click(target, by_name(target)["entry", "User name"].bounds.center)
    target.inline_input().emit(Text("Ann"))
    target.begin_again()
    assert target.observe().pixels == before and by_name(target)["entry", "User name"].value == ""
    target.begin_again(skin="german", fault="lying")
    assert ("entry", "Benutzername") in by_name(target) and target.options.fault == "lying"


def test_what_cannot_be_is_told() -> None:
    for options in (Options(scene="nonsense"), Options(skin="nonsense"), Options(fault="nonsense")):
        with pytest.raises(ConfigError) as caught:
            create(options)
        assert "nonsense" in f"{caught.value.message}" and caught.value.advice


# ---- the hand ----


def hands(target: SimulatedTarget, stops: list[str]) -> InlineHands:
    made = InlineHands(target.inline_input, on_stop=stops.append, max_rate=1e6)
    made.start()
    return made


def batch(made: InlineHands, target: SimulatedTarget, *operations: ops.Op) -> Batch:
    screen = target.geometry().bounds
    return Batch(
        "b1", operations, Viewport(screen, screen.size, target.geometry().epoch), generation=made.generation
    )


def test_a_text_ends_where_another_window_takes_the_keyboard() -> None:
    target = two()
    target.desktop.fault = make_fault("wrong focus", 1)
    target.desktop.fault.begin(target.desktop)
    made = hands(target, [])
    at = by_name(target)["entry", "A"].bounds.center
    try:
        results = made.execute(batch(made, target, ops.Click(at.x, at.y), ops.Type("abcdefgh"), ops.Wait(1)))
    finally:
        made.close()
    widgets = target.desktop.widgets
    assert (widgets["a"].value, widgets["fault_chat_reply"].value) == ("ab", "c")
    assert [each.outcome for each in results] == ["done", "refused", "skipped"]
    assert "“Back”" in results[1].detail and "“Chat with Kim”" in results[1].detail


def test_what_is_held_is_let_go_at_the_end() -> None:
    target = two()
    made = hands(target, [])
    results = made.execute(batch(made, target, ops.KeyDown("shift"), ops.MouseDown("left", 20, 100)))
    assert [each.outcome for each in results] == ["done", "done"]
    assert not target.desktop.buttons and not target.desktop.keyboard.held
    made.close()


def test_a_simulated_esc_stops_nothing() -> None:
    target, stops = two(), list[str]()
    made = hands(target, stops)
    try:
        results = made.execute(
            batch(made, target, ops.KeyCombo(("escape",)), ops.KeyCombo(("escape",)), ops.Move(5, 6))
        )
        press(target, "escape")
        again = made.execute(batch(made, target, ops.Move(7, 8)))
    finally:
        made.close()
    assert {each.outcome for each in (*results, *again)} == {"done"}
    assert not made.stopped and not stops and target.pointer() == Point(7, 8)


# ---- a real Esc ----


@pytest.fixture
def here(display: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desktop of the user's own beside the simulated one."""
    for name, value in display.environment.items():
        monkeypatch.setenv(name, value)
    yield display


@pytest.mark.linux("works on an embedded display")
def test_a_real_esc_in_any_program_stops_a_run_on_a_simulated_desktop(here: Desk, tmp_path: Path) -> None:
    target = SimulatedTarget(load_scene("login"), Options(clock="stepped"))
    thinking = threading.Event()

    def wait(stop: StopFlag) -> None:
        if len(model.asked) > 1:
            thinking.set()
            stop.wait(200.0)

    escape = json.dumps({"notes": "Away.", "high_level": ["Sign in"], "step": 1, "actions": [{"op": "key_combo", "keys": ["escape"]}]})  # fmt: skip
    model = ScriptedModel(escape, wait=wait)
    session = SceneSession(target, model, tmp_path)
    runs = EscapeInRuns(session.session, Config())
    session.session.subscribe(runs.hear)
    worker = threading.Thread(target=session.run, args=("Sign in",))
    human = embedded.attach(here.target.address())
    worker.start()
    try:
        assert thinking.wait(200.0)  # the simulated Esc has been pressed and stopped nothing
        assert [each.outcome for each in session.events if isinstance(each, say.Result)] == ["done"]

        def stopped() -> bool:
            human.emit(KeyDown("escape"))
            human.emit(KeyUp("escape"))
            return not worker.is_alive()

        until(stopped, "the end of the run")
    finally:
        session.session.stop("the test ends")
        worker.join(200.0)
        human.close()
        runs.close()
        session.close()
    ends = [each for each in session.events if isinstance(each, say.Status)]
    assert ends[-1].state == "stopped" and ends[-1].detail == WORDS[Reason.ESCAPE]
