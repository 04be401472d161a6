"""The display there is, the embedded one, and what sees and acts on them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from desktop_agent import needs
from desktop_agent.doctor.check import Check
from desktop_agent.protocol.errors import TargetError

EXTENSIONS = {"XTEST": "input", "XInputExtension": "the Esc key", "RANDR": "the layout of the monitors"}
_ELSEWHERE = "Use the embedded display with --target display."


def checks() -> Sequence[Check]:
    """The display of this session, then the embedded one."""
    if sys.platform != "linux":
        mend = "Use Linux for now; acting on this system is planned."
        return [Check("display", "missing", f"not built for {sys.platform} yet", mend, needed=True)]
    here = bool(os.environ.get("DISPLAY"))
    local = [display(os.environ), *([accessibility(os.environ)] if here else [])]
    return [*local, *embedded(needed=not here)]


def display(environ: Mapping[str, str]) -> Check:
    """The X display: its size, and the extensions that looking and acting need. Nothing is moved on it."""
    from desktop_agent.target.x11.connection import Display
    from desktop_agent.target.x11.geometry import Monitors

    name = environ.get("DISPLAY")
    if not name:
        return Check("display", "missing", "none: DISPLAY is not set, so the embedded one is used", _START)
    try:
        connection = Display(environ)
    except TargetError as error:
        return Check("display", "broken", error.message, error.advice, needed=True)
    try:
        absent = [each for each in EXTENSIONS if not _present(connection, each)]
        monitors = Monitors(connection).geometry().monitors
    finally:
        connection.close()
    if absent:
        lost = ", ".join(f"{each} ({EXTENSIONS[each]})" for each in absent)
        return Check("display", "broken", f"{name} lacks {lost}", _ELSEWHERE, needed=True)
    if environ.get("WAYLAND_DISPLAY") or environ.get("XDG_SESSION_TYPE") == "wayland":
        detail = f"{name} belongs to a Wayland session: only X11 programs can be seen and worked"
        return Check(
            "display",
            "broken",
            detail,
            "Log in to an X11 (Xorg) session, or " + _ELSEWHERE[0].lower() + _ELSEWHERE[1:],
        )
    sizes = " + ".join(f"{each.width}x{each.height}" for each in monitors)
    return Check("display", "ok", f"{name}, {sizes}, with {', '.join(EXTENSIONS)}", needed=True)


_START = "To work on a desktop, start it inside that desktop's session."


def _present(connection: object, name: str) -> bool:
    return bool(connection.core.QueryExtension(len(name), name).reply().present)  # type: ignore[attr-defined]


def accessibility(environ: Mapping[str, str]) -> Check:
    """The session's accessibility bus, through which the names of things on the screen come."""
    from desktop_agent.vision import atspi_bus

    try:
        bus = atspi_bus.connect(environ)
    except atspi_bus.BusError as error:
        lacking = needs.missing((needs.ACCESSIBILITY,))
        mend = needs.advice(lacking) if lacking else "Start it in a session with a D-Bus session bus."
        return Check("accessibility", "missing" if lacking else "broken", str(error), mend)
    bus.close()
    return Check("accessibility", "ok", "the bus answers")
