"""A desktop of the fleet: works one goal after another, each in a process of its own. Ray runs one in a process of its own."""

from __future__ import annotations

import platform
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from desktop_agent.extras.fleet.child_run import GRACE, ChildRun
from desktop_agent.extras.fleet.ended_goal import EndedGoal
from desktop_agent.extras.fleet.packed_recording import PIECE, pack
from desktop_agent.platforms import host
from desktop_agent.support.paths import private_folder

Launch = Callable[..., Sequence[str]]
"""Gives the command that starts the program with these arguments, on the machine where it is called."""
_SCRATCH, _LOCK, _PACKED = "desktop-agent-fleet-", "lock", "recording.tar"


class LeaseRanOut(Exception):
    """The driver was not heard from for so long that it may have given the goal to another."""


class DesktopActor:
    """Holds a lease that the driver renews: when it runs out, what runs here is killed, since it may be begun elsewhere."""

    def __init__(self, launch: Launch, lease: float) -> None:
        self._launch, self._lease = launch, lease
        remove_left_over()
        self._scratch = Path(tempfile.mkdtemp(prefix=_SCRATCH))
        self._in_use = (self._scratch / _LOCK).open("wb")
        host.lock_file(self._in_use)
        self._child: ChildRun | None = None
        self._closed, self._idle = threading.Event(), threading.Event()
        self._idle.set()
        self._ran_out = False
        self.renew()
        threading.Thread(target=self._watch_lease, name="lease", daemon=True).start()

    def where(self) -> tuple[str, str]:
        """Ray's id of this node, and the name of the machine."""
        from ray import get_runtime_context  # it is there where this runs as an actor

        return get_runtime_context().get_node_id(), platform.node() or "unknown"

    def renew(self) -> None:
        """The driver lives: from now on a whole lease."""
        self._until = time.monotonic() + self._lease

    def work(self, arguments: Sequence[str]) -> EndedGoal:
        """Run the program with these arguments to its end. Raises OSError, and LeaseRanOut when it was killed for that."""
        if self._closed.is_set():
            raise InterruptedError("this desktop is being closed")
        self._idle.clear()
        try:
            return self._worked(arguments)
        finally:
            self._idle.set()

    def _worked(self, arguments: Sequence[str]) -> EndedGoal:
        self._ran_out = False
        self.renew()
        folder = self._scratch / "goal"
        shutil.rmtree(folder, ignore_errors=True)
        private_folder(folder)
        self._child = child = ChildRun(self._launch(*arguments), folder)
        if self._closed.is_set():
            child.kill()
        try:
            ended = child.run()
        finally:
            self._child = None
        if self._ran_out:
            raise LeaseRanOut("the driver was not heard from")
        return self._with_recording(ended, child.recording)

    def piece(self, offset: int) -> bytes:
        """A bounded piece of the last run's packed record. Raises OSError."""
        with (self._scratch / _PACKED).open("rb") as file:
            file.seek(offset)
            return file.read(PIECE)

    def close(self) -> None:
        """End what runs here, and leave nothing behind."""
        self._closed.set()
        if (child := self._child) is not None:
            child.stop()
        self._idle.wait(GRACE)
        self._in_use.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _with_recording(self, ended: EndedGoal, recording: Path | None) -> EndedGoal:
        if recording is None:
            return ended
        try:
            return replace(ended, recording=recording.name, size=pack(recording, self._scratch / _PACKED))
        except OSError as error:
            return replace(ended, summary=f"{ended.summary} (Its recording was lost: {error.strerror}.)")

    def _watch_lease(self) -> None:
        while not self._closed.wait(min(1.0, self._lease / 4)):
            child = self._child
            if child is not None and time.monotonic() > self._until:
                self._ran_out = True
                child.kill()


def remove_left_over(root: Path | None = None) -> None:
    """Remove what desktops have left behind that were killed: their folders are locked by nobody any more."""
    for folder in (root or Path(tempfile.gettempdir())).glob(f"{_SCRATCH}*"):
        with suppress(OSError), (folder / _LOCK).open("r+b") as lock:
            if host.lock_file(lock):
                shutil.rmtree(folder, ignore_errors=True)
