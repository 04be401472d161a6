"""Commands of the virtual mouse and keyboard: their effects, their refusals, and the log of both."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.extras.avis.service import AIVirtualInputService, VirtualMouseCommand
from desktop_agent.protocol.errors import ConfigError
from tests.extras.avis.virtual_uis import FORM, described, flat, service, value_of


@pytest.fixture
def form() -> AIVirtualInputService:
    return service(FORM)


def test_the_ui_is_told_as_descriptions_with_states(form: AIVirtualInputService) -> None:
    form.focus_element("name")
    ui = form.get_current_virtual_ui()
    assert [each["element_id"] for each in ui] == [each["element_id"] for each in FORM]
    name, off, gone = (described(form, each) for each in ("name", "off", "gone"))
    assert (name["element_type"], name["label_text"], name["value"]) == ("text_field", "Name", "Ann")
    assert name["is_enabled"] and name["is_visible"] and name["is_focused"]
    assert off["is_enabled"] is False and gone["is_visible"] is False and not off["is_focused"]
    assert form.virtual_ui_elements == ui
    ui[0]["value"] = "changed by the reader"
    assert value_of(form, "name") == "Ann"


def test_bounds_are_ratios_of_the_screen(form: AIVirtualInputService) -> None:
    bounds = form.get_element_bounds("name")
    assert bounds is not None and all(0 <= each <= 1 for each in bounds)
    form.hover_element("name", 0, 0)
    assert form.virtual_cursor_position == pytest.approx(tuple(bounds[:2]))
    assert form.get_element_bounds("gone") is None


def test_focus_and_clicks_set_the_focused_element(form: AIVirtualInputService) -> None:
    assert form.virtual_focused_element_id is None
    assert form.focus_element("name")["outcome"] == "done"
    assert form.virtual_focused_element_id == "name"
    form.click_element("short")
    assert form.virtual_focused_element_id == "short"


@pytest.mark.parametrize("click_type", ["left", "right", "double"])
def test_each_kind_of_click_is_done_and_logged(form: AIVirtualInputService, click_type: Any) -> None:
    entry = form.click_element("name", click_type, 0.5, 0.9)
    assert entry["outcome"] == "done" and form.virtual_focused_element_id == "name"
    assert form.action_log == [entry]
    assert entry["command"] == {
        "action_type": "click",
        "target_element_id": "name",
        "click_type": click_type,
        "relative_x": 0.5,
        "relative_y": 0.9,
    }


def test_a_click_ticks_a_box(form: AIVirtualInputService) -> None:
    form.click_element("agree")
    assert (described(form, "agree")["attributes"] or {})["is_checked"] is True


def test_a_click_follows_the_rules_of_the_ui() -> None:
    avis = service(
        [
            {"element_id": "said", "element_type": "label", "value": ""},
            {
                "element_id": "say",
                "element_type": "button",
                "attributes": {"on": {"click": [{"set": "said", "to": "hello"}]}},
            },
        ]
    )
    avis.click_element("say")
    assert value_of(avis, "said") == "hello"


def test_a_place_of_the_screen_can_be_clicked(form: AIVirtualInputService) -> None:
    bounds = form.get_element_bounds("agree")
    assert bounds is not None
    x, y = bounds[0] + bounds[2] / 2, bounds[1] + bounds[3] / 2
    entry = form.process_mouse_command({"action_type": "click", "relative_x": x, "relative_y": y})
    assert entry["outcome"] == "done" and entry["element_id"] is None
    assert (described(form, "agree")["attributes"] or {})["is_checked"] is True


@pytest.mark.parametrize("action", ["hover", "move_relative_to_element"])
def test_hovering_sets_pointer_and_hovered_element(form: AIVirtualInputService, action: Any) -> None:
    entry = form.process_mouse_command({"action_type": action, "target_element_id": "volume"})
    assert entry["outcome"] == "done" and form.virtual_hovered_element_id == "volume"
    bounds = form.get_element_bounds("volume")
    assert bounds is not None
    assert bounds[0] < form.virtual_cursor_position[0] < bounds[0] + bounds[2]
    assert form.virtual_focused_element_id is None


def test_the_pointer_moves_by_ratios_of_the_screen(form: AIVirtualInputService) -> None:
    x, y = form.virtual_cursor_position
    assert form.move_mouse_relative(0.1, -0.05)["outcome"] == "done"
    assert form.virtual_cursor_position == pytest.approx((x + 0.1, y - 0.05), abs=0.002)
    assert "leave the screen" in form.move_mouse_relative(1.0, 0.0)["outcome_message"]


def test_an_element_is_dragged_onto_another(form: AIVirtualInputService) -> None:
    assert form.drag_element_to_element("card", "pile")["outcome"] == "done"
    assert value_of(form, "title") == "ace"
    commands = [each["command"]["action_type"] for each in form.action_log]  # type: ignore[typeddict-item]
    assert commands == ["drag_start", "drag_end"]


def test_an_element_is_dragged_to_a_place(form: AIVirtualInputService) -> None:
    bounds = form.get_element_bounds("volume")
    assert bounds is not None
    entry = form.drag_element_to_position("volume", bounds[0] + bounds[2] * 0.99, bounds[1] + bounds[3] / 2)
    assert entry["outcome"] == "done" and value_of(form, "volume") > 90


def test_a_drag_that_nothing_takes_has_failed_and_one_to_nowhere_holds_nothing(
    form: AIVirtualInputService,
) -> None:
    assert form.drag_element_to_element("card", "name")["outcome"] == "failed"
    assert form.drag_element_to_element("card", "nowhere")["outcome"] == "refused"
    assert form.click_element("agree")["outcome"] == "done"
    assert "cannot be dragged" in form.drag_element_to_element("title", "pile")["outcome_message"]
    end: VirtualMouseCommand = {"action_type": "drag_end", "drag_to_element_id": "pile"}
    assert form.process_mouse_command(end)["outcome_message"] == "Nothing is being dragged."
    form.process_mouse_command({"action_type": "drag_start", "target_element_id": "card"})
    assert "being dragged" in form.click_element("agree")["outcome_message"]
    assert form.process_mouse_command(end)["outcome"] == "done"


def test_what_scrolls_is_scrolled_by_ratio_or_pages(form: AIVirtualInputService) -> None:
    widget = form.desktop.widgets["fruit"]
    assert form.scroll_element("fruit", "down", amount_ratio=0.5)["outcome"] == "done"
    half = widget.scroll
    form.scroll_element("fruit", "down", pages=2)
    assert widget.scroll == pytest.approx(5 * half, abs=2) and half > 0
    form.scroll_element("fruit", "up", pages=9)
    assert widget.scroll == 0
    entry = form.scroll_element("fruit", "up")
    assert (entry["outcome"], entry["outcome_message"]) == ("failed", "fruit is at its end.")


def test_what_does_not_scroll_scrolls_what_is_around_it() -> None:
    rows: list[Any] = [
        {"element_id": f"field_{n}", "element_type": "text_field", "label_text": f"{n}"} for n in range(40)
    ]
    avis = service(rows)
    assert "out of sight" in avis.click_element("field_39")["outcome_message"]
    assert avis.scroll_element("field_0", "down", pages=9)["outcome"] == "done"
    assert avis.click_element("field_39")["outcome"] == "done"
    assert avis.scroll_element(None, "up", pages=9)["outcome"] == "done"
    assert avis.click_element("field_0")["outcome"] == "done"


def test_typing_changes_the_value_of_the_target_and_focuses_it(form: AIVirtualInputService) -> None:
    entry = form.type_string(" Smith, née Ω", "name")
    assert entry["outcome"] == "done" and form.virtual_focused_element_id == "name"
    assert value_of(form, "name") == "Ann Smith, née Ω"
    form.type_string("!")
    assert value_of(form, "name") == "Ann Smith, née Ω!"
    assert [each["element_id"] for each in form.action_log] == ["name", None]


def test_a_long_text_is_typed_whole() -> None:
    avis = service([{"element_id": "area", "element_type": "text_area"}])
    text = "\n".join(f"{number}: {'x' * number}" for number in range(40))
    avis.type_string(text, "area")
    assert value_of(avis, "area") == text


def test_keys_are_pressed_together_and_one_by_one(form: AIVirtualInputService) -> None:
    assert form.press_keys(["ctrl", "a"], "name")["outcome"] == "done"
    assert form.virtual_focused_element_id == "name"
    form.special_key("delete")
    assert value_of(form, "name") == ""
    assert form.special_key("tab")["outcome"] == "done" and form.virtual_focused_element_id == "short"
    assert form.special_key("esc", "name")["outcome"] == "done" and form.virtual_focused_element_id == "name"
    assert [each["command"].get("key_name") for each in form.action_log] == [None, "delete", "tab", "esc"]


CASES: list[tuple[str, tuple[Any, ...], str]] = [
    ("click_element", ("nobody",), "There is no element 'nobody'."),
    ("click_element", ("virtual_window",), "There is no element 'virtual_window'."),
    ("click_element", ("off",), "off is disabled."),
    ("click_element", ("gone",), "gone is hidden."),
    ("click_element", ("name", "left", 1.2, 0.5), "relative_x is 1.2, which is outside 0 to 1."),
    ("click_element", ("name", "left", 0.5, -0.1), "relative_y is -0.1, which is outside 0 to 1."),
    ("click_element", ("name", "left", float("nan"), 0.5), "relative_x is no number."),
    ("click_element", ("name", "left", True, 0.5), "relative_x is no number."),
    ("click_element", ("name", "triple"), "click_type is none of left, right, double."),
    ("focus_element", ("title",), "title takes no focus: it is a label."),
    ("focus_element", ("off",), "off is disabled."),
    ("focus_element", ("nobody",), "There is no element 'nobody'."),
    ("hover_element", ("gone",), "gone is hidden."),
    ("hover_element", ("name", 3, 0), "relative_x is 3, which is outside 0 to 1."),
    ("type_string", ("x", "agree"), "agree takes no text: it is a checkbox."),
    ("type_string", ("x", "gone"), "gone is hidden."),
    ("type_string", ("x",), "Nothing has the focus; name the element to type into."),
    ("type_string", ("", "name"), "There is no text to type."),
    ("type_string", ("a\nb", "name"), "name holds one line; special_key presses enter."),
    ("type_string", ("a\tb", "name"), "'\\t' is no text but a key; special_key presses it, and blanks indent."),
    ("type_string", ("longer", "short"), "short takes no more than 5 characters."),
    ("press_keys", ([],), "There are no keys to press."),
    ("press_keys", (["ctrl"], "off"), "off is disabled."),
    ("special_key", ("x",), "'x' is a character; type_string types it, press_keys presses it."),
    ("scroll_element", ("title", "left"), "title has nothing to scroll."),
    ("scroll_element", ("fruit", "left"), "fruit does not scroll sideways."),
    ("scroll_element", ("fruit", "down", 0.5, 2), "It says both a ratio and pages to scroll by."),
    ("scroll_element", ("fruit", "down", 1.5), "scroll_amount_ratio is 1.5, which is outside 0 to 1."),
    ("scroll_element", ("fruit", "down", None, 0), "It scrolls by nothing."),
    ("drag_element_to_position", ("card", 0.5, 2.0), "drag_to_relative_y is 2, which is outside 0 to 1."),
]  # fmt: skip


@pytest.mark.parametrize(("action", "given", "why"), CASES, ids=[f"{a} {g}" for a, g, _ in CASES])
def test_what_cannot_be_done_is_refused_in_words_and_changes_nothing(
    form: AIVirtualInputService, action: str, given: tuple[Any, ...], why: str
) -> None:
    before = form.get_current_virtual_ui()
    entry = getattr(form, action)(*given)
    assert (entry["outcome"], entry["outcome_message"]) == ("refused", why)
    assert form.action_log[-1] == entry
    assert form.get_current_virtual_ui() == before


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ({"action_type": "teleport"}, "There is no action 'teleport' here"),
        ({}, "There is no action '' here"),
        ({"action_type": "click"}, "It does not say where"),
        ({"action_type": "hover"}, "It does not say which element."),
        ({"action_type": "click", "target_element_id": 7}, "target_element_id is no text."),
        ({"action_type": "click", "target_element_id": "name", "speed": 3}, "A command has no field 'speed'."),
        ({"action_type": "scroll", "target_element_id": "fruit"}, "It does not say in which direction"),
        ({"action_type": "type_string", "text_to_type": "x"}, "There is no action 'type_string' here"),
    ],
)  # fmt: skip
def test_a_command_that_is_none_is_refused(form: AIVirtualInputService, command: Any, why: str) -> None:
    entry = form.process_mouse_command(command)
    assert entry["outcome"] == "refused" and entry["outcome_message"].startswith(why.split(" here")[0])


@pytest.mark.parametrize("keys", [["ctrl", "nokey"], "ctrl", [1]])
def test_keys_that_are_none_are_refused(form: AIVirtualInputService, keys: Any) -> None:
    assert form.press_keys(keys, "name")["outcome"] == "refused"


def test_what_a_dialog_is_in_front_of_is_refused_and_a_covered_window_comes_to_the_front() -> None:
    windows: list[Any] = [
        {"element_id": "one", "element_type": "window", "bounds_relative": [0, 0, 0.5, 0.5],
         "children": [{"element_id": "field", "element_type": "text_field"}]},
        {"element_id": "two", "element_type": "window", "bounds_relative": [0, 0, 0.6, 0.6],
         "children": [{"element_id": "other", "element_type": "text_field"}]},
        {"element_id": "ask", "element_type": "dialog", "label_text": "Sure?", "is_visible": False, "bounds_relative": [0.3, 0.3, 0.3, 0.3],
         "children": [{"element_id": "yes", "element_type": "button", "label_text": "Yes"}]},
    ]  # fmt: skip
    avis = service(windows)
    assert "not in sight" in avis.hover_element("field")["outcome_message"]
    assert avis.click_element("field")["outcome"] == "done" and avis.virtual_focused_element_id == "field"
    again = avis.get_current_virtual_ui()
    asking = next(each for each in again if each["element_id"] == "ask")
    asking["is_visible"] = True
    asked = service([*(each for each in again if each is not asking), asking])
    for entry in (
        asked.click_element("field"),
        asked.type_string("x", "field"),
        asked.focus_element("field"),
    ):
        assert entry["outcome_message"] == "The dialog 'Sure?' has to be answered first."
    assert asked.click_element("yes")["outcome"] == "done"


def test_what_is_told_can_be_loaded_again_and_behaves_the_same(form: AIVirtualInputService) -> None:
    form.type_string("!", "name")
    form.click_element("agree")
    told = form.get_current_virtual_ui()
    again = service(json.loads(json.dumps(told)))
    assert again.get_current_virtual_ui() == told and again.virtual_focused_element_id == "agree"
    for avis in (form, again):
        avis.type_string("?", "name")
        avis.drag_element_to_element("card", "pile")
        avis.special_key("space", "agree")
    assert again.get_current_virtual_ui() == form.get_current_virtual_ui()
    for each in flat(told):
        assert again.get_element_bounds(each["element_id"]) == form.get_element_bounds(each["element_id"])


@pytest.mark.parametrize(
    ("elements", "why"),
    [
        ([{"element_id": "a", "element_type": "hologram"}], "hologram"),
        ([{"element_id": "a", "element_type": "button"}] * 2, "is also that of"),
        ([{"element_id": "a", "element_type": "button", "colour": "red"}], "colour"),
        ([{"element_type": "button"}], "element_id"),
        ([{"element_id": "a", "element_type": "button", "value": {1, 2}}], "plain values"),
    ],
)
def test_a_ui_that_is_none_is_refused_and_all_stays(
    form: AIVirtualInputService, elements: Any, why: str
) -> None:
    before = form.get_current_virtual_ui()
    with pytest.raises(ConfigError, match=why):
        form.load_virtual_ui(elements)
    assert form.get_current_virtual_ui() == before


def test_a_scene_is_loaded_by_name_or_by_file(form: AIVirtualInputService, tmp_path: Path) -> None:
    form.load_scene("code_lab")
    assert described(form, "run_code_button")["label_text"] == "Run"
    file = tmp_path / "mine.json"
    scene: dict[str, Any] = {
        "format": 1,
        "title": "Mine",
        "ui": [{"element_id": "w", "element_type": "window", "bounds_relative": [0, 0, 1, 1]}],
    }
    file.write_text(json.dumps(scene))
    form.load_scene(str(file))
    assert [each["element_id"] for each in form.get_current_virtual_ui()] == ["w"]
    with pytest.raises(ConfigError):
        form.load_scene("no_such_scene")


def test_nothing_is_loaded_at_first_and_input_is_simulated_only(form: AIVirtualInputService) -> None:
    avis = AIVirtualInputService(form.control)
    assert avis.get_current_virtual_ui() == [] and avis.action_log == []
    assert avis.click_element("name")["outcome"] == "refused"
    assert avis.permission_level == "simulation_only"


def test_the_log_keeps_commands_as_they_were_given_and_the_desktops_time(form: AIVirtualInputService) -> None:
    command: VirtualMouseCommand = {"action_type": "click", "target_element_id": "name"}
    given = copy.deepcopy(command)
    form.process_mouse_command(command)
    command["target_element_id"] = "short"
    form.process_mouse_command(command)
    first, second = form.action_log
    assert first["command"] == given and second["command"] == command
    assert second["time"] > first["time"] > 0
    assert first["code"] is None and first["permissions"] is None
