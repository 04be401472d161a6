"""A job at a filmed terminal from end to end: seen by a camera alone, typed over HTTP, and judged by the files."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="the extra `camera` is not installed")
pytest.importorskip("fastapi", reason="the extra `endpoint` is not installed")

from desktop_agent.platforms.posix import bubblewrap
from tests.support.filmed_machine import filmed_terminal
from tests.support.simulated_camera import GOOD

SECONDS = 300
"""The job takes 15 seconds; on two processors that others keep busy it took 60."""
pytestmark = [
    pytest.mark.timeout(SECONDS),
    pytest.mark.skipif(not bubblewrap.is_usable(), reason="no sandbox can be made here"),
]


class Relay(BaseHTTPRequestHandler):
    """Hands requests on and keeps the bodies of the answers."""

    protocol_version = "HTTP/1.1"
    to: str
    answers: list[bytes]

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = http.client.HTTPConnection(self.to, timeout=10)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        connection.request(self.command, self.path, body, headers)
        reply = connection.getresponse()
        answer = reply.read()
        connection.close()
        self.answers.append(answer)
        self.send_response(reply.status)
        for name, value in reply.getheaders():
            if name.lower() not in ("date", "server", "connection", "transfer-encoding"):
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *words: object) -> None:
        del words


@contextmanager
def relayed(address: str) -> Iterator[tuple[str, list[bytes]]]:
    """An address that leads to this one, and the bodies of all that is answered there."""
    answers: list[bytes] = []
    handler = type("To", (Relay,), {"to": address.removeprefix("http://"), "answers": answers})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", answers
        finally:
            server.shutdown()
            thread.join()


def test_the_files_of_a_folder_are_counted_by_camera_and_keyboard_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/bin/bash")  # a prompt as people have it, more than "$"
    folder = tmp_path / "work"
    folder.mkdir()
    for name in ("kiwi.txt", "plum.csv", "notes.md"):
        (folder / name).write_text(name)
    with (
        filmed_terminal(GOOD, folder, tmp_path / "data") as machine,
        relayed(str(machine.settings["wire.http"]["address"])) as (address, answers),
    ):
        machine.settings["wire.http"]["address"] = address
        outcome = machine.run(
            "Run “n=$(ls | wc -l); ls; echo $n > count.txt”", "--model", "offline", seconds=SECONDS / 2
        )
    assert outcome.done, (outcome.answer, outcome.errors)
    assert (folder / "count.txt").read_text() == "3\n"
    assert "kiwi.txt" in outcome.answer
    told = [json.loads(each) for each in answers]
    typed = [each for each in told if set(each) == {"status"}]
    health = {"status", "idempotency", "shell", "columns", "rows", "display", "version", "instance"}
    assert len(typed) >= 4
    assert all(each["status"] == "ok" and set(each) <= health for each in told), told
    assert not any(name in each for each in answers for name in (b"kiwi", b"plum", b"notes"))
