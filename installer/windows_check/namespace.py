"""Processes with mounts of their own: nothing they mount is seen outside, and nothing of them stays.

Linux's mount and pid namespaces (`man 7 namespaces`), entered with util-linux's unshare and nsenter.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from installer.windows_check import limits
from installer.windows_check.outcome import Broken, Refused

UNSHARE = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private")
# What is started in the namespaces dies with the process that started it.
DIE_WITH_PARENT = ("setpriv", "--pdeathsig", "KILL")


class Namespace:
    """A mount and a pid namespace. Leaving it kills every process in it, which unmounts everything."""

    def __init__(self, mounts: Sequence[Sequence[str]]) -> None:
        """`mounts` are the commands that mount what is wanted. Raises Refused when one of them is not permitted."""
        python = [sys.executable, "-I", "-S", str(Path(__file__).with_name("init.py"))]
        orders, self._orders = os.pipe()
        self._said, answer = os.pipe()
        # The init ends when its input does: also when this process is killed.
        try:
            self._init = subprocess.Popen([*UNSHARE, *python], stdin=orders, stdout=answer, stderr=answer)
        except OSError as error:
            os.close(self._orders)
            os.close(self._said)
            raise Refused(f"{UNSHARE[0]} cannot be started ({error.strerror})") from error
        finally:
            os.close(orders)
            os.close(answer)
        try:
            self._prepare(mounts)
        except BaseException:
            self.close()
            raise

    def _prepare(self, mounts: Sequence[Sequence[str]]) -> None:
        # Where it could not even start, what it said tells why.
        with contextlib.suppress(BrokenPipeError):
            os.write(self._orders, json.dumps([list(each) for each in mounts]).encode() + b"\n")
        said = self._answer()
        if not said:
            raise Broken("the process that makes private mounts did not come up")
        if said != "ready":
            raise Refused(f"private mounts are not permitted ({said})")

    def _answer(self) -> str:
        end, said = time.monotonic() + limits.NAMESPACE, b""
        while b"\n" not in said:
            ready = select.select([self._said], [], [], max(0.0, end - time.monotonic()))[0]
            piece = os.read(self._said, 4096) if ready else b""
            if not piece:
                break
            said += piece
        return " ".join(said.decode(errors="replace").split())

    def argv(self, command: Sequence[str]) -> list[str]:
        """The command line, for this side, that runs a command in the namespaces."""
        proc = f"/proc/{self._init.pid}/ns"
        spaces = (f"--mount={proc}/mnt", f"--pid={proc}/pid_for_children")
        return ["nsenter", *spaces, *DIE_WITH_PARENT, *command]

    def start(self, command: Sequence[str], output: IO[bytes]) -> subprocess.Popen[bytes]:
        """Start a command in the namespaces; killing what is returned kills it."""
        return subprocess.Popen(
            self.argv(command), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )

    def close(self) -> None:
        """End all processes in it, and wait until they are gone; a second time does nothing."""
        if self._orders < 0:
            return
        os.close(self._orders)
        self._orders = -1
        try:
            self._init.wait(limits.END)
        except subprocess.TimeoutExpired:
            self._init.kill()
            self._init.wait()
        os.close(self._said)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
