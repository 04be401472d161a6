"""The picture a model is shown, in the form that goes over the wire."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field

from desktop_agent.llm.base import Support
from desktop_agent.protocol.geometry import Size
from desktop_agent.vision.encode import encode
from desktop_agent.vision.observation import Observation


@dataclass(frozen=True)
class Picture:
    """An encoded picture: `media_type` is image/jpeg or image/png, `base64` its bytes in base64."""

    media_type: str
    base64: str = field(repr=False)
    size: Size

    @property
    def data_url(self) -> str:
        return f"data:{self.media_type};base64,{self.base64}"


def picture_of(observation: Observation, support: Support) -> Picture:
    """The observation's frame at the size the viewport promises, in the format the model takes."""
    size = observation.viewport.image
    data = encode(observation.frame, size, support.image_format)
    return Picture(f"image/{support.image_format}", base64.b64encode(data).decode("ascii"), size)
