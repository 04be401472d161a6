"""A keyboard's and a mouse's device for trials: FIFOs, read as a host reads the reports."""

from __future__ import annotations

import os
from pathlib import Path


class Pipe:
    """A FIFO with a reader that never blocks."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self._file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self) -> bytes:
        """What has been written since the last call."""
        found = b""
        while True:
            try:
                chunk = os.read(self._file, 65536)
            except BlockingIOError:
                return found
            if not chunk:
                return found
            found += chunk

    def close(self) -> None:
        """The host has gone."""
        if self._file >= 0:
            file, self._file = self._file, -1
            os.close(file)
