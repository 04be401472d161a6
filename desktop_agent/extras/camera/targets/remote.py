"""A computer on which nothing is installed: its screen as a video signal, its keys and mouse over a wire.

The signal is a capture card's, or the stream of a KVM switch: its pixels are the screen's own, so nothing is calibrated.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec

from desktop_agent.extras.camera.targets import _wired

if TYPE_CHECKING:
    from desktop_agent.extras.camera.targets._filmed import FilmedScreen

VARIANT = "video"

Pixels = Annotated[int, msgspec.Meta(ge=0, le=65_535)]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[target.remote]`: the signal (a capture device's number or path, or an address), and the size that is asked of it.

    `frame_size` (0, 0) takes what comes. `shows` says what is on the screen; `columns` and `rows` are a terminal's, 0
    where they are found out. `wire` is what presses the keys.
    """

    video: str = "0"
    frame_size: tuple[Pixels, Pixels] = (0, 0)
    shows: Annotated[str, msgspec.Meta(pattern="^(auto|terminal|desktop)$")] = "auto"
    columns: Count = 0
    rows: Count = 0
    wire: str = "usb_hid"


def create(options: Options) -> FilmedScreen:
    """The computer, not looked at yet."""
    from desktop_agent.extras.camera.targets import _camera_eyes
    from desktop_agent.extras.camera.targets._filmed import FilmedScreen

    return FilmedScreen(
        "remote",
        "Remote computer",
        options.wire,
        partial(_camera_eyes.open_stream, options.video, options.frame_size, 0.0),
        partial(_camera_eyes.signal_eyes, options.shows, options.columns, options.rows),
    )


attach, watch, releaser = _wired.attach, _wired.watch, _wired.releaser
