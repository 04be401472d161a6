"""Controls read from pictures of real pages, on a crisp screenshot and through a camera."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV comes with the extra camera")

import cv2

from benchmarks import form_shapes
from desktop_agent.extras.camera.picture_controls.controls import PictureControls, controls_in
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.tesseract import read_words
from tests.support.filmed_frames import frame_of
from tests.support.form_pages import FormSite, TrueControl
from tests.support.simulated_camera import GOOD


@pytest.fixture(scope="module")
def desk() -> Iterator[tuple[EmbeddedDisplay, FormSite, Path]]:
    with form_shapes.forms_desk() as parts:
        yield parts


@pytest.fixture(scope="module")
def left(desk: tuple[EmbeddedDisplay, FormSite, Path]) -> tuple[Frame, tuple[TrueControl, ...]]:
    return form_shapes.opened(*desk, "left")


def _read(frame: Frame) -> tuple[Element, ...]:
    return PictureControls(read_words)(frame, StopFlag())


def test_form_is_read_from_a_crisp_picture(left: tuple[Frame, tuple[TrueControl, ...]]) -> None:
    frame, truth = left
    found = form_shapes.score(_read(frame), truth)
    assert found.found >= 0.75 * found.wanted, found
    assert found.stated == found.found, found


def test_form_is_read_through_a_good_camera(left: tuple[Frame, tuple[TrueControl, ...]]) -> None:
    frame, truth = left
    elements = _read(form_shapes.seen(frame, GOOD))
    found = form_shapes.score(elements, truth)
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
