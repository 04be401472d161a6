"""Elements of real applications have the right names, bounds and values."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from benchmarks.reading import page
from desktop_agent.policy.facts.place_lookup import Places
from desktop_agent.protocol.geometry import Viewport
from desktop_agent.vision.atspi.atspi_reader import AtspiReader
from desktop_agent.vision.elements.describe import describe_observation
from desktop_agent.vision.elements.reader import ElementReader
from desktop_agent.vision.observation import Element, Observation
from tests.desk import Desk, until
from tests.support import loopback
from tests.vision.reading import (
    click,
    find,
    get,
    wait_for,
    wait_for_state,
    wait_until_gone,
    whole,
)

Launch = Callable[..., int]
APPS = Path(__file__).parent / "apps"


@pytest.fixture
def reader(shared_display: Desk) -> Iterator[ElementReader]:
    reader = AtspiReader(shared_display.environment)
    yield reader
    reader.close()


def test_an_editor_shows_its_text_and_menus(
    shared_display: Desk, reader: ElementReader, launch: Launch, tmp_path: Path
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann,\nhello.\n")
    pid = launch("mousepad", str(file), title="letter.txt")
    text = wait_for_state(shared_display, reader, "focused", "text")
    assert text.value == "Dear Ann,\nhello.\n"
    assert {"editable", "multiline", "enabled", "showing"} <= text.states
    assert text.pid == pid
    assert text.application == "mousepad"
    assert text.window == shared_display.target.windows()[0].title
    menus = [e.name for e in whole(reader) if e.role == "menu"]
    assert menus == ["File", "Edit", "Search", "View", "Document", "Help"]


def test_an_opened_menu_is_read_and_a_closed_one_is_not(
    shared_display: Desk, reader: ElementReader, launch: Launch
) -> None:
    launch("mousepad", title="Mousepad")
    file = wait_for(shared_display, reader, "menu", "File")
    assert find(whole(reader), "menu item", "Save As...") is None
    click(shared_display, file)
    save = wait_for(shared_display, reader, "menu item", "Save As...")
    assert save.bounds.y >= file.bounds.bottom
    click(shared_display, save)
    wait_for(shared_display, reader, "push button", "Save")
    wait_for_state(shared_display, reader, "focused", "text", "Name")
    wait_until_gone(shared_display, reader, "menu item", "Save As...")


def test_the_files_in_a_dialog_are_read(
    shared_display: Desk, reader: ElementReader, launch: Launch, tmp_path: Path
) -> None:
    for number in range(3):
        (tmp_path / f"part{number}.txt").write_text("x")
    launch("mousepad", str(tmp_path / "part0.txt"), title="part0.txt")
    click(shared_display, wait_for(shared_display, reader, "menu", "File"))
    click(shared_display, wait_for(shared_display, reader, "menu item", "Open..."))
    cell = wait_for(shared_display, reader, "table cell", "part2.txt")
    assert wait_for(shared_display, reader, "list item", "Home").window == "Open File"
    click(shared_display, cell)
    wait_for_state(shared_display, reader, "selected", "table cell", "part2.txt")


def test_a_calculator_is_worked_by_the_names_of_its_buttons(
    shared_display: Desk, reader: ElementReader, launch: Launch
) -> None:
    launch("galculator", title="galculator")
    for name in ("7", "+", "8", "="):
        click(shared_display, wait_for(shared_display, reader, "toggle button", name))
    until(lambda: wait_for(shared_display, reader, "text").value == "15", "15 in the display")


@pytest.mark.skipif(
    not any(Path("/usr/lib").glob("*/gtk-2.0/modules/libatk-bridge.so")),
    reason="GTK 2 programs are silent without libatk-adaptor",
)
def test_a_file_manager_shows_its_files(
    shared_display: Desk, reader: ElementReader, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "Holiday").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    launch("pcmanfm", str(tmp_path), title=tmp_path.name)
    wait_for(shared_display, reader, "table cell", "notes.txt")
    folder = wait_for(shared_display, reader, "table cell", "Holiday")
    click(shared_display, folder)
    wait_for_state(shared_display, reader, "selected", "table cell", "Holiday")


def test_a_qt_window_is_walked(shared_display: Desk, reader: ElementReader, launch: Launch) -> None:
    pid = launch(sys.executable, str(APPS / "qt_form.py"), title="Qt form")
    assert wait_for(shared_display, reader, "text", "Name").value == "Ann"
    elements = whole(reader)
    assert get(elements, "slider", "Speed").value == "30"
    assert get(elements, "combo box", "Colour").value == "Red"
    assert "checked" in get(elements, "check box", "Fast").states
    password = get(elements, "password text", "Password")
    assert password.value == ""
    assert "password" in password.states
    assert any(e.role == "text" and e.value == "one\ntwo" for e in elements)
    send = get(elements, "push button", "Send")
    assert (send.pid, send.window) == (pid, "Qt form")


@pytest.mark.skipif(not shutil.which("gnome-text-editor"), reason="needs gnome-text-editor, a GTK 4 program")
def test_a_gtk4_window_is_read_where_it_is(
    shared_display: Desk, reader: ElementReader, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("hello")
    launch("gnome-text-editor", "--standalone", str(tmp_path / "letter.txt"), title="letter.txt")
    text = wait_for(shared_display, reader, "text")
    assert text.value == "hello"
    window = shared_display.target.windows()[0]
    assert text.bounds.intersection(window.bounds) == text.bounds
    click(shared_display, wait_for(shared_display, reader, "push button", "Close"))
    until(lambda: shared_display.target.windows() != [window], "the window to close")


def test_of_a_long_list_only_the_rows_in_sight_are_read(
    shared_display: Desk, reader: ElementReader, launch: Launch
) -> None:
    launch(sys.executable, str(APPS / "qt_form.py"), title="Qt form")
    wait_for(shared_display, reader, "list item", "Row 4001")
    elements = whole(reader)
    frame = get(elements, "list")
    rows = [e for e in elements if e.role == "list item"]
    assert [e.name for e in rows] == [f"Row {i}" for i in range(4000, 4000 + len(rows))]
    assert 3 <= len(rows) < 60
    assert all(row.bounds.intersection(frame.bounds) == row.bounds for row in rows)


@pytest.fixture
def said(httpserver: HTTPServer) -> dict[str, Any]:
    """What the page in tests/vision/apps/form.html reports, by kind."""
    told: dict[str, Any] = {}

    def take(request: Request) -> Response:
        told[request.args["what"]] = json.loads(request.args["value"])
        return Response("")

    httpserver.expect_request("/said").respond_with_handler(take)
    page = (APPS / "form.html").read_text()
    httpserver.expect_request("/").respond_with_data(page, content_type="text/html")
    return told


def test_a_page_in_chromium_is_read_where_it_is(
    shared_display: Desk, reader: ElementReader, launch: Launch, httpserver: HTTPServer, said: dict[str, Any]
) -> None:
    launch("chromium", httpserver.url_for("/"), title="Order form")
    wait_for(shared_display, reader, "push button", "Send order")
    elements = until(lambda: _with_document(reader), "the whole page")
    page = get(elements, "document web", "Order form")
    assert page.url == httpserver.url_for("/")
    seen = {
        "name": get(elements, "entry", "Your name"),
        "fast": get(elements, "check box", "Fast"),
        "colour": get(elements, "combo box", "Colour"),
        "speed": get(elements, "slider", "Speed"),
        "word": get(elements, "password text", "Password"),
        "send": get(elements, "push button", "Send order"),
        "terms": get(elements, "link", "the terms"),
        "inside": get(elements, "push button", "Inside"),
        "off": get(elements, "push button", "Not now"),
    }
    for id, box in until(lambda: said.get("bounds"), "the page's own bounds").items():
        there = seen[id].bounds
        mine = (there.x - page.bounds.x, there.y - page.bounds.y, there.width, there.height)
        assert mine == pytest.approx(box, abs=2), id
    assert [seen[id].value for id in ("name", "colour", "speed", "word")] == [
        "Ann", "Green", "4", "",
    ]  # fmt: skip
    assert "checked" in seen["fast"].states
    assert "enabled" not in seen["off"].states
    assert find(elements, "push button", "Far below") is None
    assert find(elements, "push button", "Scrolled away") is None
    click(shared_display, seen["send"])
    until(lambda: said.get("clicked") == "send", "the page to report the click")


def test_the_second_page_and_an_opened_list_are_read_too(
    shared_display: Desk, reader: ElementReader, launch: Launch, httpserver: HTTPServer, said: dict[str, Any]
) -> None:
    """Chromium's cache of accessible objects knows only what was there when reading began."""
    second = '<title>Thanks</title><h1>Thank you</h1><a href="/">Back to the form</a>'
    httpserver.expect_request("/second").respond_with_data(second, content_type="text/html")
    launch("chromium", httpserver.url_for("/second"), title="Thanks")
    wait_for(shared_display, reader, "heading", "Thank you")
    click(shared_display, wait_for(shared_display, reader, "link", "Back to the form"))
    click(shared_display, wait_for(shared_display, reader, "combo box", "Colour"))
    click(shared_display, wait_for(shared_display, reader, "menu item", "Red"))
    until(
        lambda: wait_for(shared_display, reader, "combo box", "Colour").value == "Red",
        "the clicked colour to be chosen",
    )
    wait_until_gone(shared_display, reader, "menu item", "Red")
    assert find(whole(reader), "heading", "Thank you") is None


class Framed(loopback.Handler):
    """A page with a frame of another origin, and one that it fills itself."""

    def get(self) -> None:
        port = self.headers["Host"].rpartition(":")[2]
        frames = f'<iframe src="http://localhost:{port}/inner"></iframe><iframe srcdoc="<button>Own</button>"></iframe>'
        outer = f"<title>Top</title><button>Outside</button><p>{frames}"
        self.say((outer if self.path == "/top" else "<button>Inside</button>").encode())


def test_frames_of_a_page_tell_their_own_addresses(
    shared_display: Desk, reader: ElementReader, launch: Launch
) -> None:
    places = Places(shared_display.target, frozenset())

    def origin(name: str) -> str:
        """The first that is told: a document's address may come after its buttons, and is unknown until then."""

        def told() -> str:
            elements = whole(reader)
            button = find(elements, "push button", name)
            return places.of(button, elements).origin if button is not None else ""

        return until(told, f"the origin of {name}")

    with loopback.serving(Framed) as port:
        launch("chromium", f"http://127.0.0.1:{port}/top", title="Top")
        assert origin("Inside") == f"http://localhost:{port}"
        assert origin("Outside") == origin("Own") == f"http://127.0.0.1:{port}"


def _with_document(reader: ElementReader) -> tuple[Element, ...] | None:
    elements = reader.read()
    return elements if find(elements, "push button", "Not now") else None


def test_a_page_of_450_nodes_fits_and_keeps_its_ids(
    shared_display: Desk, reader: ElementReader, launch: Launch, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    file.write_text(page.page())
    launch("chromium", f"file://{file}", title=page.TITLE)
    wait_for(shared_display, reader, "check box", "Keep Lamp 10")
    target = shared_display.target
    elements = until(lambda: all_links(reader.read(target.windows())), "the whole page")
    again = {each.name: each.id for each in whole(reader, shared_display) if each.role == "link"}
    assert again == {each.name: each.id for each in elements if each.role == "link"}
    frame = target.observe()
    view = Viewport(frame.region, frame.size, frame.epoch)
    told = describe_observation(Observation(frame, view, elements, window=elements[0].window))
    assert "left out" not in told
    pressed = ("link", "push button", "check box", "entry")
    assert all(f"{each.id} {each.role}" in told for each in elements if each.role in pressed)


def all_links(elements: tuple[Element, ...]) -> tuple[Element, ...]:
    return elements if sum(each.role == "link" for each in elements) == 20 else ()
