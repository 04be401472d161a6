"""What scenes declare: each effect, expression and condition once, and what becomes of paths that lead nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from desktop_agent.extras.avis.simulation.expressions import as_number, as_text, evaluate, holds
from tests.extras.avis.simulation.worked_desktop import WorkedDesktop, element, window

Json = dict[str, Any]
STORE: Json = {
    "user": " Ann ", "n": 3, "empty": [], "none": None, "price": "12,50 €",
    "cart": [{"name": "Pen", "price": 1.5}, {"name": "Ink", "price": "4.25"}, {"name": "Pad", "price": 2}],
    "tags": ["a", "b"], "deep": {"er": {"still": "here"}},
}  # fmt: skip


def stage(*effects: object, store: Json | None = None) -> WorkedDesktop:
    """A desktop after its button was clicked, whose rule are these effects."""
    desk = WorkedDesktop(
        window("main",
               element("go", "button", "Go", on={"click": list(effects)}),
               element("word", "text_field", value="old"), element("box", "checkbox", is_checked=True),
               element("shown", "label", "Shown"), element("hidden", "label", "Hidden", is_visible=False),
               element("off", "button", "Off", is_enabled=False),
               element("one", "panel", children=[element("in_one", "label", "1")]),
               element("two", "panel", is_visible=False, children=[element("in_two", "label", "2")]),
               element("tabs", "tabs", children=[element("first", "panel", "First"), element("second", "panel", "Second")])),
        window("ask", element("reply", "text_field"), element_type="dialog", is_visible=False, bounds_relative=[0.2, 0.2, 0.3, 0.3]),
        store=STORE if store is None else store,
    )  # fmt: skip
    desk.click("go")
    return desk


def test_effects_on_elements() -> None:
    desk = stage(
        {"set": "word", "to": "new {store.n}"}, {"set": "shown.label_text", "to": "Told"},
        {"set": "box.is_checked", "to": False}, {"set": "shown.tooltip", "to": {"a": "{store.n}"}},
        {"show": "hidden"}, {"hide": "in_one"}, {"enable": "off"}, {"disable": "box"}, {"focus": "word"},
    )  # fmt: skip
    assert desk["word"].value == "new 3" and desk["word"].caret == 5 and desk["shown"].label == "Told"
    assert not desk["box"].checked and desk["shown"].get("tooltip") == {"a": 3}
    assert desk.pieces("hidden") and not desk.pieces("in_one")
    assert desk["off"].usable and not desk["box"].usable and desk.focus == "word"


def test_effects_on_pages_and_windows() -> None:
    desk = stage({"page": "two"}, {"page": "second"}, {"open": "ask"})
    assert desk.pieces("in_two") and not desk.pieces("in_one") and desk["tabs"].value == "second"
    assert desk.desktop.modal is desk["ask"] and desk.focus == "reply"
    closed = stage({"open": "ask"}, {"close": "reply"})
    assert not closed["ask"].visible


def test_effects_on_the_store() -> None:
    desk = stage(
        {"store": "deep.er.still", "to": "{word}"}, {"store": "new", "to": ["{word}", {"at": "{store.n}"}]},
        {"store": "cart.1.price", "to": 9}, {"append": "tags", "item": "{box.is_checked}"},
        {"remove": "cart", "where": {"row": "name", "is": "Pad"}},
        {"update": "cart", "where": {"row": "name", "is": "Pen"}, "with": {"price": {"times": ["{row.price}", 2]}}},
    )  # fmt: skip
    assert desk.store["deep"] == {"er": {"still": "old"}} and desk.store["new"] == ["old", {"at": 3}]
    assert desk.store["tags"] == ["a", "b", True]
    assert desk.store["cart"] == [{"name": "Pen", "price": 3}, {"name": "Ink", "price": 9}]
    assert desk.scene.store == STORE, "the scene's own store was changed"
    everywhere = stage({"update": "cart", "with": {"seen": "{row.name}"}})
    assert [each["seen"] for each in everywhere.store["cart"]] == ["Pen", "Ink", "Pad"]


def test_what_is_taken_over_is_a_copy() -> None:
    desk = stage(
        {"store": "copy", "to": "{store.cart}"},
        {"append": "copy", "item": 1},
        {"store": "cart.0.name", "to": "X"},
    )
    assert (
        len(desk.store["copy"]) == 4
        and len(desk.store["cart"]) == 3
        and desk.store["copy"][0]["name"] == "Pen"
    )


def test_if_and_after() -> None:
    rules = [{"if": {"element": "word", "is": text}, "then": [{"store": text, "to": 1}], "else": [{"store": text, "to": 0}]} for text in ("old", "new")]  # fmt: skip
    desk = stage(*rules, {"after": "{store.n}", "do": [{"store": "late", "to": "{word}"}]})
    assert (desk.store["old"], desk.store["new"]) == (1, 0) and "late" not in desk.store
    desk["word"].write("", "by then")
    desk.desktop.pass_time(3)
    assert desk.store["late"] == "by then"
    soon = stage({"after": "no number", "do": [{"store": "late", "to": 1}]})
    soon.desktop.look()
    assert soon.store["late"] == 1


NOWHERE: list[Json] = [
    {"store": "no.such", "to": 1},
    {"store": "n.deeper", "to": 1},
    {"store": "cart.9", "to": 1},
    {"append": "no", "item": 1},
    {"append": "user", "item": 1},
    {"remove": "no", "where": {"row": "name", "is": 1}},
    {"update": "no", "with": {"a": 1}},
    {"set": "{store.user}", "to": 1},
]


@pytest.mark.parametrize("effect", NOWHERE)
def test_an_effect_that_leads_nowhere_changes_nothing_and_is_logged(effect: Json) -> None:
    desk = stage(effect, {"store": "after", "to": 1})
    assert desk.store == {**STORE, "after": 1}
    assert [each.action for each in desk.desktop.log if each.outcome == "failed"] == ["rule"]


def test_what_removes_without_saying_what_removes_all() -> None:
    assert stage({"remove": "cart"}).store["cart"] == []


def test_rules_that_go_round_end() -> None:
    desk = WorkedDesktop(
        window("main", element("go", "button", "Go", on={"click": [{"open": "ask"}]})),
        window("ask", bounds_relative=[0.2, 0.2, 0.3, 0.3], is_visible=False, element_type="dialog",
               on={"open": [{"append": "n", "item": 1}, {"close": "ask"}], "close": [{"open": "ask"}]}),
        store={"n": []},
    )  # fmt: skip
    desk.click("go")
    assert desk.store["n"]
    assert "without end" in "\n".join(each.outcome_message for each in desk.desktop.log)


def test_rules_that_go_round_in_time_do_not_keep_the_desktop() -> None:
    desk = WorkedDesktop(
        window("main", element("go", "button", "Go", on={"click": [{"open": "ask"}]})),
        window("ask", bounds_relative=[0.2, 0.2, 0.3, 0.3], is_visible=False, element_type="dialog", on={
            "open": [{"append": "n", "item": 1}, {"after": 0, "do": [{"close": "ask"}]}],
            "close": [{"after": 0, "do": [{"open": "ask"}]}]}),
        store={"n": []},
    )  # fmt: skip
    desk.click("go")
    for _ in range(4):
        desk.desktop.look()
    assert len(desk.store["n"]) == 3 and desk.desktop.waiting


EXPRESSIONS: list[tuple[object, object]] = [
    ("plain", "plain"), (7, 7), (None, None), (True, True), ("{word}", "old"), ("{box.is_checked}", True),
    ("{store.n}", 3), ("{store.n} of {store.tags}", "3 of a, b"), ("{store.cart.1.name}", "Ink"),
    ("{store.cart.-1.name}", "Pad"), ("{nobody}", None), ("<{nobody}>", "<>"), ("{store.no.such}", None),
    ("{row.title}", "Emma"), ("{shown.label_text}", "Shown"), ("{off.is_enabled}", False), ("{word.nothing}", None),
    ({"number": "{store.price}"}, 12.5), ({"number": "none"}, 0), ({"number": "-4 °C"}, -4),
    ({"sum": "cart.price"}, 7.75), ({"sum": "no.such"}, 0), ({"count": "cart"}, 3), ({"count": "no"}, 0),
    ({"add": [1, "2", "{store.n}"]}, 6), ({"add": []}, 0), ({"times": ["{store.n}", 0.1]}, 0.3),
    ({"join": "cart.name", "with": " + "}, "Pen + Ink + Pad"), ({"join": "tags"}, "a, b"), ({"join": "no"}, ""),
    ({"name": "{word}", "all": ["{store.n}"]}, {"name": "old", "all": [3]}),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "value"), EXPRESSIONS)
def test_expressions(expression: object, value: object) -> None:
    found = evaluate(expression, stage().desktop.names.with_given(row={"title": "Emma"}))
    assert found == value and type(found) is type(value)


CONDITIONS: list[tuple[Json, bool]] = [
    ({"element": "word", "is": "old"}, True), ({"element": "word", "is": "new"}, False),
    ({"element": "box.is_checked", "is": True}, True), ({"element": "off.is_enabled", "is": False}, True),
    ({"element": "hidden.is_visible", "is": False}, True), ({"element": "nobody", "is": None}, True),
    ({"store": "user", "is": "Ann"}, True), ({"store": "user", "is": "Ann", "exact": True}, False),
    ({"store": "n", "is": "3"}, True), ({"store": "n", "is": "{store.n}"}, True), ({"store": "none", "is": None}, True),
    ({"store": "tags", "is": ["a", " b"]}, True), ({"store": "deep", "is": {"er": {"still": "here "}}}, True),
    ({"row": "title", "is": "Emma"}, True), ({"row": "no", "is": "Emma"}, False),
    ({"store": "user", "contains": "NN"}, True), ({"store": "tags", "contains": "b"}, True), ({"store": "tags", "contains": "c"}, False),
    ({"store": "user", "matches": "A.n"}, True), ({"store": "user", "matches": "A"}, False), ({"store": "none", "matches": ""}, True),
    ({"store": "n", "more": 2}, True), ({"store": "n", "more": 3}, False), ({"store": "price", "less": 13}, True),
    ({"store": "no.such", "less": 13}, False), ({"store": "no.such", "more": -1}, False),
    ({"store": "n", "more": 2, "less": 4}, True), ({"store": "n", "more": 2, "less": 3}, False),
    ({"store": "cart", "count": 3}, True), ({"store": "no", "count": 0}, False),
    ({"store": "empty", "empty": True}, True), ({"store": "cart", "empty": False}, True), ({"store": "no", "empty": True}, True),
    ({"store": "cart", "has": {"name": "Ink"}}, True), ({"store": "cart", "has": {"name": "Ink", "price": 2}}, False),
    ({"store": "no", "has": {}}, False),
    ({"all": [{"store": "n", "is": 3}, {"not": {"store": "n", "is": 4}}]}, True), ({"all": []}, True), ({"any": []}, False),
    ({"any": [{"store": "n", "is": 4}, {"store": "n", "is": 3}]}, True),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "true"), CONDITIONS)
def test_conditions(condition: Json, true: bool) -> None:
    assert holds(condition, stage().desktop.names.with_given(row={"title": "Emma"})) is true


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (True, "yes"), (2.0, "2"), (2.5, "2.50"), ([1, "a"], "1, a"), (7, "7")]
)
def test_texts_of_values(value: object, text: str) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize(
    ("value", "number"), [(0.1 + 0.2, 0.3), ("3,5 kg", 3.5), (None, 0), (True, 1), ("", 0)]
)
def test_numbers_of_values(value: object, number: float) -> None:
    assert as_number(value) == number
