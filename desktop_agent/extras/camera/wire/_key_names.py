"""What a key is called on a wire: its name over HTTP, its usage id over USB."""

from __future__ import annotations

import tomllib
from functools import cache

import msgspec

from desktop_agent.protocol import keys
from desktop_agent.protocol.errors import Refused
from desktop_agent.support import resources


class NamedKey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key's name over HTTP ("" for none) and its usage id of HID page 7 (0 for none)."""

    http: str = ""
    usage: int = 0


@cache
def named_keys() -> dict[str, NamedKey]:
    """The keys with a name of their own, by the names of protocol/keys."""
    table = tomllib.loads(resources.text("wire", "keys.toml"))
    return msgspec.convert(table, dict[str, NamedKey])


def usage_of(key: str) -> int:
    """The usage id of a key with a name. Raises Refused where a USB keyboard has none."""
    found = named_keys().get(key)
    if found is None or not found.usage:
        raise no_key(key, "a USB keyboard")
    return found.usage


def http_name_of(key: str) -> str:
    """What a key is called in a request; a character stands for itself. Raises Refused for one without a name."""
    name = keys.canonical(key)
    if len(name) == 1:
        return name
    found = named_keys().get(name)
    if found is None or not found.http:
        raise no_key(name, "a keyboard over HTTP")
    return found.http


def no_key(key: str, keyboard: str) -> Refused:
    return Refused(f"There is no key called {key!r} on {keyboard}.", "Use another key.")
