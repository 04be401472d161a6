"""The observing half of a container, and its life: image, start, the end, and a new one after it died."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from desktop_agent.extras.sandbox.containers import engines, sandbox, sandbox_image
from desktop_agent.extras.sandbox.containers.sandbox import Sandbox
from desktop_agent.extras.sandbox.containers.system_calls import is_podman
from desktop_agent.extras.sandbox.rfb.rfb_connection import RfbConnection
from desktop_agent.extras.sandbox.targets._rfb import RfbScreen
from desktop_agent.platforms.sandbox_manifest import EngineName, Manifest
from desktop_agent.platforms.vnc_server import VncServer
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.support import paths
from desktop_agent.targets.faces import HasHome

USER = 1_000
"""The user in a container whose program is started by root; else it is the one who starts it, whose files they share."""


class ContainerScreen(RfbScreen, HasHome):
    """A container's screen. It is started by `start`, again when it has died, and ended by `stop`."""

    kind = "container"

    def __init__(
        self,
        engine: EngineName,
        base: str,
        manifest: Manifest,
        size: Size,
        workspace: Path,
        environ: Mapping[str, str],
    ) -> None:
        super().__init__("/", 0, lambda: "")
        self.title = "a sandbox (container)"
        self.workspace = workspace
        self._engine, self._base, self._manifest, self._size = engine, base, manifest, size
        self._environ = environ
        self._sandbox: Sandbox | None = None

    def start(self) -> None:
        with self._lock:
            if self._sandbox is not None and self._sandbox.ended():
                self.stop()
            if self._sandbox is None:
                self._sandbox = self._started()
                self._server = VncServer(str(self._sandbox.socket), 0)
            super().start()

    def _started(self) -> Sandbox:
        try:
            self.workspace.mkdir(parents=True, exist_ok=True)
            client = engines.connect(self._engine, self._environ)
            sandbox.end_left_over(client)
            user = os.getuid() or USER
            image = sandbox_image.built(client, paths.data() / "docker_build", self._base, user)
            # Podman of an ordinary user maps that one to the container's root, who has no rights in there.
            inside = 0 if os.getuid() and is_podman(client) else user
            return Sandbox(client, image, self._manifest, self._size, self.workspace, inside)
        except OSError as error:
            raise TargetError(
                f"The sandbox cannot be made: {error.strerror or error}.",
                "Make room, or choose another folder.",
            ) from error

    @contextmanager
    def _fresh(self) -> Iterator[RfbConnection]:
        try:
            with super()._fresh() as connection:
                yield connection
        except TargetError as error:
            running = self._sandbox
            if running is not None and running.ended():
                words = running.last_words()
                raise TargetError(
                    f"The sandbox has ended. {words}".strip(), "Start the run again: it gets a new one."
                ) from error
            raise

    def narrow(self, wanted: Manifest) -> None:
        """Let it do less from now on, also those after it. Raises Refused where that is more, TargetError where the engine does not."""
        with self._lock:
            self._manifest = self._manifest.narrowed(wanted)
            if self._sandbox is not None:
                self._sandbox.narrow(self._manifest)

    def home(self) -> Path:
        return self.workspace

    def vnc_server(self) -> VncServer | None:
        return self._server if self._sandbox is not None else None

    def stop(self) -> None:
        super().stop()
        with self._lock:
            if self._sandbox is not None:
                self._sandbox.end()
                self._sandbox = None
