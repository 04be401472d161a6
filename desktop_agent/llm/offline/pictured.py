"""Things that are named by a picture: "the item with this icon", where a text on the page shows which."""

from __future__ import annotations

import re

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from desktop_agent.llm.offline.intents import Phrase
from desktop_agent.llm.offline.marks import strength
from desktop_agent.llm.offline.roles import ROLES
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element

_BY_PICTURE = re.compile(
    r"\b(?:with|by|showing|that (?:has|shows))\s+(?:the\s+|this\s+|that\s+|following\s+)*(?:icon|picture|image|symbol|logo)$",
    re.I,
)
_SHOWING = ROLES["menuitem"] | ROLES["button"] | ROLES["link"] | ROLES["tab"] | ROLES["icon"] | ROLES["item"]
_SURE = 0.97
_GAP = 2
_LEAST = 6
"""Pixels of the smallest picture."""

Strengths = NDArray[np.float64]


def is_pictured(what: Phrase) -> bool:
    """Do the words leave it to a picture to say what is meant?"""
    return bool(_BY_PICTURE.search(what.spoken)) and not what.quoted


def pictured(scene: Scene) -> Element | None:
    """The thing in sight whose picture is shown where the page tells its reader what to do; None when none is."""
    shown = [strength(scene.look, each.area) for each in scene.sight.instructions]
    here = scene.sight.on_page(each for each in scene.sight.front if each.role in _SHOWING)
    icons = [(_icon(each.bounds, scene), each) for each in here] if shown else []
    scored = [(max(_likeness(icon, area) for area in shown), each) for icon, each in icons]
    best = max(scored, key=lambda each: each[0], default=None)
    return best[1] if best is not None and best[0] >= _SURE else None


def _icon(bounds: Rect, scene: Scene) -> Strengths:
    """What is drawn at the left of a thing, as high as it is."""
    side = min(bounds.height, bounds.width) - 2
    square = strength(scene.look, Rect(bounds.x + 1, bounds.y + 1, side + 2, side))
    inked = (square > square.max(initial=0.0) / 3).any(axis=0)
    columns = np.flatnonzero(inked)
    if not len(columns):
        return square[:0]
    breaks = np.flatnonzero(np.diff(columns) > _GAP)
    last = columns[breaks[0]] if len(breaks) else columns[-1]
    part = square[:, columns[0] : last + 1]
    rows = np.flatnonzero((part > part.max(initial=0.0) / 3).any(axis=1))
    # with a pixel of ground around it, which is all that tells a plain square from the inside of anything
    return np.pad(part[rows[0] : rows[-1] + 1], 1) if len(rows) else part[:0]


def _likeness(icon: Strengths, shown: Strengths) -> float:
    """The best normalised correlation of a picture with any part of another, at most 1."""
    if min(icon.shape) < _LEAST or icon.shape[0] > shown.shape[0] or icon.shape[1] > shown.shape[1]:
        return 0.0
    windows = sliding_window_view(shown, icon.shape)
    wanted = icon - icon.mean()
    found = windows - windows.mean(axis=(2, 3), keepdims=True)
    norms = np.sqrt((found**2).sum(axis=(2, 3)) * (wanted**2).sum())
    return float(((found * wanted).sum(axis=(2, 3)) / np.maximum(norms, 1e-9)).max())
