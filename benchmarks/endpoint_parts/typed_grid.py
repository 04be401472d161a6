"""Requests to the endpoint that should not be typed: judged by what a program on its pseudo-terminal reads."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.endpoint_parts.raw_requests import METHODS, WEBSOCKET, Asking, Headers, hosts, origins, tokens
from benchmarks.report import BenchmarkError
from desktop_agent.extras.camera.endpoint import endpoint_server
from desktop_agent.support import loopback_access
from tests.support.served_endpoint import TOKEN, served, shell_at_work, shown, workplace
from tests.support.waiting import until

PATHS = (
    "/keystroke",
    "/key-combo",
    "/text",
    "/health",
    "/",
    "/docs",
    "/openapi.json",
    "/keystroke/",
    "//text",
    "/Text",
    "/text%2f",
)
_BODIES = {
    "/keystroke": b'{"key": "x"}',
    "/key-combo": b'{"modifiers": ["shift"], "key": "x"}',
    "/text": b'{"text": "xyz"}',
}
"""What an intruder would type; whoever may, types OWN."""
_OWN_BODIES = {
    "/keystroke": b'{"key": "o"}',
    "/key-combo": b'{"modifiers": ["shift"], "key": "o"}',
    "/text": b'{"text": "ok"}',
}
OWN = {"/keystroke": "o", "/key-combo": "O", "/text": "ok"}
_UNFIT: dict[str, tuple[bytes, ...]] = {
    "/keystroke": (
        b"", b"{", b"[]", b"null", b'"x"', b"{}", b'{"key": 1}', b'{"key": ["x"]}', b'{"key": "xy"}', b'{"key": "x", "more": 1}',
        b'{"Key": "x"}', b'{"key": ""}', b'{"key": "\\u0003"}', b'{"key": "\\ud800"}', b'{"key": "ctrl"}', b"key=x", b"\xff\xfe",
        b'{"key": "' + b"x" * 50 + b'"}',
    ),
    "/key-combo": (
        b'{"key": "x"}', b'{"modifiers": "shift", "key": "x"}', b'{"modifiers": ["win"], "key": "x"}', b'{"modifiers": [1], "key": "x"}',
        b'{"modifiers": ["shift", "shift"], "key": "x"}', b'{"modifiers": ["shift"], "key": "x\\ny"}', b'{"modifiers": ["x"], "key": "x"}',
    ),
    "/text": (
        b'{"text": ""}', b'{"text": 5}', b'{"text": "x\\n"}', b'{"text": "x\\u001b[A"}', b'{"text": "x\\u007f"}', b'{"text": "x\\u0085"}',
        b'{"text": "x\\u2028"}', b'{"text": "x\\u202e"}', b'{"text": "x\\udfff"}', b'{"text": "x", "key": "x"}',
        b'{"text": "' + b"x" * 5_000 + b'"}', b'{"text": "' + b"x" * 70_000 + b'"}',
    ),
}  # fmt: skip
_TYPES = (
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
)
_DONE = (200, 201, 202, 204)
_TAKEN = "taken"


class TypedFound(NamedTuple):
    """What came of all requests: how many were asked, which wrong ones were accepted or broke it, which rightful ones were not, and
    how many bytes were typed that should not have been, or were missing."""

    asked: int
    accepted: list[str]
    broken: list[str]
    rightful: int
    refused: list[str]
    mistyped: int


def typed_grid(most: int) -> TypedFound:
    """All requests of at most so many hosts, origins and tokens, and all bodies that are unfit."""
    before = endpoint_server.REQUESTS, loopback_access.REFUSALS
    endpoint_server.REQUESTS = loopback_access.REFUSALS = 1e9  # how often is not the question here
    try:
        with workplace() as folder, shell_at_work(folder) as shell, served(shell) as server:
            shell.type("stty raw -echo; echo taking-$((1 + 1)); exec cat > taken\r")
            until(lambda: "taking-2" in shown(shell), "a program that takes all that is typed")
            with Asking(server.port) as asking:
                return _asked(asking, server.port, folder / _TAKEN, most)
    finally:
        endpoint_server.REQUESTS, loopback_access.REFUSALS = before


def _asked(asking: Asking, port: int, taken: Path, most: int) -> TypedFound:
    asked, rightful, expected = 0, 0, ""
    accepted, broken, refused = list[str](), list[str](), list[str]()
    for what, method, path, headers, body, own in itertools.chain(_grid(port, most), _unfit(port)):
        status = asking.status(method, path, headers, body)
        asked += 1
        rightful += own
        if own:
            expected += OWN.get(path, "")
            if status not in _DONE:
                refused.append(f"{status}: {what}")
        elif status in _DONE:
            accepted.append(f"{status}: {what}")
        if status >= 500:
            broken.append(f"{status}: {what}")
    if not rightful:
        raise BenchmarkError("no rightful request was asked")
    end = b'{"text": "end"}'
    asking.status("POST", "/text", (("Host", f"127.0.0.1:{port}"), ("Authorization", f"Bearer {TOKEN}")), end)
    until(lambda: taken.read_bytes().endswith(b"end"), "what was typed last")
    found = taken.read_bytes().decode().removesuffix("end")
    wrong = 0 if found == expected else max(1, abs(len(found) - len(expected)))
    return TypedFound(asked, accepted, broken, rightful, refused, wrong)


def _grid(port: int, most: int) -> Iterator[tuple[str, str, str, Headers, bytes, bool]]:
    """In words, method, path, headers and body, and whether whoever may type asks so."""
    for path, method in itertools.product(PATHS, (*METHODS, WEBSOCKET)):
        parts = (hosts(port)[:most], origins(port)[:most], tokens(TOKEN, "")[:most])
        for host, origin, key in itertools.product(*parts):
            if host is not parts[0][0] and origin is not parts[1][0] and key is not parts[2][0]:
                continue  # what is refused for two reasons is for three
            wanted = (
                ("GET", WEBSOCKET) if path == "/health" else ("POST",)
            )  # an upgrade is not wanted, and passed over
            own = host.own and origin.own and key.own and method in wanted and path in (*OWN, "/health")
            headers = (*host.headers, *origin.headers, *key.headers)
            body = (_OWN_BODIES if own else _BODIES).get(path, b'{"text": "xyz"}')
            yield (
                f"{method} {path} {[each for each in headers if TOKEN not in each[1]]}",
                method,
                path,
                headers,
                body,
                own,
            )


def _unfit(port: int) -> Iterator[tuple[str, str, str, Headers, bytes, bool]]:
    """Requests of who may type that cannot be typed."""
    usual = (("Host", f"127.0.0.1:{port}"), ("Authorization", f"Bearer {TOKEN}"))
    for path, bodies in _UNFIT.items():
        for body in bodies:
            yield f"POST {path} {body[:60]!r}", "POST", path, usual, body, False
        for kind in _TYPES:
            yield (
                f"POST {path} as {kind}",
                "POST",
                path,
                (*usual, ("Content-Type", kind)),
                _BODIES[path],
                False,
            )
        for key in ("", "a b", "x" * 300, "\u00e9"):
            yield (
                f"POST {path} with the repeat key {key[:9]!r}",
                "POST",
                path,
                (*usual, ("Idempotency-Key", key)),
                _BODIES[path],
                False,
            )
