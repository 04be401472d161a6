"""Makes the screen's pixels of a camera's pictures, and reads from them what is on the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.filming.calibration_file import (
    calibration_path,
    glyphs_path,
    read_calibration,
)
from desktop_agent.extras.camera.filming.camera_source import CameraOptions
from desktop_agent.extras.camera.filming.camera_stream import CameraStream, CapturedFrame
from desktop_agent.extras.camera.filming.light import LightMap
from desktop_agent.extras.camera.filming.noise_gate import NoiseGate
from desktop_agent.extras.camera.filming.rectifier import Rectifier
from desktop_agent.extras.camera.filming.screen_place import ScreenPlace, manual_place
from desktop_agent.extras.camera.picture_controls.controls import PictureControls
from desktop_agent.extras.camera.terminal_text import learned_glyphs
from desktop_agent.extras.camera.terminal_text.glyph_templates import GlyphSet
from desktop_agent.extras.camera.terminal_text.terminal_reader import GridHints, TerminalReader
from desktop_agent.extras.camera.terminal_text.word_lines import words_state
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.support import optional_package
from desktop_agent.vision.capture.frame import Frame, changed_areas
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.tesseract import WordReader

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from desktop_agent.extras.camera.targets import webcam

FIRST_SECONDS = 15.0
"""How long a camera may take for its very first picture: some focus and expose for seconds."""
ANOTHER = 0.5
"""The share of a screen that must have changed before one that showed no terminal is tried again."""
FILLS = 0.4
"""The share of the screen that the cells of a terminal cover which fills it."""


def open_stream(source: str, frame_size: tuple[int, int], exposure: float) -> CameraStream:
    """A camera that is read from now on. Raises ConfigError for a source that is none, and where the package for cameras is missing."""
    optional_package.require("cv2", "the camera", "camera")
    width, height = frame_size
    return CameraStream(source, CameraOptions(width=width, height=height, exposure=exposure or None))


def filmed_eyes(options: webcam.Options, stream: CameraStream) -> CameraEyes:
    """What sees the screen that stands where the options or their calibration say. Raises ConfigError, TargetError."""
    first = stream.frame_after(0.0, FIRST_SECONDS, _go_on)
    place, light = _place(options, first.size)
    return CameraEyes(
        Rectifier(place, light).flat,
        place.size,
        options.shows,
        GridHints(options.columns, options.rows),
        _learned(options),
    )


def signal_eyes(shows: str, columns: int, rows: int, stream: CameraStream) -> CameraEyes:
    """What sees a screen whose pixels the signal carries as they are. Raises TargetError."""
    first = stream.frame_after(0.0, FIRST_SECONDS, _go_on)
    return CameraEyes(_as_it_is, first.size, shows, GridHints(columns, rows))


def _place(options: webcam.Options, camera: Size) -> tuple[ScreenPlace, LightMap | None]:
    corners = options.corners
    if options.crop:
        x, y, width, height = options.crop
        corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    if corners:
        return manual_place(corners, Size(*options.screen), camera), None
    record = read_calibration(calibration_path(options.calibration))
    return record.place, record.light


def _learned(options: webcam.Options) -> GlyphSet | None:
    """The glyphs that were learned with the calibration; None for none. Raises ConfigError for a broken file."""
    path = glyphs_path(options.calibration) if options.calibration else None
    return learned_glyphs.load(path) if path is not None and path.exists() else None


def _as_it_is(picture: NDArray[Any]) -> NDArray[Any]:
    return picture


def _go_on() -> None:
    pass


class CameraEyes:
    """See targets/_filmed.Eyes. For one thread at a time."""

    def __init__(
        self,
        flat: Callable[[NDArray[Any]], NDArray[Any]],
        screen: Size,
        shows: str,
        hints: GridHints,
        learned: GlyphSet | None = None,
    ) -> None:
        self._flat, self.screen, self._shows = flat, screen, shows
        self._gate = NoiseGate()
        self._pixels = b""
        self._reader = TerminalReader(hints, learned)
        self._words = WordReader()
        self._controls = PictureControls(self._words)
        self._no_terminal: Frame | None = None

    def see(self, *pictures: CapturedFrame, anew: bool = False) -> bytes:
        if anew:
            self._gate.begin_anew()
            self._reader.forget()  # where a terminal's cells are was perhaps found wrong
        pixels = self._gate.let_through(*(self._flat(each.pixels) for each in pictures))
        if pixels != self._pixels:
            self._pixels = pixels
        return self._pixels

    def terminal(self, frame: Frame, number: int, time: float, stop: StopFlag) -> TerminalState | None:
        if self._shows == "desktop" or self._is_known_desktop(frame):
            return None
        state = self._reader.state(_picture(frame), number, time, stop.check)
        if self._shows == "terminal" and not state.content:
            return words_state(self._words.words(frame, stop), number, time)
        if self._shows == "terminal" or self._fills(frame):
            self._no_terminal = None
            return state
        self._no_terminal = frame
        self._reader.forget()
        return None

    def _fills(self, frame: Frame) -> bool:
        """Do the cells that were found cover most of the screen?"""
        fit = self._reader.fit
        if fit is None:
            return False
        width, height = fit.grid.size
        covered = width * fit.grid.columns * height * fit.grid.rows
        return covered >= FILLS * frame.size.width * frame.size.height

    def _is_known_desktop(self, frame: Frame) -> bool:
        before = self._no_terminal
        return before is not None and before.size == frame.size and changed_areas(before, frame)[1] < ANOTHER

    def controls(self, frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
        return self._controls(frame, stop)


def _picture(frame: Frame) -> NDArray[Any]:
    import numpy as np

    pixels = np.frombuffer(frame.pixels, np.uint8).reshape(frame.size.height, frame.size.width, 4)
    return pixels[..., :3]
