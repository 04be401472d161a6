"""What Qt does not tell or do on X11: is there a compositor, and who had the focus before us."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from desktop_agent.target.x11.connection import Display


def on_x11() -> bool:
    return QGuiApplication.platformName() == "xcb"


@contextmanager
def display() -> Iterator[Display]:
    """A short-lived connection of our own. Raises TargetError when the display has gone."""
    # Not on Windows: there is no X library there.
    from desktop_agent.target.x11.connection import Display, speaking

    ours = Display(os.environ)
    try:
        with speaking(ours.name):
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


def give_focus_back() -> None:
    """Activate the frontmost window of another program: what the user worked in has the keyboard again."""
    if not on_x11():
        return
    from desktop_agent.target.x11.windows import Windows

    with display() as x:
        Windows(x).activate_other_than([os.getpid()])
