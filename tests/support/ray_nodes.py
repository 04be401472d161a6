"""Nodes of a Ray cluster on this machine, on the loopback alone and closed to other users, any of which can be killed."""

from __future__ import annotations

import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.waiting import until

DESKTOPS = 2
"""What each node offers."""
STORE_BYTES = 80 << 20
_VARIABLES = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # or Ray listens on every address, whatever it is told
    "RAY_AUTH_MODE": "token",
    "RAY_worker_niceness": "0",
}


class RayNodes:
    """So many nodes; the first is the head."""

    def __init__(self, nodes: int) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(
            initialize_head=True,
            head_node_args={**_node(), "include_dashboard": False},
            shutdown_at_exit=True,
        )
        self._nodes = [self._cluster.head_node, *(self._added() for _ in range(nodes - 1))]
        self.address: str = self._cluster.address

    def _added(self) -> Any:
        return self._cluster.add_node(wait=True, **_node())

    def replace_last(self) -> None:
        """Have a node in the place of the last one, which was killed."""
        self._nodes[-1] = self._added()

    def kill_last(self) -> None:
        """Kill the last node with SIGKILL, as a power cut would: its raylet, at which Ray's workers there end."""
        pid = self.raylet(-1)
        os.kill(pid, signal.SIGKILL)
        until(lambda: gone(pid), "the raylet is gone")

    def raylet(self, number: int) -> int:
        """The process of a node that its workers belong to."""
        return int(self._nodes[number].all_processes["raylet"][0].process.pid)

    def workers(self, number: int) -> frozenset[int]:
        """The processes of a node in which actors are."""
        path = Path(f"/proc/{self.raylet(number)}/task/{self.raylet(number)}/children")
        return frozenset(map(int, path.read_text().split()))

    def processes(self) -> list[tuple[str, int]]:
        """Ray's own processes, those that are killed left out, each with its kind."""
        return [
            (kind, int(each.process.pid))
            for node in self._nodes
            for kind, started in node.all_processes.items()
            for each in started
            if not gone(int(each.process.pid))
        ]

    def close(self) -> None:
        self._cluster.shutdown()


def _node() -> dict[str, Any]:
    return {
        "num_cpus": 1,
        "resources": {"desktop": DESKTOPS},
        "object_store_memory": STORE_BYTES,
        "node_ip_address": "127.0.0.1",
    }


def gone(pid: int) -> bool:
    """Has this process ended, be it that nobody has asked about it yet?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@contextmanager
def ray_nodes(nodes: int = 3) -> Iterator[RayNodes]:
    """The nodes, and while they last what Ray reads from the environment to find them and be let in."""
    # Ray keeps the first token it reads for as long as the process lives.
    own = {"RAY_AUTH_TOKEN": os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32), **_VARIABLES}
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    made = RayNodes(nodes)
    try:
        yield made
    finally:
        made.close()
        for name, value in before.items():
            if value is not None:
                os.environ[name] = value
            elif name != "RAY_AUTH_TOKEN":
                del os.environ[name]
