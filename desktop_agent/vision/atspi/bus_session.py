"""Finds the accessibility bus of a session, and turns the session's accessibility on and off."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import xcffib
import xcffib.xproto

from desktop_agent.platforms.x11.connection import authority
from desktop_agent.vision.atspi.bus import PROPERTIES, Bus, BusError
from desktop_agent.vision.atspi.wire import Call

BOX = "DESKTOP_AGENT_BOX"
"""Variable of a boxed session: the number of the PID namespace that all of it is in."""
_LAUNCHER = ("org.a11y.Bus", "/org/a11y/bus")
_SWITCH = ("org.a11y.Status", "IsEnabled")
_START_SECONDS = 5.0


def find_bus(environment: Mapping[str, str]) -> Bus:
    """Connect to the accessibility bus of the session that these environment variables describe.

    AT_SPI_BUS_ADDRESS comes first, then the session bus (which starts the accessibility bus when
    needed), then the AT_SPI_BUS property of the X root window. Raises BusError with every reason.
    """
    reasons = []
    for find in (_from_variable, _from_session, _from_display):
        try:
            return Bus(find(environment), box=_box(environment))
        except BusError as error:
            reasons.append(str(error))
    raise BusError("; ".join(reasons))


def is_on(environment: Mapping[str, str]) -> bool:
    """True when accessibility is switched on (org.a11y.Status.IsEnabled). Raises BusError without a session bus."""
    with closing(_session_bus(environment)) as session:
        reply = session.ask(Call(*_LAUNCHER, PROPERTIES, "Get", "ss", _SWITCH), _START_SECONDS)
    match reply.values():
        case (("b", bool(on)),):
            return on
    return False


def switch_on(environment: Mapping[str, str]) -> bool:
    """Switch the session's accessibility on; returns True when it was off before.

    Without it Qt and Chromium build no tree. Raises BusError without a session bus.
    """
    was_off = not is_on(environment)
    if was_off:
        _set_switch(environment, True)
    return was_off


def switch_off(environment: Mapping[str, str]) -> None:
    """Undo `switch_on`. Raises BusError."""
    _set_switch(environment, False)


def _set_switch(environment: Mapping[str, str], on: bool) -> None:
    with closing(_session_bus(environment)) as session:
        session.ask(Call(*_LAUNCHER, PROPERTIES, "Set", "ssv", (*_SWITCH, ("b", on))), _START_SECONDS)


def _session_bus(environment: Mapping[str, str]) -> Bus:
    return Bus(session_address(environment), box=_box(environment))


def _box(environment: Mapping[str, str]) -> int:
    return int(environment.get(BOX) or 0)


def session_address(environment: Mapping[str, str]) -> str:
    """Address of the session bus. Raises BusError when the environment names none."""
    if address := environment.get("DBUS_SESSION_BUS_ADDRESS"):
        return address
    runtime = environment.get("XDG_RUNTIME_DIR")
    if runtime and (Path(runtime) / "bus").exists():
        return f"unix:path={runtime}/bus"
    raise BusError("there is no D-Bus session (DBUS_SESSION_BUS_ADDRESS is not set)")


def _from_variable(environment: Mapping[str, str]) -> str:
    if address := environment.get("AT_SPI_BUS_ADDRESS"):
        return address
    raise BusError("AT_SPI_BUS_ADDRESS is not set")


def _from_session(environment: Mapping[str, str]) -> str:
    with closing(_session_bus(environment)) as session:
        reply = session.ask(Call(*_LAUNCHER, "org.a11y.Bus", "GetAddress"), _START_SECONDS)
    return str(reply.values()[0])


def _from_display(environment: Mapping[str, str]) -> str:
    if not environment.get("DISPLAY"):
        raise BusError("DISPLAY is not set")
    try:
        with authority(environment) as display:
            connection: Any = xcffib.connect(display=display)  # type: ignore[no-untyped-call]
        try:
            return _root_property(connection, "AT_SPI_BUS")
        finally:
            connection.disconnect()
    except (xcffib.ConnectionException, xcffib.XcffibException) as error:
        raise BusError(f"display {environment['DISPLAY']} cannot be asked") from error


def _root_property(connection: Any, name: str) -> str:
    atom = connection.core.InternAtom(True, len(name), name).reply().atom
    root = connection.get_setup().roots[connection.pref_screen].root
    any_type = xcffib.xproto.GetPropertyType.Any
    reply = connection.core.GetProperty(False, root, atom, any_type, 0, 1024).reply()
    if not atom or not reply.value_len:
        raise BusError(f"the X root window has no {name}")
    return bytes(reply.value.buf()).decode(errors="replace").rstrip("\0")
