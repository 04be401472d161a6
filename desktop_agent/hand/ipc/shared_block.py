"""The memory that brain, hand and guard share: stop latch, heartbeats, and what is held down.

Every field is one 64-bit word that only one process writes, so no lock is needed and no update can
be lost: a stop is a count that its maker raises and the human's reset acknowledges. Times are
`time.perf_counter_ns()`: all processes of a machine share that clock too, and it counts finely everywhere
(what Python 3.11 and 3.12 call monotonic on Windows goes on only every 16 ms).
"""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_agent.platforms import host
from desktop_agent.protocol.errors import HandError, OffReason

if TYPE_CHECKING:
    from desktop_agent.platforms.posix.life_lock import LifeLock

MAGIC = 0x4447_5448_414E_4431
VERSION = 6
KEYCODES = 256


class Reason(IntEnum):
    """Why everything stopped."""

    NONE = 0
    ESCAPE = 1
    BRAIN = 2
    BRAIN_GONE = 3
    BRAIN_SILENT = 4
    HAND_GONE = 5
    HAND_WEDGED = 6
    GUARD_GONE = 7
    DISPLAY_GONE = 8


WORDS = {
    Reason.NONE: "",
    Reason.ESCAPE: "ESC was pressed",
    Reason.BRAIN: "stopped",
    Reason.BRAIN_GONE: "the program ended",
    Reason.BRAIN_SILENT: "the program stopped answering",
    Reason.HAND_GONE: "the hand process ended",
    Reason.HAND_WEDGED: "the hand process got stuck",
    Reason.GUARD_GONE: "the guard process ended",
    Reason.DISPLAY_GONE: "the display vanished",
}


class Word(IntEnum):
    """Index of each word; the comment names its only writer.

    BUTTONS, KEYS and SPARES are sets of codes, a bit for each, whose meaning is the target's alone:
    its `Input` gives them (`codes`, `spare_codes`), its `Releaser` takes them.
    """

    MAGIC = 0  # brain
    VERSION = 1  # brain
    GENERATION = 2  # brain
    PAUSED = 3  # brain
    BRAIN_STOPS = 4  # brain
    BRAIN_REASON = 5  # brain
    BRAIN_STOP_TIME = 6  # brain
    BRAIN_ACKNOWLEDGED = 7  # brain
    GUARD_STOPS = 8  # guard
    GUARD_REASON = 9  # guard
    GUARD_STOP_TIME = 10  # guard
    GUARD_ACKNOWLEDGED = 11  # brain
    BRAIN_BEAT = 12  # brain
    HAND_BEAT = 13  # hand
    GUARD_BEAT = 14  # guard
    BRAIN_PID = 15  # brain
    HAND_PID = 16  # hand
    GUARD_PID = 17  # guard
    ESCAPES_SENT = 18  # hand: own ESC presses, counted before each
    ESCAPES_DONE = 19  # hand: own ESC presses the system has accepted or refused
    EMITTING_SINCE = 20  # hand: time the current event began, 0 between events
    BUSY = 21  # hand: 1 while a batch runs
    BUTTONS = 22  # hand; guard once the hand is dead: what is held, of codes 0 to 63
    KEYS = 23  # the same, of codes 0 to 255; four words
    SPARES = 27  # the same, key codes whose meaning typing changed; four words
    HAND_STOPS = 31  # hand: ESC presses that it has seen itself
    HAND_REASON = 32  # hand
    HAND_STOP_TIME = 33  # hand
    HAND_ACKNOWLEDGED = 34  # brain
    ARMED = 35  # brain: number of the period in which human input is a takeover, 0 outside one
    TAKEN = 36  # guard: number of the last period that the human ended by taking over
    HUMAN_TIME = 37  # guard: last human input; 0 while nobody looks for it
    HAND_TAKEN = 38  # hand: number of the last period in which it saw the human's input itself
    HAND_MEANS = 39  # hand: index in MEANS of what the human used then
    TEXT_LIMIT = 40  # brain: how many characters of the batch's texts may be out by now, 0 without a limit
    TEXT_ENDED = 41  # brain: 1 when no more of them may go out
    GRAB_SINCE = 42  # hand: since when every program of the desktop waits for it, 0 while none does
    WATCHER_PID = 43  # watcher
    PLACE = 44  # guard: which display it is (see `Releaser.place`)
    OVER = 45  # guard, or watcher once hand and guard are dead: 1 when all was cleaned up
    BRAIN_LIFE = 46  # brain: 1 once it holds the lock behind, by which the others learn of its death at once
    LIFE_LOCK = 47  # `host.life_lock`
    OFF = 55  # guard: set of `OffReason`, for which nothing may be seen or pressed
    FULL_SCREEN_WINDOW = (
        56  # guard: what fills the screen: window (32 bits), above it its process; 0 for nothing
    )
    FULL_SCREEN_ALLOWED = 57  # brain: the one that the human has let it see and work in
    HAND_KILLED = 58  # guard: 1 from before it ends a hand that does not answer
    COUNT = 59


_SIZES = {Word.BUTTONS: 64, Word.KEYS: KEYCODES, Word.SPARES: KEYCODES}
_HELD = range(Word.BUTTONS, Word.SPARES)


class Shared:
    """The block itself, over a file (`create`, `attach`) or, for one process, over memory (`private`)."""

    def __init__(self, memory: mmap.mmap | bytearray, in_use: int | None = None) -> None:
        """`in_use` is a descriptor to keep open as long as this process uses the block."""
        self._memory = memory
        self._in_use = in_use
        self._bytes = memoryview(memory)
        self._words = self._bytes.cast("Q")

    @classmethod
    def private(cls) -> Shared:
        """A block that only this process sees."""
        shared = cls(bytearray(Word.COUNT * 8))
        shared._begin()
        return shared

    @classmethod
    def create(cls, path: Path) -> Shared:
        """Make the file and the block in it. Raises HandError when the disk refuses."""
        try:
            path.write_bytes(bytes(Word.COUNT * 8))
        except OSError as error:
            raise HandError(
                f"Cannot write {path}: {error.strerror}.",
                "Free space there, or set TMPDIR to another folder.",
            ) from error
        shared = cls._map(path)
        shared._begin()
        return shared

    @classmethod
    def attach(cls, path: Path) -> Shared:
        """Open a block that another process made. Raises HandError when it is not one of this version."""
        shared = cls._map(path)
        if (shared[Word.MAGIC], shared[Word.VERSION]) != (MAGIC, VERSION):
            shared.close()
            raise HandError(f"{path} is not a shared block of this version.", "Start the program again.")
        return shared

    @classmethod
    def _map(cls, path: Path) -> Shared:
        try:
            with path.open("r+b") as file:
                return cls(mmap.mmap(file.fileno(), Word.COUNT * 8), host.keep_in_use(file.fileno()))
        except (OSError, ValueError) as error:
            raise HandError(
                f"Cannot open the shared block {path}: {error}.", "Start the program again."
            ) from error

    @classmethod
    def of_content(cls, content: bytes) -> Shared | None:
        """A copy of a block that is left, from the content of its file; None when it is not one of this version."""
        if len(content) != Word.COUNT * 8:
            return None
        copy = cls(bytearray(content))
        return copy if (copy[Word.MAGIC], copy[Word.VERSION]) == (MAGIC, VERSION) else None

    def _begin(self) -> None:
        self[Word.VERSION] = VERSION
        self[Word.MAGIC] = MAGIC

    def begin_brain(self, generation: int) -> None:
        """This process is the brain; generations go on from where an earlier block ended."""
        self[Word.BRAIN_PID], self[Word.GENERATION] = os.getpid(), generation
        self.beat(Word.BRAIN_BEAT)

    def life_lock(self) -> LifeLock | None:
        """The lock that the brain holds as long as it lives."""
        first = Word.LIFE_LOCK * 8
        return host.life_lock(self._bytes[first : first + host.LIFE_LOCK_SIZE])

    def await_brains_end(self) -> bool:
        """Return True once the brain has died, or ended this pair; False at once where that is not told this way."""
        lock = self.life_lock() if self[Word.BRAIN_LIFE] else None
        if lock is None:
            return False
        lock.await_death()
        return True

    def close(self) -> None:
        """Unmap, at the latest when a thread that is late lets go of its lock; the file stays until its folder is removed."""
        self._words.release()
        self._bytes.release()
        if isinstance(self._memory, mmap.mmap):
            with suppress(BufferError):
                self._memory.close()
        if self._in_use is not None:
            os.close(self._in_use)
            self._in_use = None

    def __getitem__(self, word: int) -> int:
        return self._words[word]

    def __setitem__(self, word: int, value: int) -> None:
        self._words[word] = value

    # ---- the stop latch ----

    def stop(self, reason: Reason, *, guard: bool = False, hand: bool = False) -> None:
        """Latch the stop; `guard` and `hand` say who stops. The reason stands before the latch does."""
        first = Word.GUARD_STOPS if guard else Word.HAND_STOPS if hand else Word.BRAIN_STOPS
        self[first + 1], self[first + 2] = reason, time.perf_counter_ns()
        self[first] += 1

    @property
    def stopped(self) -> bool:
        return (
            self[Word.BRAIN_STOPS] != self[Word.BRAIN_ACKNOWLEDGED]
            or self[Word.GUARD_STOPS] != self[Word.GUARD_ACKNOWLEDGED]
            or self[Word.HAND_STOPS] != self[Word.HAND_ACKNOWLEDGED]
        )

    @property
    def stops(self) -> tuple[int, int, int]:
        """How often brain, guard and hand have stopped."""
        return self[Word.BRAIN_STOPS], self[Word.GUARD_STOPS], self[Word.HAND_STOPS]

    @property
    def reason(self) -> Reason:
        """Why it is stopped: the guard's reason before the hand's before the brain's; NONE when it is not."""
        if self[Word.GUARD_STOPS] != self[Word.GUARD_ACKNOWLEDGED]:
            return Reason(self[Word.GUARD_REASON])
        if self[Word.HAND_STOPS] != self[Word.HAND_ACKNOWLEDGED]:
            return Reason(self[Word.HAND_REASON])
        return Reason(self[Word.BRAIN_REASON]) if self.stopped else Reason.NONE

    @property
    def stop_age(self) -> float:
        """Seconds since the last stop was latched."""
        return min(map(self.age, (Word.BRAIN_STOP_TIME, Word.GUARD_STOP_TIME, Word.HAND_STOP_TIME)))

    def reset(self) -> int:
        """The human's word that stopping is over: a new generation begins. Returns it.

        Only stops that are latched now are acknowledged; one that comes meanwhile stays.
        """
        seen = self.stops
        self[Word.GENERATION] += 1
        self[Word.BRAIN_ACKNOWLEDGED], self[Word.GUARD_ACKNOWLEDGED], self[Word.HAND_ACKNOWLEDGED] = seen
        return self.generation

    @property
    def generation(self) -> int:
        return self[Word.GENERATION]

    @property
    def off(self) -> int:
        """The set of `OffReason` for which nothing may be seen or pressed; 0 when all may be."""
        reasons = self[Word.OFF]
        if (
            reasons & OffReason.FULL_SCREEN
            and self[Word.FULL_SCREEN_WINDOW] == self[Word.FULL_SCREEN_ALLOWED]
        ):
            return reasons & ~OffReason.FULL_SCREEN
        return reasons

    # ---- heartbeats ----

    def beat(self, word: Word) -> None:
        self[word] = time.perf_counter_ns()

    def age(self, word: Word) -> float:
        """Seconds since the heartbeat (or other time) in this word; infinite when there was none."""
        then = self[word]  # read once: its writer may clear it at any moment
        return (time.perf_counter_ns() - then) / 1e9 if then else float("inf")

    @contextmanager
    def emitting(self) -> Iterator[None]:
        """Mark that an event is on its way, so that the guard knows when it is over, or stuck."""
        self.beat(Word.EMITTING_SINCE)
        try:
            yield
        finally:
            self[Word.EMITTING_SINCE] = 0

    def grabbing(self, grabbed: bool) -> None:
        """Mark that the other programs begin to wait for the hand, or no longer do: the guard bounds it."""
        self[Word.GRAB_SINCE] = time.perf_counter_ns() if grabbed else 0

    # ---- sets of codes ----

    def codes(self, first: Word) -> tuple[int, ...]:
        """The codes in the set that begins at `first`: BUTTONS, KEYS or SPARES."""
        return tuple(code for code in range(_SIZES[first]) if self[first + code // 64] >> code % 64 & 1)

    def add_codes(self, first: Word, codes: Iterable[int]) -> None:
        for code in codes:
            self[first + code // 64] |= 1 << code % 64

    def drop_codes(self, first: Word, codes: Iterable[int]) -> None:
        for code in codes:
            self[first + code // 64] &= ~(1 << code % 64)

    def clear_held(self) -> None:
        """Nothing is held any more (said by the guard, when the hand is dead)."""
        for word in _HELD:
            self[word] = 0

    @property
    def holding(self) -> bool:
        """True when a key or button is down according to the ledger."""
        return any(self[word] for word in _HELD)
