"""Checks before every event: stop latch, generation, takeover, the guard's heartbeat (its lease), and the batch's time."""

from __future__ import annotations

from collections.abc import Callable

from desktop_agent.hand.ipc.shared_block import WORDS, Shared, Word
from desktop_agent.protocol.errors import HandError, Stopped, off_error
from desktop_agent.protocol.stop_flag import StopFlag

# Seconds since the guard last looked for ESC: from BEHIND on nothing new is injected until it looks again
# (on a busy machine it may be late, and an ESC would go unseen), from LEASE on nothing stays held.
BEHIND = 0.012
LEASE = 0.1
PATIENCE = 2.0
_SLICE = 0.004


class TimeOver(HandError):
    """The batch has used up its time."""


class Paused(HandError):
    """The human paused while an operation was waiting."""


class TakenOver(Paused):
    """The human took the mouse or the keyboard."""


class SwitchedOff(Paused):
    """For now nothing may be pressed: the session is locked, away, or something of the human's fills the screen."""


class StopGate:
    """Raises before an event that must not go out; every wait of the hand happens here.

    `flag` stops this process alone (its brain is gone); `guarded` is false for a target without a
    guard. `clock` counts seconds. `look` latches the stop when the target's own input has seen ESC; `rest` is `Input.rest`.
    """

    def __init__(
        self,
        shared: Shared,
        flag: StopFlag,
        clock: Callable[[], float],
        look: Callable[[], None],
        rest: Callable[[float], bool],
        *,
        guarded: bool,
    ) -> None:
        self._shared = shared
        self._flag = flag
        self._clock = clock
        self._look = look
        self._rest = rest
        self._guarded = guarded
        self._generation = shared.generation
        self._seconds = 0.0
        self._armed = 0
        self._deadline = clock()

    def begin(self, generation: int, seconds: float) -> None:
        """A batch of this generation begins and may take so many seconds."""
        self._generation, self._seconds = generation, seconds
        self._deadline = self._clock() + seconds
        self._armed = self._shared[Word.ARMED]

    def check(self) -> None:
        """Pass, or raise what `check_stop` raises, TimeOver, or HandError when the guard is silent.

        With nothing held down a guard that is late is waited for (a busy machine may be the cause);
        meanwhile nothing is injected. While something is held there is no waiting.
        """
        self.check_stop()
        if self._clock() > self._deadline:
            raise TimeOver(f"The batch took longer than {self._seconds:g} s.", "Ask for less in one batch.")
        if self._guarded:
            self._check_guard()

    def check_between(self) -> None:
        """As `check`, for what is held after its batch: that has its own limit of time."""
        self.check_stop()
        if self._guarded:
            self._check_guard()

    def check_stop(self) -> None:
        """The last look before an event goes out: raises Stopped, TakenOver, SwitchedOff, or Paused while nothing is held."""
        self._flag.check()
        self._shared.beat(Word.HAND_BEAT)
        self._look()
        if self._shared.stopped:
            raise Stopped(WORDS[self._shared.reason])
        if self._shared.generation != self._generation:
            raise Stopped("there was a stop since this batch was made")
        if self._armed and self._armed in (self._shared[Word.TAKEN], self._shared[Word.HAND_TAKEN]):
            raise TakenOver("you took over")
        if off := self._shared.off:
            raise SwitchedOff(off_error(off).message)
        if self._shared[Word.PAUSED] and not self._shared.holding:
            raise Paused("paused")

    def wait(self, seconds: float) -> None:
        """Let time pass; raises as `check` does, as soon as there is reason to."""
        end = self._clock() + seconds
        while (left := end - self._clock()) > 0:
            self.check_stop()  # an ESC that has been read already wakes nobody
            if not self._rest(min(left, _SLICE)):
                self._flag.wait(min(left, _SLICE))
            self.check()

    def _check_guard(self) -> None:
        if self._shared.holding:
            end, late = self._clock(), LEASE
        else:
            end, late = self._clock() + PATIENCE, BEHIND
        while self._shared.age(Word.GUARD_BEAT) > late:
            if self._clock() >= end:
                raise HandError("The guard process does not answer.", "Reset the stop to start it again.")
            self._flag.wait(_SLICE)
            self.check_stop()
