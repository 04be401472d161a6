"""The record of a captured picture: pixels, place on the screen, time."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.vision.capture.frame_hash import content_hash


@dataclass(frozen=True)
class Frame:
    """Raw pixels, 4 bytes each (B, G, R, unused), rows without padding.

    `region` is where the pixels are on the screen (same size as the picture), `epoch` the geometry's
    epoch, `time` seconds of the monotonic clock at capture.
    """

    pixels: bytes = field(repr=False)
    region: Rect
    epoch: int
    time: float

    @property
    def size(self) -> Size:
        return self.region.size

    @cached_property
    def digest(self) -> str:
        """Content hash in hex: equal pictures have equal digests."""
        return content_hash(self.pixels, self.size.width)
