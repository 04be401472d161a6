"""Runs one Python script in a container that holds nothing but that script, and tells how it ended."""

from __future__ import annotations

import os
import select
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.sandbox_manifest import EngineName, Manifest
from desktop_agent.platforms.script_limits import (
    CHECK_SECONDS,
    KILLED,
    BoundedOutput,
    ScriptEnd,
    ScriptLimits,
)
from desktop_agent.protocol.errors import TargetError
from desktop_agent.support import paths

if TYPE_CHECKING:
    from docker.models.containers import Container

_SCRIPT = "/run/desktop-agent/script.py"
_HEAD = 8
"""Bytes before each piece that an engine passes on: the first tells which stream, the last four the length."""
_OUTPUT = 1
_END_SECONDS = 10


def run_contained(
    code: str, limits: ScriptLimits, check: Callable[[], None], engine: EngineName = "auto", base: str = ""
) -> ScriptEnd:
    """Run it to its end or its limits. Raises ConfigError and TargetError where no container can be had, and what `check` raises."""
    check()
    folder = Path(tempfile.mkdtemp(prefix="desktop-agent-"))
    lock = locked(folder / "lock", 0o600)
    try:
        return _run(code, limits, check, engine, base, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def _run(
    code: str, limits: ScriptLimits, check: Callable[[], None], engine: EngineName, base: str, folder: Path
) -> ScriptEnd:
    from docker.errors import DockerException

    client = engines.connect(engine)
    end_left_over(client)
    user = os.getuid() or bubblewrap.USER
    image = sandbox_image.built(client, paths.data() / "docker_build", base, user)
    inside = 0 if os.getuid() and is_podman(client) else user
    script = folder / "script.py"
    script.write_bytes(code.encode("utf-8"))
    give(script, inside)
    manifest = Manifest(memory=limits.memory, processes=limits.processes, file=limits.file)
    container = None
    try:
        container = client.containers.create(
            image,
            entrypoint=["env", "HOME=/tmp", "python3", "-I", "-B", "-X", "utf8", _SCRIPT],
            **confinement(client, manifest, folder, inside),
            volumes={str(script): {"bind": _SCRIPT, "mode": "ro"}},
            working_dir="/tmp",  # noqa: S108 - the container's own, in memory
            labels={LABEL: str(folder)},
        )
        wanted = {"stdout": 1, "stderr": 1, "stream": 1}
        attached = client.api.attach_socket(container.id, params=wanted)
        container.start()
        return _followed(container, getattr(attached, "_sock", attached), limits, check)
    except (DockerException, OSError) as error:
        raise TargetError(
            f"The container of the script failed: {in_words(error)}", "Look at the engine's log."
        ) from error
    finally:
        if container is not None:
            remove(container)
        client.close()


def _followed(
    container: Container, socket: Any, limits: ScriptLimits, check: Callable[[], None]
) -> ScriptEnd:
    outputs = (BoundedOutput(limits.output), BoundedOutput(limits.output))

    late = not _ends(socket, outputs, time.monotonic() + limits.seconds, check)
    if late:
        with suppress(Exception):  # it has ended by itself meanwhile
            container.kill()
    code = int(container.wait(timeout=_END_SECONDS)["StatusCode"])
    why = f"it took longer than {limits.seconds:g} seconds" if late else ""
    return ScriptEnd(KILLED if late else code, outputs[0].text(), outputs[1].text(), why)


def _ends(
    socket: Any, outputs: tuple[BoundedOutput, BoundedOutput], until: float, check: Callable[[], None]
) -> bool:
    """Read what the engine passes on until the container has ended; False when it has not by then.

    Raises what `check` raises: then the container is removed, and what runs in it ends.

    A script cannot end its outputs by closing them: the engine keeps them as long as the container runs.
    """
    unread = b""
    while (left := until - time.monotonic()) > 0:
        check()
        if not select.select([socket], [], [], min(left, CHECK_SECONDS))[0]:
            continue
        data: bytes = socket.recv(1 << 16)
        if not data:
            return True
        unread += data
        while len(unread) >= _HEAD:
            length = int.from_bytes(unread[4:_HEAD], "big")
            if len(unread) < _HEAD + length:
                break
            outputs[0 if unread[0] == _OUTPUT else 1].add(unread[_HEAD : _HEAD + length])
            unread = unread[_HEAD + length :]
    return False
