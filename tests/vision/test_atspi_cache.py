"""Elements from the cache equal those of a new reader, whatever has changed in the application."""

from __future__ import annotations

import itertools
import queue
import random
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from desktop_agent.vision.elements.reader import ElementReader
from desktop_agent.vision.observation import Element
from tests.desk import Desk, until
from tests.vision.reading import find, wait_for, wait_until_quiet, whole

APPS = Path(__file__).parent / "apps"
KINDS = (
    "text", "check", "rename", "enable", "slide", "choose", "tab", "select", "scroll", "add", "remove", "hide",
    "focus", "title", "move", "dialog",
)  # fmt: skip
Change = Callable[[str, int], None]


def told(elements: tuple[Element, ...]) -> list[tuple[object, ...]]:
    """What is the same for every reader; ids are each reader's own."""
    place = {each.id: index for index, each in enumerate(elements)}
    return [
        (e.role, e.name, e.value, e.bounds, tuple(sorted(e.states)), e.window, place.get(e.parent))
        for e in elements
    ]


class Fresh:
    """Reads with a new reader, whose cache is empty."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self) -> list[tuple[object, ...]]:
        reader = AtspiReader(self._desk.environment)
        try:
            return told(whole(reader))
        finally:
            reader.close()


def check(fresh: Fresh, reader: ElementReader, what: str) -> bool:
    """Compare with what a new reader finds; False while the application is still changing."""
    before = fresh.read()
    kept, late = told(reader.read()), reader.silent
    if late or before != fresh.read():
        return False
    differ = [(a, b) for a, b in itertools.zip_longest(kept, before) if a != b]
    assert not differ, f"after {what}: {differ[:6]}"
    return True


def over_a_socket(path: Path) -> Change:
    """Tells an application what to change."""
    connection = socket.socket(socket.AF_UNIX)
    # The file is there a moment before anybody listens.
    until(lambda: connection.connect_ex(str(path)) == 0, "the application's socket")
    connection.settimeout(30)

    def change(kind: str, number: int) -> None:
        connection.sendall(f"{kind} {number}\n".encode())
        assert connection.recv(100) == b"done\n"

    return change


def over_http(server: HTTPServer) -> Change:
    """Tells a page what to change."""
    told: queue.Queue[str] = queue.Queue()
    done: queue.Queue[bool] = queue.Queue()

    def answer(_: Request) -> Response:
        return Response("" if told.empty() else told.get())

    def finish(_: Request) -> Response:
        done.put(True)
        return Response("")

    server.expect_request("/next").respond_with_handler(answer)
    server.expect_request("/done").respond_with_handler(finish)
    page = (APPS / "changing.html").read_text()
    server.expect_request("/").respond_with_data(page, content_type="text/html")

    def change(kind: str, number: int) -> None:
        told.put(f"{kind} {number}")
        assert done.get(timeout=30)

    return change


@pytest.fixture(params=["changing_qt.py", "changing_gtk.py", "changing.html"])
def changing(
    request: pytest.FixtureRequest, shared_display: Desk, tmp_path: Path, httpserver: HTTPServer
) -> Iterator[Change]:
    """Changes a running application of a toolkit."""
    app = str(request.param)
    if app.endswith(".html"):
        change = over_http(httpserver)
        pid = shared_display.launch("chromium", httpserver.url_for("/"), title="Changing")
    else:
        pid = shared_display.launch(sys.executable, str(APPS / app), str(tmp_path / "socket"))
        change = over_a_socket(tmp_path / "socket")
        shared_display.wait_for_window("Changing")
    wait_until_quiet(shared_display)
    yield change
    shared_display.end(pid)


@pytest.fixture
def reader(shared_display: Desk) -> Iterator[ElementReader]:
    reader = AtspiReader(shared_display.environment)
    yield reader
    reader.close()


def test_no_change_is_missed(shared_display: Desk, changing: Change, reader: ElementReader) -> None:
    wait_for(shared_display, reader, "push button", "Send")
    fresh, chance = Fresh(shared_display), random.Random(7)  # noqa: S311 - no secrets
    until(lambda: check(fresh, reader, "the start"), "the application to be at rest")
    kinds = [*KINDS, *(chance.choice(KINDS) for _ in range(24))]
    for kind in kinds:
        number = chance.randrange(60)
        changing(kind, number)
        if chance.random() < 0.5:
            check(fresh, reader, f"{kind} {number} at once")
        until(partial(check, fresh, reader, f"{kind} {number}"), "the application to be at rest")


def test_what_has_not_changed_is_not_asked_for(
    shared_display: Desk, changing: Change, reader: ElementReader
) -> None:
    wait_for(shared_display, reader, "push button", "Send")
    until(lambda: questions(reader) <= 2, "a read that only asks who is there")
    changing("check", 1)
    until(lambda: find(reader.read(), "check box", "Fast"), "the check box")
    until(lambda: questions(reader) <= 2, "a read that only asks who is there, again")


def questions(reader: ElementReader) -> int:
    """How many requests a read takes."""
    before = reader.questions
    reader.read()
    return reader.questions - before
