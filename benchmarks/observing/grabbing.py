"""Screenshots as they are usually taken in Python, in a process and environment of their own.

Standing alone: python grabbing.py imagegrab|mss png|jpeg WIDTH HEIGHT. For each line on its input it makes
one picture of that size in base64 and says how many seconds that took.
"""

from __future__ import annotations

import base64
import io
import sys
import time
from collections.abc import Callable

from PIL import Image, ImageGrab


def main(way: str, form: str, width: int, height: int) -> None:
    """Serve until the input ends."""
    grab = ImageGrab.grab if way == "imagegrab" else _mss()
    for _ in sys.stdin:
        began = time.perf_counter()
        base64.b64encode(_encoded(grab().resize((width, height), Image.Resampling.LANCZOS), form))
        print(time.perf_counter() - began, flush=True)


def _mss() -> Callable[[], Image.Image]:
    import mss

    camera = mss.MSS()

    def grab() -> Image.Image:
        shot = camera.grab(camera.monitors[0])
        return Image.frombytes("RGB", shot.size, shot.bgra, "raw", "BGRX")

    return grab


def _encoded(image: Image.Image, form: str) -> bytes:
    out = io.BytesIO()
    image.convert("RGB").save(out, form, **({"quality": 80} if form == "jpeg" else {}))
    return out.getvalue()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
