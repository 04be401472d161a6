"""What the settings dialog is given besides the settings: the screen, open windows, and what was allowed for always."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from desktop_agent.protocol.geometry import Rect


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
