"""A picture file as the screen: a model is asked about it, or its clicks are tried out on it, and nothing happens."""

from __future__ import annotations

import time

import msgspec

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import InputEvent, Move
from desktop_agent.targets.base import Address
from desktop_agent.targets.faces import Simulated
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop

_BLANK = Rect(0, 0, 800, 600)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.picture]`: the picture file; without one the screen is a white sheet."""

    path: str = ""


def create(options: Options) -> PictureTarget:
    """The target; the file is read at its start."""
    return PictureTarget(options.path)


class PictureTarget(Simulated):
    """Shows the same picture at every look."""

    kind = "picture"
    title = "A picture"

    def __init__(self, path: str) -> None:
        self._path = path
        self._area = _BLANK
        self._pixels = b""

    def start(self) -> None:
        from PIL import Image  # slow to load

        try:
            with (
                Image.open(self._path)
                if self._path
                else Image.new("RGB", (_BLANK.width, _BLANK.height), "white") as image
            ):
                self._area = Rect(0, 0, *image.size)
                self._pixels = image.convert("RGB").tobytes("raw", "BGRX")
        except OSError as error:
            raise TargetError(
                f"The picture {self._path} cannot be read: {error}.", "Set `path` in [target.picture]."
            ) from error

    def stop(self) -> None:
        """Nothing to end."""

    def address(self) -> Address:
        return Address(self.kind)

    def geometry(self) -> Geometry:
        return Geometry((self._area,), epoch=1)

    def observe(self, region: Rect | None = None) -> Frame:
        self.may_look()
        whole = Frame(self._pixels, self._area, 1, time.monotonic())
        return whole if region is None else crop(whole, region)

    def inline_input(self) -> Input:
        return _PointerOnly(self.geometry())


class _PointerOnly(Input):
    """Moves a pointer that nobody sees; presses go nowhere."""

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self._pointer = Point(0, 0)

    def emit(self, event: InputEvent) -> None:
        if isinstance(event, Move):
            self._pointer = Point(event.x, event.y)

    def geometry(self) -> Geometry:
        return self._geometry

    def pointer(self) -> Point:
        return self._pointer

    def owner_at(self, point: Point) -> int:  # noqa: ARG002
        return 0

    def focus_owner(self) -> int:
        return 0

    def open(self, what: str) -> str:
        raise Refused(f"There is no program to open {what} with in a picture.")

    def codes(self, event: InputEvent) -> tuple[int, ...]:  # noqa: ARG002
        return ()

    def close(self) -> None:
        """Nothing to let go of."""
