"""The hand of a place where nothing real can be pressed: the same controller in this process, and no guard."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_agent.hand.client import AT_WORK, NOT_STARTED, ignore
from desktop_agent.hand.injector.controller import KEEPING_SECONDS, Controller
from desktop_agent.hand.injector.rate_limit import EVENTS_PER_SECOND
from desktop_agent.hand.ipc.process_pair import AGAIN
from desktop_agent.hand.ipc.shared_block import WORDS, Reason, Shared, Word
from desktop_agent.platforms.base import Input
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import HandError, Off
from desktop_agent.protocol.geometry import Rect

_RESTING = 0.05
"""Seconds that a batch waits for the look between two of them."""
_log = logging.getLogger(__name__)


class InlineHands:
    """As `client.Hands`, for an input that `connect` makes and this object closes; `pids` is always ().

    Nobody takes over: `on_takeover` is never called. A stop lasts, as there, until `reset`. An ESC counts
    where the input itself reports it; one between two batches stops the second.
    """

    def __init__(
        self,
        connect: Callable[[], Input],
        *,
        on_stop: Callable[[str], None] | None = None,
        max_rate: float = EVENTS_PER_SECOND,
    ) -> None:
        self.on_takeover: Callable[[str], None] = ignore
        self.on_off: Callable[[Off], None] = ignore
        self._connect = connect
        self._on_stop = on_stop
        self._max_rate = max_rate
        self._shared = Shared.private()
        # A stop does not wait for what is starting, ending or acting: it has a lock of its own.
        self._life = threading.RLock()
        self._acting = threading.Lock()
        self._words = threading.Lock()
        self._reason = ""
        self._announced = False
        self._wait = threading.Event()
        self._resting = False  # one thread at most lets go of what is kept
        self._input: Input | None = None
        self._controller: Controller | None = None
        self._protected: tuple[int, ...] = ()
        self._region: Rect | None = None

    # ---- life --------------------------------------------------------------------------------

    def start(self) -> None:
        """Connect to the input, once. Raises what `connect` raises."""
        with self._life:
            if self._controller is not None:
                return
            self._input = self._connect()
            self._controller = Controller(self._input, self._shared, max_rate=self._max_rate)
            self._controller.protect(self._protected)
            self._controller.confine(self._region)

    def close(self) -> None:
        """Stop what is under way, wait until it has released everything, and close the input. Safe to call twice."""
        with self._life:
            if self._input is None:
                return
            with self._words:
                self._announced = True  # the end is no stop to tell of
                self._shared.stop(Reason.BRAIN)
            with self._acting:
                if self._controller is not None:
                    self._controller.release()
                self._input.close()
            self._input = self._controller = None
            self._acknowledge()

    @property
    def pids(self) -> tuple[int, ...]:
        """No processes."""
        return ()

    # ---- acting ------------------------------------------------------------------------------

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None] | None = None) -> list[OpResult]:
        """Carry out a batch and return one result for each operation; nothing is held afterwards but what the batch keeps.

        Blocks; one caller at a time. Raises HandError before the start, when the place is gone, or when
        something could not be released, and what `on_progress` raises.
        """
        if not self._acting.acquire(timeout=_RESTING):
            raise HandError(*AT_WORK)
        try:
            if self._controller is None:
                raise HandError(NOT_STARTED, AGAIN)
            follower = _Follower(on_progress or ignore, self._shared)
            results = self._controller.execute(batch, follower.tell)
            if follower.error is not None:
                raise follower.error
            if not self._shared.stopped:
                self._controller.check_after()
            if self._controller.keeping and not self._resting:
                self._resting = True
                threading.Thread(
                    target=self._rest, args=(self._controller,), name="rest", daemon=True
                ).start()
        finally:
            self._acting.release()
            self._announce()  # an ESC that the input has seen
        return results

    def _rest(self, controller: Controller) -> None:
        """Let go in time of what a batch keeps held, as the hand's process does between batches."""
        try:
            while not self._wait.wait(KEEPING_SECONDS):
                with self._acting:
                    if not controller.keeping or self._input is None:
                        self._resting = False
                        return
                    controller.rest()
        except BaseException:
            self._resting = False
            raise
        self._resting = False

    def protect(self, pids: Sequence[int]) -> None:
        """Windows of these processes may not be clicked or typed into."""
        self._protected = tuple(pids)
        if self._controller is not None:
            self._controller.protect(self._protected)

    def confine(self, region: Rect | None) -> None:
        """Pointer events outside this rectangle are refused; None lifts it."""
        self._region = region
        if self._controller is not None:
            self._controller.confine(region)

    def witness(self, path: Path, text: str, last: bool) -> bool:
        """There is no guard to keep the head of a log: always False."""
        del path, text, last
        return False

    # ---- stopping ----------------------------------------------------------------------------

    def stop(self, reason: str = "stopped") -> None:
        """Stop at once, from any thread. Stays until `reset`."""
        with self._words:
            if self._controller is None:
                return
            if not self._shared.stopped:
                self._reason = reason
            self._shared.stop(Reason.BRAIN)
        self._announce()

    def reset(self) -> None:
        """The human's word that stopping is over: a new generation begins. Raises what `start` raises."""
        with self._life:
            if self._controller is None:
                self.start()
                return
            self._acknowledge()

    def _acknowledge(self) -> None:
        with self._words:
            self._shared.reset()
            self._reason, self._announced = "", False

    def pause(self, paused: bool) -> None:
        """While paused the rest of a batch is skipped."""
        self._shared[Word.PAUSED] = paused

    def check_off(self) -> None:
        """Nothing but a pause switches off a place of the program's own."""

    def allow_full_screen(self, allowed: bool) -> None:
        """No window of the human's fills a screen here."""
        del allowed

    def limit_text(self, characters: int) -> None:
        """The texts of the batch under way may have so many characters out in all; 0 lifts that, and `end_text`."""
        self._shared[Word.TEXT_LIMIT] = characters
        self._shared[Word.TEXT_ENDED] &= characters != 0

    def end_text(self) -> None:
        """No more of the texts of the batch under way."""
        self._shared[Word.TEXT_ENDED] = 1

    def stand_down(self) -> None:
        """Nobody takes over here."""

    @property
    def stopped(self) -> bool:
        """True from a stop until the reset."""
        return self._shared.stopped

    @property
    def stop_reason(self) -> str:
        """Why it is stopped, in words; "" when it is not."""
        with self._words:
            return self._in_words()

    @property
    def human_at_work(self) -> bool:
        """Nobody else works here."""
        return False

    @property
    def generation(self) -> int:
        """To be written into each batch; it changes with every reset."""
        return self._shared.generation

    def _in_words(self) -> str:
        reason = self._shared.reason
        return self._reason if reason is Reason.BRAIN and self._reason else WORDS[reason]

    def _announce(self) -> None:
        """Call `on_stop`, once for each stop, from a thread of its own: who stops may hold a lock that it needs."""
        with self._words:
            if self._announced or not self._shared.stopped or self._on_stop is None:
                return
            self._announced = True
            reason, listener = self._in_words(), self._on_stop

        def call() -> None:
            try:
                listener(reason)
            except Exception:  # noqa: BLE001 - a thread's end: nobody else would hear of it
                _log.exception("the listener of stops failed")

        threading.Thread(target=call, name="stop", daemon=True).start()


class _Follower:
    """Hands on the progress of a batch. One that cannot be followed any more (its log is full, say) is stopped."""

    def __init__(self, on_progress: Callable[[Progress], None], shared: Shared) -> None:
        self._on_progress = on_progress
        self._shared = shared
        self.error: BaseException | None = None

    def tell(self, news: Progress | OpResult) -> None:
        """Raises what the listener raises, and keeps it: to the controller it is one more reason to fail."""
        if not isinstance(news, Progress):
            return
        try:
            self._on_progress(news)
        except BaseException as error:
            self.error = error
            self._shared.stop(Reason.BRAIN)
            raise
