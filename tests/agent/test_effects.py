"""What is said of an operation's effect is what the elements show."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from desktop_agent.agent.looking.look_diff import news
from desktop_agent.agent.verifying.rules import BeforeAfter, EffectVerdict
from desktop_agent.agent.verifying.verify import before_and_after, effect_of
from desktop_agent.llm.base import MISSED
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point, Rect, Size, Viewport
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.scene import Scene
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import stand_in
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element, Observation
from desktop_agent.vision.settling.result import Settled

REGION, CORNER = Rect(0, 0, 400, 300), Point(0, 0)
QUIET = Settled((), 0.0, True, 0.1)
MOVED = Settled((Rect(10, 10, 50, 50),), 0.1, True, 0.1)
ROLLED = Settled((Rect(10, 120, 200, 100),), 0.1, True, 0.1)
BOX = Element("e1", "check box", "Bold", Rect(10, 10, 80, 20), states=frozenset({"enabled"}), window="Paper")
ENTRY = Element("e2", "entry", "Name", Rect(10, 50, 200, 20), states=frozenset({"editable"}), window="Paper")
BUTTON = Element("e3", "push button", "Save", Rect(10, 90, 80, 20), window="Paper")
LIST = Element("e4", "list", "Days", Rect(10, 120, 200, 100), window="Paper")
ROWS = tuple(
    Element(f"r{i}", "list item", f"Day {i}", Rect(12, 122 + 20 * i, 180, 18), window="Paper")
    for i in range(5)
)
THINGS = (BOX, ENTRY, BUTTON, LIST, *ROWS)


def look(*elements: Element, windows: tuple[str, ...] = ("Paper",), pointer: Point = CORNER) -> Observation:
    frame = Frame(bytes(REGION.width * REGION.height * 4), REGION, 1, 0.0)
    view = Viewport(REGION, Size(REGION.width, REGION.height), 1)
    scene = Scene((), 0, pointer)
    return Observation(frame, view, elements, window=windows[0], windows=windows, scene=scene)


def with_(thing: Element, **changes: Any) -> Element:
    return msgspec.structs.replace(thing, **changes)


def after(
    op: Op, *elements: Element, settled: Settled = MOVED, last: bool = True, **more: Any
) -> EffectVerdict:
    return effect_of(op, BeforeAfter(look(*THINGS), look(*elements, **more), settled), last=last)


def others(*changed: Element) -> tuple[Element, ...]:
    """All things, some of them as they are now."""
    names = {each.name for each in changed}
    return (*(each for each in THINGS if each.name not in names), *changed)


CLICK_BOX = ops.ClickElement("e1")


def test_a_box_that_is_ticked_is_confirmed() -> None:
    found = after(CLICK_BOX, *others(with_(BOX, id="e9", states=BOX.states | {"checked"})))
    assert found == EffectVerdict("confirmed", "it is checked now")


def test_a_click_by_place_is_judged_by_what_is_there() -> None:
    ticked = with_(BOX, states=BOX.states | {"checked"})
    assert after(ops.Click(20, 15), *others(ticked)).effect == "confirmed"


@pytest.mark.parametrize(("settled", "effect"), [(MOVED, "changed"), (QUIET, "unchanged")])
def test_a_box_that_stays_as_it_was_is_not_confirmed(settled: Settled, effect: str) -> None:
    assert after(CLICK_BOX, *THINGS, settled=settled).effect == effect


def test_a_click_on_what_was_told_at_a_wrong_place_has_missed_it() -> None:
    elsewhere = with_(BUTTON, bounds=Rect(10, 94 + BUTTON.bounds.height, 80, 20))
    for click in (ops.ClickElement("e3"), ops.Click(50, 100)):
        assert after(click, *others(elsewhere), settled=QUIET) == EffectVerdict("unchanged", MISSED)
    assert after(ops.ClickElement("e3"), *others(elsewhere), settled=MOVED).detail != MISSED
    near = with_(BUTTON, bounds=Rect(10, 92, 80, 20))
    assert after(ops.ClickElement("e3"), *others(near), settled=QUIET) == EffectVerdict("unchanged")


def test_another_box_that_flips_confirms_nothing() -> None:
    other = Element("e8", "check box", "Italic", Rect(10, 30, 80, 20), states=frozenset({"checked"}))
    assert after(CLICK_BOX, *THINGS, other).effect == "changed"


def test_a_button_that_opens_a_window_is_confirmed_and_the_window_named() -> None:
    found = after(ops.ClickElement("e3"), *THINGS, windows=("Save As", "Paper"))
    assert (found.effect, found.detail) == ("confirmed", "opened the window “Save As”")


def test_a_box_that_does_not_tell_its_text_is_no_sign_that_nothing_was_typed() -> None:
    silent = msgspec.structs.replace(ENTRY, states=ENTRY.states | {"unreadable"})
    found = after(ops.Type("Ada Lovelace", element="e2"), *others(silent))
    assert (found.effect, found.detail, found.late) == ("changed", "", False)


def test_the_box_holds_what_was_typed() -> None:
    found = after(ops.Type("Ada Lovelace", element="e2"), *others(with_(ENTRY, value="Ada Lovelace")))
    assert found == EffectVerdict("confirmed", "the box now holds “Ada Lovelace”")


def test_of_a_long_text_in_the_box_it_is_told_how_long_it_is() -> None:
    held = "Minutes of the meeting. " * 10 + "Ada Lovelace"
    found = after(ops.Type("Ada Lovelace", element="e2"), *others(with_(ENTRY, value=held)))
    assert found == EffectVerdict("confirmed", "the box now holds it among 252 characters")


def test_another_text_in_the_box_is_told_and_not_confirmed() -> None:
    found = after(ops.Type("Ada Lovelace", element="e2"), *others(with_(ENTRY, value="Ada L")))
    assert found == EffectVerdict("changed", "the box now holds “Ada L”")


def test_a_box_that_is_as_before_may_be_told_late_unless_the_keyboard_has_gone_on() -> None:
    assert after(ops.Type("Ada", element="e2"), *THINGS).late
    assert not after(ops.Type("Ada\n", element="e2"), *THINGS).late
    assert not after(ops.Type("Ada", element="e2"), *THINGS, settled=QUIET).late


def test_without_a_name_the_box_with_the_keyboard_is_read() -> None:
    holding = with_(ENTRY, value="Ada", states=ENTRY.states | {"focused"})
    assert after(ops.Type("Ada"), *others(holding)).effect == "confirmed"


def test_a_password_is_never_read_back() -> None:
    hidden = with_(ENTRY, value="tomtom", states=ENTRY.states | {"password"})
    found = after(ops.Type("tomtom", element="e2"), *others(hidden))
    assert found.effect == "changed"
    assert "tomtom" not in found.detail


def test_a_text_with_a_secret_is_not_read_back() -> None:
    op = ops.Type(stand_in("1"), element="e2")
    assert after(op, *others(with_(ENTRY, value=stand_in("1")))) == EffectVerdict("changed", "")


def test_the_keyboard_is_at_the_element() -> None:
    focused = with_(ENTRY, states=ENTRY.states | {"focused"})
    assert after(ops.FocusElement("e2"), *others(focused)).effect == "confirmed"
    elsewhere = with_(BUTTON, states=frozenset({"focused"}))
    assert after(ops.FocusElement("e2"), *others(elsewhere)) == EffectVerdict(
        "changed", "the keyboard is at “Save”"
    )


def test_the_pointer_is_on_the_element() -> None:
    hover = ops.HoverElement("e3")
    assert after(hover, *THINGS, settled=QUIET, pointer=Point(50, 100)).effect == "confirmed"
    assert after(hover, *THINGS, settled=QUIET, pointer=Point(300, 100)).effect == "unchanged"


def test_things_that_moved_confirm_a_scroll() -> None:
    rows = [with_(row, bounds=Rect(12, row.bounds.y - 40, 180, 18)) for row in ROWS[2:]]
    scroll = ops.ScrollElement("e4", 0, -2)
    assert after(scroll, BOX, ENTRY, BUTTON, LIST, *rows).effect == "confirmed"
    assert after(scroll, *THINGS, settled=QUIET).effect == "unchanged"
    assert after(scroll, *others(with_(BOX, bounds=Rect(0, 0, 80, 20)))).effect == "changed"


def test_a_row_that_is_elsewhere_confirms_a_drag() -> None:
    drag = ops.DragElement("r0", "r4")
    assert after(drag, *others(with_(ROWS[0], bounds=ROWS[4].bounds))).effect == "confirmed"
    assert after(drag, *THINGS, settled=QUIET).effect == "unchanged"


def test_only_the_last_operation_gets_the_change_of_the_screen() -> None:
    assert after(CLICK_BOX, *THINGS, last=False).effect == "unknown"
    ticked = with_(BOX, states=BOX.states | {"checked"})
    assert after(CLICK_BOX, *others(ticked), last=False).effect == "confirmed"


def test_without_a_look_only_the_picture_tells() -> None:
    assert effect_of(CLICK_BOX, BeforeAfter(look(*THINGS), None, MOVED), last=True) == EffectVerdict(
        "changed", ""
    )


def test_news_name_windows_and_elements() -> None:
    now = look(*others(), Element("e7", "push button", "OK\n1", Rect(0, 0, 9, 9)), windows=("Ask", "Paper"))
    assert news(look(*THINGS), now) == r"opened the window “Ask”; new: push button “OK\n1”"
    assert news(now, look(*THINGS)) == r"closed the window “Ask”; gone: push button “OK\n1”"
    assert news(now, now) == ""


def test_it_is_looked_again_while_the_tree_is_behind_the_picture() -> None:
    scrolled = [with_(row, bounds=Rect(12, row.bounds.y - 40, 180, 18)) for row in ROWS[2:]]
    looks = iter([look(*THINGS), look(*THINGS), look(BOX, ENTRY, BUTTON, LIST, *scrolled)])
    op = ops.Scroll(0, -2, 50, 150)
    seen = before_and_after((op,), look(*THINGS), ROLLED, lambda: next(looks), StopFlag())
    assert effect_of(op, seen, last=True) == EffectVerdict("confirmed", "what is in it has moved")


def test_a_wait_after_the_wheel_does_not_make_the_tree_any_surer() -> None:
    scrolled = [with_(row, bounds=Rect(12, row.bounds.y - 40, 180, 18)) for row in ROWS[2:]]
    looks = iter([look(*THINGS), look(BOX, ENTRY, BUTTON, LIST, *scrolled)])
    seen = before_and_after(
        (ops.Scroll(0, -2), ops.Wait(0.1)), look(*THINGS), ROLLED, lambda: next(looks), StopFlag()
    )
    assert effect_of(ops.Scroll(0, -2), seen, last=True).effect == "confirmed"


def test_what_changes_elsewhere_is_not_taken_for_the_effect_of_the_wheel() -> None:
    clock = with_(BUTTON, name="12:01")
    assert after(ops.Scroll(0, -2), *others(clock), settled=ROLLED).late


def test_things_that_only_went_leave_the_tree_behind() -> None:
    assert after(ops.Scroll(0, -2), BOX, ENTRY, BUTTON, LIST, *ROWS[2:], settled=ROLLED).late


def test_a_menu_that_shows_in_the_picture_only_is_looked_for_again() -> None:
    menu = Settled((Rect(10, 90, 150, 120),), 0.1, True, 0.1)
    entry = Element("m1", "menu item", "Copy", Rect(12, 112, 100, 18), window="Paper")
    looks = iter([look(*THINGS), look(*THINGS, entry)])
    seen = before_and_after((ops.ClickElement("e3"),), look(*THINGS), menu, lambda: next(looks), StopFlag())
    assert effect_of(ops.ClickElement("e3"), seen, last=True).detail == "new: menu item “Copy”"


def test_a_button_that_only_looks_pressed_is_not_looked_at_again() -> None:
    pressed = Settled((Rect(6, 86, 88, 28),), 0.1, True, 0.1)
    assert not after(ops.ClickElement("e3"), *THINGS, settled=pressed).late


def test_what_shows_nowhere_is_not_looked_for_again() -> None:
    looks = iter([look(*THINGS)])
    seen = before_and_after((ops.Scroll(0, -2),), look(*THINGS), QUIET, lambda: next(looks), StopFlag())
    assert effect_of(ops.Scroll(0, -2), seen, last=True).effect == "unchanged"
