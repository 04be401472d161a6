"""Pictures keep size, place and colours."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop, encode, image_size, preview

RED, BLUE = b"\x00\x00\xff\x00", b"\xff\x00\x00\x00"
# Left half red, right half blue; not at the origin.
FRAME = Frame((RED * 200 + BLUE * 200) * 100, Rect(-400, 50, 400, 100), 7, 0.0)


FIRST_AT_ONCE = """
import sys, threading
sys.setswitchinterval(1e-6)
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import preview
threads, made = 6, []
together = threading.Barrier(threads)
def draw():
    together.wait()
    made.append(preview(Frame(bytes(400 * 300 * 4), Rect(0, 0, 400, 300), 0, 0.0), 100))
drawing = [threading.Thread(target=draw) for _ in range(threads)]
[each.start() for each in drawing]
[each.join() for each in drawing]
sys.exit(len(made) != threads)
"""

IN_PEACE = """
import sys
from desktop_agent.vision.encoding.encode import load_qt, load_binding

load_binding()
load_qt()
import touchy
"""
TOUCHY = """
def __getattr__(name):
    if name == "__wrapped__":
        raise ImportError("somebody looks into a module that is being imported")
    raise AttributeError(name)
"""

WHILE_OTHERS_IMPORT = """
import itertools, sys, threading, types
from desktop_agent.vision.encoding.encode import load_qt, load_binding

load_binding()
begun, over = threading.Event(), threading.Event()
sys.setswitchinterval(1e-6)

def import_more():
    for number in itertools.count():
        sys.modules[f"module_{number}"] = types
        if number == 2000:
            begun.set()
        if over.is_set():
            return

thread = threading.Thread(target=import_more)
thread.start()
begun.wait()
load_qt()
over.set()
thread.join()
"""


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize(
    ("size", "edge", "expected"),
    [
        (Size(1920, 1080), 1568, Size(1568, 882)),
        (Size(1080, 1920), 1568, Size(882, 1568)),
        (Size(1280, 800), 1568, Size(1280, 800)),
        (Size(5000, 1), 100, Size(100, 1)),
    ],
)
def test_image_size(size: Size, edge: int, expected: Size) -> None:
    assert image_size(size, edge) == expected


@pytest.mark.parametrize("form", ["png", "jpeg"])
@pytest.mark.parametrize("size", [None, Size(200, 50)])
def test_colours_and_places(form: str, size: Size | None) -> None:
    image = opened(encode(FRAME, size, form))
    width, height = (size or FRAME.size).width, (size or FRAME.size).height
    assert (image.format, image.size) == (form.upper(), (width, height))
    for x, wanted in ((width // 4, (255, 0, 0)), (width * 3 // 4, (0, 0, 255))):
        found = image.convert("RGB").getpixel((x, height // 2))
        assert isinstance(found, tuple)
        assert all(abs(a - b) <= 3 for a, b in zip(found, wanted, strict=True)), found


def test_png_is_exact() -> None:
    pixels = bytes(value % 256 for index in range(64 * 48) for value in (index, index * 7, index * 13, 0))
    frame = Frame(pixels, Rect(0, 0, 64, 48), 1, 0.0)
    assert opened(encode(frame, form="png")).convert("RGB").tobytes("raw", "BGRX"[:3]) == b"".join(
        pixels[i : i + 3] for i in range(0, len(pixels), 4)
    )


def test_an_odd_width_scales_without_a_shear() -> None:
    image = opened(encode(FRAME, Size(133, 33), "png")).convert("RGB")
    assert [image.getpixel((x, y)) for x, y in ((10, 32), (120, 32))] == [(255, 0, 0), (0, 0, 255)]


def test_preview_is_small() -> None:
    image = opened(preview(FRAME, 100))
    assert (image.format, image.size) == ("JPEG", (100, 25))


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(ValueError, match="gif"):
        encode(FRAME, form="gif")


def test_crop() -> None:
    part = crop(FRAME, Rect(-201, 60, 2, 3))
    assert part == Frame((RED + BLUE) * 3, Rect(-201, 60, 2, 3), 7, 0.0)
    with pytest.raises(OutOfBounds):
        crop(FRAME, Rect(-1, 60, 2, 3))


def test_qt_does_not_look_into_what_is_imported(tmp_path: Path) -> None:
    """Pydantic, for one, cannot be looked into while it is imported."""
    (tmp_path / "touchy.py").write_text(TOUCHY)
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{Path.cwd()}"}
    ran = subprocess.run(
        [sys.executable, "-c", IN_PEACE],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )
    assert ran.returncode == 0, ran.stderr


def test_others_may_import_while_qt_is_loaded() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WHILE_OTHERS_IMPORT], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr[:2_000]


def test_the_first_pictures_may_be_drawn_in_several_threads_at_once() -> None:
    for _ in range(4):
        ran = subprocess.run(
            [sys.executable, "-c", FIRST_AT_ONCE], capture_output=True, text=True, timeout=60, check=False
        )
        assert ran.returncode == 0, ran.stderr
