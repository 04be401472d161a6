"""A camera that films pixels: perspective, lens blur, noise and uneven light, served as MJPEG on loopback.

It stands for a webcam in front of a screen. What it films is asked for anew at each frame, so it shows what a window
shows at that moment.
"""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[Any]
"""Rows, columns, and blue, green and red."""
_BOUNDARY = "frame"
_BANK = 6
_ROOM = 96
"""Pictures of noise, and by how many pixels they are larger than a frame: a random part of one is used each time."""


@dataclass(frozen=True)
class CameraQuality:
    """How well a camera sees a screen.

    `size` is (width, height) of its frames in pixels; `corners` are where the screen's corners stand in them, clockwise
    from the top left, as shares of width and height; `blur` is the lens's (sigma) and `noise` the sensor's (standard
    deviation of 255 shades); `light` is the share by which the darkest corner is darker than the brightest, `glare` how
    many shades a reflection adds at its middle, `warmth` the share of blue that is lost; `jpeg` is the quality at
    which frames are packed, `barrel` the lens's radial distortion (k1 of Brown's model), `flicker` the share by which bands
    that wander down the picture are brighter and darker, `rate` frames a second.
    """

    name: str
    size: tuple[int, int]
    corners: tuple[tuple[float, float], ...]
    blur: float
    noise: float
    light: float
    glare: float
    warmth: float
    jpeg: int
    barrel: float = 0.0
    flicker: float = 0.0
    rate: float = 12.0


GOOD = CameraQuality(
    "good",
    (1920, 1080),
    ((0.10, 0.06), (0.91, 0.08), (0.90, 0.95), (0.11, 0.93)),
    0.6,
    2.0,
    0.10,
    0,
    0.03,
    92,
)
FAIR = CameraQuality(
    "fair",
    (1920, 1080),
    ((0.13, 0.09), (0.90, 0.14), (0.87, 0.93), (0.10, 0.90)),
    1.0,
    4.5,
    0.30,
    18,
    0.08,
    82,
)
POOR = CameraQuality(
    "poor", (1600, 900), ((0.08, 0.12), (0.93, 0.06), (0.89, 0.95), (0.12, 0.90)), 1.3, 7.0, 0.45, 35, 0.15, 72,
)  # fmt: skip
QUALITIES = (GOOD, FAIR, POOR)
SIGNAL = CameraQuality("signal", (1280, 800), ((0, 0), (1, 0), (1, 1), (0, 1)), 0.0, 0.0, 0.0, 0.0, 0.0, 95)
"""No camera: the signal of a screen of this size."""


class SimulatedCamera:
    """Films what `screen` returns. `frames` counts those that were sent."""

    def __init__(
        self, screen: Callable[[], Picture], quality: CameraQuality, seed: int = 1, bank: int = _BANK
    ) -> None:
        """`bank` is how many pictures of noise it has: fewer are made sooner, and will do for a few frames."""
        self._screen, self.quality = screen, quality
        chance = np.random.default_rng(seed)
        self._chance = chance
        height, width = quality.size[1] + _ROOM, quality.size[0] + _ROOM
        self._noise = [
            (chance.standard_normal((height, width, 1)).astype(np.float32) * quality.noise
             + chance.standard_normal((height, width, 3)).astype(np.float32) * quality.noise * 0.4)
            for _ in range(bank)
        ]  # fmt: skip
        self._light = _light(quality)
        self._room = _room(quality, chance)
        self._map = _lens(quality)
        self._number = 0
        self.frozen: Picture | None = None

    def shot(self) -> Picture:
        """One frame, as its sensor sees the screen now."""
        quality = self.quality
        seen = self._screen()
        width, height = quality.size
        there = np.array([(x * width, y * height) for x, y in quality.corners], np.float32)
        bottom, right = seen.shape[:2]
        flat = np.array([(0, 0), (right, 0), (right, bottom), (0, bottom)], np.float32)
        matrix = cv2.getPerspectiveTransform(flat, there)
        picture = self._room.copy()
        cv2.warpPerspective(
            seen,
            matrix,
            (width, height),
            dst=picture,
            flags=cv2.INTER_AREA,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
        if self._map is not None:
            picture = cv2.remap(picture, *self._map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if quality.blur:
            picture = cv2.GaussianBlur(picture, (0, 0), quality.blur)
        self._number += 1
        lit = picture.astype(np.float32) * self._light[0] + self._light[1]
        if quality.flicker:  # lamps and backlights, which the shutter's way down the sensor makes bands of
            phase = np.arange(height, dtype=np.float32)[:, None, None] / height * 3 + self._number * 0.37
            lit *= 1 + quality.flicker * np.sin(2 * np.pi * phase)
        down, right = (int(each) for each in self._chance.integers(_ROOM, size=2))
        lit += self._noise[self._number % len(self._noise)][down : down + height, right : right + width]
        shot: Picture = np.clip(lit, 0, 255).astype(np.uint8)
        return shot

    def jpeg(self) -> bytes:
        """One frame, packed."""
        _, data = cv2.imencode(".jpg", self.shot(), [cv2.IMWRITE_JPEG_QUALITY, self.quality.jpeg])
        return bytes(data)


def _light(quality: CameraQuality) -> tuple[NDArray[Any], NDArray[Any]]:
    """By what each pixel's shade is multiplied, and what a reflection adds to it."""
    width, height = quality.size
    across = np.linspace(0, 1, width, dtype=np.float32)[None, :, None]
    down = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    colour = np.array([1 - quality.warmth, 1, 1 - quality.warmth / 3], np.float32)
    gain = (1 - quality.light * (0.6 * across + 0.4 * down)) * colour
    spot = np.exp(-(((across - 0.7) / 0.15) ** 2 + ((down - 0.3) / 0.2) ** 2)).astype(np.float32)
    return gain, spot * quality.glare * np.ones(3, np.float32)


def _room(quality: CameraQuality, chance: np.random.Generator) -> Picture:
    """What is behind the screen: a wall, a desk and a few things on it."""
    width, height = quality.size
    room = np.full((height, width, 3), (96, 104, 112), np.uint8)
    room[int(height * 0.9) :] = (44, 66, 92)
    for _ in range(12):
        x, y = int(chance.integers(width)), int(chance.integers(height))
        shade = tuple(int(each) for each in chance.integers(30, 200, 3))
        cv2.rectangle(
            room, (x, y), (x + int(chance.integers(20, 160)), y + int(chance.integers(20, 160))), shade, -1
        )
    return cv2.GaussianBlur(room, (0, 0), 3)


def _lens(quality: CameraQuality) -> tuple[Any, Any] | None:
    """From where in the undistorted picture each pixel comes; None for a lens without distortion."""
    if not quality.barrel:
        return None
    width, height = quality.size
    focal = width
    across, down = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    x, y = (across - width / 2) / focal, (down - height / 2) / focal
    factor = 1 - quality.barrel * (x * x + y * y)
    return (x * factor * focal + width / 2).astype(np.float32), (y * factor * focal + height / 2).astype(
        np.float32
    )


def at_rate(quality: CameraQuality, rate: float) -> CameraQuality:
    """The same camera with another number of frames a second."""
    return replace(quality, rate=rate)


class ServedCamera:
    """A camera at a loopback address; `unplug` ends every stream and refuses more until `plug_in`."""

    def __init__(self, camera: SimulatedCamera) -> None:
        self._camera = camera
        self._gone = threading.Event()
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner._serve(self)

            def log_message(self, *words: object) -> None:
                del words

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/stream.mjpg"
        self.frames = 0

    def unplug(self) -> None:
        self._gone.set()

    def plug_in(self) -> None:
        self._gone.clear()

    def _serve(self, request: http.server.BaseHTTPRequestHandler) -> None:
        if self._gone.is_set():
            request.send_error(503)
            return
        request.send_response(200)
        request.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={_BOUNDARY}")
        request.end_headers()
        due = time.monotonic()
        while not self._gone.is_set():
            data = self._camera.jpeg()
            try:
                request.wfile.write(
                    f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n".encode()
                    + data
                    + b"\r\n"
                )
            except OSError:
                return
            self.frames += 1
            due = max(due + 1 / self._camera.quality.rate, time.monotonic())
            if self._gone.wait(max(0.0, due - time.monotonic())):
                return

    def close(self) -> None:
        self._gone.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def filming(screen: Callable[[], Picture], quality: CameraQuality) -> Iterator[ServedCamera]:
    """A camera that films `screen`, at a loopback address while this lasts."""
    served = ServedCamera(SimulatedCamera(screen, quality))
    try:
        yield served
    finally:
        served.close()
