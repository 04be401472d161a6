"""Requests to the console that should not be accepted and were: Host x Origin x token x method x every route and WebSocket."""

from __future__ import annotations

import base64
import http.client
import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from benchmarks.lab.memory_desk import Bench, ScriptedModel
from benchmarks.lab.served_console import served
from benchmarks.lab.waiting import until
from benchmarks.report import BenchmarkError, Goal, Report, counted, report
from desktop_agent.agents.agent_folders import AgentFolder
from desktop_agent.agents.original_log import OriginalLog
from desktop_agent.agents.roster import BuiltAgent, Roster
from desktop_agent.console.changes import Changes
from desktop_agent.console.console_app import create_app
from desktop_agent.console.console_server import Console
from desktop_agent.support.serving import loopback_access as access

METHODS = ("GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE")
WEBSOCKET = "WEBSOCKET"
_BODIES = {
    "agents": b'{"name": "intruder"}',
    "rename": b'{"name": "intruder"}',
    "say": b'{"text": "press ctrl+q"}',
    "approve": b'{"id": "1"}',
    "skip": b'{"id": "1"}',
    "take": b'{"viewer": "0123456789abcdef"}',
}
"""What does something, by the last part of the path; {} for all others."""
_FEW = 4
_SAFE = frozenset(("GET", "HEAD"))
_ENDS = (101, 200, 201, 204, 409, 422)
"""Statuses that say that it has come to the agents, even if they would not. Whether anything has changed is looked at, too."""

Headers = tuple[tuple[str, str], ...]


class Route(NamedTuple):
    """A path at a port, with the methods that it has and whether it asks for the token."""

    path: str
    port: int
    methods: frozenset[str]
    guarded: bool


class Part(NamedTuple):
    """One way to fill in one part of a request, and whether a page of the console's own does so."""

    headers: Headers
    own: bool
    opens: bool = True
    """May it open a WebSocket, if it is the page's own?"""


class Found(NamedTuple):
    """What came of all requests: how many were asked, which wrong ones were accepted or broke it, which rightful ones were not."""

    asked: int
    accepted: list[str]
    broken: list[str]
    rightful: int
    refused: list[str]
    changed: int


def run(quick: bool) -> Report:
    """Every method and route with every two parts, the third being the page's own; --quick takes the first few of each part."""
    found = grid(_FEW if quick else 100)
    return report(
        "endpoint",
        counted("accepted and should not be", len(found.accepted), found.asked, "requests", Goal(0)),
        counted(
            "answered with an error of the console's own", len(found.broken), found.asked, "requests", Goal(0)
        ),
        counted("changed by them", found.changed, found.asked, "things", Goal(0)),
        counted("the page's own, refused", len(found.refused), found.rightful, "requests", Goal(0)),
        notes=[*found.accepted[:20], *found.broken[:5], *found.refused[:20]],
    )


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
            with _Asking(route.port) as asking:
                for what, headers, method, own in _requests(route, console.token, most):
                    if own and method not in (*_SAFE, WEBSOCKET):
                        continue  # the page's own would change something
                    status = asking.status(method, route.path, headers)
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


@contextmanager
def _as_often_as_it_likes() -> Iterator[None]:
    """How often something is asked is not the question: "too many requests" would hide what else was wrong."""
    before = access.REQUESTS, access.REFUSALS
    access.REQUESTS = access.REFUSALS = 1e9
    try:
        yield
    finally:
        access.REQUESTS, access.REFUSALS = before


def _in_memory(folder: AgentFolder, _: OriginalLog) -> BuiltAgent:
    model = ScriptedModel("{}")
    return BuiltAgent(Bench(model, folder.runs).session, "memory", model.name)


def _state(roster: Roster) -> object:
    return roster.agents(), roster.folders.trashed(), [roster.messages(each.name) for each in roster.agents()]


def _listens(port: int) -> bool:
    with suppress(OSError), _Asking(port) as asking:
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
        parts = (_hosts(route.port)[:most], _origins(route.port)[:most], _tokens(token, method)[:most])
        for host, origin, key in itertools.product(*parts):
            if host is not parts[0][0] and origin is not parts[1][0] and key is not parts[2][0]:
                continue  # what is refused for two reasons is for three
            opens = method != WEBSOCKET or origin.opens
            own = host.own and origin.own and opens and method in route.methods
            own = own and (key.own or not route.guarded)
            headers = (*host.headers, *origin.headers, *key.headers)
            words = f"{method} {route.path} {[each for each in headers if token not in each[1]]}"
            yield words, headers, method, own


def _hosts(port: int) -> list[Part]:
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


def _origins(port: int) -> list[Part]:
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


def _tokens(token: str, method: str) -> list[Part]:
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


class _Asking:
    """Connections to one port, one after the other."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def __enter__(self) -> _Asking:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def status(self, method: str, path: str, headers: Headers) -> int:
        """What it is answered with; 0 where the connection is closed without a word."""
        opens = method == WEBSOCKET
        connection = self._connection
        body = b"" if opens or method in _SAFE else _BODIES.get(path.rpartition("/")[2], b"{}")
        try:
            connection.putrequest("GET" if opens else method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in (*headers, *(_upgrade() if opens else _content(body))):
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


def _content(body: bytes) -> Headers:
    return (("Content-Type", "application/json"), ("Content-Length", str(len(body)))) if body else ()


def _upgrade() -> Headers:
    key = base64.b64encode(bytes(16)).decode()
    return (("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", key))  # fmt: skip
