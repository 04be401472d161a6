"""Binds API keys to the hosts they were given for: to any other one a key is not sent."""

from __future__ import annotations

import threading
from functools import lru_cache

from desktop_agent.support.providers import provider, provider_of_key
from desktop_agent.support.web_origin import server_origin

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def origins_meant(host: str) -> tuple[str, ...]:
    """The origins that a user means by a host: a name means TLS, except on this machine; () when it is none."""
    if "://" in host:
        return tuple(filter(None, (server_origin(host),)))
    schemes = ("http", "https") if host.rpartition(":")[0] in _LOOPBACK or host in _LOOPBACK else ("https",)
    return tuple(filter(None, (server_origin(f"{scheme}://{host}") for scheme in schemes)))


class KeyHosts:
    """Which key may be sent where. A key is named `env:VARIABLE` or `store:PROVIDER`. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._confirmed: set[tuple[str, str]] = set()

    def confirm(self, name: str, origin: str) -> None:
        """Let a key be sent to an origin that is not its own."""
        with self._lock:
            self._confirmed |= {(name, origin)} if origin else set()

    def confirmed(self, name: str, origin: str) -> bool:
        """Has the user confirmed that the key may be sent to this origin?"""
        with self._lock:
            return (name, origin) in self._confirmed

    def own(self, name: str) -> str:
        """The origin that a key is for by its name; "" when that says nothing."""
        place, _, which = name.partition(":")
        found = provider(which) if place == "store" else provider_of_key(which)
        return found.origin if found is not None else ""


@lru_cache(maxsize=1)
def key_hosts() -> KeyHosts:
    """The only one of this process: keys belong to a process, as its environment does."""
    return KeyHosts()
