"""A record for each provider of models: its server, the names of its keys, its Python package.

A model's module says it in one record, `PROVIDER = Provider(…)`; whatever else names a provider reads it from here: the
hosts that a key may be sent to, the first page, the doctor, a failure's report.
"""

from __future__ import annotations

import threading
from functools import lru_cache

import msgspec

from desktop_agent.support import plugins
from desktop_agent.support.web_origin import server_origin

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """Whoever answers for a model: `name` as in `agent.model` and in `[llm.NAME]`, `label` for people.

    `address` is where its own server is asked, and `address_variable` the environment variable by which its users name
    another. A key found as `NAME_API_KEY` or in the key store is for `address` alone; one that begins with `key_prefix`
    can be pasted on the first page. `package` is the Python package that it is asked through.
    """

    name: str
    label: str
    address: str
    address_variable: str = ""
    key_prefix: str = ""
    package: str = ""

    @property
    def origin(self) -> str:
        """The origin of its server, as in `https://api.openai.com`."""
        return server_origin(self.address)


def key_variable(provider: str) -> str:
    """The environment variable in which a provider's key is looked for."""
    return f"{provider.upper()}_API_KEY"


def provider(name: str) -> Provider | None:
    """The provider of that name; None where no model has one. Raises ConfigError: with what is wrong with its module."""
    return _said_by(name, plugins.find("llm", name))


def provider_of_key(variable: str) -> Provider | None:
    """The provider whose key is looked for in this environment variable; None for any other variable."""
    name = variable.removesuffix("_API_KEY").lower()
    return provider(name) if key_variable(name) == variable else None


def providers() -> tuple[Provider, ...]:
    """All of them, sorted by name."""
    found = (_said_by(each.name, each.module) for each in plugins.discover("llm"))
    return tuple(each for each in found if each is not None)


def provider_packages() -> tuple[str, ...]:
    """The Python packages that the providers are asked through, sorted, each once."""
    return tuple(sorted({each.package for each in providers() if each.package}))


def _said_by(name: str, module: object) -> Provider | None:
    """The record of the plug-in `name`; none that says another name than its own, whose key it would claim."""
    said = getattr(module, "PROVIDER", None)
    return said if isinstance(said, Provider) and said.name == name else None


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
