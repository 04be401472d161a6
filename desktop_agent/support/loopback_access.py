"""Who may ask a server of ours on this computer anything: checked for every request and WebSocket, before anything else sees it.

What holds nothing (the console's page and its scripts) is given to whoever asks from this computer by a name that is the
server's own; all else needs the token. A page of somebody else's that a browser here shows can send requests, but gets no
token, names another origin, and another host where it rebinds its name (DNS rebinding).
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import time
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Send: TypeAlias = Callable[[dict[str, Any]], Any]
Receive: TypeAlias = Callable[[], Any]

LARGEST_BODY = 256 * 1024
PROTOCOL = "desktop-agent"
"""The WebSocket subprotocol that is spoken; beside it a client offers `token.` with the token, which no address then holds."""
TOKEN_PROTOCOL = "token."  # noqa: S105 - the beginning of one
API = "/api/"
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""By which a server that listens on this computer alone may be asked."""
REQUESTS, REFUSALS = 200.0, 50.0
"""So many requests a second are answered, and so many of those without a right to it are told so."""
_JSON = re.compile(r"application/json(?:\s*;\s*charset=(?:utf-8|\"utf-8\"))?\Z", re.IGNORECASE)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' {sockets}; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


def new_token() -> str:
    """256 bits as hexadecimal digits."""
    return secrets.token_hex(32)


@dataclass
class Allowance:
    """So many a second, and as many at once."""

    rate: float
    clock: Callable[[], float] = time.monotonic
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left, self._at = self.rate, self.clock()

    def take(self) -> bool:
        """Is there one left?"""
        now = self.clock()
        self._left = min(self.rate, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Refusal(Exception):
    """A request is not answered: the HTTP status, and why in words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class Access:
    """An ASGI application around another: lets through what may pass, with the headers that browsers are to keep to.

    `port` is the server's, `screen_ports()` are those at which only the screens of agents are (see `forwarding`).
    `guarded` tells of a path whether the token is asked for, which is "" where none is; `is_own_name` of a name of this
    computer, without the port, whether it may be asked by it. `requests` may be asked in a second (None: REQUESTS), a body
    may have `largest_body` bytes.
    """

    def __init__(
        self,
        app: Callable[..., Any],
        token: str,
        port: int,
        screen_ports: Callable[[], Iterable[int]] = tuple,
        *,
        guarded: Callable[[str], bool] = lambda path: path.startswith(API),
        is_own_name: Callable[[str], bool] = lambda name: name in LOOPBACK_NAMES,
        requests: float | None = None,
        largest_body: int = LARGEST_BODY,
    ) -> None:
        self._app = app
        self._token = token.encode()
        self._port = port
        self._screen_ports = screen_ports
        self._guarded = guarded
        self._is_own_name = is_own_name
        self._largest_body = largest_body
        self._requests = Allowance(REQUESTS if requests is None else requests)
        self._refusals = Allowance(REFUSALS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            host = self._checked(scope)
        except Refusal as refusal:
            told = refusal if self._refusals.take() else Refusal(429, "Too many requests.")
            await _refuse(scope, send, told)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        await self._app(scope, _Bounded(receive, self._largest_body), _with_headers(send, host))

    def _checked(self, scope: Scope) -> str:
        """The host that the request names, if it may pass. Raises Refusal."""
        host, port = self._host(scope)
        self._check_origin(scope, host)
        path = str(scope.get("path", ""))
        if port != self._port and not (scope["type"] == "websocket" and path == "/"):
            raise Refusal(404, "At this port there is a screen alone.")
        scope.setdefault("state", {})["port"] = port
        if scope["type"] == "websocket" or self._guarded(path):
            if self._token:
                self._check_token(scope)
            if not self._requests.take():  # after the token: nobody without it can use them up
                raise Refusal(429, "Too many requests.")
        if scope["type"] == "http" and scope["method"] in ("POST", "PUT", "PATCH", "DELETE"):
            _check_body(scope, self._largest_body)
        return host

    def _host(self, scope: Scope) -> tuple[str, int]:
        host = _only(scope, b"host")
        found = re.fullmatch(r"([A-Za-z0-9.-]{1,255}|\[[0-9a-f:.]{2,45}\]):(\d{1,5})", host)
        ports = (self._port, *self._screen_ports())
        if found is None or not self._is_own_name(found[1]) or int(found[2]) not in ports:
            raise Refusal(421, "This is asked for under another name than the server's.")
        return host, int(found[2])

    @staticmethod
    def _check_origin(scope: Scope, host: str) -> None:
        origins = _all(scope, b"origin")
        if not origins and scope["type"] == "websocket":
            raise Refusal(403, "A WebSocket says which page opened it.")
        if origins and origins != [f"http://{host}"]:
            raise Refusal(403, "Another page asks for this.")
        if any(each not in ("same-origin", "none") for each in _all(scope, b"sec-fetch-site")):
            raise Refusal(403, "Another page asks for this.")

    def _check_token(self, scope: Scope) -> None:
        given = _all(scope, b"authorization")
        if scope["type"] == "websocket":
            offered = [str(each) for each in scope.get("subprotocols", ())]
            given = [
                f"Bearer {each.removeprefix(TOKEN_PROTOCOL)}"
                for each in offered
                if each.startswith(TOKEN_PROTOCOL)
            ]
            if PROTOCOL not in offered:
                raise Refusal(403, "This WebSocket speaks another protocol.")
        if len(given) != 1 or not given[0].startswith("Bearer "):
            raise Refusal(401, "There is no token.")
        if not hmac.compare_digest(given[0].removeprefix("Bearer ").encode(), self._token):
            raise Refusal(401, "This is not the token.")


def _check_body(scope: Scope, largest: int) -> None:
    kinds = _all(scope, b"content-type")
    if len(kinds) != 1 or not _JSON.match(kinds[0]):
        raise Refusal(415, "Send JSON: Content-Type: application/json.")
    sizes = _all(scope, b"content-length")
    if len(sizes) > 1 or (sizes and (not sizes[0].isdecimal() or int(sizes[0]) > largest)):
        raise Refusal(413, f"At most {largest} bytes are taken.")


def _all(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope.get("headers", ()) if key == name]


def _only(scope: Scope, name: bytes) -> str:
    found = _all(scope, name)
    if len(found) != 1:
        raise Refusal(400, f"There must be one {name.decode()}.")
    return found[0]


class _Bounded:
    """What is received, which ends with an error once it is too large: a length that was not told does not help."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self._receive = receive
        self._left = largest

    async def __call__(self) -> dict[str, Any]:
        message: dict[str, Any] = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            return {"type": "http.disconnect"}
        return message


def _with_headers(send: Send, host: str) -> Send:
    policy = _POLICY.format(sockets=f"ws://{host}")

    async def passing(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            more = [
                (key.encode(), value.encode())
                for key, value in (*_HEADERS.items(), ("content-security-policy", policy))
            ]
            kept = [
                (key, value)
                for key, value in message.get("headers", ())
                if key.decode().lower() not in _HEADERS
            ]
            message = {**message, "headers": [*kept, *more]}
        await send(message)

    return passing


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": str(refusal)})
        return
    body = json.dumps({"error": str(refusal)}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
