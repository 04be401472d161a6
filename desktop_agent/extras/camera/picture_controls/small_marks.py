"""Check boxes, radio buttons and switches: small closed shapes beside words."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from desktop_agent.extras.camera.picture_controls.picture_lines import Pixels
from desktop_agent.protocol.geometry import Rect

_SMALLEST, _LARGEST = 10, 27
_LIKE = 0.84
_LEAST = 11
"""Pixels: no smaller once its outline is measured."""
_LARGER = 4
_SHRUNK = 3
"""Pixels by which an outline is smaller than all that stands out there, at most."""
_GROUND = 41
"""Pixels around a shape whose most usual shade is its background."""
_SQUARE, _ROUND = 0.825, 0.69
"""Share of its bounding square that a square covers at least, and a circle at least."""


@dataclass(frozen=True)
class SmallMark:
    """A small shape; `round` for a circle, `long` for a switch, `on` when it is ticked, filled or has a dot."""

    bounds: Rect
    round: bool
    on: bool
    long: bool = False


def small_marks(picture: Pixels, noise: float) -> list[SmallMark]:
    """The small closed shapes of a picture (blue, green, red) that stand by themselves."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.6) if noise > 1 else picture
    ground = cv2.merge([cv2.medianBlur(np.ascontiguousarray(soft[:, :, each]), _GROUND) for each in range(3)])
    ink = cv2.absdiff(soft, ground).max(axis=2)
    found: dict[Rect, SmallMark] = {}
    for least in (max(14.0, 5 * noise), max(9.0, 3.5 * noise), 40.0):
        for mark in _at(ink, soft, ground, least, noise):
            if not any(not mark.bounds.intersection(each).empty for each in found):
                found[mark.bounds] = mark
    return list(found.values())


def _at(ink: Pixels, picture: Pixels, ground: Pixels, least: float, noise: float) -> list[SmallMark]:
    mask = (ink > least).astype(np.uint8)
    contours, nesting = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    found = []
    for number, contour in enumerate(contours):
        if nesting[0][number][3] >= 0:
            continue  # the inner side of another
        x, y, width, height = cv2.boundingRect(contour)
        if not (_SMALLEST <= height <= _LARGEST and _SMALLEST <= width <= 2.4 * _LARGEST):
            continue
        rough = Rect(x, y, width, height)
        if not _alone(mask, rough) or not _closed(ink, rough, least):
            continue
        bounds, covered, like = _outline(ink, rough, least)
        if like < _LIKE:
            continue
        long = 1.55 <= bounds.width / bounds.height <= 2.4 and bounds.height >= 14
        if not long and (abs(bounds.width - bounds.height) > 2 or min(bounds.width, bounds.height) < _LEAST):
            continue
        if covered < (0.8 if long else _ROUND):
            continue
        found.append(
            SmallMark(bounds, covered < _SQUARE and not long, _is_on(picture, ground, bounds, noise), long)
        )
    return found


def _outline(ink: Pixels, rough: Rect, least: float) -> tuple[Rect, float, float]:
    """Where the shape's outline is half as dark as at its darkest, the share of that rectangle it encloses, and how
    much it is like a circle or a square, whichever is nearer (1 is all).

    A thin border around a ground lighter than the page is faint where both blur into each other: then where it is less dark.
    """
    part = ink[rough.y - 2 : rough.bottom + 2, rough.x - 2 : rough.right + 2].astype(np.float32)
    if rough.x < 2 or rough.y < 2 or not part.size:
        return rough, 0.0, 0.0
    large = cv2.resize(part, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC)
    dark = float(np.percentile(part, 85))
    best = (rough, 0.0, 0.0)
    for level in (dark / 2, dark / 3, least):
        found = _enclosed(large, level, rough)
        whole = min(found[0].width - rough.width, found[0].height - rough.height) >= -_SHRUNK
        if whole and found[2] >= _LIKE:
            return found
        if whole and found[2] > best[2]:
            best = found
    return best


def _enclosed(large: Pixels, level: float, rough: Rect) -> tuple[Rect, float, float]:
    contours, _ = cv2.findContours((large > level).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = max(contours, key=cv2.contourArea, default=None)
    if whole is None:
        return rough, 0.0, 0.0
    x, y, width, height = cv2.boundingRect(whole)
    covered = (cv2.contourArea(whole) + cv2.arcLength(whole, True) / 2 + 1) / (width * height)
    place = (x / _LARGER + rough.x - 2, y / _LARGER + rough.y - 2, width / _LARGER, height / _LARGER)
    own, ideal = np.zeros(large.shape, np.uint8), np.zeros(large.shape, np.uint8)
    cv2.drawContours(own, [whole], -1, 1, cv2.FILLED)
    if covered >= _SQUARE:
        ideal[y : y + height, x : x + width] = 1
    else:
        cv2.ellipse(ideal, ((x + (width - 1) / 2, y + (height - 1) / 2), (width, height), 0), 1, cv2.FILLED)
    like = float((own & ideal).sum() / max(1, (own | ideal).sum()))
    return Rect(*(round(each) for each in place)), covered, like


def _alone(mask: Pixels, box: Rect) -> bool:
    """Is there nothing right beside it? Letters stand closer."""
    height, width = mask.shape
    gap = max(3, round(0.28 * box.height))
    left = mask[box.y : box.bottom, max(0, box.x - gap) : box.x]
    right = mask[box.y : box.bottom, box.right : min(width, box.right + gap)]
    above = mask[max(0, box.y - 2) : box.y, box.x : box.right]
    below = mask[box.bottom : min(height, box.bottom + 2), box.x : box.right]
    return not (left.any() or right.any() or above.any() or below.any())


def _closed(ink: Pixels, box: Rect, least: float) -> bool:
    """Does its outline go all around? Seen from the middle, ink is met in every direction."""
    centre_x, centre_y = box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2
    met = 0
    for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False):
        reach = np.arange(0.5, 1.45, 0.06)
        xs = np.clip(np.rint(centre_x + np.cos(angle) * reach * box.width / 2), box.x, box.right - 1).astype(
            int
        )
        ys = np.clip(
            np.rint(centre_y + np.sin(angle) * reach * box.height / 2), box.y, box.bottom - 1
        ).astype(int)
        met += bool((ink[ys, xs] > least).any())
    return met >= 23


def _is_on(picture: Pixels, ground: Pixels, box: Rect, noise: float) -> bool:
    """Is there something in it: a tick, a dot, or a strong colour?"""
    inset = max(3, round(min(box.width, box.height) * 0.24))
    inner = picture[box.y + inset : box.bottom - inset, box.x + inset : box.right - inset].astype(np.float32)
    if not inner.size:
        return False
    behind = ground[box.center.y, max(0, box.x - 2)].astype(np.float32)
    flat = inner.reshape(-1, 3)
    spread = float(np.abs(flat - np.median(flat, axis=0)).max(axis=1).mean())
    coloured = _colour(flat.mean(axis=0) - behind)
    if box.width >= 1.5 * box.height:
        return coloured > 45
    return coloured > 45 or spread > max(14.0, 2.5 * noise)


def _colour(difference: Pixels) -> float:
    """How much of a difference is colour and not brightness, in shades."""
    return float(difference.max() - difference.min())
