"""Tools of the MCP servers that the config names, as an environment: a command is `SERVER.TOOL {arguments}`.

Whatever a server says is untrusted, the descriptions of its tools too. Needs the extra `mcp`.
"""

from __future__ import annotations

import json
import re
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import msgspec

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError, Refused
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import optional_package
from desktop_agent.tools.base import Environment, Response

if TYPE_CHECKING:
    from desktop_agent.extras.mcp.tools._mcp_connections import McpConnections

_COMMAND = re.compile(r"([a-z][a-z0-9_-]*)\.([^\s{]{1,128})\s*(\{.*\})?\s*", re.S)
_NONE = "No server is named in [environment.mcp]."
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class ServerEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One server: `command` starts it, and it gets a few harmless variables and those that `env` names; or `url` has it.

    `url` is https, or http on this computer.
    """

    name: Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_-]{0,31}\\Z")]
    command: tuple[str, ...] = ()
    env: tuple[Annotated[str, msgspec.Meta(pattern="^[A-Za-z_][A-Za-z0-9_]*\\Z")], ...] = ()
    url: str = ""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[environment.mcp]`: the servers, and how many seconds one may take for an answer.

    A model that speaks one of the dialects in `withheld` is offered no tool.
    """

    servers: tuple[ServerEntry, ...] = ()
    seconds: Annotated[float, msgspec.Meta(gt=0, le=600)] = 45.0
    withheld: tuple[str, ...] = ("func_tags",)


def create(options: Options) -> Environment:
    """The servers' tools; none is started. Raises ConfigError."""
    if options.servers:
        optional_package.require("mcp", "the environment mcp")
    if len({each.name for each in options.servers}) < len(options.servers):
        raise ConfigError("Two MCP servers have the same name.", "See `servers` in [environment.mcp].")
    for each in options.servers:
        if bool(each.command) == bool(each.url):
            raise ConfigError(
                f"The MCP server {each.name} has neither a command nor a url, or both.",
                "Give it one of them.",
            )
        if each.url and not _may_be_asked(each.url):
            raise ConfigError(
                f"{each.url!r} of the MCP server {each.name} is no address for it.",
                "Use https, or http on this computer, and no user name.",
            )
    return McpTools(options)


class McpTools(Environment):
    """The tools of all servers; the servers run from the first use to the end of the program."""

    name = "mcp"
    operations = frozenset(("run",))

    def __init__(self, options: Options) -> None:
        self._options = options
        self._connections: McpConnections | None = None

    def offered_to(self, dialect: str) -> bool:
        return dialect not in self._options.withheld

    def start(self) -> None:
        if not self._options.servers or self._connections is not None:
            return
        from desktop_agent.extras.mcp.tools._mcp_connections import McpConnections  # the SDK, on first use

        self._connections = connections = McpConnections(self._options.servers, self._options.seconds)
        connections.open()

    def execute(self, op: Op, stop: StopFlag) -> Response:
        stop.check()
        connections = self._connections
        if not isinstance(op, ops.Run):
            return Response("refused", "This environment runs tools of MCP servers alone.")
        if connections is None:
            return Response("refused", _NONE)
        try:
            return connections.call(*parse(op.command)).result()
        except Refused as refused:
            return Response("refused", str(refused))
        except DesktopAgentError as error:
            return Response("failed", str(error))
        except CancelledError:
            stop.check()
            return Response("failed", "The server was ended meanwhile.")

    def screen(self) -> str:
        """Each server with its tools and their arguments, or why it has none."""
        connections = self._connections
        return connections.listing() if connections is not None else _NONE

    def stop(self) -> None:
        self._end()

    def close(self) -> None:
        if (ended := self._end()) is not None:
            ended.wait()

    def _end(self) -> McpConnections | None:
        connections, self._connections = self._connections, None
        if connections is not None:
            connections.end()
        return connections


def parse(command: str) -> tuple[str, str, dict[str, Any]]:
    """`SERVER.TOOL {arguments}` as server, tool and arguments. Raises Refused."""
    found = _COMMAND.fullmatch(command.strip())
    if found is None:
        raise Refused(
            "The command is not SERVER.TOOL with its arguments.",
            'Write it as in: files.read {"path": "a.txt"}',
        )
    server, tool, text = found.groups()
    try:
        arguments = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise Refused(f"The arguments are not JSON: {error}.", "Write one JSON object.") from error
    return server, tool, arguments


def _may_be_asked(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return (
        bool(host)
        and "@" not in parts.netloc
        and (parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK))
    )
