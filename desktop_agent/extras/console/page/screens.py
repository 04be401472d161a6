"""Passes the screen of an agent on to a browser: between its WebSocket and the VNC server that the roster names.

Where that is, is the roster's word alone: no address, port or path comes from the browser.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from fastapi import WebSocket, WebSocketDisconnect

from desktop_agent.extras.console.page.viewing_only import ClientMessages, Unknown
from desktop_agent.platforms.posix import unix_sockets
from desktop_agent.platforms.vnc_server import VncServer

CONNECT_SECONDS = 5.0
_PIECE = 1 << 16
NO_SCREEN, ENDED, NONSENSE = 4404, 4410, 4400
"""Codes with which the WebSocket is closed: there is no screen now, the server has ended it, the browser sent nonsense."""


async def pass_on(socket: WebSocket, server: VncServer, messages: ClientMessages) -> None:
    """Until either side ends; the WebSocket is accepted and is closed afterwards."""
    try:
        reader, writer = await asyncio.wait_for(_connected(server), CONNECT_SECONDS)
    except (OSError, TimeoutError):
        await socket.close(NO_SCREEN, "There is no screen now.")
        return
    try:
        sides = {
            asyncio.create_task(_to_browser(reader, socket)),
            asyncio.create_task(_to_server(socket, writer, messages)),
        }
        done, left = await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
        for each in left:
            each.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        nonsense = any(isinstance(each.exception(), Unknown) for each in done)
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(NONSENSE if nonsense else ENDED)
    finally:
        writer.close()


async def _connected(server: VncServer) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if not server.socket:
        return await asyncio.open_connection(server.host, server.port)
    connected = await asyncio.to_thread(unix_sockets.connect, server.socket, CONNECT_SECONDS)
    connected.setblocking(False)
    return await asyncio.open_unix_connection(sock=connected)


async def _to_browser(reader: asyncio.StreamReader, socket: WebSocket) -> None:
    while piece := await reader.read(_PIECE):
        await socket.send_bytes(piece)


async def _to_server(socket: WebSocket, writer: asyncio.StreamWriter, messages: ClientMessages) -> None:
    with suppress(WebSocketDisconnect):
        while True:
            if passed := messages.passed(await socket.receive_bytes()):
                writer.write(passed)
                await writer.drain()
