"""Controls read from pictures of real pages, on a crisp screenshot and through a camera."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV comes with the extra camera")

import cv2

from desktop_agent.extras.camera.picture_controls.controls import PictureControls, controls_in
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.tesseract import read_words
from tests.support.filmed_frames import bgr, filmed, frame_of
from tests.support.form_pages import FOLDER, FormSite, TrueControl, browser, served_forms
from tests.support.simulated_camera import GOOD
from tests.support.waiting import until

SIZE, BACKGROUND = Size(1280, 800), 0x3B6EA5
_PLACE = 0.4
"""Share of a place from which on it is the same."""
_TEXTS = frozenset(("static", "link"))
_SAME_ROLES = {"password text": "entry"}


class Score(msgspec.Struct, frozen=True):
    """Controls of the truth that were found with their role, of how many; those missed; those with their own state.

    The truth is what the page's DOM says of its controls. One counts as found when it has its role and stands where it
    stands.
    """

    found: int
    wanted: int
    missed: tuple[str, ...]
    stated: int


def score(elements: Sequence[Element], truth: Sequence[TrueControl]) -> Score:
    """Compare what was read with what is there."""
    left = [each for each in elements if each.role not in _TEXTS]
    wanted = [each for each in truth if each.role != "link"]
    missed: list[str] = []
    found = stated = 0
    for each in wanted:
        near = [one for one in left if _common(one.bounds, each.bounds) >= _PLACE]
        best = max(near, key=lambda one: _common(one.bounds, each.bounds), default=None)
        if best is None or _SAME_ROLES.get(best.role, best.role) != each.role:
            missed.append(f"{each.role} {each.name}")
            continue
        left.remove(best)
        found += 1
        stated += ("checked" in best.states) == each.checked
    return Score(found, len(wanted), tuple(missed), stated)


def _common(one: Rect, other: Rect) -> float:
    both = one.intersection(other)
    return 0.0 if both.empty else both.area / (one.area + other.area - both.area)


@contextmanager
def forms_desk() -> Iterator[tuple[EmbeddedDisplay, FormSite, Path]]:
    """A private display, the forms on loopback, and a place for the browser's profile."""
    desk = EmbeddedDisplay(SIZE, BACKGROUND)
    with served_forms(FOLDER) as site, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        desk.start()
        try:
            yield desk, site, Path(profile)
        finally:
            desk.stop()


def opened(
    desk: EmbeddedDisplay, site: FormSite, profile: Path, page: str
) -> tuple[Frame, tuple[TrueControl, ...]]:
    """The picture of a page over the whole screen, at rest, and its controls."""
    site.truth = ()
    desk.launch(browser(site.url(page), profile))
    truth = site.controls()
    last = [b""]

    def still() -> Frame | None:
        frame = desk.observe()
        same, last[0] = frame.pixels == last[0], frame.pixels
        shown = len(set(frame.pixels[:: 4 * 997])) > 1
        threading.Event().wait(0.2)
        return frame if same and shown else None

    return until(still, f"the page {page} at rest"), truth


@pytest.fixture(scope="module")
def desk() -> Iterator[tuple[EmbeddedDisplay, FormSite, Path]]:
    with forms_desk() as parts:
        yield parts


@pytest.fixture(scope="module")
def left(desk: tuple[EmbeddedDisplay, FormSite, Path]) -> tuple[Frame, tuple[TrueControl, ...]]:
    return opened(*desk, "left")


def _read(frame: Frame) -> tuple[Element, ...]:
    return PictureControls(read_words)(frame, StopFlag())


def test_form_is_read_from_a_crisp_picture(left: tuple[Frame, tuple[TrueControl, ...]]) -> None:
    frame, truth = left
    found = score(_read(frame), truth)
    assert found.found >= 0.75 * found.wanted, found
    assert found.stated == found.found, found


def test_form_is_read_through_a_good_camera(left: tuple[Frame, tuple[TrueControl, ...]]) -> None:
    frame, truth = left
    elements = _read(filmed(bgr(frame), GOOD))
    found = score(elements, truth)
    assert found.found >= 0.75 * found.wanted, found
    assert found.stated == found.found, found
    assert all(each.source == "ocr" for each in elements)
    password = next(each for each in elements if each.role == "password text")
    assert not password.value


def test_same_thing_keeps_its_id_when_it_is_ticked() -> None:
    read = PictureControls(read_words)
    empty, ticked = _page(), _page()
    for picture in (empty, ticked):
        _box(picture, Rect(100, 100, 16, 16))
        cv2.putText(
            picture, "Newsletter", (130, 114), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA
        )
    ticked[105:111, 105:111] = 40
    before, after = (read(frame_of(each), StopFlag()) for each in (empty, ticked))
    assert [(e.role, e.name) for e in before] == [("check box", "Newsletter")]
    assert before[0].id == after[0].id
    assert "checked" not in before[0].states
    assert "checked" in after[0].states


def test_cells_of_a_table_and_pictures_are_no_controls() -> None:
    picture = _page()
    for row in range(3):
        for column in range(3):
            _box(picture, Rect(100 + 120 * column, 100 + 30 * row, 121, 31))
    chance = np.random.default_rng(1)
    _box(picture, Rect(100, 300, 200, 120))
    picture[302:418, 102:298] = chance.integers(0, 255, (116, 196, 3))
    words = tuple(
        _word("Apples", Rect(120 + 120 * c, 108 + 30 * r, 50, 12)) for r in range(3) for c in range(3)
    )
    assert {each.role for each in controls_in(frame_of(picture), words)} == {"static"}


def test_field_has_its_label_and_what_is_in_it() -> None:
    picture = _page()
    _box(picture, Rect(200, 100, 300, 30))
    picture[110:120, 208:240:3] = 20
    words = (_word("Town", Rect(150, 108, 40, 14)), _word("Graz", Rect(208, 109, 34, 12)))
    field = next(each for each in controls_in(frame_of(picture), words) if each.role == "entry")
    assert (field.name, field.value) == ("Town", "Graz")


def _page() -> np.ndarray:
    return np.full((480, 640, 3), 255, np.uint8)


def _box(picture: np.ndarray, place: Rect) -> None:
    picture[place.y : place.bottom, place.x : place.right] = 90
    picture[place.y + 1 : place.bottom - 1, place.x + 1 : place.right - 1] = 255


def _word(text: str, place: Rect) -> Element:
    return Element(f"w{place.x}.{place.y}", "static", text, place, source="ocr")
