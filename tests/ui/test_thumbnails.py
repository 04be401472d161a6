"""Pictures of places: the right pixel is marked, and what is no picture does no harm."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QRect, QSize
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.ui.view_model import Shot
from desktop_agent.ui.widgets.theme import LIGHT, Theme
from desktop_agent.ui.widgets.thumbnails import (
    ApprovalPicture,
    Thumbnail,
    crop_around,
    decode,
    picture_size,
    to_picture_point,
)
from tests.ui.scenes import SCREEN, desktop_picture


def test_a_screen_point_becomes_a_pixel_of_the_picture() -> None:
    region = Rect(-1920, 0, 1920, 1080)
    assert to_picture_point(region, Point(-960, 540), QSize(640, 360)) == QPointF(960.5 / 3, 540.5 / 3)
    assert to_picture_point(region, Point(0, 0), QSize(640, 360)) is None
    assert to_picture_point(region, None, QSize(640, 360)) is None


@pytest.mark.parametrize("place", [QPointF(0, 0), QPointF(639, 359), QPointF(320, 180), None])
def test_what_is_shown_small_lies_in_the_picture_and_holds_the_place(place: QPointF | None) -> None:
    shown = crop_around(place, QSize(640, 360), 1.5)
    assert QRect(0, 0, 640, 360).contains(shown)
    if place is not None:
        assert shown.adjusted(0, 0, 1, 1).contains(place.toPoint())


@pytest.mark.parametrize("data", [b"", b"nonsense"])
def test_a_broken_picture_is_no_picture(qapp: QApplication, data: bytes) -> None:
    assert picture_size(data).isEmpty()
    assert decode(data, QSize(10, 10)).isNull()
    thumb = Thumbnail(Theme("light"))
    thumb.show_shot(Shot(data, SCREEN), Point(5, 5))
    assert not thumb.grab().isNull()
    picture = ApprovalPicture(Theme("light"))
    picture.show_picture(data, Point(1, 1))
    picture.resize(200, picture.wanted(200))
    picture.grab()


def test_the_mark_is_at_the_place(qapp: QApplication) -> None:
    picture = ApprovalPicture(Theme("light"))
    picture.show_picture(desktop_picture(1366, 768), Point(864, 546))
    picture.resize(346, 190)
    image = picture.grab().toImage()
    reds = [(x, y) for x in range(346) for y in range(190) if is_red(image, x, y)]
    xs, ys = [x for x, _ in reds], [y for _, y in reds]
    assert reds
    assert abs((min(xs) + max(xs)) / 2 - 173) <= 2
    middle = (min(ys) + max(ys)) / 2
    assert 0 < middle < 190
    assert not is_red(image, 173, round(middle)), "what is marked stays readable"


def is_red(image: QImage, x: int, y: int) -> bool:
    color, stop = image.pixelColor(x, y), QColor(LIGHT.stop)
    return all(abs(a - b) < 40 for a, b in zip(color.getRgb()[:3], stop.getRgb()[:3], strict=True))  # type: ignore[index]
