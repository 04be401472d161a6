"""What pointer and keyboard do to the elements of a simulated desktop, by raw events alone."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.input_events import ButtonDown, ButtonUp, KeyDown, KeyUp, Text
from tests.extras.avis.simulation.worked_desktop import WorkedDesktop, element, window

COUNT = {"store": "n", "to": {"add": ["{store.n}", 1]}}


def counting(name: str, kind: str = "button", **more: Any) -> dict[str, Any]:
    """An element that counts its clicks."""
    return element(name, kind, more.pop("label", name.title()), on={"click": [COUNT]}, **more)


# ---- buttons, links, labels ----


@pytest.mark.parametrize("kind", ["button", "link", "label"])
def test_a_click_applies_the_rule_and_is_logged(kind: str) -> None:
    desk = WorkedDesktop(counting("go", kind), store={"n": 0})
    desk.click("go")
    assert desk.store == {"n": 1}
    assert (desk.last.action, desk.last.element_id, desk.last.outcome) == ("click", "go", "done")


def test_a_button_that_is_left_before_it_is_let_go_does_nothing() -> None:
    desk = WorkedDesktop(counting("go"), element("other", "label", "Other"), store={"n": 0})
    desk.drag(desk.middle("go"), desk.middle("other"))
    assert desk.store == {"n": 0}


def test_the_other_buttons_of_the_mouse_give_the_focus_and_press_nothing() -> None:
    desk = WorkedDesktop(counting("go"), store={"n": 0})
    desk.move(desk.middle("go"))
    desk.desktop.emit(ButtonDown("right"))
    desk.desktop.emit(ButtonUp("right"))
    assert desk.store == {"n": 0} and desk.focus == "go"


def test_keys_press_the_button_that_has_the_focus() -> None:
    desk = WorkedDesktop(counting("go"), store={"n": 0})
    desk.press("tab", "enter", "space")
    desk.type(" ")
    assert desk.store == {"n": 3}


def test_a_link_turns_to_the_page_it_names() -> None:
    desk = WorkedDesktop(
        element("one", "panel", children=[element("to", "link", "Orders", href="#two")]),
        element("two", "panel", is_visible=False, children=[element("there", "label", "Orders")]),
    )
    desk.click("to")
    assert not desk.pieces("to") and desk.pieces("there")


def test_what_is_disabled_refuses_and_says_why() -> None:
    desk = WorkedDesktop(counting("go", is_enabled=False), element("box", "panel", is_enabled=False, children=[
        element("name", "text_field")]), store={"n": 0})  # fmt: skip
    desk.click("go")
    assert (desk.last.outcome, desk.last.outcome_message) == ("refused", "it is disabled")
    desk.click("name")
    desk.type("x")
    assert desk.store == {"n": 0} and desk["name"].value == "" and desk.focus == ""
    desk.press("tab")
    assert desk.focus == ""


def test_what_is_hidden_cannot_be_clicked_nor_reached_by_keys() -> None:
    desk = WorkedDesktop(
        counting("go", is_visible=False),
        element("bar", "menu_bar", children=[element("file", "menu", "File", is_visible=False, children=[
            counting("save", "menu_item", shortcut="ctrl+s")])]),
        store={"n": 0},
    )  # fmt: skip
    assert not desk.pieces("go") and not desk.pieces("file")
    desk.press("tab", "enter", "ctrl+s")
    assert desk.store == {"n": 0} and desk.focus == ""


def test_hover_shows_the_tooltip_of_what_is_under_the_pointer() -> None:
    desk = WorkedDesktop(counting("go", tooltip="Sends it"), element("other", "label", "Other"))
    desk.move(desk.middle("go"))
    assert [each.text for each in desk.desktop.layout.pieces if each.kind == "tooltip"] == ["Sends it"]
    assert "hovered" in desk.pieces("go", "button")[0].states
    desk.move(desk.middle("other"))
    assert not [each for each in desk.desktop.layout.pieces if each.kind == "tooltip"]
    assert "hovered" not in desk.pieces("go", "button")[0].states


def test_a_held_button_shows_pressed_until_release() -> None:
    desk = WorkedDesktop(counting("go"), store={"n": 0})
    desk.move(desk.middle("go"))
    desk.desktop.emit(ButtonDown("left"))
    desk.desktop.emit(KeyDown("shift"))
    assert "pressed" in desk.pieces("go", "button")[0].states
    desk.desktop.release()
    assert "pressed" not in desk.pieces("go", "button")[0].states
    assert not desk.desktop.buttons and not desk.desktop.keyboard.held
    desk.desktop.emit(ButtonUp("left"))
    assert desk.store == {"n": 0}


# ---- boxes, radios, lists ----


@pytest.mark.parametrize("by", ["click", "space"])
def test_a_box_is_ticked_and_unticked(by: str) -> None:
    desk = WorkedDesktop(
        element("box", "checkbox", "Keep", on={"change": [{"store": "kept", "to": "{box.is_checked}"}]})
    )
    for kept in (True, False):
        if by == "click":
            desk.click("box", "label")
        else:
            desk.press("tab", "space")
        assert desk["box"].checked is kept and desk.store == {"kept": kept}


def radios() -> WorkedDesktop:
    rings = [("a", "one", {}), ("b", "one", {}), ("c", "two", {"is_checked": True}), ("d", "one", {})]
    return WorkedDesktop(
        *(element(name, "radio", name, group=group, on={"change": [{"store": "picked", "to": name}]}, **more)
          for name, group, more in rings)
    )  # fmt: skip


def test_of_radios_one_in_a_group_is_chosen() -> None:
    desk = radios()
    desk.click("a")
    desk.click("b")
    assert [each for each in "abcd" if desk[each].checked] == ["b", "c"] and desk.store == {"picked": "b"}


def test_keys_go_round_the_radios_of_the_group() -> None:
    desk = radios()
    desk.click("a")
    desk.press("down", "down")
    assert desk.focus == "d" and [each for each in "abcd" if desk[each].checked] == ["c", "d"]
    desk.press("down")
    assert desk.focus == "a"
    desk.press("up")
    assert desk.focus == "d"


OPTIONS = ["Apple", "Banana", "Blackberry", "Cherry", "Date", "Elder", "Fig", "Grape"]


def test_a_list_is_chosen_from_with_mouse_keys_and_letters() -> None:
    desk = WorkedDesktop(element("fruit", "list", "Fruit", options=OPTIONS, lines=4, on={
        "change": [{"store": "fruit", "to": "{fruit}"}], "double_click": [{"store": "eaten", "to": "{fruit}"}]}))  # fmt: skip
    desk.click("fruit", "row", "Banana")
    assert desk.store == {"fruit": "Banana"}
    desk.press("down")
    assert desk["fruit"].value == "Blackberry"
    desk.press("end", "up", "page_up", "home")
    assert desk["fruit"].value == "Apple"
    desk.type("b")
    assert desk["fruit"].value == "Banana"
    desk.type("b")
    assert desk["fruit"].value == "Blackberry"
    desk.press("enter")
    assert desk.store["eaten"] == "Blackberry"
    desk.press("home")
    desk.click("fruit", "row", "Apple", times=2)
    assert desk.store["eaten"] == "Apple"


@pytest.mark.parametrize("kind", ["list", "tree", "table"])
def test_what_keys_choose_is_scrolled_into_view(kind: str) -> None:
    more: Any = {
        "list": {"options": OPTIONS},
        "tree": {"items": [{"id": each, "label": each} for each in OPTIONS]},
        "table": {"columns": [{"field": "n", "label": "N"}], "rows": [{"n": each} for each in OPTIONS]},
    }[kind]
    desk = WorkedDesktop(element("fruit", kind, lines=3, **more))
    shown = "cell" if kind == "table" else "row"
    desk.click("fruit", shown, "Apple")
    assert "Grape" not in desk.texts("fruit", shown)
    desk.press("end")
    last = desk.pieces("fruit", shown, "Grape")
    assert last and last[0].shown == last[0].rect
    desk.press("home")
    first = desk.pieces("fruit", shown, "Apple")
    assert first and first[0].shown == first[0].rect


def test_the_options_of_a_list_may_come_from_the_store() -> None:
    desk = WorkedDesktop(
        element("who", "list", options_from="people", field="name"),
        element("add", "button", "Add", on={"click": [{"append": "people", "item": {"name": "Cy"}}]}),
        store={"people": [{"name": "Ann"}, {"name": "Bob"}]},
    )
    desk.click("add")
    desk.click("who", "row", "Cy")
    assert desk["who"].value == "Cy"


def drop_down() -> WorkedDesktop:
    return WorkedDesktop(element("fruit", "drop_down", "Fruit", options=OPTIONS, value="Apple", on={
        "change": [{"append": "told", "item": "{fruit}"}]}), counting("go"), store={"n": 0, "told": []})  # fmt: skip


def test_a_drop_down_opens_and_closes_with_the_mouse() -> None:
    desk = drop_down()
    desk.click("fruit", "drop_down")
    assert desk.texts("fruit", "row") == OPTIONS
    desk.click("fruit", "row", "Cherry")
    assert desk["fruit"].value == "Cherry" and desk.store["told"] == ["Cherry"]
    assert not desk.pieces("fruit", "popup")
    desk.click("fruit", "drop_down")
    desk.click("main", "title_bar")
    assert not desk.pieces("fruit", "popup")
    assert desk.store["n"] == 0


def test_a_drop_down_is_chosen_from_with_keys_and_letters() -> None:
    desk = drop_down()
    desk.press("tab", "down", "down")
    assert desk["fruit"].value == "Blackberry" and not desk.pieces("fruit", "popup")
    desk.press("space")
    assert desk.pieces("fruit", "popup")
    desk.press("end", "enter")
    assert desk["fruit"].value == "Grape" and not desk.pieces("fruit", "popup")
    desk.type("c")
    assert desk["fruit"].value == "Cherry"
    desk.press("space", "escape")
    assert not desk.pieces("fruit", "popup") and desk["fruit"].value == "Cherry"


def test_a_slider_is_dragged_and_stepped() -> None:
    desk = WorkedDesktop(element("size", "slider", "Size", value=20, minimum=0, maximum=50, step=5, on={
        "change": [{"store": "size", "to": "{size}"}]}))  # fmt: skip
    track = desk.desktop.layout.insides["size"]
    knob = desk.middle("size", "knob")
    desk.drag(knob, Point(track.right + 40, knob.y))
    assert desk["size"].value == 50 and desk.store == {"size": 50}
    desk.drag(desk.middle("size", "knob"), Point(track.x - 30, knob.y))
    assert desk["size"].value == 0
    desk.press("right", "up", "left")
    assert desk["size"].value == 5
    desk.press("page_up")
    assert desk["size"].value == 50
    desk.press("home", "down")
    assert desk["size"].value == 0
    desk.press("end")
    assert desk["size"].value == 50
    desk.move(track.center)
    desk.desktop.emit(ButtonDown("left"))
    desk.desktop.emit(ButtonUp("left"))
    assert desk["size"].value == 25
    desk.drag(desk.middle("size", "knob"), Point(track.x + 9 + (track.width - 18) * 28 // 100, knob.y))
    assert desk["size"].value == 15  # the nearest step


def test_tabs_show_the_page_that_is_chosen() -> None:
    desk = WorkedDesktop(element("pages", "tabs", on={"change": [{"store": "page", "to": "{pages}"}]}, children=[
        element("first", "panel", "First", children=[element("one", "text_field")]),
        element("second", "panel", "Second", is_enabled=False, children=[element("two", "label", "Two")]),
        element("third", "panel", "Third", children=[element("three", "label", "Three")])]))  # fmt: skip
    assert desk.pieces("one") and not desk.pieces("three")
    desk.click("pages", "tab", "Third")
    assert desk.pieces("three") and not desk.pieces("one") and desk.store == {"page": "third"}
    desk.press("right")
    assert desk["pages"].value == "first"
    desk.press("right")
    assert desk["pages"].value == "third"
    desk.click("pages", "tab", "Second")
    assert desk["pages"].value == "third" and desk.last.outcome == "refused"
    desk.press("tab")
    assert desk.focus == "pages"  # nothing else takes the keyboard on this page


ITEMS = [
    {"id": "fruit", "label": "Fruit", "items": [{"id": "fig", "label": "Fig"}, {"id": "kiwi", "label": "Kiwi"}]},
    {"id": "nuts", "label": "Nuts"},
]  # fmt: skip


def test_a_tree_is_expanded_and_chosen_from() -> None:
    desk = WorkedDesktop(element("tree", "tree", items=ITEMS, on={
        "change": [{"store": "at", "to": "{tree}"}], "double_click": [{"store": "opened", "to": "{tree}"}]}))  # fmt: skip
    assert desk.texts("tree", "row") == ["Fruit", "Nuts"]
    desk.click("tree", "expander")
    assert desk.texts("tree", "row") == ["Fruit", "Fig", "Kiwi", "Nuts"] and desk.store == {}
    desk.click("tree", "row", "Kiwi")
    assert desk.store == {"at": "kiwi"}
    desk.press("home", "left")
    assert desk["tree"].value == "fruit" and desk.texts("tree", "row") == ["Fruit", "Nuts"]
    desk.press("right", "down")
    assert desk["tree"].value == "fig"
    desk.click("tree", "row", "Fig", times=2)
    assert desk.store["opened"] == "fig"


# ---- tables and canvases ----


def table(**more: Any) -> WorkedDesktop:
    return WorkedDesktop(
        element("loans", "table", columns=[{"field": "title", "label": "Title"}, {"field": "due", "label": "Due"}],
                rows_from="loans", row_actions=[
                    {"id": "renew", "label": "Renew", "do": [{"store": "renewed", "to": "{row.title}"}]},
                    {"id": "back", "label": "Return", "do": [
                        {"remove": "loans", "where": {"row": "title", "is": "{row.title}"}}]}],
                on={"choose": [{"store": "chosen", "to": "{row.title}"}],
                    "double_click": [{"store": "opened", "to": "{loans}"}]}, **more),
        store={"loans": [{"title": "Emma", "due": "3 May"}, {"title": "Ulysses", "due": "4 May"},
                         {"title": "Dracula", "due": "3 May"}]},
    )  # fmt: skip


def test_a_row_of_a_table_is_chosen_and_its_actions_know_it() -> None:
    desk = table()
    desk.click("loans", "cell", "Ulysses")
    assert desk["loans"].value == 1 and desk.store["chosen"] == "Ulysses"
    second = desk.pieces("loans", "row_action", "Renew")[1]
    desk.move(second.rect.center)
    desk.desktop.emit(ButtonDown("left"))
    desk.desktop.emit(ButtonUp("left"))
    assert desk.store["renewed"] == "Ulysses"
    assert desk.last.outcome_message == "Renew in row 2"
    desk.click("loans", "cell", "Emma", times=2)
    assert desk.store["opened"] == 0
    desk.press("down", "down")
    assert desk.store["chosen"] == "Dracula"
    desk.click("loans", "row_action", "Return")
    assert [each["title"] for each in desk.store["loans"]] == ["Ulysses", "Dracula"]


def test_a_table_shows_the_rows_that_meet_its_condition() -> None:
    desk = table(where={"row": "due", "is": "3 May"})
    assert "Ulysses" not in desk.texts("loans", "cell")
    desk.click("loans", "cell", "Dracula")
    assert desk["loans"].value == 2 and desk.store["chosen"] == "Dracula"


def canvas() -> WorkedDesktop:
    return WorkedDesktop(element("board", "canvas", shapes=[
        {"id": "r1", "shape": "rect", "at": [0.1, 0.1], "size": [0.1, 0.2], "draggable": True, "label": "R1"},
        {"id": "c1", "shape": "circle", "at": [0.6, 0.6], "size": [0.1, 0.2]}],
        on={"click": [{"store": "clicked", "to": "{board}"}], "change": [{"store": "at", "to": "{drop.at}"}]}))  # fmt: skip


def test_a_shape_is_chosen_and_dragged() -> None:
    desk = canvas()
    desk.move(desk.pieces("board", "shape")[1].rect.center)
    desk.desktop.emit(ButtonDown("left"))
    desk.desktop.emit(ButtonUp("left"))
    assert desk["board"].value == "c1" and desk.store["clicked"] == "c1"
    begin = desk.middle("board", "shape", "R1")
    place = desk.desktop.layout.insides["board"]
    desk.drag(begin, Point(begin.x + place.width // 2, begin.y))
    shapes = {each["id"]: each["at"] for each in desk["board"].get("shapes")}
    assert desk["board"].value == "r1" and shapes["r1"][0] == pytest.approx(0.6, abs=0.01)
    assert desk.store["at"] == shapes["r1"]
    fixed = desk.pieces("board", "shape")[1].rect.center
    desk.drag(fixed, Point(fixed.x - 100, fixed.y))
    assert shapes["c1"] == [0.6, 0.6]
    begin = desk.middle("board", "shape", "R1")
    desk.drag(begin, Point(place.right + 300, begin.y))
    assert desk["board"].get("shapes")[0]["at"][0] == pytest.approx(0.9)


# ---- drag and drop ----


def carried(*, takes: bool = True) -> WorkedDesktop:
    rule: Any = {
        "drop": [
            {"append": "moved", "item": {"from": "{drop.element}", "what": "{drop.value}", "on": "{drop.on}"}}
        ]
    }
    return WorkedDesktop(
        element("files", "list", options=["a.txt", "b.txt"], draggable=True, lines=3),
        element("folders", "tree", items=ITEMS, lines=3, **({"on": rule} if takes else {})),
        element("bin", "panel", "Bin", framed=True, children=[element("bin_words", "label", "Drop here")],
                **({"on": rule} if takes else {})),
        store={"moved": []},
    )  # fmt: skip


def test_a_row_is_dropped_on_a_row_and_on_what_holds_a_label() -> None:
    desk = carried()
    desk.drag(desk.middle("files", "row", "b.txt"), desk.middle("folders", "row", "Nuts"))
    desk.drag(desk.middle("files", "row", "a.txt"), desk.middle("bin_words"))
    assert desk.store["moved"] == [
        {"from": "files", "what": "b.txt", "on": "nuts"},
        {"from": "files", "what": "a.txt", "on": None},
    ]
    assert (desk.last.outcome, desk.last.outcome_message) == ("done", "dropped on bin")


def test_what_takes_nothing_says_so() -> None:
    desk = carried(takes=False)
    desk.drag(desk.middle("files", "row", "b.txt"), desk.middle("folders", "row", "Nuts"))
    assert desk.store["moved"] == []
    assert (desk.last.outcome, desk.last.outcome_message) == ("failed", "nothing there takes it")


def test_what_is_carried_is_seen_at_the_pointer() -> None:
    desk = carried()
    desk.move(desk.middle("files", "row", "b.txt"))
    desk.desktop.emit(ButtonDown("left"))
    desk.move(desk.middle("folders", "row", "Nuts"))
    assert [each.text for each in desk.desktop.layout.pieces if each.kind == "drag"] == ["b.txt"]
    desk.desktop.release()
    assert not [each for each in desk.desktop.layout.pieces if each.kind == "drag"]
    desk.desktop.emit(ButtonUp("left"))
    assert desk.store["moved"] == []


# ---- menus and shortcuts ----


def menus() -> WorkedDesktop:
    def item(name: str, **more: Any) -> dict[str, Any]:
        return element(
            name, "menu_item", name.title(), on={"click": [{"append": "did", "item": name}]}, **more
        )

    return WorkedDesktop(
        element("bar", "menu_bar", children=[
            element("file", "menu", "File", children=[
                item("save", shortcut="ctrl+s"), element("line", "separator"), item("quit", is_enabled=False)]),
            element("edit", "menu", "Edit", children=[item("cut"), item("paste", shortcut="ctrl+shift+v")])]),
        element("words", "text_field", "Words"),
        store={"did": []},
    )  # fmt: skip


def test_menus_are_worked_with_the_mouse() -> None:
    desk = menus()
    assert not desk.pieces("save")
    desk.click("file", "menu")
    desk.click("save")
    assert desk.store["did"] == ["save"] and not desk.pieces("save")
    desk.click("file", "menu")
    desk.click("quit")
    assert desk.store["did"] == ["save"] and desk.last.outcome_message == "it is disabled"
    desk.move(desk.middle("edit", "menu"))
    assert desk.pieces("cut") and not desk.pieces("save")
    desk.click("words", "field")
    assert not desk.pieces("cut")


def test_menus_are_worked_with_keys_and_give_the_focus_back() -> None:
    desk = menus()
    desk.click("words", "field")
    desk.click("file", "menu")
    desk.press("right", "down", "down", "enter")
    assert desk.store["did"] == ["paste"] and not desk.pieces("paste") and desk.focus == "words"
    desk.click("file", "menu")
    desk.press("left", "down", "escape")
    assert desk.store["did"] == ["paste"] and not desk.pieces("cut") and desk.focus == "words"
    desk.type("x")
    assert desk["words"].value == "x"


def test_shortcuts_are_those_of_menus_and_of_the_window_in_front() -> None:
    desk = menus()
    desk.click("words", "field")
    desk.press("ctrl+s", "ctrl+shift+v", "ctrl+q")
    assert desk.store["did"] == ["save", "paste"] and desk["words"].value == ""
    two = WorkedDesktop(
        window("one", on={"keys": {"ctrl+n": [{"append": "did", "item": "one"}], "f5": [{"append": "did", "item": "f5"}]}}),
        window("two", bounds_relative=[0.5, 0.5, 0.4, 0.4], on={"keys": {"ctrl+n": [{"append": "did", "item": "two"}]}}),
        store={"did": []},
    )  # fmt: skip
    two.press("ctrl+n", "f5")
    two.click("one", "title")
    two.press("f5", "ctrl+n")
    assert two.store["did"] == ["two", "f5", "one"]


# ---- windows and dialogs ----


def two_windows() -> WorkedDesktop:
    return WorkedDesktop(
        window("back", element("a", "text_field", "A"), bounds_relative=[0.05, 0.05, 0.5, 0.5]),
        window("fore", element("b", "text_field", "B"), bounds_relative=[0.35, 0.3, 0.5, 0.5],
               on={"close": [{"store": "closed", "to": True}]}),
    )  # fmt: skip


def test_a_window_that_is_clicked_comes_to_the_front() -> None:
    desk = two_windows()
    desk.click("b", "field")
    assert desk.desktop.front is desk["fore"]
    desk.click("back", "title")
    assert desk.desktop.front is desk["back"] and desk.focus == ""
    desk.type("x")
    assert desk.last.outcome_message == "nothing has the focus"


def test_a_window_is_dragged_by_its_title_bar_and_stays_in_reach() -> None:
    desk = two_windows()
    before = desk.desktop.layout.places["fore"]
    begin = desk.middle("fore", "title")
    desk.drag(begin, Point(begin.x - 50, begin.y + 40))
    assert desk.desktop.layout.places["fore"] == before.moved(-50, 40)
    begin = desk.middle("fore", "title")
    desk.drag(begin, Point(790, 599))
    bar = desk.pieces("fore", "title_bar")[0].shown
    desk.drag(Point(bar.x + 5, bar.y + 5), Point(799, 599))
    shown = desk.pieces("fore", "title_bar")[0].shown
    assert shown.width >= 20 and shown.height >= 10


def test_a_window_is_closed_by_its_button_and_by_alt_f4() -> None:
    desk = two_windows()
    desk.click("fore", "close")
    assert not desk["fore"].visible and desk.store == {"closed": True}
    desk.press("alt+f4")
    assert desk.desktop.front is None
    desk.press("enter", "alt+f4", "tab")
    desk.move(Point(400, 300))
    desk.desktop.emit(ButtonDown("left"))
    desk.desktop.emit(ButtonUp("left"))


def dialogs(**more: Any) -> WorkedDesktop:
    ask: Any = {
        "bounds_relative": [0.3, 0.3, 0.4, 0.3],
        "element_type": "dialog",
        "is_visible": False,
        **more,
    }
    return WorkedDesktop(
        counting("count", label="Count"),
        element("go", "button", "Open", on={"click": [{"open": "ask"}]}),
        window("ask", element("yes", "button", "Yes", on={"click": [{"close": "ask"}]}), element("why", "text_field"),
               on={"open": [{"store": "o", "to": 1}], "close": [{"store": "c", "to": 1}]}, **ask),
        store={"n": 0},
    )  # fmt: skip


def test_a_dialog_has_to_be_answered_first() -> None:
    desk = dialogs()
    desk.click("go")
    assert desk.store == {"n": 0, "o": 1} and desk.focus == "why"
    desk.click("count")
    assert desk.store["n"] == 0 and "has to be answered first" in desk.last.outcome_message
    assert desk.desktop.front is desk["ask"]
    desk.click("yes")
    assert desk.store["c"] == 1
    desk.click("count")
    assert desk.store["n"] == 1


def test_esc_closes_a_dialog_unless_it_cannot_be_closed() -> None:
    desk = dialogs()
    desk.click("go")
    desk.press("escape")
    assert not desk["ask"].visible and desk.store["c"] == 1
    stubborn = dialogs(closable=False)
    stubborn.click("go")
    assert not stubborn.pieces("ask", "close")
    stubborn.press("escape", "alt+f4")
    assert stubborn["ask"].visible and "c" not in stubborn.store


def test_what_is_not_modal_leaves_the_rest_in_use() -> None:
    desk = dialogs(modal=False)
    desk.click("go")
    desk.click("count")
    assert desk.store["n"] == 1 and desk.desktop.front is desk["main"] and desk["ask"].visible


# ---- the keyboard ----


def test_tab_goes_through_what_takes_the_keyboard_in_its_order() -> None:
    desk = WorkedDesktop(
        element("c", "text_field"), element("a", "button", "A", tab_order=1), element("x", "label", "X"),
        element("b", "checkbox", "B", tab_order=2), element("off", "button", "Off", is_enabled=False),
    )  # fmt: skip
    went = []
    for _ in range(4):
        desk.press("tab")
        went.append(desk.focus)
    assert went == ["a", "b", "c", "a"]
    desk.press("shift+tab")
    assert desk.focus == "c"
    desk.type("\t")
    assert desk.focus == "a"


@pytest.mark.parametrize(
    ("held", "typed", "stands"),
    [("shift", "a", "A"), ("shift_left", "é", "É"), ("caps_lock", "a", "A"), ("ctrl", "b", ""), ("alt", "b", "")],
)  # fmt: skip
def test_held_keys_change_what_is_typed(held: str, typed: str, stands: str) -> None:
    desk = WorkedDesktop(element("name", "text_field"))
    desk.click("name", "field")
    desk.desktop.emit(KeyDown(held))
    desk.desktop.emit(Text(typed))
    assert desk["name"].value == stands
    desk.desktop.emit(KeyUp(held))
    if held == "caps_lock":
        desk.press("shift+b")
        assert desk["name"].value == stands + "b"
        desk.press("caps_lock")
    desk.press("c")
    assert desk["name"].value == stands + ("bc" if held == "caps_lock" else "c")


def test_typing_where_it_cannot_be_is_told() -> None:
    desk = WorkedDesktop(counting("go"), element("fixed", "text_field", value="as it is", is_read_only=True))
    desk.type("a")
    assert (desk.last.outcome, desk.last.outcome_message) == ("failed", "nothing has the focus")
    desk.press("tab")
    desk.type("a")
    assert (desk.last.outcome, desk.last.outcome_message) == ("refused", "a button takes no text")
    desk.press("tab")
    desk.type("a")
    assert (desk.last.outcome, desk.last.outcome_message) == ("refused", "it is read-only")
    assert desk["fixed"].value == "as it is"


# ---- scrolling ----


def long_window() -> WorkedDesktop:
    return WorkedDesktop(*(element(f"f{number}", "text_field", f"Field {number}") for number in range(20)))


def test_the_wheel_scrolls_what_is_under_it_and_no_further_than_it_goes() -> None:
    desk = long_window()
    top = desk.pieces("f0", "field")[0].rect
    desk.wheel("f3", -1)
    assert desk.pieces("f0", "field")[0].rect == top.moved(0, -60)
    desk.wheel("f3", -100)
    assert desk.pieces("f19", "field")[0].shown == desk.pieces("f19", "field")[0].rect
    assert desk.desktop.layout.shown("f0").empty
    desk.wheel("f19", 100)
    assert desk.pieces("f0", "field")[0].rect == top


def test_tab_scrolls_what_it_goes_to_into_view() -> None:
    desk = long_window()
    assert desk.desktop.layout.shown("f19").empty
    desk.press("shift+tab")
    assert desk.focus == "f19" and not desk.desktop.layout.shown("f19").empty
    desk.press("tab")
    assert desk.focus == "f0" and desk.pieces("f0", "field")[0].shown == desk.pieces("f0", "field")[0].rect


@pytest.mark.parametrize("kind", ["window", "list", "tree", "table", "text_area", "panel"])
def test_everything_long_scrolls_by_its_bar_and_its_thumb(kind: str) -> None:
    rows = [f"Row {number}" for number in range(40)]
    more: Any = {
        "list": {"options": rows},
        "tree": {"items": [{"id": each, "label": each} for each in rows]},
        "table": {"columns": [{"field": "n", "label": "N"}], "rows": [{"n": each} for each in rows]},
        "text_area": {"value": "\n".join(rows)},
        "panel": {"is_scrollable": True, "children": [element(f"l{i}", "label", each) for i, each in enumerate(rows)]},
    }.get(kind)  # fmt: skip
    desk = long_window() if more is None else WorkedDesktop(element("long", kind, **more))
    name = "main" if more is None else "long"
    bar = desk.pieces(name, "scroll_bar")[0].rect
    desk.drag(desk.middle(name, "scroll_thumb"), Point(bar.center.x, bar.bottom + 50))
    content = desk.desktop.layout.contents[name]
    end = desk[name].scroll
    assert end > 0 and desk.pieces(name, "scroll_thumb")[0].rect.bottom == pytest.approx(bar.bottom, abs=2)
    desk.move(Point(bar.center.x, bar.y + 2))
    desk.desktop.emit(ButtonDown("left"))
    desk.desktop.emit(ButtonUp("left"))
    assert 0 <= desk[name].scroll < end <= content
    assert desk.pieces(name, "scroll_thumb")


def test_scrolling_a_list_leaves_its_window_where_it_is() -> None:
    desk = WorkedDesktop(
        element("fruit", "list", options=OPTIONS, lines=3),
        *(element(f"f{number}", "text_field", f"Field {number}") for number in range(20)),
    )
    desk.wheel("fruit", -1)
    assert desk["fruit"].scroll == 60 and desk["main"].scroll == 0
    desk.wheel("f0", -1)
    assert desk["main"].scroll == 60


# ---- time ----


def test_what_comes_after_a_time_comes_on_the_desktops_clock() -> None:
    desk = WorkedDesktop(element("go", "button", "Go", on={"click": [
        {"after": 1.0, "do": [{"store": "done", "to": True}]}, {"after": 3, "do": [{"store": "late", "to": True}]}]}))  # fmt: skip
    desk.click("go")
    assert desk.store == {} and desk.desktop.waiting
    assert desk.desktop.pass_time(0.9) and desk.store == {}
    assert desk.desktop.pass_time(0.2) and desk.store == {"done": True}
    for _ in range(9):
        desk.desktop.look()
    assert desk.store == {"done": True, "late": True} and not desk.desktop.waiting


def test_two_slow_clicks_are_no_double_click() -> None:
    desk = WorkedDesktop(
        element("fruit", "list", options=OPTIONS, lines=8, on={"double_click": [{"store": "d", "to": 1}]})
    )
    desk.click("fruit", "row", "Fig")
    desk.desktop.pass_time(1)
    desk.click("fruit", "row", "Fig")
    assert desk.store == {}
