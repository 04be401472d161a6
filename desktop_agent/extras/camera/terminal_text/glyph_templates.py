"""Pictures of characters that cells of a terminal are compared with: drawn from a font's file, or learned."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_agent.support import resources

if TYPE_CHECKING:
    from numpy.typing import NDArray

ASCII = string.printable[:94]
BOXES = {
    "─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ur", "┘": "ul", "├": "urd", "┤": "uld", "┬": "lrd", "┴": "ulr", "┼": "ulrd",
}  # fmt: skip
"""Lines that a terminal draws itself, and to which sides of the cell each goes: left, right, up, down."""
OTHERS = "äöüÄÖÜß€§°–—…•·✓✗→←↑↓«»“”„‘’éèáàóñç×±µλ❯●▶"
RARE = frozenset("·–—‘’“”„µ×±«»●▶→←↑↓✗λóàèáñç°•I|") - frozenset("I|")
"""Letters that must fit clearly better than one of the usual."""
_FILES = (
    "DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "UbuntuMono-R.ttf", "UbuntuMono[wght].ttf", "NotoSansMono-Regular.ttf",
    "JetBrainsMono-Regular.ttf", "Hack-Regular.ttf", "FiraCode-Regular.ttf", "FiraMono-Regular.ttf", "SourceCodePro-Regular.otf",
    "NimbusMonoPS-Regular.otf", "FreeMono.ttf", "consola.ttf", "cour.ttf", "lucon.ttf", "CascadiaMono.ttf", "Menlo.ttc",
)  # fmt: skip
_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "C:\\Windows\\Fonts", "/System/Library/Fonts")
_MARGIN = 4
_MISSING = "\ue123"


@dataclass(frozen=True)
class GlyphSet:
    """Shapes of characters in cells of one size.

    `shapes` (characters, height, width) are shares of ink from 0 to 1, read-only; `letters` has the character of each,
    `name` what they are of.
    """

    name: str
    letters: tuple[str, ...]
    shapes: NDArray[Any]

    @property
    def cell(self) -> tuple[int, int]:
        """(width, height) of a cell in pixels."""
        return self.shapes.shape[2], self.shapes.shape[1]

    def blurred(self, sigma: float) -> GlyphSet:
        """The same seen through a lens of that blur (standard deviation in pixels)."""
        import cv2
        import numpy as np

        if sigma <= 0:
            return self
        padded = np.pad(self.shapes, ((0, 0), (_MARGIN, _MARGIN), (_MARGIN, _MARGIN)))
        stacked = padded.reshape(-1, padded.shape[2])
        soft = cv2.GaussianBlur(stacked, (0, 0), sigma).reshape(padded.shape)
        return replace(self, shapes=soft[:, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN])


@lru_cache(maxsize=1)
def font_files() -> tuple[Path, ...]:
    """Fonts of terminals on this machine, the program's own first: it is always there."""
    own = resources.path("fonts", "DejaVuSansMono.ttf")
    found = [own]
    for folder in map(Path, _FOLDERS):
        if folder.is_dir():
            files = {path.name: path for path in sorted(folder.rglob("*.[to]t[fc]"))}
            found += [files[name] for name in _FILES if name in files]
    return tuple(found)


def advance(font: Path) -> float:
    """The width of a character as a share of the font's size."""
    return float(_font(font, 100.0).getlength("M")) / 100


def metrics(font: Path, size: float) -> tuple[int, int]:
    """How far a font of that size goes above and below its base line, in whole pixels."""
    ascent, descent = _font(font, size).getmetrics()
    return int(ascent), int(descent)


@lru_cache(maxsize=64)
def _font(path: Path, size: float) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=64)
def drawn(font: Path, size: float, cell: tuple[int, int], letters: str = ASCII) -> GlyphSet:
    """Characters of a font in a cell, sharp: the font's line is centred in the cell's height.

    Characters that the font lacks are left out, and lines that a terminal draws itself are drawn here.
    """
    import numpy as np
    from PIL import Image, ImageDraw

    width, height = cell
    face = _font(font, size)
    ascent, descent = face.getmetrics()
    top = _MARGIN + (height - ascent - descent) // 2
    missing = bytes(face.getmask(_MISSING))
    names, shapes = [], []
    for letter in letters:
        if letter in BOXES:
            shape = _box(BOXES[letter], cell)
        elif letter not in ASCII and bytes(face.getmask(letter)) == missing:
            continue
        else:
            image = Image.new("L", (width + 2 * _MARGIN, height + 2 * _MARGIN))
            ImageDraw.Draw(image).text((_MARGIN, top), letter, font=face, fill=255)
            shape = np.asarray(image, np.float32)[_MARGIN : _MARGIN + height, _MARGIN : _MARGIN + width] / 255
        names.append(letter)
        shapes.append(shape)
    stacked = np.stack(shapes)
    stacked.setflags(write=False)
    return GlyphSet(f"{font.stem} {size:g}", tuple(names), stacked)


def _box(sides: str, cell: tuple[int, int]) -> NDArray[Any]:
    import numpy as np

    width, height = cell
    shape = np.zeros((height, width), np.float32)
    thick = max(1, width // 8)
    x, y = width // 2, height // 2
    if "l" in sides:
        shape[y : y + thick, : x + thick] = 1
    if "r" in sides:
        shape[y : y + thick, x:] = 1
    if "u" in sides:
        shape[: y + thick, x : x + thick] = 1
    if "d" in sides:
        shape[y:, x : x + thick] = 1
    return shape


def bold(glyphs: GlyphSet) -> GlyphSet:
    """The same drawn twice, one pixel apart, as terminals without a bold font do; lines are as they were."""
    import numpy as np

    shapes = glyphs.shapes.copy()
    wide = max(1, round(glyphs.cell[0] / 14))
    for number, letter in enumerate(glyphs.letters):
        if letter not in BOXES:
            for step in range(1, wide + 1):
                shapes[number, :, step:] = np.maximum(
                    shapes[number, :, step:], glyphs.shapes[number, :, :-step]
                )
    return replace(glyphs, name=f"{glyphs.name} bold", shapes=shapes)


def joined(sets: Sequence[GlyphSet]) -> GlyphSet:
    """All shapes of sets with one cell size; a character may stand in it more than once."""
    import numpy as np

    letters = tuple(letter for each in sets for letter in each.letters)
    return GlyphSet(sets[0].name, letters, np.concatenate([each.shapes for each in sets]))
