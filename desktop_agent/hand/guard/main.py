"""The guard: owns the ESC hook, watches brain and hand, releases the keys of a dead or stuck hand, and writes down each reason to press nothing for now.

Its lines on stdout: `ready`, `stop REASON` (a stop was latched), `takeover MEANS PERIOD`,
`off REASONS` (a set of `OffReason`, 0 for none), `released` (and nothing is held),
`ended REASON` (and cleaned up), `error WORDS`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_agent.hand.guard.clean_up import CLEANING, clean_up, end_hand
from desktop_agent.hand.guard.log_head_keeper import LogHeadKeeper
from desktop_agent.hand.guard.takeover import Takeover
from desktop_agent.hand.ipc.address_file import FOLDER_PREFIX, read_address
from desktop_agent.hand.ipc.shared_block import Reason, Shared, Word
from desktop_agent.hand.own_escapes import Escapes
from desktop_agent.platforms import host
from desktop_agent.platforms.base import FullScreen, InputWatch, SessionWatch
from desktop_agent.platforms.host import Peer, when_gone
from desktop_agent.protocol.errors import DesktopAgentError, OffReason, TargetError
from desktop_agent.support import child_command
from desktop_agent.targets.base import session_watch, watch

BUSY_TICK = 0.004
IDLE_TICK = 0.01
# How long a hand may take to let go after a stop before it is ended and released for; one that holds nothing
# may take longer to end its batch, one that the system calls frozen is hardly waited for. A hand that is only late (on a
# busy machine) is ended, too: it had to stop anyway.
LET_GO_AFTER_STOP = 0.025
FROZEN_AFTER_STOP = 0.006
END_BATCH = 0.3
# How long a frozen hand may make every other program of the desktop wait: only its end ends what it has grabbed.
# One that is at work may be late on a busy machine, or wait itself for a server that is (up to 0.1 s was measured).
LONGEST_GRAB = 0.03
LATE_GRAB = 0.2
# How long an event may take to be accepted before the hand counts as stuck.
WEDGED = 2.0
BRAIN_SILENCE = 10.0
# How long a hand may take to let go when its brain is gone, and to end by itself then.
LET_GO = 0.004
END_ITSELF = 0.3


OWN_SECONDS = 1.5
"""So long after the hand's last event what fills the screen may have come of it."""


def run_guard(argv: Sequence[str]) -> int:
    """`argv` is the path of the shared block; the target's address lies beside it. Returns 0 after an orderly end."""
    path = Path(argv[0])
    host.schedule_guard()
    try:
        shared = Shared.attach(path)
        address = read_address(path.parent)
        guard = Guard(shared, watch(address), pipe=0, session=session_watch(address))
        _start_watcher(path)
        signal.signal(signal.SIGTERM, lambda *_: guard.brain_is_gone())
        guard.start()
    except DesktopAgentError as error:
        say(f"error {error}")
        return 1
    code = guard.run()
    if guard.brain_gone.is_set() and path.parent.name.startswith(FOLDER_PREFIX):
        shutil.rmtree(path.parent, ignore_errors=True)
    return code


def _start_watcher(path: Path) -> None:
    """Have somebody who cleans up should the guard be killed. Without, that is left to the hand and to the next start."""

    def watch_the_guard() -> None:
        from desktop_agent.hand.watcher.main import run_watcher

        run_watcher((str(path),))

    try:
        host.start_apart(child_command.command("_watcher", str(path)), watch_the_guard)
    except OSError as error:
        print(f"no watcher: {error}", file=sys.stderr)  # noqa: T201 - the brain keeps this in the guard's log


def say(line: str) -> None:
    """One line to the brain; when it is gone there is nobody to tell."""
    with contextlib.suppress(OSError):
        os.write(1, f"{line}\n".encode())


class Guard:
    """Ticks until brain, hand or display are gone, then cleans up. The end of `pipe` is the brain's end."""

    def __init__(
        self, shared: Shared, watch: InputWatch, pipe: int, session: SessionWatch | None = None
    ) -> None:
        self._shared = shared
        self._watch = watch
        self._pipe = pipe
        self._wake = threading.Event()
        self._stop_lock = threading.Lock()
        self._told = (0, 0, 0)
        shared[Word.GUARD_PID], shared[Word.PLACE], shared[Word.OVER] = os.getpid(), watch.place(), 0
        self._released = True
        self._stopped_at = 0.0
        self._hand: Peer | None = None
        self._hand_gone = threading.Event()
        self.brain_gone = threading.Event()
        self._escapes = Escapes(shared, self._on_escape, time.monotonic)
        self._takeover = Takeover(shared, say)
        self._witness = LogHeadKeeper()
        self._switch = OffSwitch(shared, session, say)

    def start(self) -> None:
        """Begin to watch everything."""
        threading.Thread(target=self._read_to_end, name="pipe", daemon=True).start()
        when_gone(Peer(self._shared[Word.BRAIN_PID]), self.brain_is_gone)
        threading.Thread(target=self._await_brains_end, name="life", daemon=True).start()
        self._watch_human()
        self._switch.start()
        self._watch.watch_escape(self._escapes, self._tick, lambda: self._shared.beat(Word.GUARD_BEAT))
        say("ready")

    def _watch_human(self) -> None:
        self._shared[Word.HUMAN_TIME] = 1
        if not self._watch.watch_human(self._takeover):
            self._shared[Word.HUMAN_TIME] = 0

    def run(self) -> int:
        """Watch; returns 0 when the brain ended everything, 1 otherwise."""
        while (ending := self._ending()) is Reason.NONE:
            self._find_hand()
            self._escapes.settle()
            self._takeover.follow()
            self._switch.follow()
            self._check_off()
            self._check_grab()
            self._check_silence()
            self._follow_stop()
            self._wake.wait(self._tick())
            self._wake.clear()
        self._finish(ending)
        return 0 if ending is Reason.BRAIN_GONE else 1

    def _tick(self) -> float:
        return BUSY_TICK if self._shared[Word.BUSY] else IDLE_TICK

    def brain_is_gone(self) -> None:
        """The brain ended, or wants the guard to end."""
        self._set(self.brain_gone)

    def _set(self, event: threading.Event) -> None:
        event.set()
        self._wake.set()

    def _read_to_end(self) -> None:
        self._witness.follow(self._pipe)
        self.brain_is_gone()

    def _await_brains_end(self) -> None:
        if self._shared.await_brains_end():
            self.brain_is_gone()

    def _on_escape(self) -> None:
        self._stop(Reason.ESCAPE)

    def _stop(self, reason: Reason) -> None:
        with self._stop_lock:
            self._shared.stop(reason, guard=True)
        self._tell_stop()
        self._wake.set()

    def _find_hand(self) -> None:
        if self._hand is None and (pid := self._shared[Word.HAND_PID]):
            self._hand = Peer(pid)
            when_gone(self._hand, lambda: self._set(self._hand_gone))

    def _ending(self) -> Reason:
        if self.brain_gone.is_set():
            return Reason.BRAIN_GONE
        if self._hand_gone.is_set():
            return Reason.HAND_GONE
        return Reason.NONE if self._watch.watching() else Reason.DISPLAY_GONE

    def _check_grab(self) -> None:
        age = self._shared.age(Word.GRAB_SINCE)
        if self._hand is None or not LONGEST_GRAB < age < float("inf"):
            return
        if age > LATE_GRAB or self._hand.frozen():
            if not self._shared.stopped:
                self._stop(Reason.HAND_WEDGED)
            self._kill_hand()

    def _check_silence(self) -> None:
        if self._shared.stopped:
            return
        # Infinite means that no event is on its way, so there is nothing to be stuck in.
        if WEDGED < self._shared.age(Word.EMITTING_SINCE) < float("inf"):
            self._stop(Reason.HAND_WEDGED)
        elif self._shared.holding and WEDGED < self._shared.age(Word.HAND_BEAT) < float("inf"):
            self._stop(Reason.HAND_WEDGED)  # stuck in a question to the system, with something held
        elif self._shared[Word.BUSY] and self._shared.age(Word.BRAIN_BEAT) > BRAIN_SILENCE:
            self._stop(Reason.BRAIN_SILENT)

    def _check_off(self) -> None:
        """While it is off a hand that goes on is ended, as after a stop."""
        if self._hand is None or not self._shared[Word.BUSY]:
            return
        holding = bool(self._shared[Word.EMITTING_SINCE]) or self._shared.holding
        if self._switch.seconds > (LET_GO_AFTER_STOP if holding else END_BATCH):
            if not self._shared.stopped:
                self._stop(Reason.HAND_WEDGED)
            self._kill_hand()

    def _tell_stop(self) -> None:
        """Tell of each latched stop once, whoever latched it."""
        with self._stop_lock:
            stops = self._shared.stops
            if stops == self._told or not self._shared.stopped:
                return
            if self._released:  # more stops give a hand that has not answered the first no more time
                self._stopped_at = time.monotonic() - self._shared.stop_age
            self._told, self._released = stops, False
        say(f"stop {self._shared.reason.name}")

    def _follow_stop(self) -> None:
        """After a stop see that the hand lets go; one that does not is ended."""
        self._tell_stop()
        if self._released or not self._shared.stopped:
            return
        late = time.monotonic() - self._stopped_at
        holding = bool(self._shared[Word.EMITTING_SINCE]) or self._shared.holding
        if not holding and not self._shared[Word.BUSY]:
            self._released = True
            say("released")
        elif self._hand is not None and (
            late > (LET_GO_AFTER_STOP if holding else END_BATCH)
            or (late > FROZEN_AFTER_STOP and self._hand.frozen())
        ):
            self._kill_hand()

    def _kill_hand(self) -> None:
        """End it, and go on as when it has ended by itself: what it holds is not to wait until the system has removed it."""
        if self._hand is not None and not self._hand_gone.is_set():
            self._shared[Word.HAND_KILLED] = 1
            self._hand.kill()
            self._set(self._hand_gone)

    def _finish(self, ending: Reason) -> None:
        if (
            ending is not Reason.HAND_GONE or not self._shared.stopped
        ):  # the end of a hand that was to stop is no news
            self._stop(ending)
        self._shared[Word.OVER] = ending is Reason.DISPLAY_GONE or self._clean_up()
        self._witness.close(CLEANING)
        say(f"ended {ending.name}")

    def _clean_up(self) -> bool:
        """The hand lets go and ends by itself with the brain, a slow one is helped; False when the display refuses."""
        self._find_hand()
        if self._hand is not None and not self._hand_gone.is_set():
            end_hand(self._shared, self._hand, let_go=LET_GO, end_itself=END_ITSELF)
        try:
            clean_up(self._shared, self._watch, self._hand)
        except DesktopAgentError as error:
            say(f"error {error}")
            return False
        return True


class OffSwitch:
    """`follow` is to be called every few milliseconds; `tell` gets the guard's word of each change.

    What fills the screen switches off, unless it came of the hand's own work: a window of the program that was in front
    while the hand was at work. The human lets it work in one window by `Word.FULL_SCREEN_ALLOWED`.
    """

    def __init__(self, shared: Shared, session: SessionWatch | None, tell: Callable[[str], None]) -> None:
        self._shared = shared
        self._session = session
        self._tell = tell
        self._full_screen = FullScreen()
        self._own = 0
        self._told = 0
        self._since = 0.0

    def start(self) -> None:
        """Begin to watch. The first answers stand in the block before this returns, as far as they are there at once."""
        try:
            if self._session is not None:
                self._session.start()
        except TargetError as error:  # the display has gone, for which the guard ends
            print(f"the session is not watched: {error}", file=sys.stderr)  # noqa: T201 - the brain keeps this in the guard's log
            self._session = None
        self.follow()

    def follow(self) -> None:
        if self._session is None:
            return
        reasons = self._session.reasons() | self._judge_full_screen(self._session.full_screen())
        self._shared[Word.FULL_SCREEN_WINDOW] = self._full_screen.pid << 32 | self._full_screen.window
        self._shared[Word.OFF] = reasons
        off = self._shared.off
        if off != self._told:
            self._told, self._since = off, time.monotonic()
            self._tell(f"off {off}")

    @property
    def seconds(self) -> float:
        """For how long it has been off; 0 while it is on."""
        return time.monotonic() - self._since if self._shared.off else 0.0

    def _judge_full_screen(self, found: FullScreen) -> OffReason:
        if found != self._full_screen:
            self._full_screen = found
            own = found.pid and found.pid == found.before and self._hand_was_at_work()
            self._own = found.window if own else self._own if found.window == self._own else 0
        ours = found.pid == self._shared[Word.BRAIN_PID]
        switched = bool(found.window) and not ours and found.window != self._own
        return OffReason.FULL_SCREEN if switched else OffReason(0)

    def _hand_was_at_work(self) -> bool:
        return bool(self._shared[Word.BUSY]) or self._shared.age(Word.HAND_BEAT) < OWN_SECONDS
