"""What the dialog shows of a target that is started: its picture with private windows hidden, and its windows."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.support.operating_system import LINUX
from desktop_agent.targets.base import Target
from desktop_agent.ui.settings.options.surroundings import (
    AlwaysAllowed,
    OpenWindow,
    ScreenPicture,
    Surroundings,
    nothing_allowed,
)
from desktop_agent.vision.capture.masks import Privacy
from desktop_agent.vision.encoding.encode import encode, image_size

EDGE = 1_600
"""The longest edge of the picture, in pixels."""


def surroundings_of(
    opened: Callable[[], AbstractContextManager[Target]],
    privacy: Callable[[], Privacy],
    locked: Mapping[str, str],
    allowed: Callable[[], Sequence[AlwaysAllowed]] = nothing_allowed,
) -> Surroundings:
    """What the dialog is given of a target, which `opened` starts for one look. `privacy` says what is hidden now; its rectangles are shown, not painted over."""

    def picture() -> ScreenPicture:
        hidden = Privacy(windows=privacy().windows)
        with opened() as target:
            frame = PrivacyFilter(target, hidden).look(target.observe).frame
        return ScreenPicture(encode(frame, image_size(frame.size, EDGE)), frame.region)

    def windows() -> Sequence[OpenWindow]:
        own = os.getpid()
        with opened() as target:
            return [OpenWindow(each.title, each.application) for each in target.windows() if each.pid != own]

    return Surroundings(picture, windows, installed_applications if LINUX else None, allowed, locked)


def installed_applications() -> Sequence[str]:
    """The names of the applications that the menus of the desktop list; takes a moment."""
    from desktop_agent.platforms.x11.opener.desktop_entries import installed

    desktops = tuple(os.environ.get("XDG_CURRENT_DESKTOP", "").split(":"))
    return [each.name for each in installed(os.environ) if each.shown(desktops)]
