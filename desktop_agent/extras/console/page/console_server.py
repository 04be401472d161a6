"""Serves the console on this computer alone, and the screens of the agents at ports of their own."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from desktop_agent.extras.console.agents.roster import Roster
from desktop_agent.extras.console.page.changes import Changes
from desktop_agent.extras.console.page.console_app import create_app
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError
from desktop_agent.support.loopback_access import Access, new_token

HOST = "127.0.0.1"
LARGEST_MESSAGE = 1 << 20
END_SECONDS = 5
_PIECE = 1 << 16
_log = logging.getLogger(__name__)


class Console:
    """The console of a roster, bound to its port when it is made; `address` is what a browser is to open, with the token.

    Raises ConfigError where the port cannot be had.
    """

    def __init__(self, roster: Roster, port: int = 0) -> None:
        self._roster = roster
        self._socket = _bound(port)
        self.port: int = self._socket.getsockname()[1]
        self.token = new_token()
        self._ports = _ScreenPorts(roster, self.port)
        self._changes = Changes(roster)
        app = create_app(roster, self._changes, self._ports.look_again)
        self._control = app.state.control
        self._access = access = Access(app, self.token, self.port, lambda: self._ports.open)
        self._server = uvicorn.Server(
            uvicorn.Config(
                access,
                log_level="warning",
                access_log=False,
                lifespan="on",
                ws="websockets-sansio",
                ws_max_size=LARGEST_MESSAGE,
                ws_per_message_deflate=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                limit_concurrency=256,
                h11_max_incomplete_event_size=32 * 1024,
                timeout_graceful_shutdown=END_SECONDS,
            )
        )

    @property
    def address(self) -> str:
        """With the token behind #, which no browser sends anywhere."""
        return f"http://{HOST}:{self.port}/#token={self.token}"

    def serve(self, ready: Callable[[], None] = lambda: None) -> None:
        """Until `end`, or until the process is asked to end."""
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: Callable[[], None]) -> None:
        ports = asyncio.create_task(self._ports.keep())
        serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.005)
        ready()
        try:
            await serving
        finally:
            ports.cancel()
            with suppress(asyncio.CancelledError):
                await ports

    def end(self) -> None:
        """From any thread: serve no more."""
        self._server.should_exit = True


class _ScreenPorts:
    """The port of each agent, at which its screen is: what comes there is passed to the console, which checks it like all else."""

    def __init__(self, roster: Roster, port: int) -> None:
        self._roster, self._port = roster, port
        self.open: tuple[int, ...] = ()
        self._changed: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def look_again(self) -> None:
        """The list of agents has changed. From any thread."""
        if self._loop is not None and self._changed is not None:
            self._loop.call_soon_threadsafe(self._changed.set)

    async def keep(self) -> None:
        """Have the ports of all agents open, and no others, until it is cancelled."""
        self._loop, self._changed = asyncio.get_running_loop(), asyncio.Event()
        servers: dict[int, asyncio.Server] = {}
        try:
            while True:
                wanted = set(await asyncio.to_thread(self._wanted))
                for port in wanted - servers.keys():
                    try:
                        servers[port] = await asyncio.start_server(self._forward, HOST, port)
                    except OSError as error:
                        _log.warning("The screen at port %d is in the page alone: %s", port, error)
                for port in servers.keys() - wanted:
                    servers.pop(port).close()
                self.open = tuple(servers)
                await self._changed.wait()
                self._changed.clear()
        finally:
            for server in servers.values():
                server.close()

    def _wanted(self) -> list[int]:
        try:
            return [each.novnc_port for each in self._roster.agents()]
        except DesktopAgentError:
            return []

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(HOST, self._port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_copy(reader, back), _copy(there, writer), return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(_PIECE):
            writer.write(piece)
            await writer.drain()
    finally:
        writer.close()


def _bound(port: int) -> socket.socket:
    found = socket.socket(
        socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )  # asyncio sends at once only then
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((HOST, port))
    except OSError as error:
        found.close()
        raise ConfigError(
            f"The console cannot have the port {port}: {error.strerror}.",
            "Choose another: --port 0 takes any that is free.",
        ) from error
    return found
