"""The picture a model is shown, in the form that goes over the wire."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from desktop_agent.llm.base import Support
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.geometry import Rect, Viewport
from desktop_agent.vision.observation import Observation

if TYPE_CHECKING:
    from desktop_agent.vision.capture.frame import Frame
    from desktop_agent.vision.encoding.incremental_encoder import IncrementalEncoder


class Pictures:
    """The pictures of one model; what has not changed since the last is neither encoded nor written out again."""

    def __init__(self) -> None:
        self._encoder: IncrementalEncoder | None = None
        self._last: tuple[bytes, PictureBlock] | None = None

    def of(self, observation: Observation, support: Support) -> PictureBlock:
        """The observation's frame at the size the viewport promises, in the format the model takes."""
        # They load numpy, which the window need not wait for: every model's module is imported at the start.
        from desktop_agent.vision.encoding.incremental_encoder import IncrementalEncoder

        self._encoder = self._encoder or IncrementalEncoder()
        size = observation.viewport.image
        data = self._encoder.encode(frame_for(observation, support), size, support.image_format)
        last = self._last
        if last is not None and last[0] is data:
            return last[1]
        picture = PictureBlock(f"image/{support.image_format}", size, base64.b64encode(data).decode("ascii"))
        self._last = (data, picture)
        return picture


def frame_for(observation: Observation, support: Support) -> Frame:
    """The observation's frame as the model is shown it: with the ids of the elements drawn on it where it wants that."""
    if not support.marks:
        return observation.frame
    from desktop_agent.vision.encoding.set_of_marks import draw_marks

    return draw_marks(observation)


def part_of(frame: Frame, viewport: Viewport, area: Rect, support: Support) -> PictureBlock:
    """The part of a frame that `area` shows, at the scale of the whole picture. `area` is in that picture's pixels."""
    from desktop_agent.vision.encoding.encode import crop, encode

    shown = viewport.rect_to_screen(area)
    data = encode(crop(frame, shown), area.size, support.image_format)
    return PictureBlock(f"image/{support.image_format}", area.size, base64.b64encode(data).decode("ascii"))
