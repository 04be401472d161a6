"""A computer on which nothing is installed: its screen filmed by a camera, its keys pressed over a wire."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec

from desktop_agent.extras.camera.targets import _wired

if TYPE_CHECKING:
    from desktop_agent.extras.camera.targets._filmed import FilmedScreen

VARIANT = "camera"

Share = Annotated[int, msgspec.Meta(ge=0, le=65_535)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.webcam]`: the camera (a device's number or path, a video file, an address), and where the screen is in its picture.

    Where it is, `calibration` says: the name of a record that `desktop-agent calibrate` made. In its place `corners` give
    the screen's corners in pixels of the camera, clockwise from the top left, or `crop` the rectangle (x, y, width,
    height) that a screen fills which is filmed straight on; `screen` is its size in pixels then.

    `frame_size` is asked of the camera, (0, 0) for its own; `exposure` likewise, 0 for automatic. `shows` says what is on
    the screen; `columns` and `rows` are a terminal's, 0 where they are found out. `wire` is what presses the keys.
    """

    camera: str = "0"
    calibration: Annotated[str, msgspec.Meta(pattern=r"^[\w-]{1,64}$")] = "screen"
    corners: tuple[tuple[float, float], ...] = ()
    crop: tuple[Share, ...] = ()
    screen: tuple[Share, Share] = (1280, 800)
    frame_size: tuple[Share, Share] = (0, 0)
    exposure: float = 0.0
    shows: Annotated[str, msgspec.Meta(pattern="^(auto|terminal|desktop)$")] = "auto"
    columns: Count = 0
    rows: Count = 0
    wire: str = "http"

    def __post_init__(self) -> None:
        if len(self.corners) not in (0, 4):
            raise ValueError("corners: a screen has four, clockwise from the top left")
        if len(self.crop) not in (0, 4):
            raise ValueError("crop: give x, y, width and height")


def create(options: Options) -> FilmedScreen:
    """The filmed computer, not looked at yet."""
    from desktop_agent.extras.camera.targets import _camera_eyes
    from desktop_agent.extras.camera.targets._filmed import FilmedScreen

    return FilmedScreen(
        "webcam",
        "Filmed computer",
        options.wire,
        partial(_camera_eyes.open_stream, options.camera, options.frame_size, options.exposure),
        partial(_camera_eyes.filmed_eyes, options),
    )


attach, watch, releaser = _wired.attach, _wired.watch, _wired.releaser
