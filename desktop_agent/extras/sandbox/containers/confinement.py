"""How every container of ours is confined: no rights, no files of this computer but what is mounted, and its manifest's limits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.sandbox.containers.system_calls import kept_profile
from desktop_agent.platforms.allowed_network.network_gate import PROXIES
from desktop_agent.platforms.sandbox_manifest import Manifest

if TYPE_CHECKING:
    from docker import DockerClient

PERIOD = 100_000
"""Microseconds of which a share of a processor is given."""
_MEGABYTE = 1 << 20
_TEMPORARY, _SHARED = 512, 256
"""Megabytes of /tmp and /dev/shm, which are memory and count as such."""
_DESCRIPTORS = 4_096
_OF_USER = 8_192
"""Processes of this user in all its sandboxes together; each has a limit of its own beside."""


def confinement(client: DockerClient, manifest: Manifest, folder: Path, user: int) -> dict[str, Any]:
    """Arguments of the SDK's `containers.create`; `folder` keeps the profile of system calls where one is needed. Raises OSError."""
    from docker.types import Ulimit

    size = manifest.file * _MEGABYTE
    return {
        "user": f"{user}:{user}",
        "hostname": "sandbox",
        "network_mode": "bridge" if manifest.network == "on" else "none",
        "read_only": True,
        "tmpfs": {"/tmp": f"size={_TEMPORARY}m,mode=1777,nosuid,nodev"},  # noqa: S108 - the container's own
        "shm_size": f"{_SHARED}m",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges", *kept_profile(client, folder)],
        "mem_limit": f"{manifest.memory}m",
        "memswap_limit": f"{manifest.memory}m",
        "cpu_period": PERIOD,
        "cpu_quota": int(manifest.cpus * PERIOD),
        "pids_limit": manifest.processes,
        "ulimits": [
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="nproc", soft=_OF_USER, hard=_OF_USER),
            Ulimit(name="nofile", soft=_DESCRIPTORS, hard=_DESCRIPTORS),
            Ulimit(name="fsize", soft=size, hard=size),
        ],
        "environment": dict(PROXIES) if manifest.network == "listed" else {},
    }
