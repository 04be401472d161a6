"""What a user in a Wayland session is told: what works there, and what to do for the rest."""

from __future__ import annotations

from desktop_agent.startup.assembly import is_wayland
from desktop_agent.support.language import later
from desktop_agent.support.operating_system import LINUX

OWN_SCREEN = later(
    "This is a Wayland session, where no program may see or work the windows of others. So the agent works in a screen of "
    "its own, which you see live here: programs, web pages, files and tools work there as ever. To have it on your own "
    "desktop, choose an Xorg (X11) session when you log in."
)
ON_DESKTOP = later(
    "This is a Wayland session: on this desktop the agent can see and work programs of X11 only; it does not see the others. "
    "Use the target display for a screen of its own, or choose an Xorg (X11) session when you log in."
)


def wayland_note(works_on_desktop: bool) -> str:
    """What is to be told, in English, and "" in any other session; `works_on_desktop`: its target is the display there is."""
    if not LINUX or not is_wayland():
        return ""
    return ON_DESKTOP if works_on_desktop else OWN_SCREEN
