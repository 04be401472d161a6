"""Ways to ask a server on loopback: names, origins and tokens that are its own or somebody else's, sent as they are."""

from __future__ import annotations

import base64
import http.client
from typing import NamedTuple

METHODS = ("GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE")
WEBSOCKET = "WEBSOCKET"
SAFE = frozenset(("GET", "HEAD"))

Headers = tuple[tuple[str, str], ...]


class Part(NamedTuple):
    """One way to fill in one part of a request, and whether a page of the console's own does so."""

    headers: Headers
    own: bool
    opens: bool = True
    """May it open a WebSocket, if it is the page's own?"""


def hosts(port: int) -> list[Part]:
    """Names that it may and may not be asked by."""
    own = [f"127.0.0.1:{port}", f"localhost:{port}"]
    other = [
        f"rebound.example:{port}", "127.0.0.1", "rebound.example", f"localhost.rebound.example:{port}", f"0.0.0.0:{port}",
        f"2130706433:{port}", f"127.1:{port}", f"localhost.:{port}", f"127.0.0.1:{port + 1}", f"user@127.0.0.1:{port}", "",
    ]  # fmt: skip
    twice = [
        Part((("Host", own[0]), ("Host", f"rebound.example:{port}")), False),
        Part((("Host", "rebound.example"), ("X-Forwarded-Host", own[0])), False),
        Part((), False),
    ]
    parts = [Part((("Host", each),), each in own) for each in (own[0], *other)]
    return [*parts, Part((("Host", own[1]),), True), *twice]


def origins(port: int) -> list[Part]:
    """The page's own name is 127.0.0.1: asked for as localhost, it is another page (which is refused, or is not asked)."""
    other = [
        "http://rebound.example", "null", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1:{port}",
        f"http://127.0.0.1:{port}.rebound.example", "http://127.0.0.1", "file://", "",
    ]  # fmt: skip
    return [
        Part((), True, opens=False),
        *(Part((("Origin", each),), False) for each in other),
        Part((("Sec-Fetch-Site", "cross-site"),), False),
        Part((("Origin", f"http://127.0.0.1:{port}"), ("Origin", "http://rebound.example")), False),
    ]


def tokens(token: str, method: str) -> list[Part]:
    """The token, and what is not it."""
    other = ["", token[:-1], token + "0", token[::-1], "0" * len(token)]
    if method == WEBSOCKET:
        name = "Sec-WebSocket-Protocol"
        parts = [Part(((name, f"desktop-agent, token.{token}"),), True)]
        parts += [Part(((name, f"desktop-agent, token.{each}"),), False) for each in other if each]
        wrong = ["desktop-agent", f"token.{token}", f"desktop-agent, token.{token}, token.{token}"]
        return [*parts, *(Part(((name, each),), False) for each in wrong), Part((), False)]
    name = "Authorization"
    parts = [Part(((name, f"Bearer {token}"),), True), Part((), False)]
    parts += [Part(((name, f"Bearer {each}"),), False) for each in other]
    elsewhere = [(name, token), (name, f"Basic {token}"), ("Cookie", f"token={token}"), ("X-Token", token)]
    parts += [Part((each,), False) for each in elsewhere]
    return [*parts, Part(((name, f"Bearer {token}"), (name, f"Bearer {token}")), False)]


class Asking:
    """Connections to one port, one after the other."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def __enter__(self) -> Asking:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def status(self, method: str, path: str, headers: Headers, body: bytes = b"{}") -> int:
        """What it is answered with; 0 where the connection is closed without a word."""
        opens = method == WEBSOCKET
        connection = self._connection
        body = b"" if opens or method in SAFE else body
        try:
            connection.putrequest("GET" if opens else method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in (*headers, *(_upgrade() if opens else _content(body, headers))):
                connection.putheader(name, value)
            connection.endheaders(body or None)
            answer = connection.getresponse()
            status = answer.status
            if status == 101:
                connection.close()
            else:
                answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            return 0
        return status


def _content(body: bytes, headers: Headers) -> Headers:
    """What belongs to a body, unless it is given already."""
    usual = (("Content-Type", "application/json"), ("Content-Length", str(len(body)))) if body else ()
    return tuple(each for each in usual if each[0] not in dict(headers))


def _upgrade() -> Headers:
    key = base64.b64encode(bytes(16)).decode()
    return (("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", key))  # fmt: skip
