"""The hand's process: reads batches from the brain, carries them out, and ends when the brain does, or when the guard has died."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from desktop_agent.hand.guard.clean_up import release_held, wait_until_released
from desktop_agent.hand.injector.controller import KEEPING_SECONDS, Controller
from desktop_agent.hand.ipc.framing import Hello, ToHand, Writer, receiver
from desktop_agent.hand.ipc.shared_block import WORDS, Reason, Shared, Word
from desktop_agent.platforms import host
from desktop_agent.platforms.base import Releaser
from desktop_agent.platforms.host import Peer, when_gone
from desktop_agent.protocol.batch import Batch, BatchDone, Broken, Confine, Protect, Ready
from desktop_agent.protocol.errors import DesktopAgentError, HandError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.redaction.redactor import redactor
from desktop_agent.redaction.streams import CleanStream
from desktop_agent.targets.base import attach, releaser

# Between batches an ESC counts for that moment: it is not to be found only when the next batch begins.
LOOK_SECONDS = 0.02


# The acting thread may be in a call that takes long (waiting for an application to read what was typed).
PATIENCE = 0.004
COMING = 0.01


def run_hand(argv: Sequence[str]) -> int:
    """`argv` is the path of the shared block. Returns the exit code: 0 when the brain ended it."""
    stdin, out = _take_pipes()
    flag = StopFlag()
    signal.signal(signal.SIGTERM, lambda *_: flag.set("the hand was told to end"))
    shared = Shared.attach(Path(argv[0]))
    shared[Word.HAND_PID] = os.getpid()
    host.schedule_hand()
    try:
        return _serve(shared, receiver(stdin, ToHand), out, flag)
    except DesktopAgentError as error:
        with contextlib.suppress(HandError):  # the brain may be gone, too
            out.send(Broken(error.message, error.advice))
        return 1


def _take_pipes() -> tuple[BinaryIO, Writer]:
    """Keep the pipes for ourselves: what prints, or is started by us, gets other descriptors."""
    stdin = os.fdopen(os.dup(0), "rb")
    out = Writer(os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stderr = CleanStream(sys.stderr, redactor())
    return stdin, out


def _serve(shared: Shared, receive: Callable[[], Any], out: Writer, flag: StopFlag) -> int:
    hello = receive()
    if not isinstance(hello, Hello):
        raise HandError("The hand was not told where its inputs are.", "Report this.")
    input_ = attach(hello.address)
    input_.hints_of = shared[Word.BRAIN_PID]
    try:
        shared.add_codes(Word.SPARES, input_.spare_codes())
        controller = Controller(input_, shared, flag=flag, guarded=True, max_rate=hello.max_rate)
        guard_loss = GuardLoss(shared, flag, lambda: releaser(hello.address))
        hand = _Hand(controller, out, flag, guard_loss)
        hand.listen(receive)
        guard_loss.watch()
        when_gone(Peer(shared[Word.BRAIN_PID]), lambda: flag.set("the program ended"))
        threading.Thread(target=_await_brains_end, args=(shared, flag), name="life", daemon=True).start()
        out.send(Ready(os.getpid()))
        code = hand.run()
    finally:
        input_.close()
    # Put back by ourselves: from here on these codes are whoever's. After an error that is the guard's to do.
    shared.drop_codes(Word.SPARES, shared.codes(Word.SPARES))
    return code


def _await_brains_end(shared: Shared, flag: StopFlag) -> None:
    if shared.await_brains_end():
        flag.set("the program ended")


class _Hand:
    """Reads messages in one thread and carries out batches in another."""

    def __init__(self, controller: Controller, out: Writer, flag: StopFlag, guard_loss: GuardLoss) -> None:
        self._controller = controller
        self._out = out
        self._flag = flag
        self._guard_loss = guard_loss
        self._batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        flag.on_set(lambda: self._batches.put(None))

    def listen(self, receive: Callable[[], Any]) -> None:
        """Read in a thread, so that the end of the brain is noticed while a batch runs."""
        threading.Thread(target=self._listen, args=(receive,), name="reader", daemon=True).start()

    def _listen(self, receive: Callable[[], Any]) -> None:
        try:
            while (message := receive()) is not None:
                self._take(message)
        except HandError as error:
            print(error, file=sys.stderr)  # noqa: T201 - the brain keeps this in the hand's log
        self._flag.set("the program ended")

    def _take(self, message: ToHand) -> None:
        match message:
            case Protect(pids):
                self._controller.protect(pids)
            case Confine(region):
                self._controller.confine(region)
            case Batch():
                redactor().know_marked(message.hidden)
                self._batches.put(message)

    def run(self) -> int:
        """Carry out batches until the brain ends or something cannot go on."""
        try:
            while (batch := self._next()) is not None:
                self._controller.execute(batch, self._out.send)
                if not self._flag.is_set():
                    self._controller.check_after()  # a hand that cannot go on ends: the guard cleans up
                self._out.send(BatchDone(batch.id))
        finally:
            self._controller.release()
            self._controller.before_end()
        if self._guard_loss.gone:
            raise HandError("The guard process ended.", "Reset the stop to start it again.")
        return 0

    def _next(self) -> Batch | None:
        """The next batch, None when there will be no more; while there is none, look for ESC, and let go in time."""
        while True:
            try:
                return self._batches.get(
                    timeout=KEEPING_SECONDS if self._controller.keeping else LOOK_SECONDS
                )
            except queue.Empty:
                self._controller.rest()


class GuardLoss:
    """Waits for the end of the guard in a thread, with a releaser of its own that is ready by then.

    `connect` makes that releaser and raises DesktopAgentError where there is none.
    """

    def __init__(self, shared: Shared, flag: StopFlag, connect: Callable[[], Releaser]) -> None:
        self._shared = shared
        self._flag = flag
        self._connect = connect
        self.gone = False
        """True once the guard is gone."""

    def watch(self) -> None:
        """Begin; hand and guard start at the same time, so the guard may be a moment late."""
        threading.Thread(target=self._watch, name="guard loss", daemon=True).start()

    def _watch(self) -> None:
        while not self._shared[Word.GUARD_PID]:
            threading.Event().wait(COMING)
        guard = Peer(self._shared[Word.GUARD_PID])
        try:
            releaser: Releaser | None = self._connect()
        except DesktopAgentError:  # the acting thread has its own connection and does what it can
            releaser = None
        guard.wait()
        self.gone = True
        self._flag.set(WORDS[Reason.GUARD_GONE])
        if not wait_until_released(self._shared, PATIENCE) and releaser is not None:
            self._help(releaser)

    def _help(self, releaser: Releaser) -> None:
        try:
            release_held(self._shared, releaser)
        except DesktopAgentError as error:
            print(error, file=sys.stderr)  # noqa: T201 - the brain keeps this in the hand's log
