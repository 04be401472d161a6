"""The windows of the program, shown one after the other in a process of its own and read from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from tests.ui.test_fonts import FAMILIES, ONLY
from tests.ui.wanted_look import Shown, Wanted

SECONDS = 15


class ShownWindows:
    """A process of `tests.ui.every_window`, in which there is only one family of fonts."""

    def __init__(self, environment: Mapping[str, str], folder: Path, family: str, scale: float = 1) -> None:
        fonts = folder / "fonts.conf"
        fonts.write_text(ONLY.format(folder=FAMILIES[family], cache=folder / "cache", family=family))
        settled = {"FONTCONFIG_FILE": str(fonts), "QT_SCALE_FACTOR": str(scale), "TZ": "UTC"}
        self._errors = (folder / "stderr").open("w+")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.every_window", str(folder)],
            env={**os.environ, **environment, **settled},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self.pid = self._process.pid

    def show(self, wanted: Wanted) -> Shown:
        """Show a state in place of the one before; AssertionError with what the process said when it cannot."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(wanted) + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"{wanted}: {self._said()}"
        return msgspec.json.decode(line, type=Shown)

    def _said(self) -> str:
        self._process.wait(SECONDS)
        self._errors.seek(0)
        return self._errors.read()

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(SECONDS)
        self._process.stdout.close()
        self._errors.close()
