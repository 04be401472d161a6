"""Simulated UI Automation trees become elements."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.elements.occlusion import visible_elements
from desktop_agent.vision.observation import Element
from desktop_agent.vision.uia.com_client import CachedNode
from desktop_agent.vision.uia.uia_reader import MAX_NODES, UiaNode, UiaReader, elements_of
from tests.support.waiting import until

BUTTON, CHECK, EDIT, ITEM, MENU, TEXT, THUMB, TREE_ITEM, DOCUMENT, WINDOW, PANE = (
    50000, 50002, 50004, 50007, 50009, 50020, 50027, 50024, 50030, 50032, 50033,
)  # fmt: skip


@dataclass
class Made:
    """A node of a simulated tree."""

    id: str
    control: int
    name: str = ""
    bounds: Rect = Rect(0, 0, 100, 20)
    value: str | None = ""
    pid: int = 7
    enabled: bool = True
    focused: bool = False
    focusable: bool = False
    offscreen: bool = False
    password: bool = False
    editable: bool = False
    toggled: bool | None = None
    selected: bool | None = None
    expanded: bool | None = None
    parts: Sequence[UiaNode] = field(default_factory=list)

    def children(self) -> Sequence[UiaNode]:
        return self.parts


def window(*parts: UiaNode) -> Made:
    return Made("w", WINDOW, "Letter - Editor", Rect(0, 0, 800, 600), parts=parts)


def told(*parts: UiaNode) -> list[Element]:
    return elements_of(window(*parts), "editor")[1:]


def test_roles_names_places_and_states() -> None:
    (found,) = told(Made("1", CHECK, "Bold", Rect(5, 40, 60, 20), toggled=True, focusable=True))
    assert (found.role, found.name, found.bounds) == ("check box", "Bold", Rect(5, 40, 60, 20))
    assert found.states == {"showing", "enabled", "focusable", "checked"}
    assert (found.window, found.application, found.pid, found.parent) == ("Letter - Editor", "editor", 7, "w")


def test_lines_end_as_they_are_typed() -> None:
    (found,) = told(Made("1", EDIT, value="one\r\ntwo\rthree"))
    assert found.value == "one\ntwo\nthree"


def test_a_box_that_does_not_tell_its_text_is_not_taken_for_an_empty_one() -> None:
    silent, empty = told(Made("1", EDIT, value=None), Made("2", EDIT, bounds=Rect(0, 50, 100, 20), value=""))
    assert "unreadable" in silent.states and "unreadable" not in empty.states


def test_a_password_is_never_told() -> None:
    (found,) = told(Made("1", EDIT, "Password", value="hunter2", password=True, editable=True))
    assert found.role == "password text" and found.value == "" and "password" in found.states


def test_a_page_tells_its_address_and_an_edited_document_has_none() -> None:
    page, editor = told(
        Made("1", DOCUMENT, "Shop", value="https://shop.example/a"),
        Made("2", DOCUMENT, "Letter", Rect(0, 50, 9, 9), value="https://shop.example/a", editable=True),
    )
    assert (page.url, editor.url) == ("https://shop.example/a", "")


def test_what_has_patterns_says_so() -> None:
    tree, toggle = told(
        Made("1", TREE_ITEM, "Folder", Rect(0, 0, 9, 9), expanded=False, selected=True),
        Made("2", BUTTON, "Mute", Rect(20, 0, 9, 9), toggled=False),
    )
    assert {"expandable", "selected"} <= tree.states and "expanded" not in tree.states
    assert toggle.role == "toggle button" and "checked" not in toggle.states


def test_what_cannot_be_seen_or_used_is_left_out_but_not_what_is_in_it() -> None:
    inside = Made("3", TEXT, "Inside", Rect(0, 50, 50, 10))
    found = told(
        Made("1", BUTTON, "Hidden", offscreen=True),
        Made("2", THUMB, "Thumb", parts=[inside]),
        Made("4", TEXT),
        Made("5", EDIT, bounds=Rect(0, 100, 50, 10)),
    )
    assert [each.id for each in found] == ["3", "5"] and found[0].parent == "w"


def test_reading_order_and_a_bounded_number() -> None:
    many = [Made(str(n), ITEM, f"Line {n}", Rect(0, 20 * n, 90, 18)) for n in range(MAX_NODES + 50)]
    found = told(*reversed(many[: MAX_NODES // 2]))
    assert [each.id for each in found] == [str(n) for n in range(MAX_NODES // 2)]
    assert len(told(*many)) < MAX_NODES


@pytest.mark.parametrize(("control", "role"), [(PANE, "frame"), (WINDOW, "frame"), (MENU, "menu")])
def test_a_browser_that_calls_itself_a_panel_is_a_window(control: int, role: str) -> None:
    tree = Made("w", control, "News - Browser", Rect(0, 0, 800, 600), parts=[Made("1", PANE, "Page")])
    assert [each.role for each in elements_of(tree, "browser")] == [role, "panel"]


def test_what_a_browser_shows_behind_another_window_is_not_told() -> None:
    tree = Made("w", PANE, "News", Rect(0, 0, 800, 600), parts=[Made("1", BUTTON, "OK")], pid=7)
    front = WindowInfo("Letter", 8, bounds=Rect(0, 0, 900, 700))
    assert visible_elements(elements_of(tree, ""), [front, WindowInfo("News", 7, bounds=tree.bounds)]) == ()


class Cached:
    """An element as comtypes has it, that tells these properties."""

    def __init__(self, **told: object) -> None:
        self._told = told

    def GetCachedPropertyValueEx(self, number: int, _: bool) -> object:
        return self._told.get(f"p{number}")


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 1e400])
def test_an_endless_place_is_none(number: float) -> None:
    node = CachedNode(Cached(p30001=(number, 0.0, -number, 5.0)), (ValueError,))
    assert node.bounds.empty


def test_a_place_between_pixels_is_rounded() -> None:
    assert CachedNode(Cached(p30001=(1.4, 2.6, 3.5, 4.0)), (ValueError,)).bounds == Rect(1, 3, 4, 4)


def test_one_look_that_fails_is_not_the_last() -> None:
    failing = [True]

    def fail(_: int) -> None:
        if failing.pop() if failing else False:
            raise OverflowError("cannot convert float infinity to integer")

    reader = UiaReader(Asked(window(Made("1", BUTTON, "OK")), meanwhile=fail))
    assert reader.read() == () and "OverflowError" in reader.reason
    assert [each.name for each in reader.read()] == ["Letter - Editor", "OK"] and reader.reason == ""


def test_ids_are_short_and_stay() -> None:
    reader = UiaReader(Asked(window(Made("42.7.1", BUTTON, "OK"))))
    first, again = reader.read(), reader.read()
    assert first == again and all(len(each.id) <= 4 for each in first)


class Asked:
    """Trees as an Ask gives them; `meanwhile` is called before each."""

    def __init__(self, *trees: UiaNode, meanwhile: Callable[[int], object] = lambda _: None) -> None:
        self._trees, self._meanwhile = trees, meanwhile
        self.silent: Collection[int] = ()
        self.closed_on: list[threading.Thread] = []

    def close(self) -> None:
        self.closed_on.append(threading.current_thread())

    def __call__(self, ignored: Collection[int], only: int) -> Iterator[UiaNode]:
        for number, tree in enumerate(self._trees):
            self._meanwhile(number)
            yield tree


@pytest.fixture
def stuck() -> Iterator[UiaReader]:
    """A reader of a program that does not answer until the test is over."""
    over = threading.Event()

    reader = UiaReader(
        Asked(window(Made("1", BUTTON, "Late")), meanwhile=lambda _: over.wait()), seconds=0.05
    )
    yield reader
    over.set()


def test_a_program_that_hangs_holds_up_no_look(stuck: UiaReader) -> None:
    assert stuck.read() == () and "does not answer" in stuck.reason
    assert stuck.read() == () and "does not answer" in stuck.reason


def test_what_the_others_told_in_time_is_kept() -> None:
    over = threading.Event()

    def hang(number: int) -> None:
        if number == 1:
            over.wait()

    first, second = window(Made("1", BUTTON, "OK")), window(Made("2", BUTTON, "Late"))
    asked = Asked(first, second, meanwhile=hang)
    asked.silent = (7, 9)
    reader = UiaReader(asked, seconds=0.2)
    assert [each.name for each in reader.read()] == ["Letter - Editor", "OK"]
    assert reader.reason == "" and reader.silent == ("process 7", "process 9")
    over.set()


def test_what_com_says_is_told() -> None:
    def fail(_: int) -> None:
        raise OSError(-2147220991, "event cannot invoke a subscriber")

    reader = UiaReader(Asked(window(), meanwhile=fail))
    assert reader.read() == () and "cannot invoke" in reader.reason


def test_all_is_asked_on_one_thread_which_ends_with_the_reader() -> None:
    threads: list[threading.Thread] = []
    asked = Asked(window(), meanwhile=lambda _: threads.append(threading.current_thread()))
    reader = UiaReader(asked, seconds=20)
    reader.read()
    reader.read()
    assert not asked.closed_on
    reader.close()
    reader.close()
    assert len(set(threads)) == 1 and asked.closed_on == threads[:1]
    assert not threads[0].is_alive()


def test_a_reader_can_be_used_again_after_its_end() -> None:
    asked = Asked(window(Made("1", BUTTON, "OK")))
    reader = UiaReader(asked, seconds=20)
    for times in range(1, 6):
        assert [each.name for each in reader.read()] == ["Letter - Editor", "OK"]
        reader.close()
        assert len(asked.closed_on) == times


def test_a_program_that_hangs_does_not_hold_up_the_end() -> None:
    over = threading.Event()
    asked = Asked(window(), meanwhile=lambda _: over.wait())
    reader = UiaReader(asked, seconds=0.05)
    reader.read()
    reader.close()
    assert not asked.closed_on
    over.set()
    until(lambda: bool(asked.closed_on), "the thread's end")
