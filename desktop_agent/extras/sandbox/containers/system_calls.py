"""Which calls of the kernel a sandbox may make where the engine's own profile allows more than its programs need: Podman's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docker import DockerClient

_PROFILES = (Path("/etc/containers/seccomp.json"), Path("/usr/share/containers/seccomp.json"))
_TAKEN = frozenset((
    "add_key", "chroot", "clone", "clone3", "fsconfig", "fsmount", "fsopen", "fspick", "io_uring_enter", "io_uring_register",
    "io_uring_setup", "keyctl", "mount", "mount_setattr", "move_mount", "open_tree", "pivot_root", "request_key", "setns",
    "umount", "umount2", "unshare",
))  # fmt: skip
"""New namespaces, and what is done in them; keyrings of the kernel and io_uring, which have led out of containers before."""
_NEW_NAMESPACES = 0x7E020000
"""The flags of clone that make one."""
_CLONE: tuple[dict[str, Any], ...] = (
    {
        "names": ["clone"],
        "action": "SCMP_ACT_ALLOW",
        "args": [{"index": 0, "value": _NEW_NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}],
    },
    # Its flags lie where no filter sees them; who gets ENOSYS uses clone instead.
    {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38, "errno": "ENOSYS"},
    {"names": sorted(_TAKEN - {"clone", "clone3"}), "action": "SCMP_ACT_ERRNO", "errnoRet": 1, "errno": "EPERM"},
)  # fmt: skip


def kept_profile(client: DockerClient, folder: Path) -> list[str]:
    """The engine's option for a profile that is written into the folder; none for Docker, or where the engine's own is not found.

    Raises OSError, which those of requests are, or the SDK's errors.
    """
    found = next((each for each in _PROFILES if each.exists()), None)
    if found is None or not is_podman(client):
        return []
    place = folder / "seccomp.json"
    place.write_text(json.dumps(narrowed(json.loads(found.read_text(encoding="utf-8")))), encoding="utf-8")
    return [f"seccomp={place}"]


def is_podman(client: DockerClient) -> bool:
    """Is it Podman that answers? By the header of its shortest answer: asking for the version takes Podman half a second."""
    answer = client.api.get(f"{client.api.base_url}/_ping")
    return "libpod" in answer.headers.get("Server", "").lower() or "Libpod-Api-Version" in answer.headers


def narrowed(profile: dict[str, Any]) -> dict[str, Any]:
    """The profile without what makes namespaces and mounts, for a container that has no capability."""
    rules = []
    for rule in profile["syscalls"]:
        names = [each for each in rule["names"] if each not in _TAKEN]
        if names:
            rules.append({**rule, "names": names})
    return {**profile, "syscalls": [*rules, *_CLONE]}
