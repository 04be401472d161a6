"""A private desktop on Xvnc: the embedded display's session with an X server that takes a human as viewer."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks.lab.rfb import Human
from benchmarks.report import BenchmarkError
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._embedded import EmbeddedDisplay

SERVER = "Xtigervnc"
SIZE = Size(1280, 800)
BACKGROUND = 0x3B6EA5


class LabDesk(EmbeddedDisplay):
    """Start it with `start`, end it and all its programs with `stop`, or use it as a context manager.

    `address()` leads hand and guard to it, `environment` other programs, `human()` gives somebody
    at its keyboard and mouse. It ends with this process, too.
    """

    def __init__(self, size: Size = SIZE) -> None:
        if shutil.which(SERVER) is None:
            raise BenchmarkError(f"{SERVER} is missing: apt-get install tigervnc-standalone-server")
        super().__init__(size, BACKGROUND)
        self._socket = Path()

    def _server(self, authority: Path) -> list[str]:
        self._socket = authority.with_name("viewers")
        command = [SERVER, "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-auth", str(authority)]
        screen = ["-dpi", "96", "-depth", "24", "-geometry", f"{self._size.width}x{self._size.height}"]
        # A Unix socket in the session's own folder, and no port at all.
        viewers = ["-rfbunixpath", str(self._socket), "-rfbport", "-1", "-SecurityTypes", "None"]
        return [*command, *screen, *viewers, "-AlwaysShared", "-AcceptSetDesktopSize=0"]

    def human(self) -> Human:
        """Somebody new at this display's keyboard and mouse; to be closed."""
        return Human(self._socket)

    def __enter__(self) -> LabDesk:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
