"""The map of a desktop: what it keeps of each look, what led where, and how it finds back."""

from __future__ import annotations

from typing import Any

from desktop_agent.agent.context.map_maker import LINE, MOST_CONTROLS, MOST_PLACES, MapMaker, map_lines
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.mapping.map_records import PlaceName
from desktop_agent.vision.observation import Element, Observation
from tests.extras.offline.things import element, look

MAIN, GENERAL, NETWORK = (
    PlaceName("prefs", "Main"),
    PlaceName("prefs", "Settings", page="General"),
    PlaceName("prefs", "Settings", page="Network"),
)


def thing(role: str, name: str, window: str, *states: str, **more: Any) -> Element:
    return element(
        role, name, window=window, states=states, application="prefs", id=f"{window}-{role}-{name}", **more
    )


def main() -> Observation:
    return look(
        thing("frame", "Main", "Main", at=(100, 50, 400, 300)),
        thing("push button", "Settings", "Main", at=(110, 70, 80, 20)),
        thing("push button", "Delete", "Main"),
        window="Main",
    )


def settings(page: str, *more: Element) -> Observation:
    tabs = [
        thing("page tab", each, "Settings", *(["selected"] * (each == page)))
        for each in ("General", "Network")
    ]
    own = {"General": ("Language",), "Network": ("Proxy", "DNS")}[page]
    fields = [thing("entry", each, "Settings", value="secret7", at=(30, 40, 50, 20)) for each in own]
    return look(*tabs, *fields, *more, window="Settings", windows=("Settings", "Main"))


def pressed(maker: MapMaker, seen: Observation, name: str, *after: Observation) -> None:
    """Look, press what has that name, and look again."""
    maker.look(seen)
    target = next(each for each in seen.elements if each.name == name and each.role != "frame")
    maker.act([Deed(1, ops.ClickElement(target.id), "", "done")], seen)
    for each in after:
        maker.look(each)


def visited() -> MapMaker:
    """Main, its settings, the network page, and back in Main with the settings closed."""
    maker = MapMaker()
    pressed(maker, main(), "Settings", main(), settings("General"))
    pressed(maker, settings("General"), "Network", settings("Network"))
    maker.look(main())
    return maker


def test_what_opened_what_is_learnt_even_when_it_comes_late() -> None:
    known = visited().map
    assert {(p.place, p.control, p.to) for p in known.passages.values()} == {
        (MAIN, ("push button", "Settings"), GENERAL),
        (GENERAL, ("page tab", "Network"), NETWORK),
    }
    assert known.here == MAIN and known.in_view == {MAIN}


def test_the_way_is_the_shortest_and_none_is_made_up() -> None:
    known = visited().map
    way = known.way(MAIN, NETWORK)
    assert way is not None and [each.control[1] for each in way] == ["Settings", "Network"]
    assert known.way(MAIN, MAIN) == ()
    assert known.way(NETWORK, MAIN, lambda passage: passage.way == "press") is None
    back = known.way(NETWORK, GENERAL)
    assert (
        back is not None
        and [each.control for each in back] == [("page tab", "General")]
        and back[0].step == 0
    )
    assert known.way(MAIN, NETWORK, lambda passage: passage.control[1] != "Settings") is None


def test_where_a_thing_was_is_told_relative_to_its_window_and_only_while_it_is_out_of_view() -> None:
    maker = visited()
    found = maker.map.where("proxy")
    assert found is not None and found[0].name == NETWORK and found[1].where == Rect(30, 40, 50, 20)
    assert maker.map.places[MAIN].shown["push button", "Settings"].where == Rect(10, 20, 80, 20)
    assert maker.map.where("Delete") is None
    maker.look(settings("Network"))
    assert maker.map.where("proxy") is None


def test_a_window_that_is_open_still_is_brought_to_the_front() -> None:
    maker = MapMaker()
    maker.look(look(thing("entry", "Notes", "Notes"), window="Notes", windows=("Notes", "Main")))
    behind = look(*main().elements, window="Main", windows=("Main", "Notes"))
    maker.look(behind)
    way = maker.map.way(MAIN, PlaceName("prefs", "Notes"))
    assert way is not None and [(each.way, each.control[1]) for each in way] == [("raise", "Notes")]


def test_entries_are_found_through_the_menus_and_branches_they_are_in() -> None:
    maker = MapMaker()
    menu = thing("menu", "View", "Main")
    closed = look(menu, window="Main")
    below = thing("menu", "Zoom", "", parent=menu.id)
    entry = thing("menu item", "200 %", "", parent=below.id)
    maker.look(closed)
    maker.look(look(menu, below, entry, window="Main"))
    maker.look(closed)
    way = maker.map.way_to(maker.map.here or MAIN, ("menu item", "200 %"))
    assert way is not None and [each.control[1] for each in way] == ["View", "Zoom"]
    assert [each.name for each in maker.map.places[MAIN].children(("menu", "View"))] == ["Zoom"]


def test_a_page_that_is_no_place_of_its_own_is_found_by_what_was_pressed_or_chosen() -> None:
    def sidebar(chosen: str, name: str) -> Observation:
        items = [
            thing("list item", each, "Main", *(["selected"] * (each == chosen)))
            for each in ("Sound", "Mouse")
        ]
        return look(*items, thing("slider", name, "Main"), window="Main")

    maker = MapMaker()
    pressed(maker, sidebar("Sound", "Volume"), "Mouse", sidebar("Mouse", "Speed"))
    to_first = maker.map.way_to(MAIN, ("slider", "Volume"))
    assert to_first is not None and [each.control[1] for each in to_first] == ["Sound"]
    pressed(maker, sidebar("Mouse", "Speed"), "Sound", sidebar("Sound", "Volume"))
    to_other = maker.map.way_to(MAIN, ("slider", "Speed"))
    assert to_other is not None and [each.control[1] for each in to_other] == ["Mouse"]


def test_what_closed_a_window_and_what_leads_back_is_told_apart() -> None:
    maker = visited()
    maker.look(settings("Network", thing("push button", "OK", "Settings")))
    pressed(maker, settings("Network", thing("push button", "OK", "Settings")), "OK", main())
    (closing,) = [p for p in maker.map.passages.values() if p.control[1] == "OK"]
    assert closing.closes and maker.map.places[NETWORK].closed_by == ("push button", "OK")
    pressed(maker, settings("Network"), "General", settings("General"))
    back = maker.map.passages[NETWORK, ("page tab", "General")]
    assert maker.map.is_back(back) and not maker.map.is_back(
        maker.map.passages[GENERAL, ("page tab", "Network")]
    )


def test_a_button_pressed_after_something_was_entered_may_have_sent_it() -> None:
    maker = MapMaker()
    form = look(thing("entry", "Name", "Main"), thing("push button", "Go", "Main"), window="Main")
    other = look(thing("label", "Thanks", "Main"), thing("heading", "Thanks", "Main"), window="Main")
    maker.look(form)
    maker.act([Deed(1, ops.Type("Ada"), "", "done")], form)
    pressed(maker, form, "Go", other)
    assert [each.clean for each in maker.map.passages.values()] == [False]


def test_what_changed_is_kept_and_a_password_is_not() -> None:
    maker = MapMaker()

    def seen(value: str) -> Observation:
        secret = thing("entry", "Key", "Main", "password", value="hunter2")
        return look(thing("entry", "Name", "Main", value=value), secret, window="Main")

    for value in ("a", "a", "b"):
        maker.look(seen(value))
    place = maker.map.places[MAIN]
    assert place.shown["entry", "Name"].changed == 3 and place.shown["entry", "Name"].value == "b"
    assert place.shown["entry", "Key"].value == "" and place.shown["entry", "Key"].changed == 0


def test_a_click_at_a_point_is_known_by_what_is_there_and_looks_at_parts_tell_nothing() -> None:
    maker = MapMaker()
    seen = main()
    maker.look(seen)
    at = Point(120, 75)
    maker.act([Deed(1, ops.Click(at.x, at.y), "", "done")], seen)
    maker.look(settings("General"))
    assert list(maker.map.passages) == [(MAIN, ("push button", "Settings"))]
    part = main()
    part = look(*part.elements[:1], window="Main")
    before = maker.map
    maker.look(
        Observation(
            type(part.frame)(b"", Rect(0, 0, 10, 10), 1, 0.0), part.viewport, part.elements, window="Main"
        )
    )
    assert maker.map is before


def test_it_is_bounded() -> None:
    maker = MapMaker()
    for number in range(MOST_PLACES + 10):
        buttons = [thing("push button", f"{number}-{each}", "Main") for each in range(MOST_CONTROLS + 20)]
        maker.look(look(thing("heading", f"Page {number}", "Main"), *buttons, window="Main"))
    assert len(maker.map.places) == MOST_PLACES and maker.map.here in maker.map.places
    for number in range(5):
        maker.look(
            look(*[thing("push button", f"x{number}-{each}", "Main") for each in range(100)], window="Main")
        )
    place = maker.map.places[MAIN]
    assert len(place.shown) == 100 and len(place.gone) == MOST_CONTROLS


def test_the_next_goal_keeps_what_is_open_or_can_be_opened_again() -> None:
    maker = visited()
    maker.look(look(thing("entry", "Draft", "Mail"), window="Mail", windows=("Mail", "Main")))
    maker.begin()
    maker.look(main())
    assert set(maker.map.places) == {MAIN, GENERAL, NETWORK}


def test_the_short_form_names_what_is_not_in_view_within_its_bounds() -> None:
    maker = visited()
    assert map_lines(maker.map).splitlines() == [
        "Settings ▸ Network (opened by “Network” in Settings ▸ General): Proxy, DNS, General, Network",
        "Settings ▸ General (opened by “Settings” in Main): Language, General, Network",
    ]
    assert "secret7" not in map_lines(maker.map) and len(map_lines(maker.map, 1).splitlines()) == 1
    maker.look(look(*[thing("push button", f"Button number {n}", "Many") for n in range(50)], window="Many"))
    maker.look(main())
    assert all(len(each) <= LINE for each in map_lines(maker.map).splitlines())
    assert map_lines(maker.map).splitlines()[0].endswith(" …")
