"""Turns a frame into picture bytes: scales, crops, encodes as PNG or JPEG, makes small previews.

Chosen by measurement on the processor (1920x1080 to 1456x819; a page of coloured text in five small sizes,
of which tesseract reads 93 % on the screen itself):

    scaled by                      ms   words read     written as            ms    kB   words read
    Qt's painter, bilinear        1.8     0.83         JPEG 90, 4:2:0       3.2   324     0.71
    Qt, smooth                    7.0     0.75         JPEG 85, 4:4:4       4.8   371     0.61
    Pillow, Lanczos              25       0.61         PNG, unfiltered     12     372     0.83
                                                       WebP 80 / lossless  23 / 20  187 / 463  0.67 / 0.83

JPEG is the default for all models: quickest, and the smallest where there are photographs. PNG pays for
text that is not scaled: exact, and a third of the size. (On a screen of terminal, files and editor both
of Qt's ways are equally legible.) WebP is too slow, and not every local model's
server reads it. Qt writes the same JPEG in 10 ms.
"""

from __future__ import annotations

import builtins
import io
import threading
from typing import TYPE_CHECKING, Any

from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.vision.capture.frame import Frame

if TYPE_CHECKING:
    from PIL.Image import Image
    from PySide6.QtGui import QImage

BYTES = 4
QUALITY, PREVIEW_QUALITY = 90, 70
SUBSAMPLING = 2  # of colours, by two each way
_LOADING = threading.Lock()


def load_binding() -> None:
    """Load what connects Python with Qt (shiboken6); to be called before the first thread that may import something.

    It goes through all modules while it is loaded, and ends the process when another thread imports one meanwhile.
    Then take its hook out of `import` again. For `from __feature__ import …`, which nothing of ours says, that one
    reads the source of each module that is imported, and asks a half-made one for `__wrapped__`: pydantic answers by
    importing itself, and now and then the first question to a model failed with an ImportError.
    """
    import PySide6  # noqa: F401 - which loads it

    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def load_qt() -> None:
    """Load what of Qt pictures are drawn with; from any thread, as often as one likes.

    PySide6 makes a class and its enumerations when they are first asked for, and tells another thread that asks meanwhile
    that there are none. So this comes first here, and in the thread of a window before another thread is started.
    """
    with _LOADING:
        from PySide6.QtCore import QRect
        from PySide6.QtGui import QImage, QPainter

        _ = (QRect, QImage.Format, QPainter.RenderHint, QPainter.CompositionMode)


def image_size(size: Size, edge: int) -> Size:
    """The size scaled down so that its longest edge is at most `edge`; never scaled up."""
    longest = max(size.width, size.height)
    if longest <= edge:
        return size
    return Size(
        max(1, (size.width * edge + longest // 2) // longest),
        max(1, (size.height * edge + longest // 2) // longest),
    )


def encode(frame: Frame, size: Size | None = None, form: str = "jpeg") -> bytes:
    """The frame encoded at `size` (its own when None). `form` is "jpeg" or "png"; ValueError for another."""
    if form not in ("jpeg", "png"):
        raise ValueError(f"unknown picture format {form!r}: take jpeg or png")
    size = size or frame.size
    pixels = rgbx_pixels(frame, size)
    return _png(_image(pixels, size)) if form == "png" else jpeg(pixels, size)


def preview(frame: Frame, edge: int = 480) -> bytes:
    """A small JPEG for people, its longest edge at most `edge` pixels."""
    size = image_size(frame.size, edge)
    return _jpeg(_image(rgbx_pixels(frame, size), size), PREVIEW_QUALITY)


def crop(frame: Frame, region: Rect) -> Frame:
    """The part of a frame that shows `region` (screen pixels). Raises OutOfBounds when the frame lacks any of it."""
    if region.empty or region.intersection(frame.region) != region:
        raise OutOfBounds(f"{region} is not inside the picture of {frame.region}.")
    stride = frame.region.width * BYTES
    start = (region.y - frame.region.y) * stride + (region.x - frame.region.x) * BYTES
    rows = (start + stride * row for row in range(region.height))
    pixels = b"".join(frame.pixels[row : row + region.width * BYTES] for row in rows)
    return Frame(pixels, region, frame.epoch, frame.time)


def scaled_pixels(frame: Frame, size: Size) -> bytes:
    """The frame's pixels scaled to `size`, 4 bytes each (B, G, R, unused)."""
    if size == frame.size:
        return frame.pixels
    load_qt()
    from PySide6.QtGui import QImage

    image = _sized(frame, size, QImage.Format.Format_RGB32)
    return bytes(image.constBits())  # which live no longer than `image`


def rgbx_pixels(frame: Frame, size: Size) -> bytes:
    """The frame's pixels scaled to `size`, 4 bytes each as R, G, B, unused: Pillow encodes these without a copy."""
    load_qt()
    from PySide6.QtGui import QImage

    image = _sized(frame, size, QImage.Format.Format_RGBX8888)
    return bytes(image.constBits())


def _sized(frame: Frame, size: Size, form: QImage.Format) -> QImage:
    from PySide6.QtGui import QImage

    width, height = frame.size.width, frame.size.height
    image = QImage(frame.pixels, width, height, width * BYTES, QImage.Format.Format_RGB32)
    if size == frame.size:
        return image.convertToFormat(form)
    while width > 2 * size.width and height > 2 * size.height:
        width, height = (width + 1) // 2, (height + 1) // 2
        image = _drawn(image, width, height, QImage.Format.Format_RGB32)
    return _drawn(image, size.width, size.height, form)


def _drawn(image: QImage, width: int, height: int, form: QImage.Format) -> QImage:
    """The image scaled bilinearly; down to half the size every pixel counts."""
    from PySide6.QtCore import QRect
    from PySide6.QtGui import QImage, QPainter

    drawn = QImage(width, height, form)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
    painter.drawImage(QRect(0, 0, width, height), image)
    painter.end()
    return drawn


def jpeg(pixels: bytes | memoryview, size: Size, restart_rows: int = 0) -> bytes:
    """JPEG of pixels as `rgbx_pixels` returns them, in the quality for models.

    With `restart_rows` a restart marker follows every so many rows of blocks (see jpeg_bands).
    """
    return _jpeg(_image(pixels, size), QUALITY, restart_rows)


def _image(pixels: bytes | memoryview, size: Size) -> Image:
    from PIL import Image

    bits: Any = pixels
    return Image.frombuffer("RGBX", (size.width, size.height), bits, "raw", "RGBX", 0, 1)


def _jpeg(image: Image, quality: int, restart_rows: int = 0) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, subsampling=SUBSAMPLING, restart_marker_rows=restart_rows)
    return out.getvalue()


def _png(image: Image) -> bytes:
    from mss.tools import to_png

    return to_png(image.tobytes("raw", "RGB"), image.size, level=1) or b""
