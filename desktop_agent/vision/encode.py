"""Pictures of a frame as bytes: scaled, PNG or JPEG, cropped, and small previews.

Chosen by measurement at 1920x1080 to 1366x768: Qt scales in 5 ms (Pillow 14 to 30), Pillow writes a
JPEG in 3 ms (Qt 7), and PNG rows without filters take 7 ms and fewer bytes (Pillow 17, Qt 26).
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.vision.frame import Frame

if TYPE_CHECKING:
    from PIL.Image import Image
    from PySide6.QtGui import QImage

BYTES = 4
QUALITY, PREVIEW_QUALITY = 85, 70


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
    """The frame as a picture of `size` (its own when None); `form` is jpeg or png, the media type `image/` + form."""
    if form not in ("jpeg", "png"):
        raise ValueError(f"unknown picture format {form!r}: take jpeg or png")
    image = _image(frame, size or frame.size)
    if form == "png":
        return _png(image)
    # Without chroma subsampling: coloured text stays readable.
    return _jpeg(image, QUALITY, subsampling=0)


def preview(frame: Frame, edge: int = 480) -> bytes:
    """A small JPEG for people, its longest edge at most `edge` pixels."""
    return _jpeg(_image(frame, image_size(frame.size, edge)), PREVIEW_QUALITY, subsampling=2)


def crop(frame: Frame, region: Rect) -> Frame:
    """The part of a frame that shows `region` (screen pixels). Raises OutOfBounds when it is not all there."""
    if region.empty or region.intersection(frame.region) != region:
        raise OutOfBounds(f"{region} is not inside the picture of {frame.region}.")
    stride = frame.region.width * BYTES
    start = (region.y - frame.region.y) * stride + (region.x - frame.region.x) * BYTES
    rows = (start + stride * row for row in range(region.height))
    pixels = b"".join(frame.pixels[row : row + region.width * BYTES] for row in rows)
    return Frame(pixels, region, frame.epoch, frame.time)


def _image(frame: Frame, size: Size) -> Image:
    return image_of(frame.pixels, frame.size, size)


def image_of(pixels: bytes | memoryview, source: Size, size: Size) -> Image:
    """Rows of a frame, `source` pixels, scaled to `size`."""
    from PIL import Image

    scaled = None if size == source else _scaled(pixels, source, size)
    bits: Any = pixels if scaled is None else scaled.constBits()  # which last as long as `scaled`
    return Image.frombuffer("RGB", (size.width, size.height), bits, "raw", "BGRX", 0, 1)


def _scaled(pixels: bytes | memoryview, source: Size, size: Size) -> QImage:
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    image = QImage(pixels, source.width, source.height, source.width * BYTES, QImage.Format.Format_RGB32)
    smooth = Qt.TransformationMode.SmoothTransformation
    return image.scaled(size.width, size.height, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)


def jpeg_interval(pixels: bytes | memoryview, source: Size, size: Size, rows: int) -> bytes:
    """Rows of a frame, scaled, as a JPEG for models that restarts after every `rows` rows of blocks."""
    return _jpeg(image_of(pixels, source, size), QUALITY, subsampling=0, restart_marker_rows=rows)


def _jpeg(image: Image, quality: int, subsampling: int, **more: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, subsampling=subsampling, **more)
    return out.getvalue()


def _png(image: Image) -> bytes:
    from mss.tools import to_png

    return to_png(image.tobytes(), image.size, level=1) or b""
