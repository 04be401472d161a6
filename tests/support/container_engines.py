"""Engines of our own for tests and benchmarks: Docker and Podman on private sockets, without networks or firewall rules."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docker import DockerClient

START_SECONDS = 30.0
ENGINES = {"docker": "dockerd", "podman": "podman"}
# Podman 4.3: https://github.com/containers/podman wants runc where there is no crun, and no systemd here.
_PODMAN = """[containers]
default_ulimits = ["nofile=20000:20000", "nproc=30000:30000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
"""
_STORAGE = '[storage]\ndriver = "{driver}"\ngraphroot = "{folder}/data"\nrunroot = "{folder}/run"\n'


class NoEngine(Exception):
    """An engine cannot run here; the message says why."""


@dataclass(frozen=True)
class RunningEngine:
    """`environ` leads programs to it."""

    name: str
    client: DockerClient
    environ: Mapping[str, str]


@contextmanager
def running(name: str) -> Iterator[RunningEngine]:
    """An engine while the block lasts; all that was started with it is ended, and nothing is left. Raises NoEngine."""
    if os.geteuid() != 0:
        raise NoEngine("an engine of our own is started by root alone")
    if shutil.which(ENGINES[name]) is None:
        raise NoEngine(f"{ENGINES[name]} is not installed")
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-"))
    try:
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                _command(name, folder),
                stdout=log,
                stderr=log,
                env=_surroundings(name, folder),
                start_new_session=True,
            )
        try:
            client = _answering(process, folder)
            try:
                address = f"unix://{folder / 'socket'}"
                variable = "DOCKER_HOST" if name == "docker" else "CONTAINER_HOST"
                yield RunningEngine(name, client, {**os.environ, variable: address})
            finally:
                for container in client.containers.list(all=True):
                    container.remove(force=True, v=True)
                client.close()
        finally:
            process.terminate()
            process.wait(START_SECONDS)
    finally:
        _remove(folder)


def _command(name: str, folder: Path) -> list[str]:
    address = f"unix://{folder / 'socket'}"
    if name == "podman":
        return ["podman", "system", "service", "--time=0", address]
    places = {"data-root": "data", "exec-root": "exec", "pidfile": "pid"}
    options = [f"--{option}={folder / place}" for option, place in places.items()]
    return ["dockerd", f"--host={address}", "--iptables=false", "--ip6tables=false", "--ip-forward=false", "--bridge=none", *options]  # fmt: skip


def _surroundings(name: str, folder: Path) -> dict[str, str]:
    if name == "docker":
        return dict(os.environ)
    settings, storage = folder / "containers.conf", folder / "storage.conf"
    settings.write_text(_PODMAN)
    storage.write_text(_STORAGE.format(folder=folder, driver="overlay"))
    return {**os.environ, "CONTAINERS_CONF": str(settings), "CONTAINERS_STORAGE_CONF": str(storage)}


def _answering(process: subprocess.Popen[bytes], folder: Path) -> DockerClient:
    import docker

    end = time.monotonic() + START_SECONDS
    while True:
        with suppress(Exception):  # it is not up yet
            client = docker.DockerClient(base_url=f"unix://{folder / 'socket'}", timeout=60)
            client.ping()
            return client
        if process.poll() is not None or time.monotonic() > end:
            said = (folder / "log").read_text(errors="replace").strip().splitlines()
            raise NoEngine(f"it did not start: {said[-1] if said else 'it said nothing'}")
        time.sleep(0.02)


def _remove(folder: Path) -> None:
    """The folder with what is still mounted in it."""
    mounts = Path("/proc/self/mounts").read_text().splitlines()
    inside = [each.split()[1] for each in mounts if each.split()[1].startswith(f"{folder}/")]
    for place in sorted(inside, reverse=True):
        subprocess.run(["umount", "--lazy", place], check=False)
    shutil.rmtree(folder, ignore_errors=True)
