"""A frame made easy to read for text recognition: no borders, no boxes, dark on light, its noise evened out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from desktop_agent.extras.camera.picture_controls.form_shapes import FormShapes, ground_of, level_in
from desktop_agent.extras.camera.picture_controls.picture_lines import Pixels
from desktop_agent.protocol.geometry import Rect, bounding_box
from desktop_agent.vision.capture.frame import Frame

_NOISY = 1.2
"""Shades of noise from which on it is evened out."""
_STEADY = 1.1
"""Shades by which the noise of a later picture may differ and still be taken for the same."""
_REACH, _PATCH = 11, 3
"""Pixels around one that it is compared with when noise is evened out, and the size of what is compared."""
INSET = 3
"""Pixels from a box's side to what is read in it."""
_ENLARGED, _LARGE = 2, 64
"""Times that what is in a box no higher than so many pixels is enlarged: fields are written in small letters."""
_DARK, _SHARP = 120, 1.5
"""Shades that text differs from white, of which recognition doubles the contrast; how much edges are sharpened."""
_APART, _BESIDE, _PAPER = 20, 90, 1400
"""Pixels between two rows of a sheet and around them, between two texts in a row, and how wide a sheet is."""
_GROUND = 41
"""Pixels around one whose most usual shade is its background."""
_ROWS, _WORDS, _HIGH = 5, 13, 330
"""Pixels within which letters are of one piece, above each other and side by side, and how high a piece of text is."""


_INK = 160
"""Shades of grey on white below which there is ink."""
_FEW, _ONE_LINE, _THIN = 12, 34, 4
"""Columns of ink below which nothing is told of a text; rows of one line at most; columns of a text cursor at most."""


class Denoiser:
    """Evens out the noise of pictures of one screen; where one is as the last was, so is the result. For one thread."""

    def __init__(self) -> None:
        self._before: Pixels | None = None
        self._clean: Pixels | None = None
        self._noise = 0.0

    def __call__(self, picture: Pixels, noise: float) -> Pixels:
        """The picture without noise of so many shades (standard deviation); the picture itself where there is hardly any."""
        if noise < _NOISY:
            self._before = self._clean = None
            return picture
        before, clean = self._before, self._clean
        same = before is not None and clean is not None and before.shape == picture.shape
        if before is not None and clean is not None and same and abs(noise - self._noise) <= _STEADY:
            clean = self._renewed(picture, before, clean)
        else:
            self._noise = float(round(noise))
            clean = self._evened(picture)
        self._before, self._clean = picture, clean
        return clean

    def _evened(self, picture: Pixels) -> Pixels:
        strength = self._noise * 1.5
        evened: Pixels = cv2.fastNlMeansDenoisingColored(picture, None, strength, strength, _PATCH, _REACH)
        return evened

    def _renewed(self, picture: Pixels, before: Pixels, clean: Pixels) -> Pixels:
        """The last result with the part anew in which something changed."""
        rows, columns = np.nonzero((picture != before).any(axis=2))
        if not rows.size:
            return clean
        height, width = picture.shape[:2]
        changed = Rect(
            int(columns.min()),
            int(rows.min()),
            int(columns.max() - columns.min()) + 1,
            int(rows.max() - rows.min()) + 1,
        )
        whole = Rect(0, 0, width, height)
        kept = changed.grown(_REACH, _REACH).intersection(whole)
        read = kept.grown(_REACH, _REACH).intersection(whole)
        part = self._evened(np.ascontiguousarray(picture[read.y : read.bottom, read.x : read.right]))
        renewed: Pixels = clean.copy()
        renewed[kept.y : kept.bottom, kept.x : kept.right] = part[
            kept.y - read.y : kept.bottom - read.y, kept.x - read.x : kept.right - read.x
        ]
        return renewed


def pieces_of_text(shapes: FormShapes, clean: Pixels) -> list[tuple[Rect, Pixels]]:
    """Where text stands beside boxes and marks, and each piece of it dark on white, enlarged as `enlargement` says.

    Recognisers take borders for letters, join the words in a field with those beside it, and leave out short words that
    stand by themselves on a large page: so each piece is given to them by itself.
    """
    grey = cv2.cvtColor(clean, cv2.COLOR_BGR2GRAY)
    for bounds in (*shapes.boxes, *(mark.bounds for mark in shapes.marks)):
        own = bounds.grown(INSET, INSET)
        grey[max(0, own.y) : own.bottom, max(0, own.x) : own.right] = round(
            float(ground_of(shapes.picture, bounds).mean())
        )
    ink = cv2.absdiff(grey, cv2.medianBlur(grey, _GROUND))
    seen = (ink > max(26.0, 5 * shapes.noise)).astype(np.uint8)
    joined = cv2.dilate(seen, np.ones((_ROWS, _WORDS), np.uint8))
    _, _, found, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    pieces = []
    for x, y, width, height, _ in found[1:].tolist():
        bounds = Rect(x, y, width, height)
        if height - _ROWS < 5 or width - _WORDS < 1 or height > _HIGH:
            continue
        inside = ink[bounds.y : bounds.bottom, bounds.x : bounds.right].astype(np.float32)
        if (inside > 26).mean() > 0.6:
            continue  # a picture or a coloured area
        pieces.append((bounds, _dark_on_white(inside, shapes.noise, enlargement(bounds))))
    return pieces


def text_in(shapes: FormShapes, clean: Pixels, box: Rect) -> tuple[Rect, Pixels] | None:
    """What is written in a box and where, dark on white and without its border, enlarged; None where nothing is.

    Of a high box only the rows with writing: few of them are enlarged as those of a low one.
    """
    inner = clean[box.y + INSET : box.bottom - INSET, box.x + INSET : box.right - INSET].astype(np.float32)
    if min(inner.shape[:2]) < 8:
        return None
    ink = np.abs(inner - level_in(clean, box, INSET)).max(axis=2)
    ink[_border_ink(ink)] = 0
    if float(ink.max(initial=0)) < max(24.0, 5 * shapes.noise):
        return None
    ink[:, _cursor(ink > max(24.0, 5 * shapes.noise))] = 0
    bounds = box.grown(-INSET, -INSET)
    rows = np.flatnonzero((ink > max(24.0, 5 * shapes.noise)).any(axis=1))
    if box.height > _LARGE and rows.size:
        first, last = max(0, int(rows[0]) - _ROWS), min(len(ink), int(rows[-1]) + 1 + _ROWS)
        ink, bounds = ink[first:last], Rect(bounds.x, bounds.y + first, bounds.width, last - first)
    return bounds, _dark_on_white(ink, shapes.noise, enlargement(bounds))


def _cursor(seen: Pixels) -> slice:
    """The columns of a text cursor right behind one line of text: a recogniser is unsure of the word that it touches, and drops it.

    Unlike an l it goes on below the line that the letters stand on.
    """
    columns = np.flatnonzero(seen.any(axis=0))
    rows = np.flatnonzero(seen.any(axis=1))
    if len(columns) < _FEW or not rows.size or rows[-1] - rows[0] > _ONE_LINE:
        return slice(0, 0)
    height = int(rows[-1] - rows[0]) + 1
    line = float(np.median([np.flatnonzero(seen[:, each])[-1] for each in columns[:-3]]))
    first = last = int(columns[-1]) + 1
    while first > last - _THIN:
        own = np.flatnonzero(seen[:, first - 1])
        if not own.size or own[-1] < line + 2 or len(own) < 0.8 * height:
            break
        first -= 1
    return slice(first, min(seen.shape[1], last + 1)) if first < last else slice(0, 0)


def _dark_on_white(ink: Pixels, noise: float, times: int) -> Pixels:
    """How far pixels are from their ground, as shades of grey, enlarged; faint text is made as dark as other text."""
    ink = ink.copy()
    ink[ink < max(10.0, 2 * noise)] = 0
    strong = ink[ink > 0]
    grey: Pixels = 255 - np.clip(
        ink * (_DARK / max(90.0 * _DARK / 235, float(np.percentile(strong, 95)) if strong.size else 0)),
        0,
        255,
    )
    if times > 1:
        grey = cv2.resize(grey, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(grey, (0, 0), 1.6 * times)
    dark: Pixels = np.clip(grey + _SHARP * (grey - soft), 0, 255).astype(np.uint8)
    return dark


def _border_ink(ink: Pixels) -> Pixels:
    """Where a line runs along a side of a box: what is left of a thick border."""
    seen = ink > 24
    found = np.zeros_like(seen)
    for rows in (seen, found), (seen.T, found.T):
        there, line = rows
        for at in (0, 1, 2, -3, -2, -1):
            if there[at].mean() > 0.6:
                line[at] = True
    return found


def thrice(strip: Pixels) -> tuple[Rect, Pixels] | None:
    """Where the ink of a strip is, and it three times side by side; None where it is more than a sign or two."""
    rows, columns = (np.flatnonzero((strip < _INK).any(axis=axis)) for axis in (1, 0))
    if not rows.size or columns[-1] - columns[0] > 1.6 * (rows[-1] - rows[0] + 1) or rows[-1] - rows[0] < 8:
        return None
    ink = Rect(int(columns[0]), int(rows[0]), int(columns[-1] - columns[0] + 1), int(rows[-1] - rows[0] + 1))
    cut = strip[ink.y : ink.bottom, ink.x : ink.right]
    one = np.pad(cut, ((8, 8), (ink.height // 4, ink.height // 4)), constant_values=255)
    return ink, np.hstack((one, one, one))


def enlargement(box: Rect) -> int:
    """How many times as large what is in a box is on a sheet."""
    return _ENLARGED if box.height <= _LARGE else 1


def sheet(strips: Sequence[Pixels]) -> tuple[Frame, list[Rect]]:
    """The strips on white, far enough apart to be read as lines of their own, in rows of about one height; and where each is."""
    places: dict[int, Rect] = {}
    x, y, bottom = _APART, _APART, 0
    for at in sorted(range(len(strips)), key=lambda each: strips[each].shape[0]):
        height, width = strips[at].shape
        if x > _APART and x + width > _PAPER:
            x, y = _APART, bottom + _APART
        places[at] = Rect(x, y, width, height)
        x, bottom = x + width + max(_BESIDE, height), max(bottom, y + height)
    whole = bounding_box(places.values()).grown(_APART, _APART)
    paper = np.full((whole.bottom, whole.right), 255, np.uint8)
    for at, place in places.items():
        paper[place.y : place.bottom, place.x : place.right] = strips[at]
    pixels = np.dstack((paper, paper, paper, np.zeros_like(paper))).tobytes()
    return Frame(pixels, Rect(0, 0, whole.right, whole.bottom), 0, 0.0), [
        places[at] for at in range(len(strips))
    ]
