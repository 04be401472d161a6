"""One running sandbox: a container with nothing of this computer in it but a workspace and a socket for its screen."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from desktop_agent.extras.sandbox.containers.confinement import PERIOD, confinement
from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.platforms.allowed_network.network_gate import NetworkGate
from desktop_agent.platforms.folder_walk import HomeWatch
from desktop_agent.platforms.posix import unix_sockets
from desktop_agent.platforms.sandbox_manifest import Manifest
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Size

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

LABEL = "desktop-agent.runtime"
"""On every container of ours: the folder that is locked while the program that began it lives."""
START_SECONDS = 20.0


class Sandbox:
    """Runs from when it is made until `end`, and ends with this process too. Raises TargetError when it does not start."""

    def __init__(
        self,
        client: DockerClient,
        image: str,
        manifest: Manifest,
        size: Size,
        workspace: Path,
        user: int,
    ) -> None:
        self.manifest = manifest
        self._client = client
        self._folder = Path(tempfile.mkdtemp(prefix="desktop-agent-"))
        self._lock = locked(self._folder / "lock", 0o600)
        self._container: Container | None = None
        self._gate: NetworkGate | None = None
        self._watch: HomeWatch | None = None
        self._why = ""
        try:
            self._shared = self._folder / "shared"
            self._shared.mkdir(mode=0o700)
            self._alive = locked(self._shared / "alive", 0o644)
            give(self._shared, user)
            give(workspace, user)
            if manifest.network == "listed":
                self._gate = NetworkGate(self._shared / "network", AllowList(manifest.allowed))
            self._container = self._run(image, size, workspace, user)
            self._await_screen()
            self._watch = HomeWatch((workspace,), lambda: self.manifest.home, self._end_for)
        except BaseException:
            self.end()
            raise

    @property
    def socket(self) -> Path:
        """Where its VNC server listens."""
        return self._shared / "vnc"

    @property
    def id(self) -> str:
        """The container's id; "" once it has ended."""
        return str(self._container.id) if self._container is not None else ""

    def _run(self, image: str, size: Size, workspace: Path, user: int) -> Container:
        from docker.errors import DockerException

        try:
            created: Container = self._client.containers.create(
                image,
                [str(size.width), str(size.height)],
                **confinement(self._client, self.manifest, self._folder, user),
                volumes={
                    str(workspace): {"bind": "/home/agent", "mode": "rw"},
                    str(self._shared): {"bind": "/run/desktop-agent", "mode": "rw"},
                },
                labels={LABEL: str(self._folder)},
            )
            self._container = created
            created.start()
        except (DockerException, OSError) as error:
            raise TargetError(
                f"The container did not start: {in_words(error)}", "Look at the engine's log."
            ) from error
        return created

    def _await_screen(self) -> None:
        end = time.monotonic() + START_SECONDS
        while not self._is_shown():
            if time.monotonic() > end or not self._folder.exists():
                raise TargetError(f"The container shows no screen. {self.last_words()}".strip(), _LOOK)
            if self.ended():
                raise TargetError(f"The container ended at once. {self.last_words()}".strip(), _LOOK)
            time.sleep(0.01)

    def _is_shown(self) -> bool:
        """Does the VNC server take connections? Its socket is there a moment before it listens."""
        try:
            unix_sockets.connect(str(self.socket), START_SECONDS).close()
        except OSError:
            return False
        return True

    def narrow(self, manifest: Manifest) -> None:
        """Take away what this manifest has less of, as far as an engine can while it runs: files stay as large as they may be.

        Raises TargetError when the engine does not.
        """
        from docker.errors import DockerException

        if self._container is None:
            return
        try:
            memory = f"{manifest.memory}m"
            self._container.update(
                mem_limit=memory,
                memswap_limit=memory,
                cpu_period=PERIOD,
                cpu_quota=int(manifest.cpus * PERIOD),
            )
            if self._gate is not None:
                self._gate.allow(AllowList(manifest.allowed if manifest.network == "listed" else ()))
            if manifest.network == "off" and self.manifest.network == "on":
                self._client.networks.get("bridge").disconnect(self._container, force=True)
        except (DockerException, OSError) as error:
            raise TargetError(
                f"The engine did not narrow it: {in_words(error)}", "End the sandbox."
            ) from error
        self.manifest = manifest

    def ended(self) -> bool:
        """Has the container ended, or is it gone?"""
        from docker.errors import DockerException

        if self._container is None:
            return True
        try:
            self._container.reload()
        except (DockerException, OSError):
            return True
        return self._container.status not in ("created", "running", "paused", "restarting")

    def _end_for(self, why: str) -> None:
        if (container := self._container) is not None:
            self._why = why
            with suppress(Exception):  # it has ended by itself meanwhile
                container.kill()

    def last_words(self) -> str:
        """Why it was ended, or the last line that its programs complained with; "" for none."""
        if self._why or self._container is None:
            return self._why
        with suppress(Exception):  # whatever the engine says, this is but for a message
            lines = self._container.logs(tail=3).decode(errors="replace").split("\n")
            return next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ""

    def end(self) -> None:
        """End the container, and all that runs in it, and remove it; safe to call twice. What is in the workspace stays."""
        if self._watch is not None:
            self._watch.end()
        container, self._container = self._container, None
        if container is not None:
            remove(container)
        if self._gate is not None:
            self._gate.close()
        shutil.rmtree(self._folder, ignore_errors=True)
        for file in (self._lock, getattr(self, "_alive", None)):
            if file is not None:
                file.close()


_LOOK = "Look at its Dockerfile, and start it by hand: docker run."


def end_left_over(client: DockerClient) -> int:
    """End what programs that were killed have left running; returns how many there were."""
    from docker.errors import DockerException

    count = 0
    with suppress(DockerException, OSError):
        for container in client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True):
            folder = Path(container.labels.get(LABEL, ""))
            if not _is_held(folder / "lock"):
                remove(container)
                if folder.name.startswith("desktop-agent-") and folder.parent == Path(tempfile.gettempdir()):
                    shutil.rmtree(folder, ignore_errors=True)
                count += 1
    return count


def remove(container: Container) -> None:
    from docker.errors import DockerException

    with suppress(DockerException, OSError):
        container.remove(force=True, v=True)


def locked(path: Path, mode: int) -> IO[bytes]:
    """A new file that is locked until it is closed or this process ends."""
    file = path.open("xb")
    path.chmod(mode)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file


def _is_held(path: Path) -> bool:
    """Does somebody who lives hold the lock?"""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def give(folder: Path, user: int) -> None:
    """Let the sandbox's user work in this folder; only root can give away what is not that user's."""
    if os.geteuid() == 0 and folder.stat().st_uid != user:
        os.chown(folder, user, user)


def in_words(error: Exception) -> str:
    return str(getattr(error, "explanation", "") or error)
