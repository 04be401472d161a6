"""An HTTP proxy on a Unix socket that lets through what is on a list: all that a sandbox without a network reaches of one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import h11

from desktop_agent.platforms.allowed_network.allow_list import AllowList

PROXIES = {
    name: value
    for names, value in (
        (("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:3128"),
        (("no_proxy", "NO_PROXY"), "localhost,127.0.0.1,::1"),
    )
    for name in names
}
"""Variables by which programs in a sandbox find the way out: the door in it (assets/sandbox/network-door) that leads to the gate."""
CONNECTIONS = 128
CONNECT_SECONDS, QUIET_SECONDS = 10.0, 300.0
_HEAD_BYTES, _PIECE = 16 * 1024, 64 * 1024
_OF_THIS_HOP = frozenset((b"connection", b"proxy-connection", b"proxy-authorization", b"keep-alive", b"te", b"trailer", b"upgrade", b"host"))  # fmt: skip
_NO_REQUEST = "This is no request to a proxy."
_log = logging.getLogger(__name__)


class _Unreachable(Exception):
    """What was asked for is not reached; `status` is HTTP's."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


@dataclass(eq=False)
class _Passage:
    """One connection from the sandbox, and the one to a server that it goes on to."""

    near: asyncio.StreamWriter
    far: asyncio.StreamWriter | None = None
    reached: tuple[str, int, str] | None = None

    def end(self) -> None:
        for each in (self.near, self.far):
            if each is not None:
                each.transport.abort()


class NetworkGate:
    """Serves from when it is made until `close`, in a thread of its own. Raises OSError when the socket cannot be made.

    A name is looked up here and what is found is what is connected to, so a name that leads elsewhere the next moment gains nothing.
    One request for one connection: a redirect is a new one, and checked like the first.
    """

    def __init__(self, place: Path, allowed: AllowList) -> None:
        self._allowed = allowed
        self._open: set[_Passage] = set()
        self._listener = socket.socket(socket.AF_UNIX)
        try:
            self._listener.bind(str(place))
            place.chmod(0o666)
            self._listener.listen(CONNECTIONS)
        except OSError:
            self._listener.close()
            raise
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="network gate", daemon=True)
        self._thread.start()

    def allow(self, allowed: AllowList) -> None:
        """From now on only this is let through; connections to anything else are closed."""
        self._loop.call_soon_threadsafe(self._take, allowed)

    def close(self) -> None:
        """End it and all that goes through it; safe to call twice."""
        with contextlib.suppress(RuntimeError):  # it is closed
            self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()

    def _take(self, allowed: AllowList) -> None:
        self._allowed = allowed
        for each in self._open:
            if each.reached is not None and not allowed.reaches(*each.reached):
                each.end()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_unix_server(
            self._take_in, sock=self._listener, backlog=CONNECTIONS, limit=_PIECE
        )
        async with server:
            await self._ended.wait()
            for each in self._open:
                each.end()

    async def _take_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        passage = _Passage(writer)
        try:
            if len(self._open) < CONNECTIONS:
                self._open.add(passage)
                await self._answer(passage, reader)
        except (OSError, TimeoutError, h11.ProtocolError) as error:
            _log.debug("A connection through the gate ended: %r", error)
        finally:
            self._open.discard(passage)
            writer.close()

    async def _answer(self, passage: _Passage, reader: asyncio.StreamReader) -> None:
        try:
            await self._pass(passage, reader)
        except h11.RemoteProtocolError as error:
            passage.near.write(_refusal(error.error_status_hint, _NO_REQUEST))
        except _Unreachable as error:
            _log.info("The sandbox's way to the network: %s", error)
            passage.near.write(_refusal(error.status, str(error)))
        await passage.near.drain()

    async def _pass(self, passage: _Passage, reader: asyncio.StreamReader) -> None:
        asked = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD_BYTES)
        request = await _next(asked, reader)
        if not isinstance(request, h11.Request):
            return
        host, port, path = _target(request)
        far_reader, passage.far, address = await self._connected(host, port)
        passage.reached = (host, port, address)
        if not self._allowed.reaches(host, port, address):
            passage.far.close()
            raise _Unreachable(403, "The list was made shorter meanwhile.")
        with contextlib.closing(passage.far):
            async with asyncio.timeout(QUIET_SECONDS) as clock:
                if request.method == b"CONNECT":
                    passage.near.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    passage.far.write(asked.trailing_data[0])
                    sending = _copied(reader, passage.far, clock)
                else:
                    sending = _sent(asked, request, path, reader, passage.far)
                await _both(sending, _copied(far_reader, passage.near, clock))

    async def _connected(
        self, host: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, str]:
        allowed = self._allowed
        if not allowed.names(host, port):
            raise _Unreachable(403, f"{host}:{port} is not on the list of what may be reached.")
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                found = await self._loop.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        except (OSError, TimeoutError, UnicodeError) as error:
            raise _Unreachable(502, f"{host} is not found: {error}") from error
        addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
        reachable = [each for each in addresses if allowed.reaches(host, port, each)]
        if not reachable:
            raise _Unreachable(403, f"{host} leads to {addresses[0]}, which is not on the list itself.")
        failed: Exception | None = None
        for address in reachable:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    return *(await asyncio.open_connection(address, port, limit=_PIECE)), address
            except (OSError, TimeoutError) as error:
                failed = error
        raise _Unreachable(502, f"{host}:{port} does not answer: {failed}")


def _target(request: h11.Request) -> tuple[str, int, bytes]:
    """The host, port and path that a request to a proxy names. Raises _Unreachable where it names none."""
    text = request.target.decode("ascii", "replace")
    try:
        if request.method == b"CONNECT":
            parts = urlsplit(f"//{text}")
            port = parts.port
        else:
            parts = urlsplit(text)
            port = parts.port or 80
            if parts.scheme != "http":
                raise ValueError
        if not parts.hostname or not port or parts.username is not None:
            raise ValueError
    except ValueError:
        raise _Unreachable(400, _NO_REQUEST) from None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.hostname, port, path.encode("ascii")


async def _next(asked: h11.Connection, reader: asyncio.StreamReader) -> object:
    while True:
        event = asked.next_event()
        if event is not h11.NEED_DATA:
            return event
        async with asyncio.timeout(QUIET_SECONDS):
            asked.receive_data(await reader.read(_PIECE))


async def _sent(
    asked: h11.Connection,
    request: h11.Request,
    path: bytes,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """Send this one request on, to the host that its address names whatever else it says, and its body."""
    far = h11.Connection(h11.CLIENT)
    authority = urlsplit(request.target.decode("ascii")).netloc.encode()
    kept = [(name, value) for name, value in request.headers if name not in _OF_THIS_HOP]
    headers = [(b"host", authority), *kept, (b"connection", b"close")]
    writer.write(far.send(h11.Request(method=request.method, target=path, headers=headers)) or b"")
    while True:
        event = await _next(asked, reader)
        if isinstance(event, h11.Data):
            writer.write(far.send(h11.Data(data=bytes(event.data))) or b"")
            await writer.drain()
        elif isinstance(event, h11.EndOfMessage):
            writer.write(far.send(h11.EndOfMessage()) or b"")
            return await writer.drain()
        else:
            return None


async def _copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, clock: asyncio.Timeout) -> None:
    """Pass on what comes until it ends; each piece sets the clock back."""
    while piece := await reader.read(_PIECE):
        clock.reschedule(asyncio.get_running_loop().time() + QUIET_SECONDS)
        writer.write(piece)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()


async def _both(*ways: Coroutine[None, None, None]) -> None:
    """Until both have ended, or one of them failed."""
    tasks = [asyncio.create_task(each) for each in ways]
    try:
        await asyncio.gather(*tasks)
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _refusal(status: int, words: str) -> bytes:
    body = f"{words}\n".encode()
    head = (
        f"HTTP/1.1 {status} Refused\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
