"""The Ray cluster: one that is there, or one of this machine alone that lasts as long as the fleet."""

from __future__ import annotations

import io
import ipaddress
import logging
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from pathlib import Path

from desktop_agent.protocol.errors import ConfigError, TargetError

_OURS = Path(__file__).resolve().parents[3]
STORE_BYTES = 80 << 20
CONNECT_SECONDS = 10.0
_QUIET = {"RAY_USAGE_STATS_ENABLED": "0"}
_ALONE = {
    **_QUIET,
    # Else Ray takes the machine's own address even where it is told the loopback, and listens everywhere.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_worker_niceness": "0",  # else 15, which the guard of each agent would have, too
}
"""How a cluster is set up that nobody else is to use: whoever can speak to Ray can run programs as us."""


class _ToLog(io.TextIOBase):
    """Takes what is printed into the log."""

    def write(self, text: str) -> int:
        for line in filter(None, map(str.strip, text.splitlines())):
            logging.getLogger(__name__).info("Ray: %s", line)
        return len(text)


@contextmanager
def connected(address: str | None, desktops: int) -> Iterator[None]:
    """While it lasts Ray is there: the cluster at `address`, or one of our own with so many desktops.

    What is printed meanwhile to `sys.stdout` goes into the log. Raises ConfigError, TargetError.
    """
    own = {**_ALONE, "RAY_AUTH_TOKEN": secrets.token_hex(32)} if address is None else _QUIET
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    import ray  # reads the variables when it is loaded, and never again

    try:
        with redirect_stdout(_ToLog()):  # Ray prints there what it thinks of nodes that are lost
            with chdir(_OURS):  # and lets its workers import what is in the current folder, whatever that is
                if address is None:
                    _begin(desktops)
                else:
                    _join(address)
            yield
    finally:
        ray.shutdown()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def desktops_offered() -> int:
    """How many desktops the nodes offer that are there now."""
    import ray

    return int(ray.cluster_resources().get("desktop", 0))


def _begin(desktops: int) -> None:
    import ray

    try:
        ray.init(
            address="local",
            num_cpus=1,
            resources={"desktop": desktops},
            object_store_memory=STORE_BYTES,
            include_dashboard=False,
            configure_logging=False,
            log_to_driver=False,
            _node_ip_address="127.0.0.1",
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise TargetError(f"Ray could not be started on this machine: {error}") from error
    where = [str(each["NodeManagerAddress"]) for each in ray.nodes()]
    if not all(ipaddress.ip_address(each).is_loopback for each in where):
        raise TargetError(
            f"Ray listens on {', '.join(where)}, not on the loopback alone.",
            "Use a version of Ray that can, or a cluster of yours with --address.",
        )


def _join(address: str) -> None:
    import ray

    _check_reachable(address)

    try:
        ray.init(address=address, configure_logging=False, log_to_driver=False)
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(f"There is no Ray cluster at {address} that can be used: {error}") from error


def _check_reachable(address: str) -> None:
    """Raises ConfigError where nobody listens: Ray itself would try for more than five minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return  # "auto": Ray looks it up on this machine
    try:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS):
            pass
    except (OSError, ValueError, OverflowError) as error:
        raise ConfigError(f"There is no Ray cluster at {address} that can be used: {error}.") from error
