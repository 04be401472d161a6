"""The typefaces that scenes are drawn with, of the program's own files: the same pixels on every machine."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from PIL import ImageFont

from desktop_agent.support import resources

Family: TypeAlias = Literal["sans", "bold", "serif", "mono"]
FILES: dict[str, str] = {
    "sans": "DejaVuSans.ttf",
    "bold": "DejaVuSans-Bold.ttf",
    "serif": "DejaVuSerif.ttf",
    "mono": "DejaVuSansMono.ttf",
}
_KEPT_TEXTS = 20_000


class Typeface:
    """A family at one size: how wide texts are, and their masks. Both are kept, for a screen repeats its texts."""

    def __init__(self, path: Path, size: int) -> None:
        # The simple layout: no shaping is needed for these scripts, and it takes a tenth of the time.
        self._font = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
        ascent, descent = self._font.getmetrics()
        self.line = ascent + descent
        """Height of a line in pixels."""
        self._widths: dict[str, int] = {}
        self._masks: dict[str, tuple[Any, tuple[int, int]]] = {}

    def width(self, text: str) -> int:
        """Pixels that the text takes in a line."""
        found = self._widths.get(text)
        if found is None:
            if len(self._widths) > _KEPT_TEXTS:
                self._widths.clear()
            found = self._widths[text] = round(self._font.getlength(text))
        return found

    def mask(self, text: str) -> tuple[Any, tuple[int, int]]:
        """Pillow's mask of the text (as `ImageDraw.draw.draw_bitmap` takes it), and where it lies from the top left of its line."""
        found = self._masks.get(text)
        if found is None:
            if len(self._masks) > _KEPT_TEXTS:
                self._masks.clear()
            found = self._masks[text] = self._font.getmask2(text, "L")
        return found

    def shortened(self, text: str, width: int) -> str:
        """The text, or as much of it as fits with an ellipsis."""
        if self.width(text) <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.width(text[:middle] + "…") <= width else (low, middle - 1)
        return text[:low].rstrip() + "…"

    def index_at(self, text: str, x: int) -> int:
        """The place between two characters that is nearest to `x` pixels from the start."""
        before = 0
        for index in range(1, len(text) + 1):
            after = self.width(text[:index])
            if x < (before + after) / 2:
                return index - 1
            before = after
        return len(text)

    def wrapped(self, text: str, width: int) -> list[tuple[int, str]]:
        """The lines that the text takes at a width: where each begins in the text, and its characters."""
        lines: list[tuple[int, str]] = []
        start = 0
        for line in text.split("\n"):
            lines += self._broken(line, start, width)
            start += len(line) + 1
        return lines

    def _broken(self, line: str, start: int, width: int) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        while self.width(line) > width and len(line) > 1:
            fits = max(1, self._fitting(line, width))
            blank = line.rfind(" ", 0, fits + 1)
            cut = blank + 1 if blank > 0 else fits
            found.append((start, line[:cut]))
            start, line = start + cut, line[cut:]
        return [*found, (start, line)]

    def _fitting(self, line: str, width: int) -> int:
        low, high = 0, len(line)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.width(line[:middle]) <= width else (low, middle - 1)
        return low


@cache
def typeface(family: str, size: int) -> Typeface:
    """The typeface of a family of FILES at a size in pixels."""
    return Typeface(resources.path("fonts", FILES[family]), size)
