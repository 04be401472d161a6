"""Scene files: errors say where, the program's own scenes can be worked in every skin, and what is described loads again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop_agent.extras.avis.simulation import skins
from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.scene_file import SceneFile, load_scene, read_scene, scene_names
from desktop_agent.extras.avis.simulation.simulated_desktop import SimulatedDesktop
from desktop_agent.extras.avis.simulation.widget import Widget
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import Move, Wheel
from tests.extras.avis.simulation.worked_desktop import WorkedDesktop, element, window

Json = dict[str, Any]


def scene(*ui: Json, **more: Any) -> Json:
    return {"format": 1, "title": "T", "ui": list(ui), **more}


def with_effect(effect: object, event: str = "click") -> Json:
    return scene(window("main", element("go", "button", on={event: [effect]})))


def with_condition(condition: object) -> Json:
    return scene(window("main"), goals=[{"id": "g", "say": {"en": "Do it"}, "reached": condition}])


def told(what: Json | str) -> str:
    """What is said of a scene that is not valid."""
    with pytest.raises(ConfigError) as caught:
        read_scene(what if isinstance(what, str) else json.dumps(what), "test")
    assert caught.value.advice and "test" in caught.value.message
    return caught.value.message


EFFECTS = "$.ui[0].children[0].attributes.on"
WRONG: dict[str, tuple[Json | str, str]] = {
    "broken JSON": ('{"format": 1,', "line 1 column"),
    "no object": ("[]", "object"),
    "too deep": ("[" * 100_000, ""),
    "nothing in it": ("{}", "format"),
    "format": (scene(window("main")) | {"format": 2}, "$.format: 2"),
    "unknown key": (scene(window("main"), nonsense=1), "nonsense"),
    "screen": (scene(window("main"), screen=[10, 10]), "$.screen: [10, 10]"),
    "id": (scene(window("Main Window")), "$.ui[0].element_id: 'Main Window'"),
    "reserved id": (scene(window("store")), "$.ui[0].element_id: 'store'"),
    "twice": (scene(window("main", element("a", "label"), element("a", "label"))), "$.ui[0].children[1].element_id: 'a' is also that of $.ui[0].children[0]"),
    "type": (scene(window("main", element("a", "knob"))), "$.ui[0].children[0].element_type"),
    "key of an element": (scene({**window("main"), "colour": "red"}), "$.ui[0]"),
    "attribute": (scene(window("main", element("a", "label", colour="red"))), "$.ui[0].children[0].attributes.colour: a label has no such"),
    "event": (with_effect({"show": "main"}, "explode"), f"{EFFECTS}.explode: there is no such event"),
    "rules": (scene(window("main", element("go", "button", on=[]))), f"{EFFECTS}"),
    "no list": (scene(window("main", element("go", "button", on={"click": {}}))), f"{EFFECTS}.click"),
    "keys": (scene(window("main", on={"keys": []})), "$.ui[0].attributes.on.keys"),
    "effect": (with_effect({"explode": "main"}), f"{EFFECTS}.click[0]: this is no effect"),
    "no effect": (with_effect("show"), f"{EFFECTS}.click[0]: this is no effect"),
    "id in an effect": (with_effect({"show": "nobody"}), f"{EFFECTS}.click[0].show: there is no element 'nobody'"),
    "id in a text": (with_effect({"store": "x", "to": "for {nobody}"}), f"{EFFECTS}.click[0].to: there is no element 'nobody'"),
    "id deep in": (with_effect({"if": {"store": "x", "is": 1}, "then": [{"after": 1, "do": [{"hide": "nobody"}]}]}), f"{EFFECTS}.click[0].then[0].do[0].hide"),
    "condition": (with_effect({"if": {"store": "x"}, "then": []}), f"{EFFECTS}.click[0].if: this is no condition"),
    "comparison": (with_condition({"store": "x", "is": 1, "resembles": 2}), "$.goals[0].reached.resembles"),
    "pattern": (with_condition({"store": "x", "matches": "("}), "$.goals[0].reached.matches"),
    "all": (with_condition({"all": {"store": "x", "is": 1}}), "$.goals[0].reached.all"),
    "in all": (with_condition({"all": [{"any": [{"not": 3}]}]}), "$.goals[0].reached.all[0].any[0].not: this is no condition"),
    "id in a condition": (with_condition({"element": "nobody", "is": 1}), "$.goals[0].reached.element: there is no element 'nobody'"),
    "harmless": (scene(window("main"), goals=[{"id": "g", "say": {"en": "x"}, "reached": {"store": "x", "is": 1}, "harmless": {}}]), "$.goals[0].harmless"),
    "English": (scene(window("main"), goals=[{"id": "g", "say": {"de": "Los"}, "reached": {"store": "x", "is": 1}}]), "$.goals[0].say: there is no English"),
    "bounds": (scene(window("main", bounds_relative=[0, 0, 0, 1])), "$.ui[0].bounds_relative: [0.0, 0.0, 0.0, 1.0] is no place"),
    "bounds far off": (scene(window("main", bounds_relative=[7, 0, 1, 1])), "$.ui[0].bounds_relative"),
    "no bounds": (scene({"element_id": "main", "element_type": "window"}), "$.ui[0].bounds_relative: a window needs it"),
    "three bounds": (scene(window("main", bounds_relative=[0, 0, 1])), "$.ui[0].bounds_relative"),
    "window in a window": (scene(window("main", window("inner"))), "$.ui[0].children[0].element_type: a window stands only"),
    "no window": (scene(element("go", "button")), "$.ui[0].element_type: only windows"),
    "children": (scene(window("main", element("go", "button", children=[element("a", "label")]))), "$.ui[0].children[0].children: a button has none"),
    "row actions": (scene(window("main", element("t", "table", row_actions=["x"]))), "$.ui[0].children[0].attributes.row_actions[0]"),
    "effect of a row": (scene(window("main", element("t", "table", row_actions=[{"id": "a", "label": "A", "do": [{"show": "x"}]}]))), "$.ui[0].children[0].attributes.row_actions[0].do[0].show"),
    "where": (scene(window("main", element("t", "table", where={"row": "a"}))), "$.ui[0].children[0].attributes.where"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_with_its_place(name: str) -> None:
    what, place = WRONG[name]
    assert place in told(what)


def test_all_that_is_wrong_is_told_at_once() -> None:
    said = told(scene(window("main", element("a", "label", colour=1), element("a", "label"))))
    assert "attributes.colour" in said and "also that of" in said


def test_a_scene_that_is_not_there_is_told_with_those_there_are() -> None:
    with pytest.raises(ConfigError) as caught:
        load_scene("nonsense")
    assert "login" in caught.value.advice


# ---- the program's own scenes ----


@pytest.fixture(scope="module")
def scenes() -> dict[str, SceneFile]:
    return {name: load_scene(name) for name in scene_names()}


@pytest.mark.parametrize("name", scene_names())
def test_every_scene_of_the_program_loads_with_goals_in_two_languages(
    name: str, scenes: dict[str, SceneFile]
) -> None:
    found = scenes[name]
    assert found.name == name and found.title and found.about and found.goals
    assert all(goal.say.get("en") and goal.say.get("de") for goal in found.goals)
    desktop = SimulatedDesktop(found)
    reached = [goal.id for goal in found.goals if not goal.answer and _holds(goal.reached, desktop)]
    assert not reached, "reached before anything was done"
    harmed = [goal.id for goal in found.goals if goal.harmless and not _holds(goal.harmless, desktop)]
    assert not harmed


def _holds(condition: Json, desktop: SimulatedDesktop) -> bool:
    from desktop_agent.extras.avis.simulation.expressions import holds

    return holds(condition, desktop.names)


def _shows(desktop: SimulatedDesktop, widget: Widget) -> Rect:
    return desktop.layout.shown(widget.id)


def _whole(desktop: SimulatedDesktop, widget: Widget) -> bool:
    """Does the element show, with its middle, where it can be clicked?"""
    place, shown = desktop.layout.places[widget.id], _shows(desktop, widget)
    return not shown.empty and shown.height >= min(place.height, 12) and shown.width >= min(place.width, 12)


def _over(desktop: SimulatedDesktop, box: Widget) -> Point | None:
    """A point at which the wheel turns what is in the box."""
    at = desktop.layout.shown(box.id)
    for y in range(at.y + 4, at.bottom, 12):
        for x in (at.x + 6, at.center.x, at.right - 6):
            piece = desktop.layout.at(Point(x, y))
            inner = desktop.widgets.get(piece.element) if piece is not None else None
            turns = (
                [each for each in inner.ways_up() if desktop.layout.contents.get(each.id)] if inner else []
            )
            if turns[:1] == [box]:
                return Point(x, y)
    return None


def _scrolled_to(desktop: SimulatedDesktop, widget: Widget) -> bool:
    """Turn the wheel over what it stands in, outer boxes first, until it shows."""
    boxes = [each for each in widget.ways_up() if each is not widget and desktop.layout.contents.get(each.id)]
    for box in reversed(boxes):
        if (at := _over(desktop, box)) is None:
            return False
        desktop.emit(Move(at.x, at.y))
        desktop.emit(Wheel(0, 1_000))
        before = -1
        while not _whole(desktop, widget) and box.scroll != before:
            before = box.scroll
            desktop.emit(Wheel(0, -1))
    return _whole(desktop, widget)


@pytest.mark.parametrize("skin", skins.SKINS)
@pytest.mark.parametrize("name", scene_names())
def test_every_element_can_be_reached_in_every_skin(
    name: str, skin: str, scenes: dict[str, SceneFile]
) -> None:
    """Each window in front, every page turned to: nothing lies outside, and what is cut off can be scrolled to."""
    found, look = skins.dressed(scenes[name], skin, 1)
    desktop = SimulatedDesktop(found, look=look)
    lost: set[str] = set()
    for front in list(desktop.windows):
        for each in desktop.windows:
            each.visible = each is front
        desktop.open_window(front)
        desktop.changed()
        frame = desktop.layout.places[front.id]
        assert desktop.screen.intersection(frame) == frame, f"{front.id} is not on the screen"
        for page in (front, *_pages(front)):
            desktop.run(
                [{"page": each.id} for each in reversed(list(page.ways_up())) if each.parent is not None]
            )
            lost |= _lost(desktop, front)
    assert not lost


def test_that_check_scrolls_and_finds_what_lies_outside() -> None:
    long = WorkedDesktop(*(element(f"f{number}", "text_field", f"Field {number}") for number in range(20)))
    assert not _lost(long.desktop, long["main"])
    assert long["main"].scroll > 0
    away = WorkedDesktop(element("go", "button", "Go", bounds_relative=[0.1, 1.5, 0.2, 0.1]))
    assert _lost(away.desktop, away["main"]) == {"go"}


def _pages(front: Widget) -> list[Widget]:
    """The panels that can be turned to: those of tabs, and of siblings of which some are hidden."""
    panels = [each for each in front.all() if each.type == "panel" and each.parent is not None]
    return [
        each
        for each in panels
        if each.parent is not None
        and (
            each.parent.type == "tabs"
            or any(other.type == "panel" and not other.visible for other in each.parent.children)
        )
    ]


def _lost(desktop: SimulatedDesktop, front: Widget) -> set[str]:
    """What of the window in front cannot be reached, or is drawn outside of it."""
    frame = desktop.layout.places[front.id]
    outside = {
        piece.element
        for piece in desktop.layout.pieces
        if piece.element and not piece.shown.empty and frame.intersection(piece.shown) != piece.shown
        and piece.kind not in ("popup", "menu_item", "shortcut", "row", "separator", "shadow")
    }  # fmt: skip
    working = [
        each for each in front.all() if each.in_sight and (each.kind.focusable or each.type == "label")
    ]
    shown = [each for each in working if each.id in desktop.layout.places]
    hidden = {each.id for each in shown if not _whole(desktop, each) and not _scrolled_to(desktop, each)}
    missing = {each.id for each in working if each.kind.focusable and each.id not in desktop.layout.places}
    return outside | hidden | missing


@pytest.mark.parametrize("name", scene_names())
def test_no_text_stays_english_in_german_where_there_is_a_german_one(
    name: str, scenes: dict[str, SceneFile]
) -> None:
    found, look = skins.dressed(scenes[name], "german")
    desktop = SimulatedDesktop(found, look=look)
    english = {}
    for widget in desktop.widgets.values():
        german = widget.get("de")
        if isinstance(german, dict) and german.get("label_text"):
            original = _description(scenes[name], widget.id)
            if original["label_text"] != german["label_text"]:
                english[widget.id] = original["label_text"]
    for front in list(desktop.windows):
        desktop.open_window(front)
        for piece in desktop.layout.pieces:
            assert piece.element not in english or piece.text != english[piece.element], piece
    labelled = [
        each for each in desktop.widgets.values() if _says(each) and not isinstance(each.get("de"), dict)
    ]
    assert not [each.id for each in labelled], "has no German"


def _says(widget: Widget) -> bool:
    """Is its label a word of some language, not a number or a sign?"""
    return any(char.isalpha() for char in widget.label)


def _description(scene_: SceneFile, name: str) -> Json:
    from desktop_agent.extras.avis.simulation.scene_file import described

    found = next(each for _, each in described(scene_.ui) if each.element_id == name)
    return {"label_text": found.label_text}


# ---- describing ----


def _again(desktop: SimulatedDesktop, found: SceneFile) -> SimulatedDesktop:
    raw = {
        "format": 1, "title": found.title, "screen": list(found.screen), "ui": desktop.describe(), "store": desktop.store,
    }  # fmt: skip
    return SimulatedDesktop(read_scene(json.dumps(raw), "again"))


def _seen(desktop: SimulatedDesktop) -> list[ScreenPiece]:
    return [each for each in desktop.pieces() if each.kind not in ("pointer", "tooltip")]


@pytest.mark.parametrize("name", scene_names())
def test_what_is_described_can_be_loaded_again_and_looks_the_same(
    name: str, scenes: dict[str, SceneFile]
) -> None:
    desktop = SimulatedDesktop(scenes[name])
    again = _again(desktop, scenes[name])
    assert _seen(again) == _seen(desktop)
    assert again.describe() == desktop.describe()


def test_what_was_done_is_described_and_goes_on_from_there() -> None:
    desk = WorkedDesktop(
        window("main",
               element("name", "text_field", "Name"), element("keep", "checkbox", "Keep"),
               element("go", "button", "Go", on={"click": [{"store": "kept", "to": "{name}"}, {"open": "ask"}]})),
        window("ask", element("yes", "button", "Yes", on={"click": [{"close": "ask"}]}), element_type="dialog",
               is_visible=False, bounds_relative=[0.3, 0.3, 0.3, 0.3]),
    )  # fmt: skip
    desk.click("name")
    desk.type("Ann")
    desk.click("keep", "label")
    begin = desk.middle("main", "title")
    desk.drag(begin, Point(begin.x + 40, begin.y + 20))
    desk.click("name")
    again = WorkedDesktop(element("unused", "label"))
    again.desktop = _again(desk.desktop, desk.scene)
    assert again["name"].value == "Ann" and again["keep"].checked and again.focus == "name"
    assert again.desktop.layout.places["main"] == desk.desktop.layout.places["main"]
    for each in (desk, again):
        each.press("end")
        each.type("a")
        each.click("go")
        each.click("keep", "label")
    assert again.store == desk.store == {"kept": "Anna"}
    assert again["keep"].checked and again.desktop.modal is again["ask"]
