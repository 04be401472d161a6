"""Requests to the console that should not be accepted and were: Host x Origin x token x method x every route and WebSocket."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from benchmarks.endpoint_parts.raw_requests import (
    METHODS,
    SAFE,
    WEBSOCKET,
    Asking,
    Headers,
    hosts,
    origins,
    tokens,
)
from benchmarks.report import BenchmarkError
from desktop_agent.extras.console.agents.agent_folders import AgentFolder
from desktop_agent.extras.console.agents.original_log import OriginalLog
from desktop_agent.extras.console.agents.roster import BuiltAgent, Roster
from desktop_agent.extras.console.page.changes import Changes
from desktop_agent.extras.console.page.console_app import create_app
from desktop_agent.extras.console.page.console_server import Console
from desktop_agent.support import loopback_access as access
from tests.support.memory_desk import Bench, ScriptedModel
from tests.support.served_console import served
from tests.support.waiting import until

_ENDS = (101, 200, 201, 204, 409, 422)
"""Statuses that say that it has come to the agents, even if they would not. Whether anything has changed is looked at, too."""

_BODIES = {
    "agents": b'{"name": "intruder"}',
    "rename": b'{"name": "intruder"}',
    "say": b'{"text": "press ctrl+q"}',
    "approve": b'{"id": "1"}',
    "skip": b'{"id": "1"}',
    "take": b'{"viewer": "0123456789abcdef"}',
}
"""What does something, by the last part of the path; {} for all others."""


class Route(NamedTuple):
    """A path at a port, with the methods that it has and whether it asks for the token."""

    path: str
    port: int
    methods: frozenset[str]
    guarded: bool


class Found(NamedTuple):
    """What came of all requests: how many were asked, which wrong ones were accepted or broke it, which rightful ones were not."""

    asked: int
    accepted: list[str]
    broken: list[str]
    rightful: int
    refused: list[str]
    changed: int


def body_for(path: str) -> bytes:
    """What a request to it has as its body."""
    return _BODIES.get(path.rpartition("/")[2], b"{}")


def grid(most: int) -> Found:
    """All requests of at most so many hosts, origins and tokens. Raises BenchmarkError where no screen has its port."""
    access.REQUESTS = access.REFUSALS = (
        1e9  # how often is not asked here: what is told too late would hide the rest
    )
    with (
        tempfile.TemporaryDirectory(prefix="endpoint-") as folder,
        served(Path(folder), _in_memory, "a") as (console, roster),
    ):
        port = roster.agent("a").novnc_port
        with suppress(AssertionError):
            until(lambda: _listens(port), "the port of the screen", 10)
        before = _state(roster)
        asked, rightful = 0, 0
        accepted, broken, refused = list[str](), list[str](), list[str]()
        for route in _routes(console, roster):
            with Asking(route.port) as asking:
                for what, headers, method, own in _requests(route, console.token, most):
                    if own and method not in (*SAFE, WEBSOCKET):
                        continue  # the page's own would change something
                    status = asking.status(method, route.path, headers, body_for(route.path))
                    asked += 1
                    rightful += own
                    if own and status not in _ENDS:
                        refused.append(f"{status}: {what}")
                    if not own and status in _ENDS:
                        accepted.append(f"{status}: {what}")
                    if status >= 500:
                        broken.append(f"{status}: {what}")
        if not rightful:
            raise BenchmarkError("the page's own requests were not asked")
        return Found(asked, accepted, broken, rightful, refused, int(_state(roster) != before))


def _in_memory(folder: AgentFolder, _: OriginalLog) -> BuiltAgent:
    model = ScriptedModel("{}")
    return BuiltAgent(Bench(model, folder.runs).session, "memory", model.name)


def _state(roster: Roster) -> object:
    return roster.agents(), roster.folders.trashed(), [roster.messages(each.name) for each in roster.agents()]


def _listens(port: int) -> bool:
    with suppress(OSError), Asking(port) as asking:
        return asking.status("GET", "/", (("Host", "x"),)) > 0
    return False


def _routes(console: Console, roster: Roster) -> list[Route]:
    """All that the application has, the page's scripts, and the port at which the agent's screen is."""
    methods: dict[str, set[str]] = {}
    for each in create_app(roster, Changes(roster)).routes:
        path = str(getattr(each, "path", ""))
        own = getattr(each, "methods", None)
        if path == "/" and own is None:
            continue  # the screen at its own port, below
        filled = path.replace("{name:path}", "core/rfb.js").replace("{name}", "a").replace("{place}", "a-1")
        methods.setdefault(filled, set()).update(own or {WEBSOCKET})
    found = [
        Route(path, console.port, frozenset(each), WEBSOCKET in each or path.startswith("/api/"))
        for path, each in methods.items()
    ]
    return [*found, Route("/", roster.agent("a").novnc_port, frozenset({WEBSOCKET}), True)]


def _requests(route: Route, token: str, most: int) -> Iterator[tuple[str, Headers, str, bool]]:
    """In words, the headers, the method, and whether a page of the console's own asks so."""
    for method in (*METHODS, WEBSOCKET):
        parts = (hosts(route.port)[:most], origins(route.port)[:most], tokens(token, method)[:most])
        for host, origin, key in itertools.product(*parts):
            if host is not parts[0][0] and origin is not parts[1][0] and key is not parts[2][0]:
                continue  # what is refused for two reasons is for three
            opens = method != WEBSOCKET or origin.opens
            own = host.own and origin.own and opens and method in route.methods
            own = own and (key.own or not route.guarded)
            headers = (*host.headers, *origin.headers, *key.headers)
            words = f"{method} {route.path} {[each for each in headers if token not in each[1]]}"
            yield words, headers, method, own
