"""A font for drawn pictures that exists on every system."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PIL import ImageFont

_DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """The one that most Linux desktops show; where it is not, the one that Pillow brings."""
    if _DEJAVU.exists():
        return ImageFont.truetype(_DEJAVU, size)
    found = ImageFont.load_default(size)
    assert isinstance(found, ImageFont.FreeTypeFont)
    return found
