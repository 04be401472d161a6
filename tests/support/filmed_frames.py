"""Makes a screen's picture into what a camera in front of it sees, straightened and averaged, as a frame.

It stands for calibration, straightening and the noise gate, with corners that are known.
"""

from __future__ import annotations

import time

import cv2
import numpy as np

from benchmarks.report import BenchmarkError
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame
from tests.support.simulated_camera import CameraQuality, Picture, SimulatedCamera

SHOTS = 4
"""Pictures of a still screen that are averaged."""


def bgr(frame: Frame) -> Picture:
    """A frame's pixels as rows, columns, and blue, green and red."""
    size = frame.size
    return np.frombuffer(frame.pixels, np.uint8).reshape(size.height, size.width, 4)[:, :, :3].copy()


def frame_of(picture: Picture) -> Frame:
    """A picture as a frame of the screen at 0,0."""
    height, width = picture.shape[:2]
    pixels = np.dstack((picture, np.zeros((height, width), np.uint8))).tobytes()
    return Frame(pixels, Rect(0, 0, width, height), 1, time.monotonic())


def filmed(picture: Picture, quality: CameraQuality, seed: int = 1) -> Frame:
    """What a camera of this quality sees of a still screen, straightened, its light evened out and its noise averaged."""
    height, width = picture.shape[:2]
    seen = _straight(picture, quality, seed)
    white = _straight(np.full_like(picture, 255), quality, seed)
    black = _straight(np.zeros_like(picture), quality, seed)
    white, black = (cv2.GaussianBlur(each, (0, 0), 25) for each in (white, black))
    flat = (seen - black) / np.maximum(white - black, 1) * 255
    return frame_of(np.clip(flat, 0, 255).astype(np.uint8)[:height, :width])


def _straight(picture: Picture, quality: CameraQuality, seed: int) -> Picture:
    height, width = picture.shape[:2]
    camera = SimulatedCamera(lambda: picture, quality, seed)
    there = np.array([(x * quality.size[0], y * quality.size[1]) for x, y in quality.corners], np.float32)
    flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(there, flat)
    total = np.zeros((height, width, 3), np.float32)
    for _ in range(SHOTS):
        shot = cv2.imdecode(np.frombuffer(camera.jpeg(), np.uint8), cv2.IMREAD_COLOR)
        if shot is None:
            raise BenchmarkError("The camera's picture could not be unpacked.")
        total += cv2.warpPerspective(shot, matrix, (width, height), flags=cv2.INTER_CUBIC)
    return total / SHOTS
