"""Deep checks of seeing: the elements of the doctor's window, and whether our own windows stay out of captures."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from desktop_agent.doctor.check import Check
from desktop_agent.doctor.deep.fixture import Bench
from desktop_agent.doctor.deep.messages import BACKGROUND, Control, WindowReport
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.capture import BYTES, NEUTRAL
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element

OFF = 3
"""Pixels by which the tree's places may differ from the toolkit's: frames are counted in or not."""
_TRIES, _STEP = 60, 0.1
_COMPOSED = 0.3
"""Seconds until a window that was excluded is no longer in captures."""


def elements(bench: Bench) -> Check:
    """Whether the accessibility tree has the window's controls with the right names, roles and places."""
    name, told = "elements", bench.window.ask("activate")
    wrong, missing = _compare(bench, told)
    if wrong:
        reason = missing or "; ".join(wrong)
        mend = "Without elements the agent reads the screen by text recognition. Report this line."
        return Check(name, "broken", reason, mend, needed=True)
    return Check(
        name, "ok", f"{len(told.controls)} controls with the right names, roles and places", needed=True
    )


def _compare(bench: Bench, told: WindowReport) -> tuple[list[str], str]:
    """What does not fit, and why nothing could be read; tried for a while, as programs take time to show their tree."""
    wrong: list[str] = []
    for _ in range(_TRIES):
        found = bench.target.elements_of(bench.window.pid)
        if reason := getattr(bench.target, "elements_missing", ""):
            return [reason], reason
        told = bench.window.ask()
        wrong = [words for each in told.controls if (words := difference(each, found))]
        if not wrong:
            break
        threading.Event().wait(_STEP)
    return wrong, ""


def difference(control: Control, found: Sequence[Element]) -> str:
    """How the tree's elements differ from a control, in words; "" when one fits."""
    named = [each for each in found if each.name == control.name]
    if not named:
        return f"{control.name[:20]!r} is not told"
    fitting = [each for each in named if each.role in control.roles]
    if not fitting:
        return f"{control.name[:20]!r} is told as {named[0].role!r}"
    if not any(_near(each.whole or each.bounds, control.bounds) for each in fitting):
        there, here = fitting[0].bounds, control.bounds
        return f"{control.name[:20]!r} is told at {_words(there)} and is at {_words(here)}"
    return ""


def _near(one: Rect, other: Rect) -> bool:
    apart = (one.x - other.x, one.y - other.y, one.right - other.right, one.bottom - other.bottom)
    return max(map(abs, apart)) <= OFF


def _words(rect: Rect) -> str:
    return f"{rect.x},{rect.y} {rect.width}x{rect.height}"


def capture(bench: Bench) -> Check:
    """Whether a capture shows the doctor's window, and no longer does once it counts as ours."""
    name, told = "own windows", bench.window.ask("activate")
    if not _shows(bench, told.bounds):
        mend = "Bring the doctor's window to the front, and run this again."
        return Check(name, "broken", "the window does not show on a picture at all", mend, needed=True)
    excluded = bench.window.ask("exclude").excluded
    bench.target.protect((bench.window.pid,))
    threading.Event().wait(_COMPOSED)
    bench.target.observe()  # from now on it counts as excluded, or is painted over
    threading.Event().wait(_COMPOSED)
    try:
        frame = bench.target.observe()
    finally:
        bench.target.protect(())
    if count := coloured(frame):
        words = f"{count} pixels of it are on the picture"
        return Check(
            name, "broken", words, "Report this: what the agent sees includes its own window.", needed=True
        )
    return Check(name, "ok", _how(excluded, frame, told.bounds), needed=True)


def _how(excluded: bool, frame: Frame, bounds: Rect) -> str:
    if excluded:
        return "taken out of captures by the system"
    area = bounds.intersection(frame.region)
    grey = crop(frame, area).pixels == NEUTRAL * (area.width * area.height)
    return "painted over in every picture" if grey else "hidden in every picture"


def _shows(bench: Bench, bounds: Rect) -> bool:
    """Does a capture show the window? Tried for a while, as a window manager takes time to show it."""
    for _ in range(_TRIES):
        if coloured(bench.target.observe()) > bounds.width * bounds.height // 4:
            return True
        threading.Event().wait(_STEP)
    return False


def coloured(frame: Frame) -> int:
    """How many pixels have the window's colour."""
    red, green, blue = BACKGROUND
    pixels = np.frombuffer(frame.pixels, np.uint8).reshape(-1, BYTES)[:, :3]
    return int((pixels == (blue, green, red)).all(axis=1).sum())
