"""The connections to MCP servers: child processes, and a client of the SDK for each, all on one event loop on a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import signal
import threading
from asyncio.subprocess import Process, SubprocessStreamProtocol
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import anyio
import mcp.types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import Client, MCPError
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

from desktop_agent import __version__
from desktop_agent.extras.mcp.tools.mcp import ServerEntry
from desktop_agent.protocol.errors import DesktopAgentError, Refused
from desktop_agent.tools.base import MAX_TOLD, Response

MAX_LINE = 8_000_000
"""Bytes of one message; a server that sends a longer one is ended."""
GRACE = 1.0
"""Seconds a server has to end by itself when its stdin is closed."""
Reads = MemoryObjectReceiveStream[SessionMessage | Exception]
Writes = MemoryObjectSendStream[SessionMessage]


_MOST_TOOLS = 64
_DESCRIPTION = 200
_SCHEMA = 300
START_SECONDS = 10.0
"""Seconds a server has to start: the first turn of a run waits for it."""
_NAME = re.compile(r"[^\s{]{1,128}")
_WAY_OUT = GRACE + 3.0
_log = logging.getLogger(__name__)
T = TypeVar("T")


class McpServerDown(DesktopAgentError):
    """A server cannot be reached, or has stopped answering."""


class McpConnections:
    """All servers, from `open` to `end`."""

    def __init__(self, servers: Sequence[ServerEntry], seconds: float) -> None:
        self._servers = {each.name: _Connection(each, seconds) for each in servers}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=_serve, args=(self._loop,), name="mcp connections", daemon=True
        )

    def open(self) -> None:
        """Start every server, and wait until each is up or has failed."""
        self._thread.start()
        self._submit(_all(self._servers.values())).result()

    def call(self, server: str, tool: str, arguments: dict[str, Any]) -> Future[Response]:
        """Call a tool; the future raises McpServerDown, and cancelling it cancels the call. Raises Refused."""
        connection = self._servers.get(server)
        if connection is None:
            raise Refused(f"There is no MCP server {server}.", f"There is: {', '.join(self._servers)}.")
        return self._submit(connection.call(tool, arguments))

    def listing(self) -> str:
        """Every server and its tools, in at most MAX_TOLD characters: each server has its share."""
        share = MAX_TOLD // len(self._servers) - 1
        return "\n".join(_cut(each.listing(), share) for each in self._servers.values())

    def end(self) -> None:
        """End all servers, from any thread, without waiting."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._loop.stop)

    def wait(self) -> None:
        """Wait, after `end`, until the servers have gone: at most a few seconds."""
        self._thread.join(_WAY_OUT)

    def _submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Have the loop do the work. Raises McpServerDown when it has ended."""
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError as error:
            work.close()
            raise McpServerDown("The MCP servers were ended.", "Try again.") from error


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """The thread of the loop: when it is stopped, everything on it is cancelled and may clean up."""
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
    except Exception:  # noqa: BLE001 - the thread's boundary
        _log.exception("the MCP connections ended by an error")
    finally:
        loop.close()


async def _all(connections: Iterable[_Connection]) -> None:
    await asyncio.gather(*(each.connect() for each in connections))


class _Connection:
    """One server. Everything but `listing` runs on the loop."""

    def __init__(self, entry: ServerEntry, seconds: float) -> None:
        self._entry = entry
        self._seconds = seconds
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._tools: dict[str, types.Tool] = {}
        self._problem = "not started"

    def listing(self) -> str:
        """The server's name and its tools, or what is wrong with it."""
        if self._problem:
            return f"{self._entry.name}: {self._problem}"
        lines = [_tool_line(self._entry.name, each) for each in self._tools.values()]
        return "\n".join((f"{self._entry.name}:", *(lines or ["no tools"])))

    async def connect(self) -> None:
        """Start the server and list its tools; what goes wrong is told by `listing`."""
        await self._disconnect("not started")
        up: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._closing = asyncio.Event()
        self._task = asyncio.create_task(self._stay(up, self._closing))
        try:
            await asyncio.wait_for(asyncio.shield(up), START_SECONDS)
            self._problem = ""
        except TimeoutError:
            await self._disconnect(f"it does not answer within {START_SECONDS:g} s")
        except Exception as error:  # noqa: BLE001 - boundary: a foreign server, and the SDK's own errors
            await self._disconnect(_words(error))

    async def call(self, tool: str, arguments: dict[str, Any]) -> Response:
        """Call a tool, after starting a server that has gone. Raises McpServerDown, Refused."""
        name = self._entry.name
        if self._client is None:
            await self.connect()
        if self._client is None:
            raise McpServerDown(f"The MCP server {name} cannot be used: {self._problem}.")
        if tool not in self._tools:
            raise Refused(f"{name} has no tool {tool}.", f"It has: {', '.join(self._tools) or 'none'}.")
        try:
            return response_of(await asyncio.wait_for(self._client.call_tool(tool, arguments), self._seconds))
        except TimeoutError:
            await self._disconnect(f"it did not answer within {self._seconds:g} s, so it was ended")
        except MCPError as error:
            if error.code != types.CONNECTION_CLOSED:
                return Response("failed", _words(error))
            await self._disconnect("it ended, or said more at once than is read")
        except Exception as error:  # noqa: BLE001 - boundary: a foreign server, and the SDK's own errors
            return Response("failed", _words(error))
        raise McpServerDown(f"{name}: {self._problem}.", "It is started again by the next call.")

    async def _stay(self, up: asyncio.Future[None], closing: asyncio.Event) -> None:
        """Hold the connection open until `closing`; `up` tells when it can be used, or why not."""
        try:
            async with _client(self._entry) as client:
                self._tools = await _tools_of(client)
                self._client = client
                up.set_result(None)
                await closing.wait()
        except Exception as error:  # noqa: BLE001 - boundary: a foreign server, and the SDK's own errors
            if not up.done():
                up.set_exception(error)
        finally:
            up.cancel()

    async def _disconnect(self, problem: str) -> None:
        """End the server, if there is one; `problem` says why it is not there."""
        task, client = self._task, self._client
        self._task, self._client, self._problem = None, None, problem
        if task is None:
            return
        self._closing.set()
        if client is not None:  # else it is not up yet, and hears of nothing
            await asyncio.wait({task}, timeout=2 * GRACE)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _client(entry: ServerEntry) -> Client:
    who = types.Implementation(name="desktop-agent", version=__version__)
    if entry.url:
        return Client(entry.url, client_info=who)
    passed = {name: os.environ[name] for name in entry.env if name in os.environ}
    return Client(server_process(entry.command, get_default_environment() | passed), client_info=who)


async def _tools_of(client: Client) -> dict[str, types.Tool]:
    """The first tools that a server lists, by name."""
    listed = (await client.list_tools()).tools[:_MOST_TOOLS] if client.server_capabilities.tools else []
    return {tool.name: tool for tool in listed if _NAME.fullmatch(tool.name)}


def response_of(result: types.CallToolResult) -> Response:
    """What a tool brought, as text of at most MAX_TOLD characters."""
    parts = [_content(each) for each in result.content]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    text = _cut("\n".join(parts), MAX_TOLD)
    if result.is_error:
        return Response("failed", "The tool says that it failed.", text)
    return Response("done", "The tool has answered.", text)


def _content(block: types.ContentBlock) -> str:
    match block:
        case types.TextContent():
            return block.text
        case types.ImageContent() | types.AudioContent():
            return f"({block.mime_type}, not shown)"
        case types.ResourceLink():
            return f"({block.name}: {block.uri})"
        case types.EmbeddedResource(resource=types.TextResourceContents() as resource):
            return resource.text
    return f"({block.type}, not shown)"


def _tool_line(server: str, tool: types.Tool) -> str:
    """`server.tool {"path": string, "lines"?: integer}: what it says of itself`."""
    schema = tool.input_schema
    fields = schema.get("properties")
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    named = fields.items() if isinstance(fields, dict) else ()
    arguments = ", ".join(
        f"{json.dumps(name)}{'' if name in needed else '?'}: {_type(field)}" for name, field in named
    )
    words = _cut(" ".join((tool.description or "").split()), _DESCRIPTION)
    return f"{server}.{tool.name} {{{_cut(arguments, _SCHEMA)}}}{': ' if words else ''}{words}"


def _type(field: Any) -> str:
    if not isinstance(field, dict):
        return "any"
    if isinstance(choices := field.get("enum"), list):
        return "|".join(json.dumps(each) for each in choices[:8])
    kind = field.get("type", "any")
    return kind if isinstance(kind, str) else "any"


def _words(error: BaseException) -> str:
    """An error in few words; of a group, its first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        return f"there is no program {error.filename}"
    return _cut(f"{type(error).__name__}: {error}", _DESCRIPTION).rstrip(".")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


@asynccontextmanager
async def server_process(
    command: Sequence[str], environment: Mapping[str, str]
) -> AsyncIterator[tuple[Reads, Writes]]:
    """The streams of a server that is started and, at the end, ended. Raises OSError when it cannot be started.

    What it writes to stderr is dropped.
    """
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(MAX_LINE, loop),
        *command,
        stderr=asyncio.subprocess.DEVNULL,
        env=dict(environment),
        start_new_session=True,
    )
    process = Process(transport, protocol, loop)
    stdout, stdin = process.stdout, process.stdin
    if stdout is None or stdin is None:  # for the types: both are pipes
        raise OSError("the server has no pipes")
    said, reads = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    writes, to_say = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = [asyncio.create_task(_hear(stdout, said)), asyncio.create_task(_say(stdin, to_say))]
    try:
        yield reads, writes
    finally:
        try:
            await _end(process, stdin)
        finally:
            transport.close()  # also where what it started holds its pipes
            for task in tasks:
                task.cancel()
            for stream in (said, reads, writes, to_say):
                stream.close()


async def _hear(
    stdout: asyncio.StreamReader, said: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    """Pass on each message; the stream ends with the server, or with a message that is too long."""
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError), said:
        while line := await _line(stdout):
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError as error:
                await said.send(error)
            else:
                await said.send(SessionMessage(message))


async def _line(stdout: asyncio.StreamReader) -> bytes:
    try:
        return await stdout.readline()
    except ValueError:  # longer than MAX_LINE
        return b""


async def _say(stdin: asyncio.StreamWriter, to_say: MemoryObjectReceiveStream[SessionMessage]) -> None:
    with contextlib.suppress(OSError), to_say:
        async for each in to_say:
            line = each.message.model_dump_json(by_alias=True, exclude_unset=True)
            stdin.write(line.encode() + b"\n")
            await stdin.drain()


async def _end(process: Process, stdin: asyncio.StreamWriter) -> None:
    """Close its stdin, wait a moment, then kill it and what it has started."""
    stdin.close()
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), GRACE)
    finally:  # also when the wait is cancelled
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)  # it leads a group of its own
            else:
                process.kill()
        with contextlib.suppress(TimeoutError):  # what it started may hold its pipes
            await asyncio.wait_for(process.wait(), GRACE)
