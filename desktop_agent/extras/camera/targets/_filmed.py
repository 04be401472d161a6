"""The observing half of a computer that is filmed: a camera's pictures in, the screen's pixels and controls out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec

from desktop_agent.extras.camera.targets._wired import HEIGHT, WIDTH, WIRE
from desktop_agent.platforms.base import WindowInfo
from desktop_agent.protocol.errors import OutOfBounds, TargetError
from desktop_agent.protocol.geometry import Geometry, Rect, Size, layout
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.support import plugins
from desktop_agent.targets.base import Address, Target
from desktop_agent.targets.faces import HasElements, HasWindows, ReadsTerminal, Rests, WorkedOverWire
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element

if TYPE_CHECKING:
    from desktop_agent.extras.camera.filming.camera_stream import CameraStream, CapturedFrame
    from desktop_agent.wire.base import KeyboardOutput

FRAME_SECONDS = 20.0
"""How long a camera that sends pictures may take for one that is surely newer than the look; one that is gone is told sooner."""
CLEAR = 4
"""Pictures whose mean a look takes where one is not enough: the first one, and after one that was read with doubt."""
DOUBTFUL = 0.6
CAMERA = "Camera"
"""What the policy knows such a screen by: what is inside cannot be told."""


class Eyes(Protocol):
    """What makes the screen's pixels of a camera's picture, and remembers what did not change."""

    @property
    def screen(self) -> Size:
        """The size of the screen in pixels."""

    def see(self, *pictures: CapturedFrame, anew: bool = False) -> bytes:
        """The screen's pixels (as in a Frame): byte for byte those of the last call where nothing changed.

        With `anew` they are the mean of these pictures everywhere, which has less noise, and nothing is known of what they show.
        """

    def terminal(self, frame: Frame, number: int, time: float, stop: StopFlag) -> TerminalState | None:
        """What a terminal in it shows; None where none fills the screen. Raises Stopped."""

    def controls(self, frame: Frame, stop: StopFlag) -> tuple[Element, ...]:
        """Its controls and words."""


class FilmedScreen(Target, HasElements, HasWindows, ReadsTerminal, Rests, WorkedOverWire):
    """A computer's screen as a camera or a capture device sees it, worked over a wire; usable from several threads.

    `open_stream` connects to the camera; `make_eyes` is called when it starts. Both raise TargetError or ConfigError.
    """

    filmed = True
    files_elsewhere = True

    def __init__(
        self,
        kind: str,
        title: str,
        wire: str,
        open_stream: Callable[[], CameraStream],
        make_eyes: Callable[[CameraStream], Eyes],
    ) -> None:
        self.kind, self.title, self.wire = kind, title, wire
        self._open_stream, self._make_eyes = open_stream, make_eyes
        self._lock = threading.RLock()
        self._keyboard: KeyboardOutput | None = None
        self._stream: CameraStream | None = None
        self._eyes: Eyes | None = None
        self._last: Frame | None = None
        self._seen = (0, 0.0)
        self._controls: tuple[str, tuple[Element, ...]] = ("", ())
        self._terminal: tuple[str, TerminalState | None] = ("", None)
        self._anew = True
        self._stop = StopFlag()

    # ---- its life ------------------------------------------------------------------------------

    def work_over(self, wire: KeyboardOutput) -> None:
        self._keyboard = wire

    def start(self) -> None:
        """Opens the camera, waits for its first frame, and asks whether somebody takes what is sent over the wire."""
        with self._lock:
            if self._stream is not None:
                return
            with self._wire() as keyboard:
                self.title = f"{self.title.partition(' · ')[0]} · {keyboard.title}"
            self._stop, self._anew = StopFlag(), True
            stream = self._open_stream()
            try:
                self._eyes = self._make_eyes(stream)
                self._stream = stream
                self._capture()
            except BaseException:
                self._stream = self._eyes = None
                stream.close()
                raise

    def _wire(self) -> KeyboardOutput:
        if self._keyboard is None:
            module = plugins.load("wire", self.wire)
            made: KeyboardOutput = module.create(module.Options())
            self._keyboard = made
        return self._keyboard

    def rest(self) -> None:
        self.stop()

    def stop(self) -> None:
        self._stop.set("the target is let go of")
        with self._lock:
            if self._stream is not None:
                self._stream.close()
            self._stream = self._eyes = self._last = None
            self._controls, self._terminal = ("", ()), ("", None)

    def address(self) -> Address:
        keyboard, screen = self._wire(), self._screen()
        place = {WIRE: self.wire, WIDTH: str(screen.width), HEIGHT: str(screen.height)}
        return Address(self.kind, {**keyboard.environment(), **place}, dict(keyboard.secrets()))

    # ---- looking -------------------------------------------------------------------------------

    def _screen(self) -> Size:
        if self._eyes is None:
            raise TargetError(f"{self.title} is not looked at.", "Start the run again.")
        return self._eyes.screen

    def geometry(self) -> Geometry:
        with self._lock:
            screen = self._screen()
        return layout((Rect(0, 0, screen.width, screen.height),))

    def observe(self, region: Rect | None = None) -> Frame:
        self.may_look()
        with self._lock:
            whole = self._capture()
        if region is None or region == whole.region:
            return whole
        if region.empty or region.intersection(whole.region) != region:
            raise OutOfBounds(f"{region} is not on the screen.", "Look at the whole screen.")
        return crop(whole, region)

    def _capture(self) -> Frame:
        """A frame taken after this call began; the very last one where nothing has changed since."""
        stream, eyes = self._stream, self._eyes
        if stream is None or eyes is None:
            raise TargetError(f"{self.title} is not looked at.", "Start the run again.")
        count, anew, self._anew = CLEAR if self._anew else 1, self._anew, False
        pictures = [
            stream.frame_after(time.monotonic(), FRAME_SECONDS, self._stop.check) for _ in range(count)
        ]
        pixels = eyes.see(*pictures, anew=anew)
        picture = pictures[-1]
        self._seen = (picture.number, picture.time)
        area = Rect(0, 0, eyes.screen.width, eyes.screen.height)
        last = self._last
        if last is None or last.pixels is not pixels:
            self._last = Frame(pixels, area, layout((area,)).epoch, picture.time)
        assert self._last is not None  # noqa: S101 - just made
        return self._last

    def terminal(self, frame: Frame) -> TerminalState | None:
        with self._lock:
            eyes = self._eyes
            if eyes is None or self._last is None or frame.region != self._last.region:
                return None
            digest, known = self._terminal
            if digest != frame.digest:
                known = eyes.terminal(frame, *self._seen, self._stop)
                self._terminal = (frame.digest, known)
                # Reading the same pixels once more would tell the same: the next look takes clearer ones.
                self._anew = known is not None and known.confidence < DOUBTFUL
            return known

    def elements(self) -> Sequence[Element]:
        """The controls in the last picture; of a terminal all of it, as one."""
        self.may_look()
        with self._lock:
            last, eyes = self._last, self._eyes
            if last is None or eyes is None:
                return ()
            shown = self.terminal(last)
            if shown is not None:
                return (_terminal_element(shown, last.region, self.title),)
            digest, known = self._controls
            if digest != last.digest:
                known = tuple(
                    msgspec.structs.replace(each, window=self.title, application=CAMERA)
                    for each in eyes.controls(last, self._stop)
                )
                self._controls = (last.digest, known)
            return known

    def windows(self) -> Sequence[WindowInfo]:
        with self._lock:
            if self._eyes is None:
                return ()
            area = self.geometry().bounds
        return (WindowInfo(self.title, 0, CAMERA, area, self.title),)


def _terminal_element(shown: TerminalState, area: Rect, window: str) -> Element:
    return Element(
        "terminal",
        "terminal",
        "Terminal",
        area,
        value=shown.text,
        states=frozenset(("editable", "focused", "multiline", "showing")),
        window=window,
        application=CAMERA,
        source="ocr",
    )
