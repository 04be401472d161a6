"""Deep checks of input: text arrives exactly, Esc stops, and nothing stays pressed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from desktop_agent.doctor.check import Check
from desktop_agent.doctor.deep.fixture import Bench
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import OpResult
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.input_events import KeyDown, KeyUp
from desktop_agent.targets import local

TEXT = "Grüße, naïve café — “quotes” 100 €\n日本語 Привет ελληνικά 🙂\n~@#$%^&*(){}[]<>|\\/'\"`+-=_;:?!"
HOLD_SECONDS, ENOUGH_SECONDS = 20.0, 5.0
# A key that no program repeats or heeds, and that is no modifier: Esc has to come by itself.
HOLDING = (ops.KeyDown("f8"), ops.MouseDown("left"), ops.Wait(HOLD_SECONDS))


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
