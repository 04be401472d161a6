"""Tells which part of a host somebody registered: `evil.example` in `shop.example.evil.example`.

By the Public Suffix List (https://publicsuffix.org), as browsers mark it in their address bars: everything to
the left of that part can be named at will by whoever owns it.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from desktop_agent.support.web_origin import ascii_host

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_WITH_SCHEME = re.compile(r"(?i)[a-z][a-z0-9+.-]{0,20}://([^\s/?#\\<>\"'`|]*)")
_MAIL = re.compile(r"[^\s@<>\"'`,;:/()]+@([\w.-]+)")
_BARE = re.compile(r"(?:[\w-]+\.)+[\w-]{2,}")
_PORT = re.compile(r":\d*\Z")


class NamedHost(NamedTuple):
    """A host that a text names: as compared (ASCII), the part of it that was registered, and as it stands there.

    `host` is "" where it is no host that a browser would take.
    """

    host: str
    registered: str
    written: str


def registrable(host: str) -> str:
    """The end of an ASCII host that somebody registered; the whole of an address or of a host without dots.

    >>> registrable("shop.example.co.uk.evil.example")
    'evil.example'
    """
    try:
        ipaddress.ip_address(host.strip("[]"))
        return host
    except ValueError:
        return _suffixes().privatesuffix(host.rstrip(".")) or host


def hosts_in(text: str, *, bare: bool = False) -> tuple[NamedHost, ...]:
    """The hosts that a text names, each once: of addresses, of recipients, with `bare` also on their own."""
    return tuple(dict.fromkeys(_named(written) for written in _written(text, bare) if written))


def _written(text: str, bare: bool) -> Iterator[str]:
    for found in _WITH_SCHEME.finditer(text):
        yield _PORT.sub("", found[1].rpartition("@")[2])  # what stands before an @ is a user's name
    for found in _MAIL.finditer(_WITH_SCHEME.sub(" ", text)):
        yield found[1].strip(".-")
    if bare:
        rest = _MAIL.sub(" ", _WITH_SCHEME.sub(" ", text))
        yield from (found[0] for found in _BARE.finditer(rest))


def _named(written: str) -> NamedHost:
    host = written.lower() if written.startswith("[") else ascii_host(written)
    return NamedHost(host, registrable(host) if host else "", written)


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList  # its list takes 50 ms to read

    return PublicSuffixList()
