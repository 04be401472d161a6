"""What the settings dialog is given besides the settings: the screen, open windows, and what was allowed for always."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import NamedTuple

from desktop_agent.agent.looking.privacy_filter import PrivacyFilter
from desktop_agent.protocol.geometry import Rect
from desktop_agent.support.operating_system import LINUX
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import windows_of
from desktop_agent.vision.capture.masks import Privacy
from desktop_agent.vision.encoding.encode import encode, image_size

EDGE = 1_600
"""The longest edge of the picture, in pixels."""


class ScreenPicture(NamedTuple):
    """A picture of the screen with private windows painted over: JPEG or PNG bytes, and the screen pixels it shows."""

    image: bytes
    region: Rect


class OpenWindow(NamedTuple):
    """A window that is open now: its title and application."""

    title: str
    application: str


class AlwaysAllowed(NamedTuple):
    """One "Always here" of an approval, in words, and what takes it back. May take a moment: called off the UI thread."""

    words: str
    remove: Callable[[], None]


def no_windows() -> Sequence[OpenWindow]:
    return ()


def nothing_allowed() -> Sequence[AlwaysAllowed]:
    return ()


@dataclass(frozen=True)
class Surroundings:
    """All are called off the UI thread and may raise DesktopAgentError.

    `picture` None: no picture of the screen can be taken. `locked` names settings that the command line or the
    environment sets, with where in words ("Set on the command line").
    """

    picture: Callable[[], ScreenPicture] | None = None
    windows: Callable[[], Sequence[OpenWindow]] = no_windows
    applications: Callable[[], Sequence[str]] | None = None
    allowed: Callable[[], Sequence[AlwaysAllowed]] = nothing_allowed
    locked: Mapping[str, str] = field(default_factory=dict)


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
            return [
                OpenWindow(each.title, each.application)
                for each in windows_of(target).windows()
                if each.pid != own
            ]

    return Surroundings(picture, windows, installed_applications if LINUX else None, allowed, locked)


def installed_applications() -> Sequence[str]:
    """The names of the applications that the menus of the desktop list; takes a moment."""
    from desktop_agent.platforms.x11.opener.desktop_entries import installed

    desktops = tuple(os.environ.get("XDG_CURRENT_DESKTOP", "").split(":"))
    return [each.name for each in installed(os.environ) if each.shown(desktops)]
