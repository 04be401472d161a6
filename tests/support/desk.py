"""A private desktop on Xvnc: the embedded display's session with an X server that takes a human as viewer."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks.report import BenchmarkError
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._embedded import VNC_SERVER, EmbeddedDisplay
from tests.support.rfb import Human

SIZE = Size(1280, 800)
BACKGROUND = 0x3B6EA5


class LabDesk(EmbeddedDisplay):
    """Start it with `start`, end it and all its programs with `stop`, or use it as a context manager.

    `address()` leads hand and guard to it, `environment` other programs, `human()` gives somebody
    at its keyboard and mouse. It ends with this process, too.
    """

    def __init__(self, size: Size = SIZE) -> None:
        if shutil.which(VNC_SERVER) is None:
            raise BenchmarkError(f"{VNC_SERVER} is missing: apt-get install tigervnc-standalone-server")
        super().__init__(size, BACKGROUND, viewers=True)

    def human(self) -> Human:
        """Somebody new at this display's keyboard and mouse; to be closed."""
        server = self.vnc_server()
        if server is None:
            raise BenchmarkError("The desk is not up.")
        return Human(Path(server.socket))

    def __enter__(self) -> LabDesk:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
