"""X11 functions for this program's own windows that Qt lacks: is a compositor running, refusing the focus, giving it back, coming to sight."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from desktop_agent.protocol.geometry import Point

if TYPE_CHECKING:
    from desktop_agent.platforms.x11.connection import Display


def on_x11() -> bool:
    """True when Qt uses its X11 (xcb) platform plugin."""
    return QGuiApplication.platformName() == "xcb"


@contextmanager
def display() -> Iterator[Display]:
    """Open a connection to the X display of the environment. Raises TargetError when the display has gone."""
    # Not on Windows: there is no X library there.
    from desktop_agent.platforms.x11.connection import Display, display_errors

    ours = Display(os.environ)
    try:
        with display_errors(ours.name):
            yield ours
    finally:
        ours.close()


def composited() -> bool:
    """True when a compositor draws the windows, so that they may be translucent (EWMH _NET_WM_CM_Sn)."""
    if not on_x11():
        return True
    with display() as x:
        selection = x.atom(f"_NET_WM_CM_S{x.connection.pref_screen}")
        return bool(x.core.GetSelectionOwner(selection).reply().owner)


def offer_to_take_focus(window: int, offered: bool) -> None:
    """Add WM_TAKE_FOCUS to the window's WM_PROTOCOLS, or remove it; does nothing except on X11.

    A window that wants no input and still offers to take the focus is "globally active" (ICCCM 4.1.7):
    some window managers then mark it as the active one although it never takes the keyboard.
    """
    if not on_x11():
        return
    with display() as x:
        take, kept = x.atom("WM_TAKE_FOCUS"), x.numbers(window, "WM_PROTOCOLS")
        wanted = [atom for atom in kept if atom != take] + ([take] if offered else [])
        if sorted(wanted) != sorted(kept):
            replace, atom_type = 0, 4  # PropModeReplace; the predefined atom ATOM
            x.core.ChangeProperty(replace, window, x.atom("WM_PROTOCOLS"), atom_type, 32, len(wanted), wanted)
            x.sync()


def give_focus_back() -> None:
    """Activate the frontmost window of another program, so that it has the keyboard again; X11 only."""
    if not on_x11():
        return
    from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows

    with display() as x:
        EwmhWindows(x).activate_other_than([os.getpid()])


# ---- a window that must be in sight -----------------------------------------------------------

_REPLACE, _WINDOW = 0, 33
"""PropModeReplace; the predefined atom WINDOW."""
_HINT = "WM_TRANSIENT_FOR"


def ours_at(points: Sequence[Point]) -> list[bool]:
    """For each point of the screen, whether a window of this process is in front there. Raises TargetError."""
    from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows

    with display() as x:
        windows = EwmhWindows(x)
        return [windows.owner_at(each) == os.getpid() for each in points]


def bring_here(window: int, points: Sequence[Point]) -> None:
    """Bring a window to the current desktop and, at these points, above all others, without the focus. Raises TargetError.

    A window manager keeps a full-screen window with the focus above all but what belongs to it: so ours is said to
    belong to what covers it, until `let_go`.
    """
    from xcffib.xproto import EventMask

    from desktop_agent.platforms.x11.windows.ewmh import SOURCE_PAGER, EwmhWindows, client_message

    with display() as x:
        current = next(iter(x.numbers(x.root, "_NET_CURRENT_DESKTOP")), 0)
        if current not in x.numbers(window, "_NET_WM_DESKTOP"):
            message = client_message(window, x.atom("_NET_WM_DESKTOP"), current, SOURCE_PAGER)
            mask = EventMask.SubstructureNotify | EventMask.SubstructureRedirect
            x.core.SendEvent(False, x.root, mask, message)
        windows = EwmhWindows(x)
        clients = (windows.client_at(each) for each in points)
        full = x.atom("_NET_WM_STATE_FULLSCREEN")
        covers = [each for each in dict.fromkeys(clients) if each and windows.owner(each) != os.getpid()]
        for cover in [each for each in covers if full in x.numbers(each, "_NET_WM_STATE")][:1]:
            x.core.ChangeProperty(_REPLACE, window, x.atom(_HINT), _WINDOW, 32, 1, [cover])
        x.sync()


def let_go(window: int) -> None:
    """Let the window belong to no other any more. Raises TargetError."""
    with display() as x:
        x.core.DeleteProperty(window, x.atom(_HINT))
        x.sync()
