"""Deep checks of the surroundings: rights, monitors, and the system's key store."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from desktop_agent.doctor.check import Check
from desktop_agent.doctor.deep.fixture import Bench
from desktop_agent.doctor.deep.messages import Monitor
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.ops import Move
from desktop_agent.support import key_store as api_keys
from desktop_agent.support.operating_system import WINDOWS
from desktop_agent.targets.base import Target

_LEVELS = ((0x4000, "system"), (0x3000, "high (administrator)"), (0x2000, "medium"), (0x0000, "low"))
_TRY_IT = (
    "To see the refusal, start a program as administrator, click into it, and let the agent type: it must "
    'say "Cannot act here".'
)
_STORE_NAME = "doctor-test"


def rights(target: Target) -> Check:
    """Our rights and those of the window in front. Nothing is tried: that window would get the input."""
    front = target.focused_window()
    name = (front.program or front.title or "a program") if front else ""
    whose = f"The window in front ({name}) has {'more' if front.foreign else 'no more'}." if front else ""
    if WINDOWS:
        words = f"we have the integrity level {_own_level()}."
        return Check("rights", "ok", " ".join(filter(None, (words, whose, _TRY_IT))))
    return Check("rights", "ok", " ".join(filter(None, ("we have those of this user.", whose))))


def _own_level() -> str:
    import os

    from desktop_agent.platforms.windows.integrity_level import integrity

    level = integrity(os.getpid())
    return next((words for least, words in _LEVELS if level is not None and level >= least), "unknown")


def key_store() -> Check:
    """Whether a test entry can be written to the system's key store, read and deleted."""
    name, secret = "key store entry", secrets.token_hex(16)
    if problem := api_keys.store_problem():
        mend = "Set keys as environment variables, or set a key store up (GNOME Keyring, KWallet)."
        return Check(name, "missing", problem, mend)
    try:
        api_keys.store_key(_STORE_NAME, secret)
        read = api_keys.stored_secret(_STORE_NAME)
        api_keys.delete_key(_STORE_NAME)
        left = api_keys.stored_secret(_STORE_NAME)
    except ModelError as error:
        return Check(name, "broken", error.message, error.advice)
    if read != secret or left:
        what = "what was written was not read back" if read != secret else "the test entry was not deleted"
        return Check(name, "broken", what, "Look into the system's key store.")
    return Check(name, "ok", "a test entry was written, read and deleted")


def monitors(bench: Bench) -> Sequence[Check]:
    """Every monitor with its place and scale, and whether the pointer gets to its corners."""
    known = bench.window.ask().monitors
    found = bench.target.geometry().monitors
    return [_monitor(bench, number, rect, known) for number, rect in enumerate(found, 1)]


def _monitor(bench: Bench, number: int, rect: Rect, known: Sequence[Monitor]) -> Check:
    name, scale = f"monitor {number}", scale_of(rect, known)
    words = f"{rect.width}x{rect.height} at {rect.x},{rect.y}"
    words += f", scaled {scale:.0%}" if scale else ", which the window toolkit sees in another place"
    missed = [miss for corner in corners(rect) if (miss := _miss(bench, corner))]
    if missed:
        mend = "Report this with the line above: the pointer does not go where it is sent."
        return Check(name, "broken", f"{words}; {'; '.join(missed)}", mend, needed=True)
    if not scale:
        return Check(name, "broken", words, "Report this with the lines of all monitors.", needed=True)
    return Check(name, "ok", f"{words}; the pointer was at its corners", needed=True)


def scale_of(rect: Rect, known: Sequence[Monitor]) -> float:
    """The scale of the monitor that the window toolkit has at this place, give or take a pixel of rounding; 0 for none."""
    for each in known:
        one = each.bounds
        apart = (one.x - rect.x, one.y - rect.y, one.right - rect.right, one.bottom - rect.bottom)
        if max(map(abs, apart)) <= 1:
            return each.scale
    return 0.0


def corners(rect: Rect) -> tuple[Point, ...]:
    """The pixels in the four corners."""
    right, bottom = rect.right - 1, rect.bottom - 1
    return Point(rect.x, rect.y), Point(right, rect.y), Point(rect.x, bottom), Point(right, bottom)


def _miss(bench: Bench, corner: Point) -> str:
    """Move there and say where the pointer came instead, "" when it came there."""
    x, y = bench.to_picture(corner)
    result = bench.do(Move(x, y))
    if result.outcome != "done":
        return f"moving to {corner.x},{corner.y} was {result.outcome}: {result.detail}"
    now = bench.target.pointer()
    return "" if now == corner else f"sent to {corner.x},{corner.y} it came to {now and (now.x, now.y)}"
