"""Which servers may be reached: names, names below a name, addresses and ranges of addresses, each with its ports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from desktop_agent.protocol.errors import ConfigError

IpAddress: TypeAlias = IPv4Address | IPv6Address

WEB = frozenset((80, 443))
"""The ports of an entry that names none."""
_ENTRY = re.compile(r"(?P<host>\[[^\]]+\]|[^\[\]:]+)(?::(?P<port>\d{1,5}))?")
_NAME = re.compile(
    r"(?:\*\.)?(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?"
)
"""A name's last part begins with a letter: what looks like a number is read as an address by some programs."""
_CARRIES_V4 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("2002::/16"), ip_network("2001::/32"), ip_network("::/96"))  # fmt: skip
"""Addresses of version 6 that stand for one of version 4, which may be any."""
_ADVICE = (
    "Write a name (example.org, *.example.org for those below it) or an address (192.0.2.7, 10.0.0.0/8, [2001:db8::1]), "
    "and a port after a colon where it is not 80 or 443."
)


@dataclass(frozen=True)
class _Entry:
    ports: frozenset[int]
    name: str = ""
    below: bool = False
    network: IPv4Network | IPv6Network | None = None

    def names(self, host: str) -> bool:
        if self.below:
            return host.endswith("." + self.name)
        return bool(self.name) and host == self.name

    def covers(self, address: IpAddress) -> bool:
        return self.network is not None and address in self.network


class AllowList:
    """What may be reached. A name never leads to an address of this computer or a private network: those are listed themselves."""

    def __init__(self, entries: Iterable[str]) -> None:
        """Raises ConfigError for an entry that is none."""
        self.entries = tuple(entries)
        self._entries = tuple(_entry(each) for each in self.entries)

    def names(self, host: str, port: int) -> bool:
        """May something by this name, or at this address, be reached at this port?"""
        if (address := _address(host)) is not None:
            return self._covers(address, port)
        name = _plain(host)
        return bool(_NAME.fullmatch(name)) and any(
            port in each.ports and each.names(name) for each in self._entries
        )

    def reaches(self, host: str, port: int, found: str) -> bool:
        """May it be reached at this address, to which its name leads?"""
        address = _address(found)
        if address is None or not self.names(host, port):
            return False
        return self._covers(address, port) or (_address(host) is None and _is_public(address))

    def _covers(self, address: IpAddress, port: int) -> bool:
        return any(port in each.ports and each.covers(address) for each in self._entries)


def _entry(text: str) -> _Entry:
    given = _ENTRY.fullmatch(text.strip())
    if given is None:
        raise _no_entry(text)
    host, port = given["host"].strip("[]"), given["port"]
    if port is not None and not 0 < int(port) < 1 << 16:
        raise _no_entry(text)
    ports = WEB if port is None else frozenset((int(port),))
    try:
        return _Entry(ports, network=ip_network(host))
    except ValueError:
        name = _plain(host)
        if given["host"] != host or not _NAME.fullmatch(name):
            raise _no_entry(text) from None
    return _Entry(ports, name.removeprefix("*."), name.startswith("*."))


def _no_entry(text: str) -> ConfigError:
    return ConfigError(f"{text!r} names nothing in a network.", _ADVICE)


def _plain(host: str) -> str:
    """A name as it is compared: in the letters of the domain name system, small, without the dot of the root."""
    try:
        return host.encode("idna").decode("ascii").lower().removesuffix(".")
    except UnicodeError:
        return ""


def _address(host: str) -> IpAddress | None:
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _is_public(address: IpAddress) -> bool:
    if address.version == 6 and any(address in each for each in _CARRIES_V4):
        return False
    return address.is_global and not address.is_multicast
