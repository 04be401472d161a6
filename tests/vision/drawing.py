"""Pictures that tests draw themselves."""

from __future__ import annotations

from PIL import Image
from PIL.ImageDraw import Draw, ImageDraw

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame


class Canvas:
    """A white picture to draw on; `frame` is what a screen with it looks like."""

    def __init__(self, width: int = 400, height: int = 300) -> None:
        self._image = Image.new("RGB", (width, height), "white")
        self.pen: ImageDraw = Draw(self._image)

    @property
    def frame(self) -> Frame:
        area = Rect(0, 0, *self._image.size)
        return Frame(self._image.tobytes("raw", "BGRX"), area, epoch=1, time=0.0)
