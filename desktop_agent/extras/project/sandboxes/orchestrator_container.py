"""The orchestrator of a project's environments as the main process of a container, in which there is only the project."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.project.sandboxes.orchestrator_process import PLACE, SOURCES, entry, grammars
from desktop_agent.extras.project.sandboxes.project_git import ProjectGit
from desktop_agent.extras.sandbox.containers import engines, sandbox_image
from desktop_agent.extras.sandbox.containers.confinement import confinement
from desktop_agent.extras.sandbox.containers.sandbox import (
    LABEL,
    end_left_over,
    give,
    in_words,
    locked,
    remove,
)
from desktop_agent.extras.sandbox.containers.system_calls import is_podman
from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.platforms.allowed_network.network_gate import NetworkGate
from desktop_agent.platforms.folder_walk import HomeWatch
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.sandbox_manifest import EngineName, Manifest
from desktop_agent.protocol.errors import TargetError
from desktop_agent.support import paths

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

_INSIDE, _PACKAGES, _SHARED = "/opt/orchestrator", "/opt/packages", "/run/desktop-agent"
_HEAD = 8
"""Bytes before each piece that an engine passes on: the first tells which stream, the last four the length."""
_OUTPUT = 1
_MOST_SAID = 2_000


class OrchestratorContainer:
    """Runs from when it is made until `end`, and ends with this process too.

    Podman that an ordinary user runs maps that user to the container's root, who has no rights in there and owns the project; any
    other number would be somebody whom the project's files are closed to.
    """

    def __init__(
        self, engine: EngineName, base: str, manifest: Manifest, project: Path, git: ProjectGit
    ) -> None:
        """Start it. Raises ConfigError, TargetError."""
        bubblewrap.require_owner(project)
        self._why, self._git = "", git
        self._container: Container | None = None
        self._gate: NetworkGate | None = None
        self._watch: HomeWatch | None = None
        self._unread, self._said = b"", b""
        self._folder = Path(tempfile.mkdtemp(prefix="desktop-agent-"))
        self._lock = locked(self._folder / "lock", 0o600)
        try:
            client = engines.connect(engine)
            end_left_over(client)
            user = os.getuid() or bubblewrap.USER
            image = sandbox_image.built(client, paths.data() / "docker_build", base, user)
            inside = 0 if os.getuid() and is_podman(client) else user
            self._socket = self._started(client, image, manifest, project, inside)
            self._watch = HomeWatch((project, *git.places), lambda: manifest.home, self._end_for)
        except BaseException:
            self.end()
            raise

    def _started(self, client: DockerClient, image: str, manifest: Manifest, project: Path, user: int) -> Any:
        from docker.errors import DockerException

        shared = self._folder / "shared"
        shared.mkdir(mode=0o700)
        give(shared, user)  # nothing to give where an ordinary user runs this
        if manifest.network == "listed":
            self._gate = NetworkGate(shared / "network", AllowList(manifest.allowed))
        try:
            self._container = client.containers.create(
                image,
                entrypoint=self._command(),
                **confinement(client, manifest, self._folder, user),
                volumes=self._volumes(project, shared),
                working_dir=str(project),
                labels={LABEL: str(self._folder)},
                stdin_open=True,
            )
            wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            attached = client.api.attach_socket(self._container.id, params=wanted)
            self._container.start()
        except (DockerException, OSError) as error:
            raise TargetError(
                f"The container did not start: {in_words(error)}", "Look at the engine's log."
            ) from error
        return getattr(attached, "_sock", attached)

    def _command(self) -> list[str]:
        code = entry(_PACKAGES if grammars() else "", _INSIDE)
        run = ["env", "HOME=/tmp", "python3", "-I", "-S", "-B", "-X", "utf8", "-c", code]
        if self._gate is None:
            return run
        return [
            "sh",
            "-c",
            'python3 -I -S /usr/local/bin/network-door </dev/null >/dev/null & exec "$@"',
            "sh",
            *run,
        ]

    def _volumes(self, project: Path, shared: Path) -> dict[str, dict[str, str]]:
        shown = {str(path): {"bind": f"{_PACKAGES}/{path.name}", "mode": "ro"} for path in grammars()}
        return {
            **shown,
            str(SOURCES): {"bind": f"{_INSIDE}/{PLACE}", "mode": "ro"},
            str(shared): {"bind": _SHARED, "mode": "rw"},
            str(project): {"bind": str(project), "mode": "rw"},
            **{
                each.outside: {"bind": each.inside, "mode": "rw" if each.writable else "ro"}
                for each in self._git.mounts
            },
        }

    # ---- the channel -------------------------------------------------------------------------

    def fileno(self) -> int:
        return int(self._socket.fileno())

    def read(self) -> bytes | None:
        data: bytes = self._socket.recv(1 << 16)
        if not data:
            return b""
        self._unread += data
        return b"".join(self._pieces()) or None

    def _pieces(self) -> list[bytes]:
        """What has come of the standard output; of the others the end is kept for a complaint."""
        found = []
        while len(self._unread) >= _HEAD:
            length = int.from_bytes(self._unread[4:_HEAD], "big")
            if len(self._unread) < _HEAD + length:
                break
            stream, piece = self._unread[0], self._unread[_HEAD : _HEAD + length]
            self._unread = self._unread[_HEAD + length :]
            if stream == _OUTPUT:
                found.append(piece)
            else:
                self._said = (self._said + piece)[-_MOST_SAID:]
        return found

    def write(self, data: bytes) -> None:
        self._socket.sendall(data)

    def complaint(self) -> str:
        lines = [line for line in self._said.decode(errors="replace").splitlines() if line.strip()]
        return self._why or (lines[-1].strip() if lines else "")

    def end(self) -> None:
        if self._watch is not None:
            self._watch.end()
        container, self._container = self._container, None
        if container is not None:
            remove(container)
        if self._gate is not None:
            self._gate.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._lock.close()

    def _end_for(self, why: str) -> None:
        self._why = why
        if (container := self._container) is not None:
            with suppress(Exception):  # it has ended by itself meanwhile
                container.kill()
