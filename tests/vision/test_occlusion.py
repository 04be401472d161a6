"""Covered elements are dropped or cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.elements.occlusion import visible_elements
from desktop_agent.vision.observation import Element

BACK = WindowInfo("Back", pid=1, bounds=Rect(0, 0, 400, 400))


def frame(title: str = "Back", pid: int = 1, bounds: Rect = BACK.bounds) -> Element:
    return Element("f", "frame", title, bounds, window=title, pid=pid)


def button(bounds: Rect, pid: int = 1, parent: str = "f", window: str = "Back") -> Element:
    return Element("b", "push button", "Save", bounds, window=window, pid=pid, parent=parent)


def seen(bounds: Rect, *covers: Rect) -> Rect | None:
    """What is left of a button in the back window."""
    windows = [WindowInfo("Front", pid=2, bounds=cover) for cover in covers]
    kept = visible_elements([frame(), button(bounds)], [*windows, BACK])
    return next((e.bounds for e in kept if e.id == "b"), None)


def test_what_is_in_front_stays() -> None:
    assert seen(Rect(10, 10, 50, 20)) == Rect(10, 10, 50, 20)
    windows = [BACK, WindowInfo("Other", pid=2, bounds=Rect(0, 0, 400, 400))]
    assert len(visible_elements([frame(), button(Rect(1, 1, 5, 5))], windows)) == 2


def test_what_is_wholly_covered_goes() -> None:
    assert seen(Rect(10, 10, 50, 20), Rect(0, 0, 100, 100)) is None
    assert seen(Rect(10, 10, 50, 20), Rect(0, 0, 35, 100), Rect(35, 0, 100, 100)) is None


def test_the_free_part_is_kept_when_the_middle_is_covered() -> None:
    assert seen(Rect(0, 0, 100, 20), Rect(40, 0, 300, 300)) == Rect(0, 0, 40, 20)
    assert seen(Rect(0, 0, 100, 20), Rect(2, 0, 300, 300)) is None


def test_an_edge_that_is_covered_does_not_matter() -> None:
    assert seen(Rect(0, 0, 100, 20), Rect(90, 0, 300, 300)) == Rect(0, 0, 100, 20)


def test_a_minimised_window_shows_nothing() -> None:
    assert visible_elements([frame(), button(Rect(1, 1, 5, 5))], [WindowInfo("Back", pid=1)]) == ()


def test_an_element_takes_the_title_its_window_has_on_the_screen() -> None:
    windows = [WindowInfo("Back - Editor", pid=1, bounds=BACK.bounds)]
    assert {e.window for e in visible_elements([frame(), button(Rect(1, 1, 5, 5))], windows)} == {
        "Back - Editor"
    }


def test_of_two_windows_with_one_title_the_place_decides() -> None:
    twin = WindowInfo("Back", pid=1, bounds=Rect(500, 0, 400, 400))
    cover = WindowInfo("Cover", pid=2, bounds=Rect(0, 0, 450, 450))
    kept = visible_elements([frame(), button(Rect(1, 1, 5, 5))], [twin, cover, BACK])
    assert kept == ()


def test_of_two_windows_in_one_place_the_title_decides() -> None:
    twin = WindowInfo("Front", pid=1, bounds=BACK.bounds)
    assert visible_elements([frame(), button(Rect(1, 1, 5, 5))], [twin, BACK]) == ()


def test_what_belongs_to_no_known_window_stays() -> None:
    item = Element("m", "menu item", "Paste", Rect(10, 10, 50, 20), window="Back", pid=1)
    stranger = button(Rect(10, 10, 50, 20), pid=9, parent="")
    assert visible_elements([item, stranger], [WindowInfo("Front", pid=2, bounds=BACK.bounds), BACK]) == (
        item,
        stranger,
    )


def test_places_within_a_window_are_moved_to_where_it_is() -> None:
    window = WindowInfo("Back", pid=1, bounds=Rect(290, 140, 420, 420))
    kept = visible_elements([frame(), button(Rect(30, 40, 50, 20))], [window])
    assert [e.bounds for e in kept] == [Rect(300, 150, 400, 400), Rect(330, 190, 50, 20)]
    other_size = WindowInfo("Back", pid=1, bounds=Rect(290, 140, 900, 420))
    assert seen(Rect(30, 40, 50, 20)) == Rect(30, 40, 50, 20)
    assert visible_elements([frame()], [other_size])[0].bounds == BACK.bounds


def test_the_window_of_a_program_in_a_container_is_found_by_its_title() -> None:
    window = WindowInfo("Back", pid=4711, bounds=BACK.bounds)
    cover = WindowInfo("Front", pid=2, bounds=Rect(0, 0, 50, 50))
    kept = visible_elements([frame(), button(Rect(1, 1, 5, 5))], [cover, window])
    assert [e.id for e in kept] == ["f"]


def test_front_windows_come_first() -> None:
    front = WindowInfo("Front", pid=2, bounds=Rect(500, 0, 100, 100))
    other = Element("o", "frame", "Front", front.bounds, window="Front", pid=2)
    kept = visible_elements([frame(), button(Rect(1, 1, 5, 5)), other], [front, BACK])
    assert [e.id for e in kept] == ["o", "f", "b"]


RECTS = st.builds(Rect, st.integers(0, 300), st.integers(0, 300), st.integers(1, 200), st.integers(1, 200))


@given(RECTS, st.lists(RECTS, max_size=5))
def test_the_middle_of_what_is_kept_is_never_covered(bounds: Rect, covers: list[Rect]) -> None:
    left = seen(bounds, *covers)
    if left is not None:
        assert left.intersection(bounds) == left
        assert not any(cover.contains(left.center) for cover in covers)
