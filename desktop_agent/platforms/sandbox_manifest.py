"""What a sandbox may do: fixed when it starts, and afterwards only ever made less."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from desktop_agent.protocol.errors import Refused

Pixels = Annotated[int, msgspec.Meta(ge=320, le=7_680)]
Megabytes = Annotated[int, msgspec.Meta(ge=128, le=1_000_000)]
Cores = Annotated[float, msgspec.Meta(ge=0.1, le=256)]
Processes = Annotated[int, msgspec.Meta(ge=16, le=100_000)]
EngineName = Literal["auto", "docker", "podman"]
Network = Literal["off", "listed", "on"]
"""None; what is on a list; whatever the engine lets it reach."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Memory and the files in it in megabytes, processor cores, processes at once, megabytes of one file and of all its home,
    the network, and what is on its list (see `AllowList`).
    """

    memory: Megabytes = 2_048
    cpus: Cores = 2.0
    processes: Processes = 512
    file: Megabytes = 1_024
    home: Megabytes = 4_096
    network: Network = "off"
    allowed: tuple[str, ...] = ()

    def narrowed(self, wanted: Manifest) -> Manifest:
        """What is wanted. Raises Refused where any of it is more than this."""
        for name in ("memory", "cpus", "processes", "file", "home"):
            if getattr(wanted, name) > getattr(self, name):
                raise Refused(
                    f"A sandbox that runs gets no more {name} ({getattr(wanted, name):g}) than it has ({getattr(self, name):g}).",
                    "Start a new one.",
                )
        if wanted.network not in (self.network, "off"):
            raise Refused(
                f"A sandbox that runs keeps its network {self.network!r}, or loses it.", "Start a new one."
            )
        if more := set(wanted.allowed) - set(self.allowed):
            raise Refused(
                f"A sandbox that runs gets nothing on its list ({', '.join(sorted(more))}).",
                "Start a new one.",
            )
        return wanted
