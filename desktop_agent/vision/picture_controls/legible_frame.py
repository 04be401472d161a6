"""A frame made easy to read for text recognition: no borders, no boxes, dark on light, its noise evened out."""

from __future__ import annotations

import cv2
import numpy as np

from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.picture_controls.form_shapes import FormShapes, ground_of, level_in

_NOISY = 1.2
"""Shades of noise from which on it is evened out."""


def legible(frame: Frame, shapes: FormShapes) -> Frame:
    """The same frame in grey with every box's text on the ground around it, and without its border and marks.

    Recognisers take borders for letters, and leave out words that are drawn close to them.
    """
    noise = float(round(shapes.noise))
    picture = shapes.picture
    if noise >= _NOISY:
        picture = cv2.fastNlMeansDenoisingColored(picture, None, noise * 1.5, noise * 1.5, 3, 11)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    for box in shapes.boxes:
        around = float(ground_of(picture, box).mean())
        inner = picture[box.y + 3 : box.bottom - 3, box.x + 3 : box.right - 3].astype(np.float32)
        ink = np.abs(inner - level_in(picture, box, 3)).max(axis=2)
        ink[ink < max(10.0, 2 * noise)] = 0
        grey[max(0, box.y - 3) : box.bottom + 3, max(0, box.x - 3) : box.right + 3] = around
        dark = around > 110
        grey[box.y + 3 : box.bottom - 3, box.x + 3 : box.right - 3] = around - ink if dark else around + ink
    for mark in shapes.marks:
        own = mark.bounds.grown(3, 3)
        around = float(ground_of(picture, mark.bounds).mean())
        grey[max(0, own.y) : own.bottom, max(0, own.x) : own.right] = around
    soft = cv2.GaussianBlur(grey, (0, 0), 1.6)
    sharp = (
        np.clip(grey + 0.8 * (grey - soft), 0, 255).astype(np.uint8)
        if noise
        else np.clip(grey, 0, 255).astype(np.uint8)
    )
    every = np.dstack((sharp, sharp, sharp, np.zeros_like(sharp)))
    return Frame(every.tobytes(), frame.region, frame.epoch, frame.time)
