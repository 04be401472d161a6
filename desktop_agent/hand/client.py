"""The brain's side of hand and guard: starts them, sends batches, stops, and tells when they are gone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from desktop_agent.hand.guard.takeover import Turns, still
from desktop_agent.hand.injector.rate_limit import EVENTS_PER_SECOND
from desktop_agent.hand.ipc.framing import Hello
from desktop_agent.hand.ipc.process_pair import AGAIN, ProcessPair
from desktop_agent.hand.ipc.shared_block import WORDS, Reason, Word
from desktop_agent.protocol.batch import Batch, Confine, OpResult, Progress, Protect
from desktop_agent.protocol.errors import HandError, Off, off_error
from desktop_agent.protocol.geometry import Rect
from desktop_agent.targets.base import Address

CANNOT_TELL = "This display cannot tell your input from the agent's (XInput 2.2 is missing)."
BUSY_HUMAN = "you are at work here"
NOT_STARTED = "The hand has not been started."
AT_WORK = ("The hand is at work on another batch.", "Wait for it to end.")
_log = logging.getLogger(__name__)


class Hands:
    """Hand and guard of one target.

    `on_stop(reason)` is called from a thread of this object, once for each stop until it is reset:
    ESC, `stop`, or the end of a process. `max_rate` is in events a second. With `takeover` on,
    input that the hand did not make ends the batch under way, and `on_takeover(means)` is called
    ("mouse" or "keyboard"; "" when the human is at work and does not come to rest).
    """

    def __init__(
        self,
        address: Address,
        *,
        on_stop: Callable[[str], None] | None = None,
        max_rate: float = EVENTS_PER_SECOND,
        takeover: bool = True,
    ) -> None:
        self.on_takeover: Callable[[str], None] = ignore
        self.on_off: Callable[[Off], None] = ignore
        self._takeover = takeover
        self._halted = threading.Event()
        self._turns = Turns(self._halted, wanted=takeover)
        self._address = address
        self._on_stop = on_stop
        self._max_rate = max_rate
        self._generation = 0
        self._protected = Protect(())
        self._confined = Confine(None)
        # Starting and ending take time, which a stop must not wait for: it has a lock of its own.
        self._life = threading.RLock()
        self._words = threading.RLock()
        self._single = threading.Lock()
        self._pair: ProcessPair | None = None
        self._reason = ""

    # ---- life --------------------------------------------------------------------------------

    def start(self) -> None:
        """Start both processes and return when they are ready. Raises HandError with advice."""
        with self._life:
            if self._pair is not None and self._pair.whole:
                return
            self.close()
            pair = ProcessPair(self._address, self._generation, self._stopped, self._taken, self._turned_off)
            try:
                pair.start(Hello(self._address, self._max_rate), self._protected, self._confined)
                if self._takeover and not pair.shared[Word.HUMAN_TIME]:
                    raise HandError(
                        CANNOT_TELL, "Set takeover = false under [hand] in config.toml to do without."
                    )
            except BaseException:
                pair.end()
                raise
            with self._words:
                self._reason, self._pair = "", pair
                self._halted.clear()

    def close(self) -> None:
        """End both processes; everything held is released first. Safe to call twice."""
        with self._life:
            with self._words:
                pair, self._pair = self._pair, None
                if pair is not None:
                    self._generation = pair.shared.generation + 1
            if pair is not None:
                pair.end()

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of hand and guard; () when they are not started."""
        with self._words:
            return (self._pair.hand.pid, self._pair.guard.pid) if self._pair is not None else ()

    # ---- acting ------------------------------------------------------------------------------

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None] | None = None) -> list[OpResult]:
        """Carry out a batch and return one result for each operation; nothing is held afterwards.

        Blocks; one caller at a time. Raises HandError when hand or guard are not there, die, or do
        not answer: they are not started again by themselves.
        """
        pair = self._living()
        if not self._single.acquire(blocking=False):
            raise HandError(*AT_WORK)
        try:
            if not self._turns.begin(pair.shared):
                self.on_takeover("")
                return [OpResult(batch.id, n, "skipped", BUSY_HUMAN) for n in range(len(batch.operations))]
            return pair.execute(batch, on_progress or ignore)
        finally:
            self._single.release()

    def protect(self, pids: Sequence[int]) -> None:
        """Windows of these processes may not be clicked or typed into."""
        self._protected = Protect(tuple(pids))
        self._tell(self._protected)

    def confine(self, region: Rect | None) -> None:
        """Pointer events outside this rectangle are refused; None lifts it."""
        self._confined = Confine(region)
        self._tell(self._confined)

    def _tell(self, message: Protect | Confine) -> None:
        if self._pair is not None:
            self._pair.to_hand.send(message)

    def _living(self) -> ProcessPair:
        pair = self._pair
        if pair is None:
            raise HandError(NOT_STARTED, AGAIN)
        pair.check()
        return pair

    def witness(self, path: Path, text: str, last: bool) -> bool:
        """Have the guard keep the head of a run's log (see `hand.guard.log_head_keeper`); False when there is none to tell."""
        pair = self._pair
        return pair is not None and pair.witness(path, text, last)

    # ---- stopping ----------------------------------------------------------------------------

    def stop(self, reason: str = "stopped") -> None:
        """Stop at once, from any thread. Stays until `reset`."""
        with self._words:
            if self._pair is not None:
                if not self._pair.shared.stopped:
                    self._reason = reason
                self._pair.stop(Reason.BRAIN)

    def reset(self) -> None:
        """The human's word that stopping is over: a new generation begins; dead processes are replaced.

        Raises HandError when they cannot start.
        """
        with self._life:
            if self._pair is None or not self._pair.whole:
                self.start()
                return
            with self._words:
                self._reason = ""
                self._pair.reset()
                self._halted.clear()

    def pause(self, paused: bool) -> None:
        """While paused the rest of a batch is skipped."""
        with self._words:
            if self._pair is not None:
                self._pair.shared[Word.PAUSED] = paused

    def check_off(self) -> None:
        """Raises Off while the guard says that nothing may be seen or pressed."""
        with self._words:
            off = self._pair.shared.off if self._pair is not None else 0
        if off:
            raise off_error(off)

    def allow_full_screen(self, allowed: bool) -> None:
        """Let what fills the screen by now be seen and worked in; False: nothing that does."""
        with self._words:
            if self._pair is not None:
                window = self._pair.shared[Word.FULL_SCREEN_WINDOW] if allowed else 0
                self._pair.shared[Word.FULL_SCREEN_ALLOWED] = window

    def limit_text(self, characters: int) -> None:
        """The texts of the batch under way may have so many characters out in all; 0 lifts that, and `end_text`."""
        with self._words:
            if self._pair is not None:
                self._pair.shared[Word.TEXT_LIMIT] = characters
                self._pair.shared[Word.TEXT_ENDED] &= characters != 0

    def end_text(self) -> None:
        """No more of the texts of the batch under way."""
        with self._words:
            if self._pair is not None:
                self._pair.shared[Word.TEXT_ENDED] = 1

    def stand_down(self) -> None:
        """From now until the next batch the human's input is no takeover."""
        with self._words:
            if self._pair is not None:
                self._turns.stand_down(self._pair.shared)

    @property
    def stopped(self) -> bool:
        """True from a stop until the reset."""
        with self._words:
            return self._pair is not None and self._pair.shared.stopped

    @property
    def stop_reason(self) -> str:
        """Why it is stopped, in words; "" when it is not."""
        with self._words:
            return self._in_words(self._pair.shared.reason) if self._pair is not None else ""

    @property
    def human_at_work(self) -> bool:
        """Has the human used mouse or keyboard just now? False where nobody looks for that."""
        with self._words:
            return self._takeover and self._pair is not None and not still(self._pair.shared)

    @property
    def generation(self) -> int:
        """To be written into each batch; it changes with every reset."""
        with self._words:
            return self._pair.shared.generation if self._pair is not None else self._generation

    def _in_words(self, reason: Reason) -> str:
        return self._reason if reason is Reason.BRAIN and self._reason else WORDS[reason]

    def _taken(self, words: str) -> None:
        """The guard's word of a takeover in one period; one that is over does not count."""
        means, _, period = words.partition(" ")
        with self._words:
            current = self._pair is not None and self._pair.shared[Word.ARMED] == int(period)
        try:
            if current:
                self.on_takeover(means)
        except Exception:  # noqa: BLE001 - what the guard says next must still be heard
            _log.exception("the listener of takeovers failed")

    def _turned_off(self, reasons: int) -> None:
        """The guard's word that nothing may be seen or pressed for now (0: all may be again)."""
        try:
            if reasons:
                self.on_off(off_error(reasons))
        except Exception:  # noqa: BLE001 - what the guard says next must still be heard
            _log.exception("the listener of what switches off failed")

    def _stopped(self, reason: Reason) -> None:
        self._halted.set()
        if self._on_stop is not None:
            self._on_stop(self._in_words(reason))


def ignore(news: object) -> None:
    """For callers that do not care."""
    del news


# | what happened | words | who | exit code of a command |
# |---|---|---|---|
# | Esc | ESC was pressed | the human | 3 |
# | Stop, Ctrl+C, a signal to end, the window closed, nobody reads the feed | as given to `Hands.stop` | the human | 3 |
# | the hand was killed, or crashed | the hand process ended | a failure | 1 |
# | the hand did not answer, or kept the desktop waiting, and no stop was asked for | the hand process got stuck | a failure | 1 |
# | the guard was killed, or crashed | the guard process ended | a failure | 1 |
# | the brain did not answer the guard | the program stopped answering | a failure | 1 |
# | the display went | the display vanished | a failure | 1 |
#
# What comes first counts: a hand that has to be killed because it does not answer Esc is Esc.
class StopFailure(msgspec.Struct, frozen=True):
    """A part that broke: what happened, in a sentence, and what the user can do."""

    message: str
    advice: str


_RELEASED = "What it held was let go of."


_AGAIN = "Start the task again: that starts a new hand and guard."


FAILURES = {
    Reason.HAND_GONE: StopFailure(f"The hand process was ended from outside or broke. {_RELEASED}", _AGAIN),
    Reason.HAND_WEDGED: StopFailure(
        f"The hand process did not answer any more, so it was ended. {_RELEASED}", _AGAIN
    ),
    Reason.GUARD_GONE: StopFailure(
        "The guard process was ended from outside or broke, so the hand let go of everything and stopped.",
        _AGAIN,
    ),
    Reason.BRAIN_SILENT: StopFailure(
        "The program did not answer its guard for too long, so everything was stopped.", _AGAIN
    ),
    Reason.DISPLAY_GONE: StopFailure("The display has gone.", "Start the run again when it is back."),
}


"""The stops that nobody asked for."""


def failure_of(words: str) -> StopFailure | None:
    """The failure that the words of a stop (and of a result that it ended) tell of; None for one that was asked for."""
    return next((each for reason, each in FAILURES.items() if words.startswith(WORDS[reason])), None)
