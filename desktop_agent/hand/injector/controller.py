"""Carries out batches: for every event bounds, rate, stop, ledger, emit; in the end all is released. Holds a text back until the brain gives leave."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeAlias

from desktop_agent.hand.injector import gestures
from desktop_agent.hand.injector.bounds import Bounds
from desktop_agent.hand.injector.gestures import Delay, NewClick, Step
from desktop_agent.hand.injector.ledger import Ledger
from desktop_agent.hand.injector.precondition_check import PreconditionCheck
from desktop_agent.hand.injector.rate_limit import EVENTS_PER_SECOND, RateLimit
from desktop_agent.hand.injector.stop_gate import LEASE, Paused, StopGate
from desktop_agent.hand.injector.translate import Translator
from desktop_agent.hand.ipc.shared_block import Reason, Shared, Word
from desktop_agent.hand.own_escapes import Escapes
from desktop_agent.platforms.base import MEANS, Input
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Outcome
from desktop_agent.protocol.batch import LET_GO, Batch, OpResult, Progress
from desktop_agent.protocol.errors import (
    CannotAct,
    DesktopAgentError,
    HandError,
    Refused,
    Stopped,
    TargetError,
)
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
)
from desktop_agent.protocol.stop_flag import StopFlag

FOCUS_SECONDS = 0.5
KEEPING_SECONDS = 0.004
"""Between two looks for a reason to let go of what a batch keeps held."""

Tell: TypeAlias = Callable[[Progress | OpResult], None]


NEAR = 8
"""Pixels: presses farther apart are never a double click (openbox 8, GTK, Qt and Tk 5, Windows and Chromium 4)."""
MARGIN = 0.01


LONGEST = 10.0
"""Seconds to wait for leave."""
_SLICE = 0.002


class Controller:
    """The hand of one target. Not thread-safe but for `protect` and `confine`.

    `flag` stops this process alone, `guarded` says that a guard's heartbeat is to be watched,
    `max_rate` is in events a second, `clock` counts seconds.
    """

    def __init__(
        self,
        input_: Input,
        shared: Shared,
        *,
        flag: StopFlag | None = None,
        guarded: bool = False,
        max_rate: float = EVENTS_PER_SECOND,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._input = input_
        self._shared = shared
        self._clock = clock
        self._escapes = Escapes(shared, lambda: shared.stop(Reason.ESCAPE, hand=True), clock)
        self._gate = StopGate(shared, flag or StopFlag(), clock, self.look, input_.rest, guarded=guarded)
        self._rate = RateLimit(clock, max_rate)
        self._ledger = Ledger(shared)
        self._bounds = Bounds(input_)
        self._clicks = DoubleClickGap(input_, clock)
        self._expected = PreconditionCheck(input_)
        self._text_leave = TextLeave(shared, clock, self._gate.wait)
        self._typed = self._partly = 0
        self._acted = False
        self._interrupted = False
        self._kept_until = 0.0
        input_.check_with(self._check_within)
        input_.tell_of_grabs(shared.grabbing)

    def look(self) -> None:
        """Stop for everybody when an ESC has come to the input that is not the hand's own; give way to other input.

        To be called between batches too, now and then: a key is of the moment it is pressed in.
        """
        for own in self._input.escapes():
            self._escapes.pressed(from_own_device=own)
        self._escapes.settle()
        if (means := self._input.human_used()) and self._shared[Word.BUSY]:
            self._shared[Word.HAND_MEANS] = MEANS.index(means)
            self._shared[Word.HAND_TAKEN] = self._shared[Word.ARMED]  # the guard follows and tells the brain

    def _check_within(self, typed: int) -> None:
        """The last look before more of an event goes out."""
        self._partly = typed
        if self._shared[Word.EMITTING_SINCE]:  # an event that waits for an application is not stuck
            self._shared.beat(Word.EMITTING_SINCE)
        self._gate.check_stop()
        self._text_leave.check()
        self._expected.check_within()

    def protect(self, pids: Iterable[int]) -> None:
        """Windows of these processes may not be clicked or typed into."""
        self._bounds.protect(pids)

    def confine(self, region: Rect | None) -> None:
        """Pointer events outside this rectangle are refused; None lifts it."""
        self._bounds.confine(region)

    @property
    def held(self) -> tuple[str, ...]:
        """What could not be released, in words; empty between batches unless the system failed."""
        return self._ledger.names

    def check_after(self) -> None:
        """After a batch: raises HandError when the display is gone, or something could not be released."""
        try:
            self._input.geometry()
        except TargetError as error:
            raise HandError(error.message, error.advice or "Start the program again.") from error
        if (held := self.held) and not self.keeping:
            raise HandError(
                f"The system did not release {', '.join(held)}.", "Reset the stop to start again."
            )

    def execute(self, batch: Batch, tell: Tell) -> list[OpResult]:
        """Carry out a batch and release everything but what it keeps; `tell` hears of each operation's begin and end.

        One result for every operation; nothing is raised but what `tell` raises. After the first
        that is not `done` the others are `skipped`.
        """
        with suppress(TargetError):  # every operation will say so
            self.look()
        self._shared[Word.BUSY] = 1
        if not (batch.keeps or batch.holds_buttons):
            self.release()
        kept, self._kept_until = self.keeping, 0.0
        done = False
        try:
            results = self._run(batch, tell, LET_GO if batch.goes_on and not kept else "")
            done = all(result.outcome == "done" for result in results)
            return results
        finally:
            if batch.holds_buttons:
                self._release_each(each for each in self._ledger.releases if isinstance(each, KeyUp))
            seconds = math.inf if batch.holds_buttons else min(batch.keeps, LEASE)
            if done and seconds and self.held and not self._is_interrupted():
                self._kept_until = self._clock() + seconds
            else:
                self._let_go()

    @property
    def keeping(self) -> bool:
        """Is something held after the end of its batch?"""
        return self._kept_until > 0

    def rest(self) -> None:
        """To be called between batches, every KEEPING_SECONDS while something is kept: lets go of it when there is reason to.

        That is whatever ends a batch (stop, takeover, the guard's silence), a pause, and the end of its time. Until then
        the hand counts as busy: to the guard this is the middle of a batch.
        """
        self.look()
        if self._kept_until and (self._clock() >= self._kept_until or self._is_interrupted()):
            self._let_go()

    def _is_interrupted(self) -> bool:
        try:
            self._gate.check_between()
        except (Stopped, DesktopAgentError):
            return True
        return bool(self._shared[Word.PAUSED])

    def _let_go(self) -> None:
        """The end of a batch, and of what it kept."""
        self.release()
        self._kept_until = 0.0
        self._shared[Word.BUSY] = 0

    def release(self) -> None:
        """Let go of everything held, last pressed first; what fails is tried once more."""
        self._release_each(self._ledger.releases + self._ledger.releases)

    def _release_each(self, events: Iterable[KeyUp | ButtonUp]) -> None:
        for event in events:
            if self._ledger.holds(event):
                self._try_release(event)

    def before_end(self) -> None:
        """There will be no more batches: after a stop the end does not wait for applications that do not read."""
        if self._interrupted or self._shared.reason is Reason.ESCAPE:
            self._input.hurry()

    def _try_release(self, event: KeyUp | ButtonUp) -> None:
        try:
            with self._shared.emitting():
                self._input.emit(event)
                self._ledger.end(event)
        except Exception:  # noqa: BLE001 - whatever the system says, the others are still to be released
            return

    def _run(self, batch: Batch, tell: Tell, refused: str) -> list[OpResult]:
        self._gate.begin(batch.generation, batch.seconds)
        self._bounds.forget_click()
        self._text_leave.begin()
        results: list[OpResult] = []
        for index, op in enumerate(batch.operations):
            if refused and not results:
                results.append(OpResult(batch.id, index, "refused", refused))
            else:
                results.append(self._result(batch, index, op, tell, results))
            tell(results[-1])
        self._interrupted = any(result.outcome == "stopped" for result in results)
        return results

    def _result(self, batch: Batch, index: int, op: ops.Op, tell: Tell, before: list[OpResult]) -> OpResult:
        if before and before[-1].outcome != "done":
            return OpResult(batch.id, index, "skipped", _why_skipped(before))
        began = self._clock()
        outcome, detail = self._outcome(batch, index, op, tell)
        typed = self._typed + self._partly if isinstance(op, ops.Type) else 0
        return OpResult(
            batch.id,
            index,
            outcome,
            detail,
            self._clock() - began,
            self._expected.stale,
            typed,
            acted=self._acted or typed > 0,
        )

    def _outcome(self, batch: Batch, index: int, op: ops.Op, tell: Tell) -> tuple[Outcome, str]:
        """Every way an operation can end, in one place; the stop becomes a result that the brain reads."""
        try:
            return "done", self._carry_out(batch, index, op, tell)
        except Refused as error:
            return "refused", str(error) + self._progress(op)
        except Paused as pause:
            return "skipped", pause.message + self._progress(op)
        except Stopped as stop:
            return "stopped", stop.reason + self._progress(op)
        except DesktopAgentError as error:
            return "failed", str(error) + self._progress(op)
        except Exception as error:  # noqa: BLE001 - a backend may raise anything; the batch ends here
            return "failed", f"{type(error).__name__}: {error}" + self._progress(op)

    def _carry_out(self, batch: Batch, index: int, op: ops.Op, tell: Tell) -> str:
        self._typed = self._partly = 0
        self._acted = False
        self._gate.check()
        self._bounds.begin(batch.viewport.epoch)
        self._expected.begin(batch, index)
        match op:
            case ops.Wait(seconds):
                tell(Progress(batch.id, index))
                self._pass(seconds)
                self._bounds.forget_click()
            case ops.ReleaseAll():
                tell(Progress(batch.id, index))
                self.release()
            case ops.Open(what):
                tell(Progress(batch.id, index))
                return self._input.open(what)
            case _:
                self._perform(batch, index, op, tell)
        return ""

    def _perform(self, batch: Batch, index: int, op: ops.Op, tell: Tell) -> None:
        act = Translator(batch, self._bounds.middle, self._ledger.holds).translate(op)
        tell(Progress(batch.id, index, act.at))
        if isinstance(op, ops.Type):
            self._input.prepare(op.text)
            self._shared.add_codes(Word.SPARES, self._input.spare_codes())
        for step in act.steps:
            if isinstance(op, ops.Type):
                self._text_leave.wait(gestures.characters(step))
                self._play(step)
                self._text_leave.sent(gestures.characters(step))
                self._typed, self._partly = self._typed + gestures.characters(step), 0
            else:
                self._play(step)

    def _play(self, step: Step) -> None:
        if isinstance(step, Delay):
            self._pass(step.seconds)
        elif isinstance(step, NewClick):
            self._pass(self._clicks.wait_before(step.button))
        else:
            self._emit(step)

    def _pass(self, seconds: float) -> None:
        """Let time pass: the place's own where it has one, else real time. A stop ends it."""
        if not self._input.pass_time(seconds):
            self._gate.wait(seconds)

    def _await_focus(self) -> None:
        """The window manager moves the keyboard after a click in its own time; typing waits for it."""
        end = self._clock() + FOCUS_SECONDS
        while not self._bounds.focus_followed():
            if self._clock() >= end:
                raise Refused("The window that was clicked did not take the keyboard.", "Look again.")
            self._gate.wait(0.01)

    def _emit(self, event: InputEvent) -> None:
        if isinstance(event, KeyDown | Text):
            self._await_focus()
        self._bounds.check(event)
        self._rate.take(self._gate.wait)
        codes = self._input.codes(event)
        self._gate.check()
        with self._expected.kept(event), self._shared.emitting():
            self._gate.check_stop()
            self._ledger.begin(event, codes)
            self._inject(event)
            self._ledger.end(event)
        self._acted |= not isinstance(event, Move)
        self._bounds.arrived(event)
        self._clicks.sent(event)

    def _inject(self, event: InputEvent) -> None:
        own_escape = event == KeyDown("escape")
        self._shared[Word.ESCAPES_SENT] += own_escape
        try:
            self._input.emit(event)
        except (
            Refused,
            Stopped,
            HandError,
            CannotAct,
        ):  # our own checks: whatever it had pressed is up again
            self._ledger.take_back(event)
            raise
        finally:
            self._shared[Word.ESCAPES_DONE] += own_escape

    def _progress(self, op: ops.Op) -> str:
        """How far typing got, for a model that has to go on from there."""
        typed = self._typed + self._partly
        if not isinstance(op, ops.Type) or not typed:
            return ""
        return f" ({typed} of {len(op.text)} characters were typed)"


def _why_skipped(before: list[OpResult]) -> str:
    """Words for the operations after the one that ended the batch."""
    last = next(result for result in before if result.outcome != "done")
    if last.outcome == "skipped":
        return last.detail.partition(" (")[0]
    verb = "failed" if last.outcome == "failed" else f"was {last.outcome}"
    return f"operation {last.index + 1} {verb}"


class DoubleClickGap:
    """Says how long a press must wait to begin a click of its own. `clock` counts seconds.

    What counts as a double click is decided by the application, by place, button and the time from
    press to press; nothing that may come in between (keys, moves, the wheel) ends it in all of them.
    """

    def __init__(self, input_: Input, clock: Callable[[], float]) -> None:
        self._input, self._clock = input_, clock
        self._last: tuple[Button, Point, float] | None = None

    def sent(self, event: InputEvent) -> None:
        """The event went out."""
        if isinstance(event, ButtonDown):
            self._last = event.button, self._input.pointer(), self._clock()

    def wait_before(self, button: Button) -> float:
        """Seconds until a press of this button where the pointer is begins a click of its own."""
        if self._last is None:
            return 0.0
        before, place, time = self._last
        here = self._input.pointer()
        if before != button or max(abs(here.x - place.x), abs(here.y - place.y)) > NEAR:
            return 0.0
        return max(0.0, time + self._input.double_click_seconds() + MARGIN - self._clock())


class TextLeave:
    """Counts the characters of a batch's texts against the brain's limit (`Word.TEXT_LIMIT`).

    `wait_for(seconds)` lets time pass and raises at a stop. It is never called with the server grabbed.
    """

    def __init__(self, shared: Shared, clock: Callable[[], float], wait_for: Callable[[float], None]) -> None:
        self._shared, self._clock, self._wait_for = shared, clock, wait_for
        self._sent = 0

    def begin(self) -> None:
        """Another batch begins."""
        self._sent = 0

    def sent(self, characters: int) -> None:
        """So many characters more went out."""
        self._sent += characters

    def check(self) -> None:
        """Raises Refused when no more of the text may go out."""
        if self._shared[Word.TEXT_ENDED]:
            raise Refused("The keyboard went to another field; the rest was not typed.", "Look again.")

    def wait(self, characters: int) -> None:
        """Return when so many characters more may go out. Raises Refused, and what waiting raises."""
        if not characters:
            return
        end = self._clock() + LONGEST
        self.check()
        while 0 < self._shared[Word.TEXT_LIMIT] < self._sent + characters:
            if self._clock() > end:
                raise Refused("The application does not take what is typed.", "Look again.")
            self._wait_for(_SLICE)
            self.check()
