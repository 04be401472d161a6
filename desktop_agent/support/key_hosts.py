"""Binds API keys to the hosts they were given for: to any other one a key is not sent."""

from __future__ import annotations

import threading
from functools import lru_cache
from urllib.parse import urlsplit

from desktop_agent.support.web_origin import origin_of

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
OWN: dict[str, tuple[str, str]] = {
    "openai": ("OPENAI_API_KEY", "https://api.openai.com"),
    "anthropic": ("ANTHROPIC_API_KEY", "https://api.anthropic.com"),
}
"""Provider → the variable of its key, and the origin that key is for."""


def server_origin(address: str) -> str:
    """The origin of a server's address, as in `https://api.openai.com`, without a user's name; "" when it has none."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    origin = origin_of(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl())
    return origin if origin.startswith(("http://", "https://")) else ""


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
        if place == "store":
            return OWN.get(which, ("", ""))[1]
        return next((origin for variable, origin in OWN.values() if variable == which), "")


@lru_cache(maxsize=1)
def key_hosts() -> KeyHosts:
    """The only one of this process: keys belong to a process, as its environment does."""
    return KeyHosts()
