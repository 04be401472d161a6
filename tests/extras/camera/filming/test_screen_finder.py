"""Finding a screen in a camera's picture: how exactly, what may be in the way, and what is said when it fails."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from desktop_agent.extras.camera.filming.calibration_page import draw
from desktop_agent.extras.camera.filming.light import measure_light
from desktop_agent.extras.camera.filming.picture_hints import picture_hints
from desktop_agent.extras.camera.filming.rectifier import Rectifier
from desktop_agent.extras.camera.filming.screen_finder import find_screen
from desktop_agent.extras.camera.filming.screen_place import (
    ScreenPlace,
    distorted,
    manual_place,
    project,
    undistorted,
)
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Rect, Size
from tests.support.filmed_changes import HEIGHT, WIDTH, filmed, page
from tests.support.simulated_camera import FAIR, GOOD, POOR, CameraQuality, Picture, SimulatedCamera

BENT = replace(GOOD, name="bent", barrel=0.05)
EDGES = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float64)


@cache
def shot(quality: CameraQuality) -> Picture:
    shown = page()
    return filmed(SimulatedCamera(lambda: shown, quality))


def matrix(quality: CameraQuality) -> Any:
    """From the screen's pixels to the camera's, both counted by their middles, as the simulated camera has it."""
    width, height = quality.size
    there = np.array([(x * width, y * height) for x, y in quality.corners], np.float32)
    return cv2.getPerspectiveTransform(EDGES.astype(np.float32), there)


def misses(place: ScreenPlace, quality: CameraQuality) -> Any:
    """How far the found corners are from the true ones, in screen pixels."""
    truth = project(matrix(quality), EDGES - 0.5)
    if quality.barrel:
        # The simulated lens maps the other way; its inverse, by iteration.
        middle, unit = np.array(quality.size) / 2, quality.size[0]
        flat = (truth - middle) / unit
        there = flat
        for _ in range(50):
            there = flat / (1 - quality.barrel * (there**2).sum(axis=1, keepdims=True))
        truth = there * unit + middle
    return np.linalg.norm(place.to_screen(truth) - EDGES, axis=1)


@pytest.mark.parametrize(("quality", "most"), [(GOOD, 1.0), (FAIR, 1.5), (POOR, 2.5), (BENT, 1.0)])
def test_corners_are_found_exactly(quality: CameraQuality, most: float) -> None:
    place = find_screen(shot(quality))
    assert place.size == Size(WIDTH, HEIGHT) and place.seen >= 16
    assert misses(place, quality).max() < most
    assert any(place.lens) == bool(quality.barrel)


def test_a_finger_before_markers_moves_nothing() -> None:
    picture = shot(FAIR).copy()
    cv2.ellipse(picture, (330, 200), (130, 60), 40, 0, 360, (120, 150, 190), -1)
    cv2.ellipse(picture, (1560, 900), (40, 200), 10, 0, 360, (120, 150, 190), -1)
    place = find_screen(picture)
    assert place.seen < place.markers
    assert misses(place, FAIR).max() < 1.5


def test_glare_on_some_markers_moves_nothing() -> None:
    picture = shot(GOOD).astype(np.float32)
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    picture += (240 * np.exp(-((x - 1300) ** 2 + (y - 400) ** 2) / 30_000))[..., None]
    place = find_screen(np.clip(picture, 0, 255).astype(np.uint8))
    assert misses(place, GOOD).max() < 1.0


def with_second_screen(quality: CameraQuality, second: Picture) -> Picture:
    """The page, and a smaller screen to the right of it."""
    wide = np.full((1080, 1920, 3), 90, np.uint8)
    wide[60:720, 60:1116] = cv2.resize(page(), (1056, 660), interpolation=cv2.INTER_AREA)
    wide[300:840, 1150:1870] = cv2.resize(second, (720, 540), interpolation=cv2.INTER_AREA)
    return wide


def test_another_screen_in_the_room_is_no_matter() -> None:
    other = np.full((600, 800, 3), 230, np.uint8)
    cv2.putText(other, "another screen", (80, 300), cv2.FONT_HERSHEY_SIMPLEX, 2, (0, 0, 0), 3)
    place = find_screen(with_second_screen(GOOD, other))
    assert (
        np.abs(
            np.array(place.corners) - np.array([(59.5, 59.5), (1115.5, 59.5), (1115.5, 719.5), (59.5, 719.5)])
        ).max()
        < 1
    )


@pytest.mark.parametrize("size", [(WIDTH, HEIGHT), (1024, 768)])
def test_two_pages_are_refused(size: tuple[int, int]) -> None:
    other = np.frombuffer(draw(*size), np.uint8).reshape(size[1], size[0], 4)[..., :3]
    with pytest.raises(Refused, match="Two screens"):
        find_screen(with_second_screen(GOOD, other))


def test_a_screen_that_is_cut_off_is_refused() -> None:
    picture = shot(GOOD)[:, :1700]
    with pytest.raises(Refused, match="top right and bottom right corners are outside"):
        find_screen(picture)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: p // 60, "too dark"),
        (lambda p: cv2.GaussianBlur(p, (0, 0), 12), "blurred"),
        (lambda p: np.full_like(p, 255), "burnt out"),
        (lambda p: np.full_like(p, 128), "Show the page"),
        (lambda p: p[:600, :1000], "Only|outside"),
    ],
)
def test_what_fails_is_said_with_what_to_change(change: Any, words: str) -> None:
    with pytest.raises(Refused, match=words):
        find_screen(np.ascontiguousarray(change(shot(GOOD))))


def test_a_good_picture_has_no_hints_and_a_bad_one_has() -> None:
    good = shot(GOOD)
    place = find_screen(good)
    assert picture_hints(good, place, good) == ()
    assert "Too dark" in picture_hints(good // 4, place)[0]
    assert "Burnt out" in picture_hints(np.clip(good.astype(int) * 3, 0, 255).astype(np.uint8), place)[0]
    assert any("Blurred" in each for each in picture_hints(cv2.GaussianBlur(good, (0, 0), 4), place))
    assert any("moves" in each for each in picture_hints(np.roll(good, 5, axis=1), place, good))
    glaring = cv2.add(good, cv2.circle(np.zeros_like(good), (400, 250), 160, (120,) * 3, -1))
    assert any("mirrors in the screen at its top left" in each for each in picture_hints(glaring, place))
    assert any("small" in each for each in picture_hints(shot(POOR), find_screen(shot(POOR))))


def test_corners_by_hand_are_checked() -> None:
    camera, size = Size(1920, 1080), Size(WIDTH, HEIGHT)
    right = [(100.0, 90.0), (1800.0, 100.0), (1790.0, 1000.0), (90.0, 1010.0)]
    assert manual_place(right, size, camera).corners[2] == (1790.0, 1000.0)
    for wrong, words in (
        (right[::-1], "clockwise"),
        ([right[0], right[2], right[1], right[3]], "clockwise"),
        (right[:3], "4 corners"),
        ([*right[:3], (-60.0, 1010.0)], "not in the camera's picture"),
        ([(1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0)], "too small"),
        ([(float("nan"), 1.0), *right[1:]], "not in the camera's picture"),
    ):
        with pytest.raises(Refused, match=words):
            manual_place(wrong, size, camera)


def test_a_lens_is_taken_out_and_put_in_again() -> None:
    points = np.array([(0.0, 0.0), (1919.0, 1079.0), (1000.0, 500.0), (30.0, 1000.0)])
    for lens in ((0.08, 0.02), (-0.1, 0.01), (0.0, 0.0)):
        there = distorted(points, lens, Size(1920, 1080))
        assert np.abs(undistorted(there, lens, Size(1920, 1080)) - points).max() < 0.01


@pytest.mark.parametrize("quality", [GOOD, POOR])
def test_white_becomes_white_and_dark_stays_dark(quality: CameraQuality) -> None:
    place = find_screen(shot(quality))
    rectifier = Rectifier(place, measure_light(shot(quality), place))
    shown = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    shown[250:600, 200:1100] = (40, 40, 40)
    flat = rectifier.flat(filmed(SimulatedCamera(lambda: shown, quality)))
    assert flat.shape == (HEIGHT, WIDTH, 3)
    blocks = cv2.resize(flat[260:590, 210:1090], (8, 4), interpolation=cv2.INTER_AREA).astype(int)
    assert np.abs(blocks - 40).max() < 16
    assert (
        np.abs(cv2.resize(flat[20:230, 20:-20], (8, 2), interpolation=cv2.INTER_AREA).astype(int) - 255).max()
        < 10
    )


def test_a_crop_is_that_part_of_the_screen() -> None:
    place = find_screen(shot(GOOD))
    whole, part = Rectifier(place), Rectifier(place, crop=Rect(100, 50, 300, 200))
    assert (part.flat(shot(GOOD)) == whole.flat(shot(GOOD))[50:250, 100:400]).all()
    with pytest.raises(Refused, match="not on the screen"):
        Rectifier(place, crop=Rect(1200, 0, 100, 10))
