"""Measures whether a filmed screen's small changes get through the noise gate, and whether a still screen stays still.

Run: python -m tests.support.filmed_changes [PICTURES] [ROUNDS] [PART]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from desktop_agent.extras.camera.filming.calibration_page import draw
from desktop_agent.extras.camera.filming.light import measure_light
from desktop_agent.extras.camera.filming.noise_gate import NoiseGate
from desktop_agent.extras.camera.filming.rectifier import Rectifier
from desktop_agent.extras.camera.filming.screen_finder import find_screen
from tests.support.simulated_camera import QUALITIES, CameraQuality, Picture, SimulatedCamera

WIDTH, HEIGHT = 1280, 800
PAIRS = (
    ("e", "c"), ("l", "i"), (".", ","), ("o", "0"), ("a", "o"), ("x", " "), ("|", " "), ("m", "n"), ("1", "l"),
    (":", ";"), ("-", " "), ("h", "b"), ("_", " "), ("g", "q"), ("5", "6"), ("7", "1"),
)  # fmt: skip
"""Letters that are taken for each other: the second replaces the first."""
_STEP = 80


@dataclass(frozen=True)
class Change:
    """A letter at x, y that becomes another."""

    x: int
    y: int
    first: str
    second: str


def page(part: int = 1) -> Picture:
    """The calibration page, as a screen shows it; `part` 2 is for one of half the width and height."""
    width, height = WIDTH // part, HEIGHT // part
    return np.frombuffer(draw(width, height), np.uint8).reshape(height, width, 4)[..., :3].copy()


def write(picture: Picture, x: int, y: int, words: str) -> None:
    """Letters of about 14 pixels, dark on white or light on black."""
    ink = (20, 20, 20) if picture[y, x - 4].mean() > 128 else (230, 230, 230)
    cv2.putText(picture, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)


def desk(part: int = 1) -> Picture:
    """A desktop with a white and a black window, with room for letters that change."""
    width, height = WIDTH // part, HEIGHT // part
    screen = np.full((height, width, 3), (200, 190, 180), np.uint8)
    for left, shade in ((20, 255), (width // 2 + 20, 28)):
        window = np.full((height - 40, width // 2 - 40, 3), shade, np.uint8)
        for y in range(30, height - 50, 40):
            write(window, 10, y, "The quick brown fox jumps over the lazy dog, and it comes back at 10:45.")
        cv2.rectangle(window, (0, 0), (window.shape[1] - 1, window.shape[0] - 1), (120, 120, 120), 1)
        screen[20 : height - 20, left : left + width // 2 - 40] = window
    return screen


def changes(part: int = 1) -> Iterator[Change]:
    """Where letters change: far enough from each other to be told apart."""
    width, height = WIDTH // part, HEIGHT // part
    columns = [left + x for left in (30, width // 2 + 30) for x in range(20, width // 2 - 80, _STEP)]
    places = [(x, y) for y in range(70, height - 40, _STEP) for x in columns]
    for index, (x, y) in enumerate(places):
        yield Change(x, y, *PAIRS[(index * 7 + index // len(PAIRS)) % len(PAIRS)])


def filmed(camera: SimulatedCamera) -> Picture:
    """One packed picture, unpacked."""
    return cv2.imdecode(np.frombuffer(camera.jpeg(), np.uint8), cv2.IMREAD_COLOR)  # type: ignore[return-value]


class FilmedDesk:
    """A camera of some quality, set up by the page, before a screen that shows `screen`.

    With `part` 2 screen and camera have half as many pixels each way: each pixel is seen as well as before.
    """

    def __init__(self, quality: CameraQuality, seed: int = 1, part: int = 1) -> None:
        self.part, self.screen = part, page(part)
        size = (quality.size[0] // part, quality.size[1] // part)
        self.camera = SimulatedCamera(lambda: self.screen, replace(quality, size=size), seed)
        picture = filmed(self.camera)
        self.place = find_screen(picture)
        self._rectifier = Rectifier(self.place, measure_light(picture, self.place))
        self.screen = desk(part)

    def flat(self) -> Picture:
        """The screen's pixels, through the camera."""
        return self._rectifier.flat(filmed(self.camera))


def differing(first: bytes, second: bytes) -> Picture:
    """A matrix of booleans: where two pictures differ."""
    one, two = (np.frombuffer(each, np.uint32) for each in (first, second))
    height = next(HEIGHT // part for part in (1, 2, 4) if one.size == WIDTH * HEIGHT // part**2)
    unlike: Picture = (one != two).reshape(height, -1)
    return unlike


def flaps(desk_: FilmedDesk, gate: NoiseGate, pictures: int) -> int:
    """How many of so many pictures of a still screen differ from the one before."""
    last, count = gate.let_through(desk_.flat()), 0
    for _ in range(pictures):
        now = gate.let_through(desk_.flat())
        count, last = count + (now != last), now
    return count


def seen(desk_: FilmedDesk, gate: NoiseGate, chosen: list[Change]) -> tuple[list[Change], list[Change], int]:
    """Which changes did not show in the first and in the second picture; pixels elsewhere that changed."""
    first, second = desk(desk_.part), desk(desk_.part)
    for each in chosen:
        write(first, each.x, each.y, each.first)
        write(second, each.x, each.y, each.second)
    desk_.screen = first
    for _ in range(8):
        before = gate.let_through(desk_.flat())
    desk_.screen = second
    once, twice = (differing(before, gate.let_through(desk_.flat())) for _ in range(2))
    areas = [np.s_[each.y - 22 : each.y + 14, each.x - 14 : each.x + 28] for each in chosen]
    missed = [
        [c for c, area in zip(chosen, areas, strict=True) if not all_[area].any()] for all_ in (once, twice)
    ]
    for each in chosen:
        twice[each.y - 50 : each.y + 42, each.x - 42 : each.x + 56] = False
    return missed[0], missed[1], int(twice.sum())


def main(pictures: int = 500, rounds: int = 3, part: int = 1) -> None:
    """Print for each quality of camera what flaps, and what is not seen."""
    for quality in QUALITIES:
        desk_, gate = FilmedDesk(quality, part=part), NoiseGate()
        begun = time.monotonic()
        print(
            f"{quality.name}: {flaps(desk_, gate, pictures)} of {pictures} pictures of a still screen differ"
        )
        chosen = list(changes(part))
        missed: list[Change] = []
        late = stray = 0
        for turn in range(rounds):
            some = chosen if turn % 2 == 0 else [Change(c.x, c.y, c.second, c.first) for c in chosen]
            first, second, elsewhere = seen(desk_, gate, some)
            late, stray, missed = late + len(first), stray + elsewhere, missed + second
        count = rounds * len(chosen)
        names = sorted({f"{each.first}{each.second}" for each in missed})
        print(
            f"  of {count} letters {count - late} show in the first picture, {count - len(missed)} by the second "
            f"(missed: {names}), {stray} pixels elsewhere; {time.monotonic() - begun:.0f} s"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
