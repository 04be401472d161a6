"""The MCP server beside the agent: its tools, and the server on a thread of its own with the window (or a wait) on the main one."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import anyio
import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, ContentBlock, ImageContent, TextContent, ToolAnnotations

from desktop_agent import __version__
from desktop_agent.agent.prompting.untrusted_blocks import Boundary
from desktop_agent.app import ShowWindow
from desktop_agent.extras.mcp.server.client_model import ClientModel
from desktop_agent.extras.mcp.server.served_agent import OFFERED, CallResult, ServedAgent
from desktop_agent.extras.mcp.server.served_session import ServedSession
from desktop_agent.headless import ENDING
from desktop_agent.llm.transport.picture import Pictures
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import DesktopAgentError, Refused
from desktop_agent.protocol.schema import actions_schema
from desktop_agent.redaction.redactor import redactor
from desktop_agent.startup.exit_code import DONE, FAILED
from desktop_agent.support import resources
from desktop_agent.vision.elements.describe import describe_observation

_BEAT = 5.0
"""Seconds between two words of progress while a call lasts."""
_MOST_SAID = 8_000
"""Characters of a call that are recorded."""
_NAME = 60
_LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=True)
_ACTS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)
_REGION = {
    "type": "object",
    "description": "a part of the last picture, in its pixels, which is shown larger",
    "properties": {name: {"type": "integer", "minimum": 0} for name in ("x", "y", "width", "height")},
    "required": ["x", "y", "width", "height"],
    "additionalProperties": False,
}
T = TypeVar("T")


_log = logging.getLogger(__name__)
_LEAVE_SECONDS = 20.0


def serve_mcp(session: ServedSession, show_window: ShowWindow | None) -> int:
    """Serve one client on stdin and stdout until it goes or the window is closed; returns the exit code.

    From here on stdout belongs to the protocol: the SDK turns everything else that is written there to stderr.
    """
    agent = ServedAgent(session, ClientModel(), attended=show_window is not None)
    server = _Server(agent)
    sys.stdout = sys.__stdout__  # until now nothing could be written there
    server.start()
    try:
        if show_window is None:
            _work_alone(session, server)
        else:
            show_window(server.when_over)
    finally:
        session.quit()
    return FAILED if server.broke else DONE


def _work_alone(session: ServedSession, server: _Server) -> None:
    """Without a window: until the client goes or a signal ends the program."""
    thread = threading.Thread(target=session.serve, name="agent", daemon=True)
    thread.start()
    over = threading.Event()
    server.when_over(over.set)
    with _signals_set(over):
        over.wait()
    session.quit()
    thread.join(_LEAVE_SECONDS)


@contextmanager
def _signals_set(over: threading.Event) -> Iterator[None]:
    before = {each: signal.signal(each, lambda *_: over.set()) for each in ENDING}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


class _Server(threading.Thread):
    """The thread of the protocol; `broke` says that it ended by an error."""

    def __init__(self, agent: ServedAgent) -> None:
        super().__init__(name="mcp server", daemon=True)
        self._agent = agent
        self._lock = threading.Lock()
        self._over = False
        self._listeners: list[Callable[[], None]] = []
        self.broke = False

    def when_over(self, listener: Callable[[], None]) -> None:
        """Call `listener` when the client has gone; at once when it has."""
        with self._lock:
            if not self._over:
                self._listeners.append(listener)
                return
        listener()

    def run(self) -> None:
        try:
            anyio.run(make_server(self._agent).run_stdio_async)
        except Exception:  # noqa: BLE001 - the thread's boundary: the program ends, and the log says why
            _log.exception("the MCP server ended by an error")
            self.broke = True
        finally:
            with self._lock:
                self._over = True
            for listener in self._listeners:
                listener()


def make_server(agent: ServedAgent) -> MCPServer:
    """The server whose tools work this agent."""
    made = _Tools(agent)
    tools = [
        Tool.from_function(made.look, annotations=_LOOKS, structured_output=False),
        Tool.from_function(made.elements, annotations=_LOOKS, structured_output=False),
        Tool.from_function(made.act, annotations=_ACTS, structured_output=False),
        Tool.from_function(made.run, annotations=_ACTS, structured_output=False),
        Tool.from_function(made.run_status, annotations=_LOOKS, structured_output=False),
        Tool.from_function(made.run_answer, annotations=_ACTS, structured_output=False),
        Tool.from_function(made.run_stop, annotations=_ACTS, structured_output=False),
    ]
    by_name = {tool.name: tool for tool in tools}
    by_name["look"].parameters["properties"]["region"] = _REGION
    by_name["act"].parameters["properties"]["actions"] = actions_schema(OFFERED)
    instructions = resources.text("prompts", "mcp_server.md").replace("{mark}", made.content.mark)
    return MCPServer("desktop-agent", instructions=instructions, version=__version__, tools=tools)


class _Tools:
    """The functions behind the tools; their docstrings are what clients are told of them."""

    def __init__(self, agent: ServedAgent) -> None:
        self._agent = agent
        self.content = CallContent()

    async def look(
        self, ctx: Context, region: dict[str, int] | None = None, read: bool = False
    ) -> CallToolResult:
        """Look at the screen: a picture, its elements as text, and `look`, the handle that `act` needs.

        With `region` that part of the last picture, larger; with `read` the words on it are read, too.
        """
        said = {"tool": "look", "region": region, "read": read}
        return await self._call(ctx, said, lambda by: self._agent.look(by, _region(region), read=read))

    async def elements(self, ctx: Context) -> CallToolResult:
        """Look at the screen without the picture: windows and elements as text, and the handle for `act`."""
        return await self._call(ctx, {"tool": "elements"}, self._agent.look, picture=False)

    async def act(self, ctx: Context, look: str, actions: list[dict[str, Any]]) -> CallToolResult:
        """Carry out a short batch of operations in order on the look that the handle `look` names.

        Coordinates are pixels of its picture. Brings what came of each and a new look. The user may be asked
        for a yes first, in a window of desktop-agent; what nobody can be asked about is refused.
        """
        said = {"tool": "act", "look": look, "actions": actions}
        return await self._call(ctx, said, lambda by: self._agent.act(by, look, actions))

    async def run(self, ctx: Context, goal: str) -> CallToolResult:
        """Have desktop-agent's own model work towards a goal in plain words; brings the handle `run` at once."""
        return await self._call(ctx, {"tool": "run", "goal": goal}, lambda by: self._agent.run(by, goal))

    async def run_status(self, ctx: Context, run: str) -> CallToolResult:
        """How a run is getting on: state, plan, last actions, a question of its, and how it ended."""
        said = {"tool": "run_status", "run": run}
        return await self._call(ctx, said, lambda _: _at_once(lambda: self._agent.status(run)))

    async def run_answer(self, ctx: Context, run: str, text: str) -> CallToolResult:
        """Answer the question a run has put. What needs the user's yes cannot be answered here."""
        said = {"tool": "run_answer", "run": run, "text": text}
        return await self._call(ctx, said, lambda by: _at_once(lambda: self._agent.answer(by, run, text)))

    async def run_stop(self, ctx: Context, run: str) -> CallToolResult:
        """Stop a run at once; what it holds is let go."""
        said = {"tool": "run_stop", "run": run}
        return await self._call(ctx, said, lambda _: _at_once(lambda: self._agent.stop(run)))

    async def _call(
        self,
        ctx: Context,
        said: dict[str, Any],
        work: Callable[[str], Coroutine[Any, Any, CallResult]],
        *,
        picture: bool = True,
    ) -> CallToolResult:
        """Do a call's work; what was said and what came of it goes into the log of the run, if there is one."""
        by, said = _client(ctx), _cut(said)
        try:
            result = await _with_progress(ctx, work(by))
        except DesktopAgentError as error:
            _log.info("refused to %s: %s: %s", by, said["tool"], error)
            self._agent.session.record("mcp_call", said | {"by": by, "refused": str(error)})
            return failure(error)
        self._agent.session.record("mcp_call", said | {"by": by})
        return await asyncio.to_thread(self.content.of, result, picture=picture)


def _cut(said: dict[str, Any]) -> dict[str, Any]:
    """What was said, as much of it as goes into a log."""
    text = json.dumps(said, ensure_ascii=False, default=str)
    return said if len(text) <= _MOST_SAID else {"tool": said["tool"], "cut": text[:_MOST_SAID]}


async def _with_progress(ctx: Context, work: Coroutine[Any, Any, T]) -> T:
    """Wait for the work, and tell a client that wants to know that it goes on: a yes may take its time."""
    task = asyncio.ensure_future(work)
    beats = 0
    try:
        while not (await asyncio.wait({task}, timeout=_BEAT))[0]:
            beats += 1
            await ctx.report_progress(beats, message="at work, or waiting for the user")
        return task.result()
    finally:
        task.cancel()


async def _at_once(work: Callable[[], CallResult]) -> CallResult:
    return work()


def _region(given: dict[str, int] | None) -> ops.Region | None:
    """Raises Refused."""
    try:
        return None if given is None else msgspec.convert(given, ops.Region, strict=True)
    except msgspec.ValidationError as error:
        raise Refused(f"The region is none: {error}.", "Give x, y, width and height in pixels.") from error


def _client(ctx: Context) -> str:
    """What the client calls itself, for people: its own words, so cut and on one line."""
    given = ctx.session.client_params
    name = given.client_info.name if given is not None else ""
    shown = "".join(char for char in name if char.isprintable())[:_NAME].strip()
    return f"MCP client “{shown}”" if shown else "An MCP client"


class CallContent:
    """Renders the results of one client's calls.

    Everything is in `content`: hosts that show a model structured content alone would keep the picture from it.
    """

    def __init__(self) -> None:
        self._boundary = Boundary()
        self._pictures = Pictures()

    def of(self, result: CallResult, *, picture: bool) -> CallToolResult:
        """What a call brought; what was read on the screen stands in a block that says so."""
        clean = redactor().clean
        blocks: list[ContentBlock] = [_text(clean(json.dumps(result.facts, ensure_ascii=False)))]
        if result.turn is not None:
            seen = result.turn.observation
            blocks.append(_text(clean(self._boundary.block("screen", describe_observation(seen)))))
            if picture:
                shown = self._pictures.of(seen, ClientModel.support)
                blocks.append(ImageContent(data=shown.data, mime_type=shown.media_type))
        return CallToolResult(content=blocks)

    @property
    def mark(self) -> str:
        """The mark of the blocks."""
        return self._boundary.mark


def failure(error: DesktopAgentError) -> CallToolResult:
    """What was refused or failed, with advice."""
    return CallToolResult(content=[_text(redactor().clean(str(error)))], is_error=True)


def _text(text: str) -> TextContent:
    return TextContent(text=text)
