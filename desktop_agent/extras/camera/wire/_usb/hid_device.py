"""Writes reports to a device without ever waiting long for a host that does not take them."""

from __future__ import annotations

import errno
import os
import select
import time

from desktop_agent.protocol.errors import TargetError

WRITE_SECONDS = 1.0
"""How long a host may leave a report where it is. One that polls takes it within 10 ms; a hand counts as stuck after 2 s."""
FRAME_SECONDS = 0.001
"""A frame of USB, in which a host takes one report at most. What takes more (a pipe, a deep queue) would have keys arrive after a stop."""
DEAF_SECONDS = 0.05
"""The same after it has left one: what is to be released then must not take seconds."""
_GONE = frozenset((errno.ESHUTDOWN, errno.ENODEV, errno.EPIPE, errno.ENXIO, errno.EIO, errno.ENOTCONN))


class HostGone(TargetError):
    """The other computer has lost this keyboard or mouse, and has let go of all that it held down by that."""


class HidDevice:
    """A gadget's device by its path, or whatever else can be written to. Opened at the first report."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = -1
        self._patience = WRITE_SECONDS
        self._due = 0.0

    def open(self) -> None:
        """Open it, if it is not. Raises TargetError."""
        if self._file >= 0:
            return
        if not hasattr(os, "O_NONBLOCK"):
            raise TargetError("A USB gadget is played by Linux alone.", "Run it on a Raspberry Pi, say.")
        try:
            self._file = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        except OSError as error:
            raise _cannot_open(self.path, error) from error

    def write(self, report: bytes) -> None:
        """Hand one report over. Raises TargetError where the host takes none or the device has gone."""
        self.open()
        self._await_frame()
        end = time.monotonic() + self._patience
        while True:
            try:
                written = os.write(self._file, report)
            except BlockingIOError:
                self._wait(end)
                continue
            except OSError as error:
                self.close()
                raise _cannot_write(self.path, error) from error
            if written != len(report):
                self.close()
                raise TargetError(f"{self.path} took only a part of a report.", "Set the gadget up again.")
            self._patience = WRITE_SECONDS
            return

    def _await_frame(self) -> None:
        """Until the frame after the last report's; a thousandth of a second, in which nothing could be stopped."""
        now = time.monotonic()
        if now < self._due:
            select.select((), (), (), self._due - now)
        self._due = max(now, self._due) + FRAME_SECONDS

    def _wait(self, end: float) -> None:
        """Until it takes something, at most until then; raises TargetError after that."""
        poll = select.poll()
        poll.register(self._file, select.POLLOUT)
        left = end - time.monotonic()
        if left <= 0 or not poll.poll(1000 * left):
            self._patience = DEAF_SECONDS
            raise TargetError(
                f"The other computer takes no reports from {self.path}.",
                "See that it is on and awake, and that the cable is in.",
            )

    def close(self) -> None:
        """Let go of it; it is opened again by the next report."""
        if self._file >= 0:
            file, self._file = self._file, -1
            os.close(file)


def _cannot_open(path: str, error: OSError) -> TargetError:
    if error.errno == errno.ENOENT:
        return HostGone(f"There is no device {path}.", "Set the gadget up: sudo desktop-agent gadget setup")
    if error.errno in (errno.EACCES, errno.EPERM):
        return TargetError(
            f"{path} may not be opened.", "Give your user the right to it: see desktop-agent gadget status"
        )
    if error.errno == errno.ENXIO:
        return HostGone(f"Nobody reads from {path}.", "Connect the other computer.")
    return TargetError(f"{path} cannot be opened: {error.strerror}.", "See desktop-agent gadget status")


def _cannot_write(path: str, error: OSError) -> TargetError:
    if error.errno in _GONE:
        return HostGone(
            f"The other computer is not connected to {path} any more ({error.strerror}).",
            "Check the cable and desktop-agent gadget status, then start the run again.",
        )
    return TargetError(f"{path} cannot be written to: {error.strerror}.", "See desktop-agent gadget status")
