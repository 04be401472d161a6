"""An endpoint at work: a real shell in a sandbox, typed to over HTTP on loopback."""

from __future__ import annotations

import http.client
import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.report import BenchmarkError
from desktop_agent.extras.camera.endpoint.endpoint_app import ShellDisplay, create_app
from desktop_agent.extras.camera.endpoint.endpoint_server import EndpointServer
from desktop_agent.extras.camera.endpoint.persistent_shell import PersistentShell, ShellStart
from desktop_agent.platforms.posix import bubblewrap
from tests.support.waiting import until

SHELL = "/bin/bash"
TOKEN = "0123456789abcdef" * 2


class EndpointClient:
    """Requests to an endpoint, one after the other on one connection."""

    def __init__(self, port: int, token: str = TOKEN) -> None:
        self._usual = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.answers: list[bytes] = []
        """All that came back, heads included."""

    def __enter__(self) -> EndpointClient:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def ask(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str | None] | None = None
    ) -> tuple[int, Any]:
        """The status and the JSON of the answer; `body` is sent as it is where it is bytes."""
        sent = {**self._usual, **(headers or {})}
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            self._connection.request(
                method, path, data, {key: value for key, value in sent.items() if value is not None}
            )
            answer = self._connection.getresponse()
            found = answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise
        self.answers.append(str(answer.headers).encode() + found)
        return answer.status, json.loads(found) if found else None

    def key(self, key: str, *modifiers: str, headers: Mapping[str, str] | None = None) -> tuple[int, Any]:
        if modifiers:
            return self.ask("POST", "/key-combo", {"modifiers": list(modifiers), "key": key}, headers)
        return self.ask("POST", "/keystroke", {"key": key}, headers)

    def text(self, text: str, headers: Mapping[str, str] | None = None) -> tuple[int, Any]:
        return self.ask("POST", "/text", {"text": text}, headers)

    def line(self, text: str) -> None:
        """A text and Enter, both of which must be taken."""
        if (self.text(text)[0], self.key("Enter")[0]) != (200, 200):
            raise BenchmarkError(f"not taken: {text}")

    def health(self) -> dict[str, Any]:
        return dict(self.ask("GET", "/health")[1])


@contextmanager
def shell_at_work(
    folder: Path, sandboxed: bool = True, columns: int = 80, rows: int = 24, restarts: bool = False
) -> Iterator[PersistentShell]:
    """A shell that waits at its prompt."""
    if sandboxed:
        bubblewrap.give(folder)
    shell = PersistentShell(ShellStart(SHELL, folder, sandboxed, columns, rows, restarts))
    try:
        shell.start()
        until(lambda: at_prompt(shell), "the shell's prompt")
        yield shell
    finally:
        shell.end()


def at_prompt(shell: PersistentShell) -> bool:
    """Does the shell wait for the next command?"""
    return next((line for line in reversed(shell.screen.text()) if line), "").endswith(("$", "#"))


def shown(shell: PersistentShell) -> str:
    """What stands on the terminal."""
    return "\n".join(shell.screen.text())


@contextmanager
def served(
    shell: PersistentShell, display: ShellDisplay | None = None, token: str = TOKEN
) -> Iterator[EndpointServer]:
    """The shell, typed to over HTTP."""
    server = EndpointServer(create_app(shell, display), token)
    server.start()
    try:
        yield server
    finally:
        server.end()


@contextmanager
def workplace() -> Iterator[Path]:
    """A folder for a shell in a sandbox, which whoever runs it can write to."""
    with tempfile.TemporaryDirectory(prefix="endpoint-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
