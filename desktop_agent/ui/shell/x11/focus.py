"""X11 functions that Qt lacks: is a compositor running, WM_TAKE_FOCUS, giving the focus back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

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
