"""The gate on its Unix socket, with real servers behind it: what is passed on, and what is not."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.platforms.allowed_network.network_gate import CONNECTIONS, NetworkGate
from tests.desk import until

pytestmark = pytest.mark.linux("a Unix socket")

Ask = Callable[[bytes], bytes]


@pytest.fixture
def gate(tmp_path: Path, httpserver: HTTPServer) -> Iterator[NetworkGate]:
    gate = NetworkGate(tmp_path / "gate", AllowList([f"127.0.0.1:{httpserver.port}"]))
    yield gate
    gate.close()


def connected(tmp_path: Path) -> socket.socket:
    near = socket.socket(socket.AF_UNIX)
    near.settimeout(30)
    near.connect(str(tmp_path / "gate"))
    return near


@pytest.fixture
def ask(gate: NetworkGate, tmp_path: Path) -> Ask:
    def ask(request: bytes) -> bytes:
        with connected(tmp_path) as near:
            near.sendall(request)
            answer = b""
            while piece := near.recv(65_536):
                answer += piece
            return answer

    return ask


def test_a_page_on_the_list_is_fetched_by_address_whatever_host_is_named(
    ask: Ask, httpserver: HTTPServer
) -> None:
    hosts: list[str] = []

    def answer(request: Request) -> Response:
        hosts.append(request.headers["Host"])
        return Response(f"{request.query_string.decode()}, {request.get_data().decode()}")

    httpserver.expect_request("/page").respond_with_handler(answer)
    port = httpserver.port
    got = ask(
        b"POST http://127.0.0.1:%d/page?a=b HTTP/1.1\r\nHost: elsewhere.example\r\nContent-Length: 4\r\n\r\nbody"
        % port
    )
    assert b" 200 " in got.split(b"\r\n")[0] and got.endswith(b"a=b, body")
    assert hosts == [f"127.0.0.1:{port}"]


def test_a_second_request_on_the_same_connection_is_not_passed_on(ask: Ask, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/one").respond_with_data("one")
    request = b"GET http://127.0.0.1:%d/one HTTP/1.1\r\nHost: x\r\n\r\n" % httpserver.port
    assert ask(request + request.replace(b"/one", b"/two")).endswith(b"one")
    assert [each.path for each, _ in httpserver.log] == ["/one"]


def test_a_tunnel_passes_bytes_both_ways(tmp_path: Path, gate: NetworkGate, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/in").respond_with_data("inside")
    with connected(tmp_path) as near:
        near.sendall(
            b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\nGET /in HTTP/1.0\r\n\r\n" % httpserver.port
        )
        got = b""
        while piece := near.recv(65_536):
            got += piece
    assert got.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.") and got.endswith(b"inside")


@pytest.mark.parametrize(
    "request_line",
    [
        "GET http://127.0.0.1:{other}/ HTTP/1.1",
        "CONNECT 127.0.0.1:{other} HTTP/1.1",
        "GET http://localhost:{port}/ HTTP/1.1",
        "CONNECT localhost:{port} HTTP/1.1",
        "CONNECT [::1]:{port} HTTP/1.1",
        "CONNECT 2130706433:{port} HTTP/1.1",
        "CONNECT 127.1:{port} HTTP/1.1",
        "CONNECT 0.0.0.0:{port} HTTP/1.1",
        "GET http://127.0.0.1:{port}@evil.test/ HTTP/1.1",
        "GET http://user@127.0.0.1:{port}/ HTTP/1.1",
        "GET https://127.0.0.1:{port}/ HTTP/1.1",
        "GET ftp://127.0.0.1:{port}/ HTTP/1.1",
        "GET file:///etc/passwd HTTP/1.1",
        "GET / HTTP/1.1",
        "CONNECT 127.0.0.1 HTTP/1.1",
        "CONNECT 127.0.0.1:99999 HTTP/1.1",
        "CONNECT http://127.0.0.1:{port}/ HTTP/1.1",
        "\x16\x03\x01 no request at all",
    ],
)
def test_what_is_not_on_the_list_is_refused_and_reaches_nobody(
    ask: Ask, httpserver: HTTPServer, request_line: str
) -> None:
    httpserver.expect_request("/").respond_with_data("reached")
    with socket.create_server(("127.0.0.1", 0)) as other:
        line = request_line.format(port=httpserver.port, other=other.getsockname()[1])
        answer = ask(f"{line}\r\nHost: 127.0.0.1:{httpserver.port}\r\n\r\n".encode())
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            other.accept()
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 403 ")), answer
    assert not httpserver.log


def test_a_name_that_leads_to_this_computer_is_told_to_do_so(tmp_path: Path, httpserver: HTTPServer) -> None:
    gate = NetworkGate(tmp_path / "gate", AllowList([f"localhost:{httpserver.port}"]))
    try:
        with connected(tmp_path) as near:
            near.sendall(b"CONNECT localhost:%d HTTP/1.1\r\nHost: x\r\n\r\n" % httpserver.port)
            answer = near.recv(65_536)
    finally:
        gate.close()
    assert b"403" in answer and b"is not on the list itself" in answer


def test_what_is_taken_off_the_list_is_cut_off_at_once(
    tmp_path: Path, gate: NetworkGate, httpserver: HTTPServer
) -> None:
    with connected(tmp_path) as near:
        near.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % httpserver.port)
        assert b"established" in near.recv(65_536)
        gate.allow(AllowList([]))
        assert near.recv(1) == b""
    with connected(tmp_path) as near:
        near.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % httpserver.port)
        assert b"403" in near.recv(65_536)


def test_too_many_connections_are_closed_and_the_rest_goes_on(
    tmp_path: Path, ask: Ask, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/").respond_with_data("served")
    request = b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: x\r\n\r\n" % httpserver.port
    held = [connected(tmp_path) for _ in range(CONNECTIONS)]

    def is_full() -> bool:
        try:
            return not ask(request)
        except OSError:
            return True

    until(is_full, "one too many")
    for each in held:
        each.close()
    until(lambda: ask(request).endswith(b"served"), "an answer")


def test_its_end_ends_what_goes_through_it(tmp_path: Path, gate: NetworkGate, httpserver: HTTPServer) -> None:
    before = threading.active_count()
    with connected(tmp_path) as near:
        near.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: x\r\n\r\n" % httpserver.port)
        assert b"established" in near.recv(65_536)
        gate.close()
        gate.close()
        assert near.recv(1) == b""
    assert threading.active_count() < before
