"""Starts and ends one hand and the guard beside it: their processes, pipes, shared block and folder."""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from desktop_agent.hand.guard.log_head_keeper import offer
from desktop_agent.hand.ipc.address_file import FOLDER_PREFIX, SHARED, write_address
from desktop_agent.hand.ipc.framing import FromHand, Hello, Writer, receiver
from desktop_agent.hand.ipc.shared_block import Reason, Shared, Word
from desktop_agent.hand.left_over import clean_up_left_over
from desktop_agent.platforms import host
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol.batch import Batch, BatchDone, Broken, Confine, OpResult, Progress, Protect, Ready
from desktop_agent.protocol.errors import HandError
from desktop_agent.redaction.redactor import redactor
from desktop_agent.redaction.secret_reference import without_secrets
from desktop_agent.support import child_command
from desktop_agent.targets.base import Address

START_SECONDS = 30.0
END_SECONDS = 3.0
# How long hand and guard may take to end once the human has pressed Esc: neither waits for an application then.
HURRY_SECONDS = 0.5
# How long after its time a batch may stay unanswered before the hand counts as lost.
LATE_SECONDS = 10.0
AGAIN = "Start the task again: that starts a new hand and guard."
# How long the watcher may take to clean up after a dead pair before another guard is started for that.
WATCHER_SECONDS = 5.0
_BEAT = 0.5
_log = logging.getLogger(__name__)


DEATH_SECONDS = 1.0
"""From the end of a process's pipe until the system has it ended: first its memory goes."""
_ROOT = str(Path(__file__).parents[3])


class ProcessPair:
    """`on_stop(reason)` is called once for each stop until `reset`, from a thread of this object.

    So is `on_takeover(words)`, with what the guard says of each takeover, and `on_off(reasons)` whenever these change.
    """

    def __init__(
        self,
        address: Address,
        generation: int,
        on_stop: Callable[[Reason], None],
        on_takeover: Callable[[str], None],
        on_off: Callable[[int], None],
    ) -> None:
        self._on_stop = on_stop
        self._on_takeover = on_takeover
        self._on_off = on_off
        self._words = threading.Lock()
        self._environment = environment(address.environment | address.secrets)
        self._folder = _new_folder()
        self._path = self._folder / SHARED
        write_address(self._folder, address)
        self.shared = Shared.create(self._path)
        self.shared.begin_brain(generation)
        self._messages: queue.Queue[FromHand | None] = queue.Queue()
        self._guard_ready: queue.Queue[str | None] = queue.Queue()
        self._stops: queue.SimpleQueue[Reason | None] = queue.SimpleQueue()
        self._announced = threading.Event()
        self._ending = threading.Event()
        self._living, self._over_for_all = threading.Event(), threading.Event()
        self._threads: list[threading.Thread] = []
        self._children: list[Child] = []
        self._broken: Broken | None = None
        self._ended: set[str] = set()
        self._rescuing = threading.Lock()
        self._over = False

    # ---- life ----

    def start(self, *messages: Hello | Protect | Confine) -> None:
        self._threads.append(threading.Thread(target=self._live, name="life", daemon=True))
        self._threads[-1].start()
        self._living.wait()
        self.guard = self._spawn("guard")
        self.hand = self._spawn("hand")
        self.to_hand = Writer(self.hand.stdin)
        for work in (self._read_hand, self._read_guard, self._announce, self._beat):
            self._threads.append(threading.Thread(target=work, name=work.__name__, daemon=True))
            self._threads[-1].start()
        for message in messages:
            self.to_hand.send(message)
        if words := clean_up_left_over():  # while they start
            _log.warning("%s", words)
        self._await_ready()

    def _spawn(self, role: str) -> Child:
        self._children.append(Child(role, self._path, self._environment))
        return self._children[-1]

    def _await_ready(self) -> None:
        try:
            message = self._messages.get(timeout=START_SECONDS)
            word = self._guard_ready.get(timeout=START_SECONDS)
        except queue.Empty:
            raise HandError(f"Hand and guard did not start within {START_SECONDS:g} s.", AGAIN) from None
        if not isinstance(message, Ready):
            raise self._lost()
        if word != "ready":
            words = word.removeprefix("error ") if word else f"The guard ended: {self.guard.complaint()}."
            raise HandError(words, "" if word else "Run the doctor command.")

    def end(self) -> None:
        """End both and remove the folder. The guard ends last, so that it can still release."""
        self._ending.set()
        patience = HURRY_SECONDS if self.shared.reason is Reason.ESCAPE else END_SECONDS
        self.stop(Reason.BRAIN)
        for child in reversed(self._children):
            child.end(patience)
        self._stops.put(None)
        self._rescue(last=True)
        self._over_for_all.set()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(END_SECONDS)
        self._await_watcher()
        self.shared.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _await_watcher(self) -> None:
        """Wait until the watcher has seen that all is over: Windows removes no file that it still maps."""
        if pid := self.shared[Word.WATCHER_PID]:
            Peer(pid).wait(END_SECONDS)

    def _rescue(self, *, last: bool = False) -> None:
        """When both died and left something held, the watcher releases it; without one, another guard does.

        On a busy machine it takes long to start, and whatever is held must be let go however long.
        """
        with self._rescuing:
            if not self._over and self._left_over(last) and not self._watcher_cleans(last):
                try:
                    Child("guard", self._path, self._environment).wait(START_SECONDS)
                except HandError:
                    _log.exception("nobody is left to release what is held")
            self._over = self._over or last

    def _watcher_cleans(self, last: bool) -> bool:
        pid = self.shared[Word.WATCHER_PID]
        return bool(pid) and Peer(pid).wait(WATCHER_SECONDS) and not self._left_over(last)

    def _left_over(self, last: bool) -> bool:
        """Is something held, or (asked for in the end) still mapped? A display that has gone has neither."""
        if self.shared.reason is Reason.DISPLAY_GONE:
            return False
        return self.shared.holding or (last and bool(self.shared.codes(Word.SPARES)))

    @property
    def whole(self) -> bool:
        """True while both are there and well."""
        return self._lives(self.hand) and self._lives(self.guard) and self._broken is None

    def check(self) -> None:
        """Raises HandError when one of the two is gone."""
        if not self._lives(self.hand) or self._broken is not None:
            raise self._lost()
        if not self._lives(self.guard):
            raise HandError(f"The guard process ended: {self.guard.complaint()}.", AGAIN)

    def _lives(self, child: Child) -> bool:
        """A child's pipe ends a moment before the system calls it dead."""
        return child.role not in self._ended and child.alive

    def _lost(self) -> HandError:
        if self._broken is not None:
            return HandError(self._broken.message, self._broken.advice or AGAIN)
        how = self.hand.complaint()
        if self.shared[Word.HAND_KILLED]:
            return HandError("The hand process did not answer, so the guard ended it.", AGAIN)
        return HandError(f"The hand process ended: {how}.", AGAIN)

    # ---- stopping ----

    def stop(self, reason: Reason) -> None:
        """Latch a stop of the brain's."""
        with self._words:
            self.shared.stop(reason)
        self._stops.put(reason)

    def reset(self) -> None:
        """A new generation begins."""
        with self._words:
            self.shared.reset()
            self._announced.clear()

    def witness(self, path: Path, text: str, last: bool) -> bool:
        """Have the guard keep the head of a log; False when it cannot be told."""
        return self._lives(self.guard) and offer(self.guard.stdin, path, text, last)

    # ---- batches ----

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
        results: list[OpResult] = []
        self.to_hand.send(batch)
        deadline = time.monotonic() + batch.seconds + LATE_SECONDS
        while not isinstance(message := self._next(deadline), BatchDone):
            match message:
                case Progress(batch.id):
                    try:
                        on_progress(message)
                    except BaseException:
                        self._abandon(deadline)
                        raise
                case OpResult(batch.id):
                    results.append(message)
        self.check()
        return results

    def _abandon(self, deadline: float) -> None:
        """Stop and hear the hand out, because nobody can follow the batch any more (its log is full, say).

        A hand that holds something and is late to let go (on a busy machine) is ended by the guard: why nobody could
        follow is what counts then, too.
        """
        self.stop(Reason.BRAIN)
        with contextlib.suppress(HandError):
            while not isinstance(self._next(deadline), BatchDone):
                pass

    def _next(self, deadline: float) -> Any:
        try:
            message = self._messages.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            self.stop(Reason.HAND_WEDGED)
            self._broken = Broken("The hand does not answer.")  # never to be used again
            raise self._lost() from None
        if message is None:
            raise self._lost()
        return message

    # ---- threads ----

    def _read_hand(self) -> None:
        receive = receiver(self.hand.stdout, FromHand)
        try:
            while (message := receive()) is not None:
                if isinstance(message, Broken):
                    self._broken = message
                else:
                    self._messages.put(message)
        except HandError as error:
            self._broken = Broken(error.message, error.advice)
        self._ended.add("hand")
        self._messages.put(None)
        if not self._lives(self.guard):
            self._gone(Reason.HAND_GONE)
        self._rescue_if_alone()

    def _read_guard(self) -> None:
        for line in self.guard.stdout:
            word, _, rest = line.decode(errors="replace").strip().partition(" ")
            if word in ("ready", "error"):
                self._guard_ready.put(f"{word} {rest}".strip())
            elif word == "stop":
                self._stops.put(Reason[rest])
            elif word == "takeover":
                self._on_takeover(rest)
            elif word == "off":
                self._on_off(int(rest))
        self._ended.add("guard")
        self._guard_ready.put(None)
        self._gone(Reason.GUARD_GONE)
        self._rescue_if_alone()

    def _rescue_if_alone(self) -> None:
        """Both are gone: nothing may stay held until somebody ends this pair."""
        if not self._lives(self.hand) and not self._lives(self.guard):
            self._rescue()

    def _gone(self, reason: Reason) -> None:
        if not self._ending.is_set():
            self.stop(reason)

    def _announce(self) -> None:
        while (reason := self._stops.get()) is not None:
            with self._words:
                fresh = self.shared.stopped and not self._announced.is_set() and not self._ending.is_set()
                if fresh:
                    self._announced.set()
            if fresh:
                self._call(reason)

    def _call(self, reason: Reason) -> None:
        try:
            self._on_stop(reason)
        except Exception:  # noqa: BLE001 - a listener that fails must not make later stops unheard
            _log.exception("the listener of stops failed")

    def _live(self) -> None:
        """Hold the lock by which hand and guard learn of this process's death, in a thread that lives as long as they."""
        lock = self.shared.life_lock()
        try:
            if lock is not None:
                lock.hold()
                self.shared[Word.BRAIN_LIFE] = 1
        except OSError:  # they learn of it by their pipes
            lock = None
        self._living.set()
        self._over_for_all.wait()
        if lock is not None:
            lock.let_go()

    def _beat(self) -> None:
        while not self._ending.wait(_BEAT):
            self.shared.beat(Word.BRAIN_BEAT)


def _new_folder() -> Path:
    try:
        return Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    except OSError as error:
        raise HandError(
            f"There is no place for temporary files: {error.strerror}.",
            "Free space there, or set TMPDIR to another folder.",
        ) from error


class Child:
    """`python -m desktop_agent ROLE SHARED`, in a session of its own so that Ctrl-C is not for it."""

    def __init__(self, role: str, shared: Path, environment: dict[str, str]) -> None:
        self.role = role
        self._log = shared.parent / f"{role}.log"
        command = child_command.command(f"_{role}", str(shared))
        try:
            with self._log.open("wb") as log:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env=environment,
                    start_new_session=True,
                    creationflags=host.CHILD_FLAGS,
                )
        except OSError as error:
            raise HandError(
                f"The {role} process cannot start: {error}.", "Install the program again."
            ) from error

        self._stdin = cast(BinaryIO, self._process.stdin)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def stdin(self) -> int:
        """Descriptor of the pipe to it."""
        return self._stdin.fileno()

    @property
    def stdout(self) -> BinaryIO:
        """The pipe from it."""
        return cast(BinaryIO, self._process.stdout)

    @property
    def ending(self) -> str:
        """How it ended, in words, once its pipe has: the system may tell of its death a moment later."""
        try:
            code = self._process.wait(DEATH_SECONDS)
        except subprocess.TimeoutExpired:
            return "it has closed its pipe and does not end"
        return f"it ended with code {code}" if code >= 0 else f"it was killed ({_signal_name(-code)})"

    def complaint(self) -> str:
        """The last line it wrote to its log before it ended, or else how it ended. To be called once its pipe has ended."""
        ending = self.ending
        if ending.startswith("it was killed"):
            return ending
        with contextlib.suppress(OSError):
            lines = self._log.read_text(errors="replace").split("\n")
            if said := [line for line in lines if line.strip()]:
                return redactor().clean(said[-1])[:500]
        return ending

    def end(self, patience: float) -> None:
        """Close the pipe, which ends it; one that does not end in time is killed."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        self.wait(patience)

    def wait(self, patience: float) -> None:
        """Wait for its end; one that does not end in time is killed."""
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def environment(extra: dict[str, str]) -> dict[str, str]:
    """The brain's variables without its API keys: what the agent opens has no use for them."""
    kept = without_secrets(os.environ)
    paths = (_ROOT, kept.get("PYTHONPATH", ""))
    return {**kept, **extra, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
