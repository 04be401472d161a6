"""Masking rules: password fields that outlast gaps in the tree, covers, patterns of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.geometry import Point, Rect, uncovered
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import PasswordFields, Privacy, masked, without_private
from desktop_agent.vision.observation import Element

WINDOW = WindowInfo("Login", pid=7, application="web", bounds=Rect(100, 100, 400, 300))
PLACE = Rect(150, 150, 100, 20)
BOX = Element("e2", "password text", "Password", PLACE, window="Login", pid=7, application="web")
OTHER = Element(
    "e1", "push button", "Enter", Rect(150, 200, 50, 20), window="Login", pid=7, application="web"
)
SCREEN = Rect(0, 0, 640, 480)


def bounds(passwords: PasswordFields) -> set[Rect]:
    return {each.bounds for each in passwords.fields}


def known() -> PasswordFields:
    passwords = PasswordFields()
    passwords.update([BOX, OTHER], [WINDOW], ())
    return passwords


def test_a_field_that_is_gone_from_the_tree_is_forgotten() -> None:
    passwords = known()
    assert bounds(passwords) == {PLACE}
    passwords.update([OTHER], [WINDOW], ())
    assert bounds(passwords) == set()


@pytest.mark.parametrize(("told", "unread"), [([], ()), ([OTHER], ("web",))])
def test_a_field_whose_window_was_not_read_stays(told: list[Element], unread: tuple[str, ...]) -> None:
    passwords = known()
    for _ in range(3):
        passwords.update(told, [WINDOW], unread)
        assert bounds(passwords) == {PLACE}
    passwords.update([OTHER], [WINDOW], ())
    assert bounds(passwords) == set()


def test_it_moves_with_its_window_and_stays_where_it_was() -> None:
    passwords = known()
    moved = WindowInfo("Login", 7, "web", Rect(130, 90, 400, 300))
    for _ in range(3):
        passwords.update([], [moved], ())
        assert bounds(passwords) == {PLACE, Rect(180, 140, 100, 20)}


def test_it_goes_with_its_window() -> None:
    passwords = known()
    passwords.update([], [WindowInfo("Other", 8, bounds=Rect(0, 0, 9, 9))], ())
    assert bounds(passwords) == set()


def test_a_new_title_is_no_new_window() -> None:
    passwords = known()
    passwords.update([], [WindowInfo("Login *", 7, "web", WINDOW.bounds)], ())
    assert bounds(passwords) == {PLACE}


@pytest.mark.parametrize(
    ("place", "name"), [(PLACE, "Password"), (PLACE, "Hide it"), (Rect(150, 180, 100, 20), "Password")]
)
def test_a_password_made_visible_stays_hidden(place: Rect, name: str) -> None:
    passwords = known()
    shown = Element("e2", "entry", name, place, "hunter2", frozenset(("editable",)), "Login", "web", pid=7)
    for _ in range(2):
        fields = passwords.update([shown, OTHER], [WINDOW], ())
        assert bounds(passwords) == {place}
        (told,) = (e for e in without_private([shown, OTHER], fields, lambda _: False, ()) if e.id == "e2")
        assert told.value == "" and "password" in told.states


def test_a_field_that_the_tree_has_lost_but_the_screen_shows_stays() -> None:
    passwords = known()
    frame = Frame(bytes(640 * 480 * 4), SCREEN, 1, 0.0)
    passwords.keep_still_drawn(frame)
    passwords.update([OTHER], [WINDOW], ())
    assert {each.bounds for each in passwords.keep_still_drawn(frame)} == {PLACE}
    passwords.update([OTHER], [WINDOW], ())
    assert passwords.keep_still_drawn(Frame(b"\1" * (640 * 480 * 4), SCREEN, 1, 0.0)) == ()


def test_what_lies_in_a_field_is_not_told_and_what_is_around_it_is() -> None:
    dots = Element("e3", "static", "•••••", Rect(155, 152, 40, 16), window="Login", pid=7)
    label = Element("e4", "label", "Password", Rect(80, 150, 170, 20), window="Login", pid=7)
    other = Element("e5", "static", "above it", Rect(155, 152, 40, 16), window="Note", pid=9)
    told = without_private([BOX, dots, label, other], known().fields, lambda _: False, ())
    assert [each.id for each in told] == ["e2", "e4", "e5"]


@pytest.mark.parametrize(
    ("pattern", "window", "hidden"),
    [
        ("*keepass*", WindowInfo("db - KeePassXC"), True),
        ("Signal*", WindowInfo("SIGNAL"), True),
        ("signal", WindowInfo("Chat", application="Signal"), True),
        ("Signal*", WindowInfo("My Signal"), False),
        ("[x]", WindowInfo("x"), True),
    ],
)
def test_patterns(pattern: str, window: WindowInfo, hidden: bool) -> None:
    assert Privacy((pattern,)).hides(window) is hidden


small = st.integers(-5, 25)
rects = st.builds(Rect, small, small, st.integers(1, 20), st.integers(1, 20))


@given(rects, st.lists(rects, max_size=4))
def test_what_is_left_beside_covers_is_exact(rect: Rect, covers: list[Rect]) -> None:
    pieces = uncovered(rect, covers)
    for x in range(rect.x, rect.right):
        for y in range(rect.y, rect.bottom):
            point = Point(x, y)
            count = sum(piece.contains(point) for piece in pieces)
            assert count == (0 if any(cover.contains(point) for cover in covers) else 1)


def test_a_frame_without_anything_to_hide_is_the_same() -> None:
    frame = Frame(bytes(10 * 10 * 4), Rect(0, 0, 10, 10), 1, 0.0)
    assert masked(frame, [Rect(20, 20, 5, 5)]) is frame
    grey = masked(frame, [Rect(8, 8, 5, 5)])
    assert grey.pixels.count(b"\x80\x80\x80\x00") == 4 and grey.digest != frame.digest
