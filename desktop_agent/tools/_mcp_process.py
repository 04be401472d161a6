"""An MCP server as a child process: JSON-RPC lines over its stdin and stdout, bounded, and ended with its children."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import Process, SubprocessStreamProtocol
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import anyio
import mcp.types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

MAX_LINE = 8_000_000
"""Bytes of one message; a server that sends a longer one is ended."""
GRACE = 1.0
"""Seconds a server has to end by itself when its stdin is closed."""
Reads = MemoryObjectReceiveStream[SessionMessage | Exception]
Writes = MemoryObjectSendStream[SessionMessage]


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
