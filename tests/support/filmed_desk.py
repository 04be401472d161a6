"""A private desktop that is seen in pictures only: through a camera of some quality, with no tree and no windows told."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from desktop_agent.extras.camera.picture_controls.controls import PictureControls
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.protocol.scene import Scene
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.tesseract import read_words
from tests.support.filmed_frames import bgr, filmed
from tests.support.simulated_camera import CameraQuality

BACKGROUND = 0x3B6EA5


class FilmedDesk(EmbeddedDisplay):
    """An embedded display whose elements are those that its picture shows; None for a picture without a camera."""

    doubtful = False

    def __init__(self, size: Size, quality: CameraQuality | None) -> None:
        super().__init__(size, BACKGROUND)
        self._quality = quality
        self._controls = PictureControls(read_words)
        self._seeing = threading.Lock()
        self._filmed: tuple[str, Frame] | None = None
        self._read: tuple[str, tuple[Element, ...]] | None = None

    def observe(self, region: Rect | None = None) -> Frame:
        whole = self._whole()
        return whole if region is None else crop(whole, region)

    def _whole(self) -> Frame:
        """What the camera sees now; of a screen that is as it was, the same: the noise is evened out."""
        screen = super().observe(None)
        with self._seeing:
            if self._filmed is None or self._filmed[0] != screen.digest:
                seen = screen if self._quality is None else filmed(bgr(screen), self._quality)
                self._filmed = screen.digest, Frame(seen.pixels, screen.region, screen.epoch, screen.time)
            return self._filmed[1]

    def elements(self) -> Sequence[Element]:
        frame = self._whole()
        with self._seeing:
            if self._read is None or self._read[0] != frame.digest:
                self._read = frame.digest, self._controls(frame, StopFlag())
            return self._read[1]

    def windows(self) -> Sequence[WindowInfo]:
        return ()

    def scene(self) -> Scene | None:
        return None

    def activity(self) -> None:
        return None
