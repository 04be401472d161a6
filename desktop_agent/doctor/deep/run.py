"""`doctor --deep`: takes mouse and keyboard of the desktop for about half a minute, and checks input, sight and surroundings."""

from __future__ import annotations

import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

import numpy as np

from desktop_agent.doctor.check import Check
from desktop_agent.doctor.deep.fixture import BACKGROUND, Bench, Control, Monitor, WindowReport, set_up
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.errors import DesktopAgentError, HandError, ModelError
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import KeyDown, KeyUp
from desktop_agent.protocol.ops import Move
from desktop_agent.startup import windows_console
from desktop_agent.support import key_store as api_keys
from desktop_agent.support.operating_system import WINDOWS
from desktop_agent.targets import local
from desktop_agent.targets.faces import Desktop
from desktop_agent.vision.capture.capture import BYTES, NEUTRAL
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element

ASK = (
    "This takes mouse and keyboard for about half a minute: a window opens, text is typed into it, the\n"
    "pointer goes to the corners of every monitor, and Esc is pressed. Leave both alone meanwhile.\n"
    "Begin?"
)
NOBODY = "Nobody is here to say yes: add --yes to let it take mouse and keyboard."


TEXT = "Grüße, naïve café — “quotes” 100 €\n日本語 Привет ελληνικά 🙂\n~@#$%^&*(){}[]<>|\\/'\"`+-=_;:?!"
HOLD_SECONDS, ENOUGH_SECONDS = 20.0, 5.0
# A key that no program repeats or heeds, and that is no modifier: Esc has to come by itself.
HOLDING = (ops.KeyDown("f8"), ops.MouseDown("left"), ops.Wait(HOLD_SECONDS))


_LEVELS = ((0x4000, "system"), (0x3000, "high (administrator)"), (0x2000, "medium"), (0x0000, "low"))
_TRY_IT = (
    "To see the refusal, start a program as administrator, click into it, and let the agent type: it must "
    'say "Cannot act here".'
)
_STORE_NAME = "doctor-test"


OFF = 3
"""Pixels by which the tree's places may differ from the toolkit's: frames are counted in or not."""
_TRIES, _STEP = 60, 0.1
_COMPOSED = 0.3
"""Seconds until a window that was excluded is no longer in captures."""


def agreed(terminal: TextIO | None) -> bool:
    """Whether the user agrees, asked at the terminal or in a message box; False where nobody can be asked."""
    if terminal is None:
        answer = windows_console.ask_yes_no(ASK)
        if answer is None:
            print(NOBODY, file=sys.stderr)
        return bool(answer)
    print(f"{ASK} [y/N] ", end="", file=sys.stderr, flush=True)
    return terminal.readline().strip().lower() in ("y", "yes")


def checks() -> Sequence[Check]:
    """Every finding; the checks end where the desktop or the hand cannot be used."""
    return list(_checks())


def _checks() -> Iterator[Check]:
    try:
        target = local.create(local.Options())
        target.start()
    except DesktopAgentError as error:
        yield Check("this desktop", "broken", error.message, error.advice, needed=True)
        return
    yield from _tried("rights", lambda: [rights(target)])
    target.stop()
    yield from _tried("key store entry", lambda: [key_store()])
    try:
        with set_up() as bench:
            yield from _worked(bench)
    except DesktopAgentError as error:
        yield Check("hand and window", "broken", error.message, error.advice, needed=True)


def _worked(bench: Bench) -> Iterator[Check]:
    yield from _tried("elements", lambda: [elements(bench)])
    yield from _tried("own windows", lambda: [capture(bench)])
    yield from _tried("monitors", lambda: monitors(bench))
    yield from _tried("typing", lambda: [typing(bench)])
    yield from _tried("Esc", lambda: escape(bench))
    yield from _tried("hand killed", lambda: [release(bench)])


def _tried(name: str, part: Callable[[], Sequence[Check]]) -> Sequence[Check]:
    """The findings of one part; an error in it becomes a finding, so that the others are still tried."""
    try:
        return part()
    except DesktopAgentError as error:
        return [Check(name, "broken", error.message, error.advice, needed=True)]


def typing(bench: Bench) -> Check:
    """Whether text in many scripts, typed by the hand, arrives in the window exactly."""
    name = "typing"
    if problem := _into_the_box(bench):
        return Check(name, "broken", problem, _LEAVE_ALONE, needed=True)
    began = time.monotonic()
    result = bench.do(ops.Type(TEXT))
    seconds = time.monotonic() - began
    if result.outcome != "done":
        return Check(name, "broken", f"it was {result.outcome}: {result.detail}", _LEAVE_ALONE, needed=True)
    told = bench.window.until(lambda told: told.text == TEXT)
    if told.text != TEXT:
        words = f"{len(TEXT)} characters were typed, and {first_difference(TEXT, told.text)}"
        return Check(
            name, "broken", words, "Switch an input method to plain letters, then try again.", needed=True
        )
    return Check(name, "ok", f"all {len(TEXT)} characters arrived in {seconds:.1f} s", needed=True)


_LEAVE_ALONE = "Leave mouse and keyboard alone while the doctor works, and keep its window in front."


def first_difference(meant: str, came: str) -> str:
    """A phrase that says where two texts begin to differ."""
    at = next((i for i, (one, other) in enumerate(zip(meant, came, strict=False)) if one != other), None)
    if at is None:
        return f"{len(came)} arrived"
    return f"the {at + 1}. of them ({meant[at]!r}) came as {came[at]!r}"


def _into_the_box(bench: Bench) -> str:
    """Empty the text box and click into it; returns what went wrong, "" for nothing."""
    bench.window.ask("activate")
    told = bench.window.ask("clear")
    box = next(each for each in told.controls if "entry" in each.roles)
    result = bench.do(ops.Click(*bench.to_picture(box.bounds.center)))
    if result.outcome != "done":
        return f"the click was {result.outcome}: {result.detail}"
    told = bench.window.until(lambda told: told.active and not told.held)
    return "" if told.active else "the window does not get the keyboard"


def escape(bench: Bench) -> Sequence[Check]:
    """Whether the agent's own Esc is an ordinary key, and every other Esc stops."""
    return [_own_escape(bench), _stopping_escape(bench)]


def _own_escape(bench: Bench) -> Check:
    name = "own Esc"
    _into_the_box(bench)
    result = bench.do(ops.KeyCombo(("escape",)), ops.Wait(0.3))
    told = bench.window.until(lambda told: told.escapes > 0)
    if result.outcome != "done" or bench.stops:
        return Check(
            name, "broken", f"it stopped the agent itself ({result.detail})", "Report this.", needed=True
        )
    if not told.escapes:
        return Check(name, "broken", "it did not arrive", _LEAVE_ALONE, needed=True)
    return Check(name, "ok", "the agent can press Esc without stopping itself", needed=True)


def _stopping_escape(bench: Bench) -> Check:
    """Whether an Esc that is not the agent's stops the hand and releases what it holds."""
    name = "Esc stops"
    result, seconds = _interrupted(bench, lambda: _press_escape(bench))
    told = bench.window.until(lambda told: not told.held)
    if result is None or result.outcome != "stopped":
        words = f"the work was {result.outcome if result else 'lost'} instead of stopped"
        return Check(
            name, "broken", words, "Do not use the agent here: Esc is not seen. Report this.", needed=True
        )
    if told.held:
        return Check(name, "broken", f"{', '.join(told.held)} stayed down", "Report this.", needed=True)
    bench.hands.reset()
    bench.stops.clear()
    return Check(
        name, "ok", f"stopped {seconds * 1000:.0f} ms after the press, and nothing was held", needed=True
    )


def _press_escape(bench: Bench) -> None:
    """From this process, which the guard does not know as the hand."""
    keyboard = local.attach(bench.target.address())
    try:
        keyboard.emit(KeyDown("escape"))
        keyboard.emit(KeyUp("escape"))
    finally:
        keyboard.close()


def release(bench: Bench) -> Check:
    """Whether the guard releases a key and a button when the hand is killed."""
    name = "hand killed"

    def kill() -> None:
        Peer(bench.hands.pids[0]).kill()

    _interrupted(bench, kill)
    told = bench.window.until(lambda told: not told.held)
    bench.hands.reset()
    if told.held:
        return Check(name, "broken", f"{', '.join(told.held)} stayed down", "Report this.", needed=True)
    if not told.presses:
        return Check(name, "broken", "nothing was pressed, so nothing was proven", _LEAVE_ALONE, needed=True)
    return Check(name, "ok", "the guard let go of the key and the button it held", needed=True)


def _interrupted(bench: Bench, interrupt: Callable[[], None]) -> tuple[OpResult | None, float]:
    """Hold a key and a button in the window and interrupt that; returns the result that ended it and the seconds until then."""
    _into_the_box(bench)
    bench.window.ask("clear")
    held: list[OpResult] = []
    work = threading.Thread(target=_hold, args=(bench, held), name="holding", daemon=True)
    work.start()
    bench.window.until(lambda told: len(told.held) >= len(HOLDING) - 1)
    began = time.monotonic()
    try:
        interrupt()
        work.join(ENOUGH_SECONDS)
        seconds = time.monotonic() - began
    finally:
        if work.is_alive():
            bench.hands.stop("the doctor gives up")
            work.join(HOLD_SECONDS)
    ended = next((each for each in held if each.outcome != "done"), None)
    return ended, seconds


def _hold(bench: Bench, results: list[OpResult]) -> None:
    try:
        results += bench.hands.execute(bench.batch(*HOLDING))
    except HandError:
        return  # the hand was killed: that is what was asked for


def rights(target: Desktop) -> Check:
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
        if reason := bench.target.elements_missing:
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
