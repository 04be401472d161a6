"""Busy processes, as many as asked for, that end with this process."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Self

_BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): sum(range(10000))"


class Load:
    """`per_core` busy processes for each processor while the context lasts."""

    def __init__(self, per_core: int) -> None:
        self._count = per_core * (os.cpu_count() or 1)
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        command = [sys.executable, "-c", _BUSY, str(os.getpid())]
        self._processes = [subprocess.Popen(command) for _ in range(self._count)]
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
