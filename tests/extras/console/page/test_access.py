"""Nobody but the page with its token is answered: hosts, origins, tokens, methods, forms of bodies, names and ports."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra console is not installed")

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from desktop_agent.extras.console.agents.agent_folders import AgentFolder
from desktop_agent.extras.console.agents.original_log import OriginalLog
from desktop_agent.extras.console.agents.roster import BuiltAgent, Roster
from desktop_agent.extras.console.page.console_server import Console
from desktop_agent.support.loopback_access import LARGEST_BODY, Allowance
from tests.extras.console.agents.test_roster import Building
from tests.support.served_console import served

GIVEN = ["/api/agents", "/api/agents/a/messages", "/api/trash", "/api/openapi.json"]
DONE = [f"/api/agents/a/{each}" for each in ("start", "stop", "say", "approve", "skip", "pause", "resume", "take", "give-back", "rename")]  # fmt: skip


class NoScreens(Building):
    def __call__(self, folder: AgentFolder, original: OriginalLog) -> BuiltAgent:
        return super().__call__(folder, original)


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    with served(tmp_path_factory.mktemp("agents"), NoScreens("{}"), "a", "b") as (console, roster):
        console.roster = roster  # type: ignore[attr-defined]
        yield console


def asked(
    console: Console,
    method: str,
    path: str,
    headers: dict[str, str] | None = None,
    body: bytes | None = None,
    **more: Any,
) -> tuple[int, Any]:
    """The status and the JSON that a request is answered with; headers beside or in place of those of the page."""
    usual = {
        "Host": f"127.0.0.1:{console.port}",
        "Authorization": f"Bearer {console.token}",
        "Content-Type": "application/json",
    }
    sent = {key: value for key, value in {**usual, **(headers or {})}.items() if value is not None}
    connection = http.client.HTTPConnection("127.0.0.1", more.get("port", console.port), timeout=20)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for key, value in sent.items():
            connection.putheader(key, value)
        for key, value in more.get("twice", ()):
            connection.putheader(key, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        try:
            connection.endheaders(body)
            answer = connection.getresponse()
            data = answer.read()
        except ConnectionError:  # it does not read on what it does not take
            return 413, b""
        return answer.status, json.loads(data) if data[:1] in (b"{", b"[", b'"') else data
    finally:
        connection.close()


def quietly(console: Console) -> None:
    """As if a second had passed: this test is not about how often something may be asked."""
    console._access._refusals._left = console._access._requests._left = 1_000.0


@pytest.fixture(autouse=True)
def unhurried(console: Console) -> None:
    quietly(console)


def test_the_page_with_its_token_is_answered(console: Console) -> None:
    status, found = asked(console, "GET", "/api/agents")
    assert status == 200 and [each["name"] for each in found] == ["a", "b"]
    for host in (f"localhost:{console.port}", f"127.0.0.1:{console.port}", f"[::1]:{console.port}"):
        for origin in (None, f"http://{host}"):
            headers = {"Host": host, **({"Origin": origin} if origin else {})}
            assert asked(console, "GET", "/api/agents", headers)[0] == 200


REFUSED = ("400", "403")
BAD_HOSTS = [
    "evil.example", "evil.example:{port}", "127.0.0.1", "localhost", "127.0.0.1:1", "127.0.0.1:{port}.evil.example", "localhost.:{port}",
    "2130706433:{port}", "0177.0.0.1:{port}", "0x7f000001:{port}", "127.1:{port}", "user@127.0.0.1:{port}", "[::ffff:127.0.0.1]:{port}",
    "0.0.0.0:{port}", "LOCALHOST:{port}x", "localhost:{port}:1", "localhost:0{port}", "", " 127.0.0.1 :{port}", "127.0.0.1:{port}/x", "[::]:{port}",
]  # fmt: skip


@pytest.mark.parametrize("path", ["/", "/console.js", "/novnc/core/rfb.js", *GIVEN])
@pytest.mark.parametrize("host", BAD_HOSTS)
def test_a_name_that_is_not_its_own_is_not_answered(host: str, path: str, console: Console) -> None:
    status, said = asked(console, "GET", path, {"Host": host.format(port=console.port)})
    assert status in (400, 421) and "agents" not in str(said)


def test_one_host_is_named_and_no_other_header_stands_for_it(console: Console) -> None:
    own = f"127.0.0.1:{console.port}"
    for twice in ([("Host", own)], [("Host", "evil.example")]):
        assert asked(console, "GET", "/api/agents", twice=twice)[0] == 400
    for name in ("X-Forwarded-Host", "Forwarded", "X-Host"):
        assert asked(console, "GET", "/api/agents", {"Host": "evil.example", name: own})[0] == 421


BAD_ORIGINS = ["null", "https://{host}", "http://evil.example", "http://{host}.evil.example", "http://localhost", "file://", "http://127.0.0.1:1", "http://{host}/", "HTTP://{host}", "http://user@{host}", "chrome-extension://abc", ""]  # fmt: skip


@pytest.mark.parametrize("origin", BAD_ORIGINS)
def test_another_page_is_not_answered(origin: str, console: Console) -> None:
    headers = {"Origin": origin.format(host=f"127.0.0.1:{console.port}")}
    for path in ("/", *GIVEN):
        assert asked(console, "GET", path, headers)[0] == 403
    assert asked(console, "POST", "/api/agents/a/start", headers, b"{}")[0] == 403
    for site in ("cross-site", "same-site"):
        assert asked(console, "GET", "/api/agents", {"Sec-Fetch-Site": site})[0] == 403


def test_without_the_whole_token_nothing_is_answered(console: Console) -> None:
    token = console.token
    wrong = ["", "Bearer", "Bearer ", f"Bearer {token[:-1]}", f"Bearer {token}0", f"Bearer {token.upper()}x", f"bearer {token}", f"Basic {token}", token, f"Bearer  {token}", f"Bearer {token} ,", "Bearer " + "0" * 64, "Bearer ÿ"]  # fmt: skip
    for header in wrong:
        quietly(console)
        for path in GIVEN:
            assert asked(console, "GET", path, {"Authorization": header})[0] == 401, header
    quietly(console)
    for path in (*GIVEN, f"/api/agents?token={token}", f"/api/agents#{token}"):
        headers = {"Authorization": None, "Cookie": f"token={token}", "X-Token": token}
        assert asked(console, "GET", path, headers)[0] == 401  # type: ignore[arg-type]
    assert asked(console, "GET", "/api/agents", twice=[("Authorization", f"Bearer {token}")])[0] == 401
    assert len(token) == 64 and int(token, 16)


def test_only_json_is_taken_and_not_too_much_of_it(console: Console) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-7", "application/jsonp", "", "text/plain; application/json"):  # fmt: skip
        quietly(console)
        for path in DONE:
            assert asked(console, "POST", path, {"Content-Type": kind}, b"{}")[0] == 415, kind
    quietly(console)
    assert (
        asked(console, "POST", "/api/agents/a/say", body=b'{"text": "' + b"x" * LARGEST_BODY + b'"}')[0]
        == 413
    )
    for body in (
        b"",
        b"nonsense",
        b"[]",
        b'{"text": 1}',
        b'{"text": ""}',
        b'{"text": "x", "more": 1}',
        b"[" * 100_000,
    ):
        assert asked(console, "POST", "/api/agents/a/say", body=body)[0] in (400, 422)


@pytest.mark.parametrize(
    "method", ["GET", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "DELETE", "CONNECT", "FOO"]
)
def test_nothing_is_done_by_another_method(method: str, console: Console) -> None:
    for path in DONE:
        status, _ = asked(console, method, path, {"X-HTTP-Method-Override": "POST"}, b"{}")
        assert status in (400, 405), path
    assert asked(console, "GET", "/api/agents")[1][0]["state"] == "stopped"


@pytest.mark.parametrize("name", ["..", "%2e%2e", "..%2f..%2fetc", "a%00", "a%2f..%2fb", "CON", "%F0%9F%98%80", "a" * 10_000, "%2e%2e%5c", "a;b", "*", "%20", "..;/a"])  # fmt: skip
def test_a_name_leads_nowhere(name: str, console: Console) -> None:
    for path in (f"/api/agents/{name}/messages", f"/novnc/{name}/rfb.js", f"/novnc/core/{name}", f"/{name}"):
        assert asked(console, "GET", path)[0] in (400, 404, 405, 414, 422), path
    for path in (f"/api/agents/{name}/say", f"/api/trash/{name}/restore"):
        assert asked(console, "POST", path, body=b'{"text": "x"}')[0] in (400, 404, 405, 409, 422), path
    status, _ = asked(console, "POST", "/api/agents", body=json.dumps({"name": name}).encode())
    assert status in (404, 409, 422)


def test_an_answer_is_taken_only_by_the_agent_that_asked(console: Console) -> None:
    for agent in ("a", "b", "none"):
        for what in ("approve", "skip"):
            status, said = asked(console, "POST", f"/api/agents/{agent}/{what}", body=b'{"id": "abc-1"}')
            assert status in (404, 409) and "error" in said


def test_browsers_are_told_to_keep_to_it(console: Console) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", console.port, timeout=20)
    connection.request("GET", "/")
    headers = {key.lower(): value for key, value in connection.getresponse().getheaders()}
    connection.close()
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert (
        "set-cookie" not in headers
        and "access-control-allow-origin" not in headers
        and "server" not in headers
    )


def opened(console: Console, path: str, *, port: int = 0, origin: str | None = "own", token: str | None = None, protocols: list[str] | None = None, host: str = "") -> str:  # fmt: skip
    """How a WebSocket ends that is opened so: "open", or the status of its refusal."""
    port = port or console.port
    own = f"127.0.0.1:{port}"
    offered = (
        ["desktop-agent", f"token.{console.token if token is None else token}"]
        if protocols is None
        else protocols
    )
    with socket.create_connection(("127.0.0.1", port)) as raw:
        try:
            with connect(
                f"ws://{host or own}{path}",
                sock=raw,
                origin=Origin(f"http://{own}") if origin == "own" else Origin(origin) if origin else None,
                subprotocols=[Subprotocol(each) for each in offered],
            ):
                return "open"
        except InvalidStatus as error:
            return str(error.response.status_code)


@pytest.mark.parametrize("path", ["/api/events", "/api/agents/a/screen"])
def test_a_websocket_of_another_page_is_not_opened(path: str, console: Console) -> None:
    assert opened(console, path) == "open"
    own = f"http://127.0.0.1:{console.port}"
    for origin in (
        None,
        "null",
        "http://evil.example",
        "http://127.0.0.1:1",
        f"{own}.evil.example",
        own.replace("http", "https"),
    ):
        quietly(console)
        assert opened(console, path, origin=origin) in REFUSED, origin
    for token in ("", console.token[:-1], console.token + "0", "0" * 64):
        assert opened(console, path, token=token) in REFUSED
    for protocols in (
        [],
        ["desktop-agent"],
        [f"token.{console.token}"],
        ["binary", f"token.{console.token}"],
    ):
        quietly(console)
        assert opened(console, path, protocols=protocols) in REFUSED
    assert opened(console, path, host=f"evil.example:{console.port}") in REFUSED
    assert opened(console, f"{path}?token={console.token}", protocols=["desktop-agent"]) in REFUSED


def test_a_screen_is_of_an_agent_and_of_nothing_else(console: Console) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        for path in (f"/api/agents/127.0.0.1:{port}/screen", f"/api/agents/a/screen/../../{port}", f"/websockify?token=127.0.0.1:{port}", f"/api/agents/none/screen?host=127.0.0.1&port={port}"):  # fmt: skip
            quietly(console)
            assert opened(console, path) in ("403", "404", "open")
        other.settimeout(0.3)
        with pytest.raises(TimeoutError):
            other.accept()


def test_each_agent_has_a_port_for_its_screen_alone(console: Console) -> None:
    roster: Roster = console.roster  # type: ignore[attr-defined]
    ports = [each.novnc_port for each in roster.agents()]
    if set(ports) - set(console._ports.open):
        pytest.skip("Another program has a port of the agents.")
    for port in ports:
        quietly(console)
        assert opened(console, "/", port=port) == "open"
        for path in ("/api/events", "/api/agents/a/screen", "/websockify"):
            assert opened(console, path, port=port) == "403"
        assert asked(console, "GET", "/api/agents", {"Host": f"127.0.0.1:{port}"}, port=port)[0] == 404
        assert opened(console, "/", port=port, token="0" * 64) == "403"
        assert opened(console, "/", port=port, origin=None) == "403"


def test_who_asks_too_often_waits(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"Authorization": "Bearer " + "0" * 64}
    few = Allowance(3.0, clock=lambda: 0.0)
    monkeypatch.setattr(console._access, "_refusals", few)
    statuses = [asked(console, "GET", "/api/agents", wrong)[0] for _ in range(6)]
    assert statuses == [401, 401, 401, 429, 429, 429]
    assert asked(console, "GET", "/api/agents")[0] == 200, "whoever has the token is answered all the same"


def test_agents_are_made_renamed_deleted_and_brought_back(tmp_path: Path) -> None:
    with served(tmp_path, Building("{}")) as (console, roster):
        made = asked(console, "POST", "/api/agents", body=b'{"name": "first"}')
        assert made[0] == 201 and made[1]["state"] == "stopped"
        assert asked(console, "POST", "/api/agents/first/start", body=b"{}")[1]["state"] == "waiting"
        assert asked(console, "POST", "/api/agents/first/rename", body=b'{"name": "second"}')[0] == 409
        assert asked(console, "DELETE", "/api/agents/first", body=b"{}")[0] == 409
        assert asked(console, "POST", "/api/agents/first/stop", body=b"{}")[1]["state"] == "stopped"
        assert (
            asked(console, "POST", "/api/agents/first/rename", body=b'{"name": "second"}')[1]["name"]
            == "second"
        )
        place = asked(console, "DELETE", "/api/agents/second", body=b"{}")[1]["place"]
        assert asked(console, "GET", "/api/agents")[1] == [] and asked(console, "GET", "/api/trash")[1] == [
            place
        ]
        assert asked(console, "POST", f"/api/trash/{place}/restore", body=b"{}")[1]["name"] == "second"
        assert [each.name for each in roster.agents()] == ["second"]


def test_a_screen_is_given_back_by_the_viewer_that_has_it_or_by_any_once_that_one_is_gone(
    tmp_path: Path,
) -> None:
    first, second = "a" * 32, "b" * 32
    with served(tmp_path, Building("{}"), "a") as (console, roster):
        roster.start("a")
        take = {each: json.dumps({"viewer": each}).encode() for each in (first, second)}
        assert asked(console, "POST", "/api/agents/a/take", body=take[first])[0] == 204
        assert asked(console, "POST", "/api/agents/a/take", body=take[second])[0] == 409
        status, said = asked(console, "POST", "/api/agents/a/give-back", body=take[second])
        assert status == 409 and "Somebody else" in said["error"]
        console._control.left("a", second)
        assert asked(console, "POST", "/api/agents/a/give-back", body=take[second])[0] == 409
        console._control.left("a", first)
        assert asked(console, "POST", "/api/agents/a/take", body=take[second])[0] == 204
        assert console._control.has("a", second) and not console._control.has("a", first)
        assert roster.agent("a").state == "taken", "the agent did not go on in between"
        assert asked(console, "POST", "/api/agents/a/give-back", body=take[first])[0] == 409
        console._control.left("a", second)
        assert asked(console, "POST", "/api/agents/a/give-back", body=take[first])[0] == 204
        assert roster.agent("a").state != "taken"
