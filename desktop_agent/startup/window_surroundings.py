"""Gathers what surrounds the window: tray, notifications, licences, and reports of crashes nobody has been told of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop_agent.startup.crashes.untold_crashes import UntoldCrashes
from desktop_agent.startup.installation.launch_command import launch_command
from desktop_agent.support import paths
from desktop_agent.support.config import Config

if TYPE_CHECKING:
    from desktop_agent.ui.around.around_window import AroundOptions


def _licences() -> str:
    from desktop_agent.startup.installation import licences  # what they need is slow to load

    return licences.text()


def options(settings: Config, hidden: bool = False, served: bool = False) -> AroundOptions:
    """What the settings say; a window that is `served` to an MCP client ends with the client and is never kept."""
    from desktop_agent.ui.around.around_window import AroundOptions  # Qt is loaded only for the window

    crashes = UntoldCrashes(paths.logs())
    return AroundOptions(
        logs=paths.logs(),
        licences=_licences,
        keep_in_tray=settings.window.close_to_tray and not served,
        notifications=settings.window.notifications,
        hidden=hidden,
        crashes=crashes,
        runs=paths.data() / "runs",
        command=tuple(launch_command()),
    )
