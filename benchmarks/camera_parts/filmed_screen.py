"""A screen's pixels as a camera's frame shows them after its perspective is taken out."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.support.simulated_camera import CameraQuality, SimulatedCamera


def filmed(screen: NDArray[Any], quality: CameraQuality, seed: int = 1, frames: int = 1) -> NDArray[Any]:
    """The screen filmed, packed as JPEG, unpacked and rectified with the true corners; BGR of the screen's size.

    The mean of `frames` frames: a screen that stands still is looked at more than once.
    """
    camera = SimulatedCamera(lambda: screen, quality, seed, frames)
    flats = [rectified(_unpacked(camera.jpeg()), quality, screen) for _ in range(frames)]
    if frames == 1:
        return flats[0]
    mean: NDArray[Any] = np.mean(np.stack(flats).astype(np.float32), axis=0)
    return np.clip(mean + 0.5, 0, 255).astype(np.uint8)


def _unpacked(data: bytes) -> NDArray[Any]:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None  # noqa: S101 - it was packed here
    return picture


def rectified(picture: NDArray[Any], quality: CameraQuality, screen: NDArray[Any]) -> NDArray[Any]:
    """The part of a camera's picture that shows the screen, in the size of the screen."""
    height, width = screen.shape[:2]
    there = np.array([(x * quality.size[0], y * quality.size[1]) for x, y in quality.corners], np.float32)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(there, flat)
    return cv2.warpPerspective(picture, matrix, (width, height), flags=cv2.INTER_CUBIC)
