"""A frame made ready for text recognition: grey, enlarged, dark letters on a light ground."""

from __future__ import annotations

from PIL import Image

from desktop_agent.vision.frame import Frame

SCALE = 2


def prepared(frame: Frame) -> bytes:
    """The frame as a PGM picture, SCALE times as large."""
    size = frame.size
    picture = Image.frombuffer("RGB", (size.width, size.height), frame.pixels, "raw", "BGRX", 0, 1).convert(
        "L"
    )
    large = picture.resize((size.width * SCALE, size.height * SCALE), Image.Resampling.BICUBIC)
    return b"P5 %d %d 255\n" % large.size + large.tobytes()
