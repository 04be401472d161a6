"""The picture a model is shown, in the form that goes over the wire."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop_agent.llm.base import Support
from desktop_agent.protocol.geometry import Size
from desktop_agent.vision.observation import Observation

if TYPE_CHECKING:
    from desktop_agent.vision.encoding.incremental_encoder import IncrementalEncoder


@dataclass(frozen=True)
class EncodedPicture:
    """An encoded picture: `media_type` is image/jpeg or image/png, `base64` its bytes in base64.

    `marked` says that the ids of the elements are drawn on it.
    """

    media_type: str
    base64: str = field(repr=False)
    size: Size
    marked: bool = False

    @property
    def data_url(self) -> str:
        return f"data:{self.media_type};base64,{self.base64}"


class Pictures:
    """The pictures of one model; what has not changed since the last is neither encoded nor written out again."""

    def __init__(self) -> None:
        self._encoder: IncrementalEncoder | None = None
        self._last: tuple[bytes, EncodedPicture] | None = None

    def of(self, observation: Observation, support: Support) -> EncodedPicture:
        """The observation's frame at the size the viewport promises, in the format the model takes."""
        # They load numpy, which the window need not wait for: every model's module is imported at the start.
        from desktop_agent.vision.encoding.incremental_encoder import IncrementalEncoder
        from desktop_agent.vision.encoding.set_of_marks import draw_marks

        self._encoder = self._encoder or IncrementalEncoder()
        size = observation.viewport.image
        frame = draw_marks(observation) if support.marks else observation.frame
        data = self._encoder.encode(frame, size, support.image_format)
        last = self._last
        if last is not None and last[0] is data:
            return last[1]
        text = base64.b64encode(data).decode("ascii")
        picture = EncodedPicture(f"image/{support.image_format}", text, size, support.marks)
        self._last = (data, picture)
        return picture
