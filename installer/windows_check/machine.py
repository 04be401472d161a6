"""A Windows to run programs in: Wine in a chroot, in namespaces and on a screen of its own."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from PIL import Image

from desktop_agent.platforms.x11.connection import Display
from installer.windows_check.namespace import Namespace

PYTHON = r"Z:\win\cp313\python.exe"
SHARED = r"Z:\shared"
"""Where `Machine.shared` is inside."""
PYCACHE = "pycache"
"""The folder in /tmp for byte code, which one boot leaves to the next."""
WIDTH, HEIGHT = 1280, 800
# The debugger and the browser engines would only ask for packages; menus are for a Linux desktop.
WINE = {
    "LC_ALL": "C.UTF-8",  # or Wine mangles what is not ASCII in arguments
    "PATH": "/usr/bin:/bin",
    "HOME": "/root",
    "WINEPREFIX": "/prefix",
    "WINEARCH": "win64",
    "WINEDEBUG": "-all",
    "WINEDLLOVERRIDES": "mscoree=;mshtml=;winemenubuilder.exe=;winedbg.exe=d",
    "PYTHONPATH": r"Z:\src",
    "PYTHONPYCACHEPREFIX": rf"Z:\tmp\{PYCACHE}",
}


@dataclass(frozen=True)
class Machine:
    """A Windows (Wine) with a screen of its own.

    `display` is the X display (":7"), whose input this side may play with XTEST as the human does; use
    `environment` to open it. `shared` is a folder of this side that is SHARED inside, for files to
    exchange. Z:\\src is the source, read-only. `kept` is where screenshots go.
    """

    display: str
    authority: Path
    shared: Path
    kept: Path
    _namespace: Namespace
    _root: Path
    python: str = PYTHON

    @property
    def environment(self) -> dict[str, str]:
        """What opens the display from this side."""
        return {"DISPLAY": self.display, "XAUTHORITY": str(self.authority)}

    def run(self, argv: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        """Run a Windows program to its end; its output and errors are in `stdout`.

        Raises subprocess.TimeoutExpired, with the output so far, after it was killed.
        """
        return self._run(argv, self._inside(argv), seconds)

    def start(self, argv: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a Windows program; its output goes nowhere, and killing what is returned kills it."""
        with Path(os.devnull).open("wb") as nowhere:
            return self._namespace.start(self._inside(argv), nowhere)

    def unix(self, argv: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        """Run a program of the chroot itself (`wineserver`); as `run` does."""
        return self._run(argv, self._chroot(argv), seconds)

    def _run(
        self, said: Sequence[str], command: Sequence[str], seconds: float
    ) -> subprocess.CompletedProcess[str]:
        # A file, not a pipe: what the program leaves running would keep a pipe open.
        with tempfile.TemporaryFile() as output:
            process = self._namespace.start(command, output)
            try:
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                raise subprocess.TimeoutExpired(list(said), seconds, _text(output)) from None
            finally:
                process.kill()
                process.wait()
            return subprocess.CompletedProcess(list(said), status, _text(output), "")

    def _inside(self, argv: Sequence[str]) -> list[str]:
        return self._chroot(["wine", *argv])

    def _chroot(self, argv: Sequence[str]) -> list[str]:
        screen = {"DISPLAY": self.display, "XAUTHORITY": "/tmp/xauthority"}  # noqa: S108 - its own /tmp
        variables = [f"{name}={value}" for name, value in {**WINE, **screen}.items()]
        return ["chroot", str(self._root), "env", "-i", "-C", "/src", *variables, *argv]

    def screenshot(self, name: str) -> Path:
        """Save the screen as NAME.png in the check's results folder; returns the file."""
        path = self.kept / f"{name}.png"
        display = Display(self.environment)
        try:
            reply = display.core.GetImage(2, display.root, 0, 0, WIDTH, HEIGHT, 0xFFFFFFFF).reply()
        finally:
            display.close()
        Image.frombuffer("RGB", (WIDTH, HEIGHT), bytes(reply.data), "raw", "BGRX", 0, 1).save(path)
        return path


def _text(output: IO[bytes]) -> str:
    output.seek(0)
    return output.read().decode("utf-8", "replace").replace("\r\n", "\n")
