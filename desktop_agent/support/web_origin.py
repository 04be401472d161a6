"""The origin of an address, exactly as browsers compare origins: scheme, host and port.

Source: RFC 6454 and the URL Standard (https://url.spec.whatwg.org/#origin); hosts in ASCII by UTS 46.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

_PORTS = {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443}
_PLAIN_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?\Z")
_UNFIT = re.compile(r"[\s\\\x00-\x1f\x7f]")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|\d+)\Z")


def origin_of(url: str) -> str:
    """`https://shop.example` of `https://Shop.example:443/basket?x=1`; "" for an address that has none.

    Default ports are dropped, hosts are in lower case and punycode. A file is its own origin (`file:///a/b.html`),
    so is a data address (by its hash) and a page of the browser itself (`chrome://settings`); `about:` pages have
    none, as they are whatever opened them. "" also for what browsers and people could read differently:
    a user name before the host, blanks, backslashes, a host that is no host.
    """
    if not url or _UNFIT.search(url.strip()):
        return ""
    try:
        parts = urlsplit(url.strip())
        return _origin(parts)
    except ValueError:  # a port or a bracketed host that is none
        return ""


def server_origin(address: str) -> str:
    """The origin of a server's address, as in `https://api.openai.com`, without a user's name; "" when it has none."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    origin = origin_of(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl())
    return origin if origin.startswith(("http://", "https://")) else ""


def ascii_host(host: str) -> str:
    """A host as it is compared: lower case and punycode (`xn--bcher-kva.example`); "" when it is none."""
    name = host.lower()
    if not name.isascii():
        import idna  # its tables take 10 ms, and hardly any host needs them

        try:
            name = idna.encode(name, uts46=True).decode()
        except idna.IDNAError:
            return ""
    if not _PLAIN_HOST.match(name) or ".." in name:
        return ""
    if _NUMBER.match(name.rstrip(".").rpartition(".")[2]):  # browsers read 127.1 and 0x7f000001 as addresses
        return _ipv4(name)
    return name


def _origin(parts: SplitResult) -> str:
    scheme = parts.scheme
    match scheme:
        case "" | "about":
            return ""
        case "blob" | "filesystem":
            return origin_of(parts.path)
        case "file":
            return f"file://{parts.netloc}{parts.path}"
        case "data":
            return "data:" + hashlib.sha256(parts.geturl().encode()).hexdigest()[:16]
    if "@" in parts.netloc:
        return ""
    if scheme not in _PORTS:
        return f"{scheme}://{parts.netloc}" if parts.netloc else f"{scheme}:{parts.path[:100]}"
    host = _bracketed(parts) if "[" in parts.netloc else ascii_host(parts.hostname or "")
    port = parts.port
    shown = "" if port in (None, _PORTS[scheme]) else f":{port}"
    return f"{scheme}://{host}{shown}" if host else ""


def _bracketed(parts: SplitResult) -> str:
    return f"[{ipaddress.IPv6Address(parts.hostname or '').compressed}]"


def _ipv4(name: str) -> str:
    try:
        return str(ipaddress.IPv4Address(name))
    except ValueError:
        return ""
