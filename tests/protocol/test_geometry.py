"""Image pixels and screen pixels: one conversion, also left of and above the primary monitor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Geometry, Point, Rect, Size, Viewport

sizes = st.integers(1, 8000)
rects = st.builds(Rect, st.integers(-8000, 8000), st.integers(-8000, 8000), sizes, sizes)
LEFT_OF_PRIMARY = Geometry((Rect(0, 0, 1920, 1080), Rect(-1280, -200, 1280, 1024)), epoch=1)


def test_bounds_span_all_monitors_and_have_holes() -> None:
    assert LEFT_OF_PRIMARY.bounds == Rect(-1280, -200, 3200, 1280)
    assert LEFT_OF_PRIMARY.visible(Point(-1280, -200))
    assert LEFT_OF_PRIMARY.visible(Point(1919, 1079))
    assert not LEFT_OF_PRIMARY.visible(Point(100, -100))
    assert not LEFT_OF_PRIMARY.visible(Point(-100, 900))
    assert not LEFT_OF_PRIMARY.visible(Point(1920, 0))


def test_a_scaled_picture_of_a_desktop_with_a_negative_origin() -> None:
    viewport = Viewport(LEFT_OF_PRIMARY.bounds, Size(1600, 640), epoch=1)
    assert viewport.to_screen(0, 0) == Point(-1279, -199)
    assert viewport.to_screen(1599, 639) == Point(1919, 1079)
    assert viewport.to_image(Point(0, 0)) == Point(640, 100)
    assert viewport.rect_to_image(Rect(-1280, -200, 1280, 1024)) == Rect(0, 0, 640, 512)
    assert viewport.rect_to_image(Rect(5000, 5000, 10, 10)).empty


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (1600, 0), (0, 640), (10**9, 10**9)])
def test_pixels_outside_the_picture_are_refused(x: int, y: int) -> None:
    with pytest.raises(OutOfBounds, match="outside the picture"):
        Viewport(LEFT_OF_PRIMARY.bounds, Size(1600, 640), 1).to_screen(x, y)


def test_points_outside_the_region_are_refused() -> None:
    with pytest.raises(OutOfBounds):
        Viewport(Rect(-10, -10, 10, 10), Size(10, 10), 1).to_image(Point(0, 0))


@given(rects, st.data())
def test_every_image_pixel_lands_in_the_region_and_comes_back(region: Rect, data: st.DataObject) -> None:
    # Pictures are never larger than the region they show.
    image = Size(data.draw(st.integers(1, region.width)), data.draw(st.integers(1, region.height)))
    viewport = Viewport(region, image, 1)
    x, y = data.draw(st.integers(0, image.width - 1)), data.draw(st.integers(0, image.height - 1))
    point = viewport.to_screen(x, y)
    assert region.contains(point)
    assert viewport.to_image(point) == Point(x, y)


@given(rects, rects)
def test_intersection_is_the_common_part(first: Rect, second: Rect) -> None:
    common = first.intersection(second)
    assert common == second.intersection(first) or common.empty
    if not common.empty:
        assert first.intersection(common) == second.intersection(common) == common
