"""Where a camera's pictures come from: a device, a file, or an address; `grab` fetches the next, `picture` unpacks it."""

from __future__ import annotations

import re
import sys
import time
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from desktop_agent.extras.camera.filming.mjpeg_stream import MjpegStream, NotMjpeg
from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.protocol.errors import ConfigError, TargetError

if TYPE_CHECKING:
    from numpy.typing import NDArray

PATIENCE = 1.0
"""Seconds that one picture may take to arrive before the camera is taken to be gone."""
STALLED = 5.0
"""The same where its connection stands: what sends the pictures may be busy."""
_OPENING = 3.0
_STREAMS = ("http", "https", "rtsp", "rtsps")


class CameraOptions(msgspec.Struct, frozen=True):
    """What is asked of a camera: pixels, pictures a second, exposure (the driver's own number); None or 0 as it is.

    `loop` begins a video file anew at its end. `delay` is how many pictures a camera is behind at most: the one that
    it exposes and those that it still packs and sends.
    """

    width: int = 0
    height: int = 0
    fps: float = 0.0
    exposure: float | None = None
    loop: bool = False
    delay: float = 1.0

    def __post_init__(self) -> None:
        for name in ("width", "height", "fps", "delay"):
            value = getattr(self, name)
            if not 0 <= value <= 100_000:
                raise ValueError(f"{name} is {value}: a number from 0 (as the camera has it) is needed")
        if (self.width == 0) != (self.height == 0):
            raise ValueError("width and height are given together or not at all")


class PictureSource(Protocol):
    """What a camera's thread reads from."""

    def grab(self) -> bool:
        """Fetch the next picture, within about PATIENCE (STALLED) seconds; False when there is none. Unpacks nothing."""

    def picture(self) -> NDArray[Any] | None:
        """The picture fetched last (rows, columns, blue green red); None where it is damaged."""

    def close(self) -> None:
        """Let the camera go."""


def kind_of(source: str) -> str:
    """ "device", "address" or "file". Raises ConfigError for what is none of them."""
    if re.fullmatch(r"\d{1,3}", source) or source.startswith("/dev/"):
        return "device"
    scheme = urllib.parse.urlsplit(source).scheme if "://" in source else ""
    if scheme in _STREAMS and urllib.parse.urlsplit(source).hostname:
        return "address"
    if scheme:
        raise ConfigError(
            f"{shown(source)} is no address of a camera.", f"It begins with one of: {', '.join(_STREAMS)}, and names a computer."
        )  # fmt: skip
    if source and Path(source).is_file():
        return "file"
    raise ConfigError(
        f"There is no camera or video file {source!r}." if source else "No camera is named.",
        "Name a device (0, /dev/video0), a video file, or an address (http://…, rtsp://…).",
    )


def shown(source: str) -> str:
    """The source as it may be read by others: without a password in its address."""
    return re.sub(r"//[^/@]*@", "//", source)


def open_source(source: str, options: CameraOptions) -> PictureSource:
    """Open a camera. Raises TargetError where it cannot be opened, ConfigError for a source that is none."""
    kind = kind_of(source)
    if kind == "address" and source.startswith("http"):
        try:
            return MjpegStream(source, _OPENING, STALLED)
        except NotMjpeg:
            pass  # a playlist, or video in a container: FFmpeg reads those
    return _Opened(source, kind, options)


class _Opened:
    """A source that OpenCV reads."""

    def __init__(self, source: str, kind: str, options: CameraOptions) -> None:
        cv2 = opencv()
        self._cv2, self._paced = cv2, kind == "file"
        if kind == "device":
            where: Any = int(source) if source.isdigit() else source
            backend = {"win32": cv2.CAP_DSHOW, "linux": cv2.CAP_V4L2}.get(_system(), cv2.CAP_ANY)
            self._video = cv2.VideoCapture(where, backend)
            self._ask(options)
        else:
            # With more threads FFmpeg keeps back as many pictures as it has threads.
            wishes = [cv2.CAP_PROP_N_THREADS, 1]
            if kind == "address":
                wishes += [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(_OPENING * 1000)]
                wishes += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(PATIENCE * 1000)]
            self._video = cv2.VideoCapture(source, cv2.CAP_FFMPEG, wishes)
        if not self._video.isOpened():
            self._video.release()
            raise TargetError(f"The camera {shown(source)} cannot be opened.", _advice(kind))
        rate = self._video.get(cv2.CAP_PROP_FPS)
        self._interval = 1 / rate if 0 < rate <= 240 else 1 / 25
        self._due = time.monotonic()

    def _ask(self, options: CameraOptions) -> None:
        """Packed pictures at the wished size: unpacked ones of a large size come at 5 a second over USB 2."""
        cv2, wish = self._cv2, self._video.set
        if not self._video.isOpened():
            return
        wish(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        wish(cv2.CAP_PROP_BUFFERSIZE, 1)
        wish(cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(PATIENCE * 1000))
        if options.width:
            wish(cv2.CAP_PROP_FRAME_WIDTH, options.width)
            wish(cv2.CAP_PROP_FRAME_HEIGHT, options.height)
        if options.fps:
            wish(cv2.CAP_PROP_FPS, options.fps)
        if options.exposure is not None:
            wish(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2: by hand
            wish(cv2.CAP_PROP_EXPOSURE, options.exposure)

    @property
    def wait(self) -> float:
        """Seconds until a video file's next picture is due; 0 for a camera, which sets its pace itself."""
        if not self._paced:
            return 0.0
        self._due = max(self._due + self._interval, time.monotonic() - self._interval)
        return max(0.0, self._due - time.monotonic())

    def grab(self) -> bool:
        return bool(self._video.grab())

    def picture(self) -> NDArray[Any] | None:
        done, picture = self._video.retrieve()
        return picture if done else None

    def close(self) -> None:
        self._video.release()


def _system() -> str:
    return sys.platform


def _advice(kind: str) -> str:
    return {
        "device": "Check that it is plugged in, that no other program uses it, and that you may read it (group video).",
        "address": "Check the address, and that the camera's program runs and can be reached from this computer.",
    }.get(kind, "Check that it is a video file.")
