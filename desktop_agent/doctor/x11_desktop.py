"""Checks the X display of the session, the embedded one, the accessibility bus of both, and input methods that get keys first."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from desktop_agent.doctor.check import Check
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.errors import HandError, TargetError
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.protocol.ops import Move
from desktop_agent.support import system_packages

if TYPE_CHECKING:
    from desktop_agent.platforms.x11.connection import Display
    from desktop_agent.targets.base import Address
    from desktop_agent.vision.capture.frame import Frame


EXTENSIONS = {"XTEST": "input", "XInputExtension": "the Esc key", "RANDR": "the layout of the monitors"}
SECONDS = 5.0
_EMBEDDED = "the embedded display with --target display"


_SETTINGS = ("XMODIFIERS", "GTK_IM_MODULE", "QT_IM_MODULE", "QT_IM_MODULES")
_PLAIN = frozenset(("", "none", "simple", "gtk-im-context-simple", "xim", "compose", "local", "wayland"))
"""Values that name no input method: these do dead keys and Compose only."""


def checks() -> Sequence[Check]:
    """The checks of the session's display, then those of the embedded one."""
    here = bool(os.environ.get("DISPLAY"))
    local = [display(os.environ)]
    if here:
        local += [accessibility(os.environ), *input_method_checks(os.environ)]
    return [*local, *embedded(needed=not here)]


def display(environ: Mapping[str, str]) -> Check:
    """Whether the X display answers and has the extensions that looking and acting need. No input is given."""
    from desktop_agent.platforms.x11.connection import Display, display_errors
    from desktop_agent.platforms.x11.monitors import Monitors

    name = environ.get("DISPLAY")
    if not name:
        mend = "To work on a desktop, start it inside that desktop's session."
        return Check("display", "missing", "DISPLAY is not set, so the embedded one is used", mend)
    try:
        connection = Display(environ)
        with display_errors(name):
            absent = [each for each in EXTENSIONS if not _present(connection, each)]
            monitors = Monitors(connection).geometry().monitors
            connection.close()
    except TargetError as error:
        return Check("display", "broken", error.message, error.advice, needed=True)
    if absent:
        lost = ", ".join(f"{each} ({EXTENSIONS[each]})" for each in absent)
        return Check("display", "broken", f"{name} lacks {lost}", f"Use {_EMBEDDED}.", needed=True)
    if environ.get("WAYLAND_DISPLAY") or environ.get("XDG_SESSION_TYPE") == "wayland":
        detail = f"{name} belongs to a Wayland session: only X11 programs can be seen and worked"
        return Check("display", "broken", detail, f"Log in to an Xorg session, or use {_EMBEDDED}.")
    sizes = " + ".join(f"{each.width}x{each.height}" for each in monitors)
    return Check("display", "ok", f"{name}, {sizes}, with {', '.join(EXTENSIONS)}", needed=True)


def _present(connection: Display, name: str) -> bool:
    return bool(connection.core.QueryExtension(len(name), name).reply().present)


def accessibility(environ: Mapping[str, str], name: str = "accessibility") -> Check:
    """Whether the session's accessibility bus answers, which tells the elements on the screen."""
    from desktop_agent.vision.atspi import bus, bus_session

    try:
        bus_session.find_bus(environ).close()
        on = _switched_on(environ)
    except bus.BusError as error:
        lacking = system_packages.missing((system_packages.ACCESSIBILITY,))
        mend = (
            system_packages.advice(lacking)
            if lacking
            else "Start it in a session that has a D-Bus session bus."
        )
        return Check(name, "missing" if lacking else "broken", str(error), mend)
    how = "is switched on" if on else "is off, and switched on while the agent works"
    return Check(name, "ok", f"the bus answers; accessibility {how}")


def _switched_on(environ: Mapping[str, str]) -> bool:
    """Whether the session's programs were told to show their elements (at-spi2-core, bus/README)."""
    from desktop_agent.vision.atspi import bus, bus_session
    from desktop_agent.vision.atspi.wire import Call

    where = ("org.a11y.Bus", "/org/a11y/bus", bus.PROPERTIES)
    session = bus.Bus(bus_session.session_address(environ))
    try:
        reply = session.ask(Call(*where, "Get", "ss", ("org.a11y.Status", "IsEnabled")), SECONDS)
        return bool(reply.values()[0][1])
    finally:
        session.close()


def hands(address: Address, frame: Frame) -> Check:
    """Whether hand and guard start on the embedded display and can move its pointer."""
    from desktop_agent.hand.client import Hands

    name, pair = "hand and guard", Hands(address)
    viewport = Viewport(frame.region, frame.size, frame.epoch)
    try:
        pair.start()
        move = Batch("doctor", (Move(10, 10),), viewport, generation=pair.generation)
        result = pair.execute(move)[0]
    except HandError as error:
        return Check(name, "broken", error.message, error.advice, needed=True)
    finally:
        pair.close()
    if result.outcome != "done":
        return Check(name, "broken", f"a move was {result.outcome}: {result.detail}", needed=True)
    return Check(name, "ok", f"started, and moved the pointer in {result.seconds * 1000:.0f} ms", needed=True)


def embedded(needed: bool) -> Sequence[Check]:
    """Whether an embedded display starts, can be captured and worked; `needed` where the session has no display."""
    from desktop_agent.targets import display as kind

    name = "embedded display"
    lacking = [need for need in system_packages.missing(system_packages.EMBEDDED) if need.essential]
    if lacking:
        names = ", ".join(need.package for need in lacking)
        return [Check(name, "missing", f"{names} not installed", system_packages.advice(lacking), needed)]
    target = kind.create(kind.Options())
    try:
        target.start()
        frame = target.observe()
        size = f"{frame.size.width}x{frame.size.height}"
        return [
            Check(name, "ok", f"{size}, started and seen", needed=needed),
            accessibility(target.environment, "embedded accessibility"),
            hands(target.address(), frame),
        ]
    except TargetError as error:
        return [Check(name, "broken", error.message, error.advice, needed)]
    finally:
        target.stop()


def input_method_checks(environ: Mapping[str, str]) -> Sequence[Check]:
    """A note for each input method that the session's variables name: no fault, but it changes what typing does."""
    values = (environ.get(name, "").removeprefix("@im=") for name in _SETTINGS)
    names = {each.casefold() for value in values for each in value.split(";")} - _PLAIN
    return [_note(name) for name in sorted(names)]


def _note(name: str) -> Check:
    detail = (
        f"{name} gets every key before the program does, the agent's too: while it composes (Pinyin, Kana, "
        "Hangul), letters become other characters. Switch it to plain letters before a task that types."
    )
    return Check("input method", "ok", detail)
