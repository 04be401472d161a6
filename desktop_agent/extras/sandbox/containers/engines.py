"""Finds the container engine that runs on this machine: Docker, or Podman by the same API."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from desktop_agent.platforms.sandbox_manifest import EngineName
from desktop_agent.protocol.errors import TargetError
from desktop_agent.support.optional_package import require

if TYPE_CHECKING:
    from docker import DockerClient

ANSWER_SECONDS = 60.0
"""How long an engine may take for one answer; building an image tells of each step."""
_ADVICE = {
    "docker": "Install and start Docker (on Debian: apt-get install docker.io), and add yourself to its group.",
    "podman": "Install Podman and start its service: systemctl --user start podman.socket",
}


def connect(name: EngineName, environ: Mapping[str, str] = os.environ) -> DockerClient:
    """A connection to the engine, `auto` to the first that answers. Raises ConfigError without the SDK, TargetError without an engine."""
    require("docker", "the target container", "containers")
    tried: list[str] = []
    for engine in ("docker", "podman") if name == "auto" else (name,):
        for address in _addresses(engine, environ):
            try:
                return _answering(address)
            except OSError as error:
                tried.append(f"{address}: {error}")
    words = "; ".join(tried)
    if name == "auto":
        raise TargetError(f"No container engine answers ({words}).", _ADVICE["docker"])
    raise TargetError(f"{name.capitalize()} does not answer ({words}).", _ADVICE[name])


def _addresses(engine: str, environ: Mapping[str, str]) -> Iterator[str]:
    """Where an engine listens: where its variable says, else its own socket, else where its packages put it."""
    if told := environ.get("DOCKER_HOST" if engine == "docker" else "CONTAINER_HOST"):
        yield told
        return
    if engine == "docker":
        yield "unix:///var/run/docker.sock"
        return
    if runtime := environ.get("XDG_RUNTIME_DIR"):
        yield f"unix://{runtime}/podman/podman.sock"
    yield "unix:///run/podman/podman.sock"


def _answering(address: str) -> DockerClient:
    import docker
    from docker.errors import DockerException

    client = None
    try:
        client = docker.DockerClient(base_url=address, timeout=ANSWER_SECONDS)
        client.ping()
    except (DockerException, OSError) as error:
        if client is not None:
            client.close()
        raise OSError(_in_words(error)) from error
    return client


def _in_words(error: Exception) -> str:
    """Why there is no connection, as the system says it: the SDK wraps it several times."""
    reason: BaseException | None = error
    while reason is not None:
        if isinstance(reason, OSError) and reason.strerror:
            return reason.strerror
        reason = reason.__cause__ or reason.__context__
    return str(error)
