"""Skins change how a scene looks and what it says, never what comes of working it; and all of it is the same again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from desktop_agent.extras.avis.simulation.expressions import holds
from desktop_agent.extras.avis.simulation.faults import FAULTS
from desktop_agent.extras.avis.simulation.scene_file import load_scene, scene_names
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.extras.avis.simulation.skins import SKINS, dressed
from desktop_agent.extras.avis.targets.simulated import Options, SimulatedTarget
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)

LOGIN = load_scene("login")


class ByName:
    """Works a desktop by the ids of its elements, wherever a skin has put them."""

    def __init__(self, skin: str, seed: int = 0) -> None:
        scene, look = dressed(LOGIN, skin, seed)
        self.desktop = SimulatedDesktop(scene, look=look)

    def click(self, name: str, kind: str = "", index: int = 0) -> None:
        found = [
            each for each in self.desktop.layout.pieces if each.element == name and kind in ("", each.kind)
        ]
        at = found[index].shown.center
        for event in (Move(at.x, at.y), ButtonDown("left"), ButtonUp("left")):
            self.desktop.emit(event)

    def fill(self, name: str, text: str) -> None:
        self.click(name)
        self.desktop.emit(Text(text))


def sign_in(hand: ByName) -> None:
    hand.fill("user", "j.winter")
    hand.fill("password", "quince-27")
    hand.click("go")


def stay(hand: ByName) -> None:
    hand.click("keep", "check")
    sign_in(hand)


def renew(hand: ByName) -> None:
    sign_in(hand)
    hand.click("loans", "row_action", 1)


WAYS: dict[str, Callable[[ByName], None]] = {"sign_in": sign_in, "stay": stay, "renew": renew}


@pytest.mark.parametrize("goal", [each.id for each in LOGIN.goals])
def test_what_is_done_leaves_the_same_store_in_all_skins(goal: str) -> None:
    stores = []
    for skin in SKINS:
        hand = ByName(skin, 3)
        WAYS[goal](hand)
        stores.append(hand.desktop.store)
        wanted = next(each for each in LOGIN.goals if each.id == goal)
        assert holds(wanted.reached, hand.desktop.names), skin
        assert wanted.harmless is None or holds(wanted.harmless, hand.desktop.names), skin
    assert all(each == stores[0] for each in stores)


@pytest.mark.parametrize("name", scene_names())
def test_no_skin_changes_the_world_behind_the_screen(name: str) -> None:
    scene = load_scene(name)
    ids = sorted(SimulatedDesktop(scene).widgets)
    rules = {each.id: each.get("on") for each in SimulatedDesktop(scene).widgets.values()}
    for skin in SKINS:
        other, _ = dressed(scene, skin, 5)
        widgets = SimulatedDesktop(other).widgets
        assert (other.store, other.goals) == (scene.store, scene.goals) and sorted(widgets) == ids
        assert {each.id: each.get("on") for each in widgets.values()} == rules


def test_the_skins_look_different() -> None:
    pictures = {
        SimulatedTarget(LOGIN, Options(skin=skin, seed=3, clock="stepped")).observe().pixels for skin in SKINS
    }
    assert len(pictures) == len(SKINS)


def _order(seed: int, name: str = "shop") -> list[tuple[str, list[str]]]:
    scene, _ = dressed(load_scene(name), "reordered", seed)
    widgets = SimulatedDesktop(scene).widgets.values()
    return [(each.id, [child.id for child in each.children]) for each in widgets if each.children]


def test_the_order_is_the_seeds() -> None:
    assert _order(1) == _order(1)
    assert len({str(_order(seed)) for seed in range(5)}) > 1


def test_what_keeps_its_place_is_not_moved() -> None:
    before = [each.id for each in SimulatedDesktop(LOGIN).widgets["sign_in"].children]
    for seed in range(5):
        scene, _ = dressed(LOGIN, "reordered", seed)
        after = [each.id for each in SimulatedDesktop(scene).widgets["sign_in"].children]
        assert sorted(after) == sorted(before)
        assert after.index("title") == before.index("title") and after.index("wrong") == before.index("wrong")


def test_an_unknown_skin_is_told_with_those_there_are() -> None:
    with pytest.raises(ConfigError) as caught:
        dressed(LOGIN, "nonsense")
    assert all(each in caught.value.advice for each in SKINS)


# ---- the same again ----

EVENTS: list[InputEvent | None] = [
    Move(512, 200), ButtonDown("left"), ButtonUp("left"), Text("j.winter"), None, KeyDown("tab"), KeyUp("tab"),
    Text("quince"), None, Move(257, 336), ButtonDown("left"), None, ButtonUp("left"), None, Wheel(0, -2),
    Move(400, 110), ButtonDown("left"), Move(440, 150), Move(460, 170), None, ButtonUp("left"), None,
    Move(300, 360), ButtonDown("left"), ButtonUp("left"), None, None, KeyDown("escape"), KeyUp("escape"), None,
]  # fmt: skip
"""None is a look."""


def _played(skin: str, fault: str, seed: int) -> tuple[list[Any], list[Any], Any]:
    target = SimulatedTarget(LOGIN, Options(skin=skin, fault=fault, seed=seed, clock="stepped"))
    hand = target.inline_input()
    frames = []
    for event in EVENTS:
        if event is None:
            frames.append(target.observe().pixels)
        else:
            hand.emit(event)
    return frames, list(target.desktop.log), target.desktop.store


@pytest.mark.parametrize("fault", ["", *FAULTS])
def test_the_same_events_give_the_same_pixels_and_log(fault: str) -> None:
    first, again = _played("light", fault, 4), _played("light", fault, 4)
    assert first == again
    assert len(set(first[0])) > 3


def test_the_same_events_give_the_same_in_another_skin() -> None:
    assert _played("reordered", "moving", 2) == _played("reordered", "moving", 2)


def test_what_is_drawn_step_by_step_is_what_is_drawn_at_once() -> None:
    target = SimulatedTarget(LOGIN, Options(clock="stepped"))
    hand = target.inline_input()
    whole = Rect(0, 0, *LOGIN.screen)
    for event in EVENTS:
        if event is None:
            target.screen.pixels(whole)
        else:
            hand.emit(event)
    grown = target.screen.pixels(whole), target.screen.pixels_with_pointer(whole)
    target.screen.show(target.desktop)
    assert grown == (target.screen.pixels(whole), target.screen.pixels_with_pointer(whole))


def test_the_pointer_is_drawn_for_people_alone() -> None:
    target = SimulatedTarget(LOGIN, Options(clock="stepped"))
    hand, screen = target.inline_input(), target.screen
    hand.emit(Move(20, 20))
    there = Rect(490, 690, 60, 30)
    empty = hand.pixels(there)
    seen, _ = screen.changes(0)
    hand.emit(Move(500, 700))
    seen, areas = screen.changes(seen)
    assert any(each.contains(Point(501, 701)) for each in areas)
    assert any(each.contains(Point(21, 21)) for each in areas)
    assert hand.pixels(there) == empty == target.observe(there).pixels
    assert screen.pixels_with_pointer(there) != empty
    assert screen.pixels_with_pointer(Rect(0, 0, 60, 60)) == screen.pixels(Rect(0, 0, 60, 60))
