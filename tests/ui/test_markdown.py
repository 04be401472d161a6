"""What a model says is shown as Markdown, and loads, hides and opens nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QImage
from PySide6.QtWidgets import QApplication, QMenu

from desktop_agent.protocol.agent_events import Goal, Note, NoteDelta
from desktop_agent.ui.chat import markdown_document
from desktop_agent.ui.chat.message_view import MessageText, MessageView
from tests.ui import scenes
from tests.ui.conftest import Stage
from tests.ui.hands import Hands


def said(stage: Stage, text: str) -> MessageText:
    """The text of the agent's message, shown."""
    stage.play(Note(text=text))
    stage.wait(lambda: [v for v in stage.window.body.chat.views() if v.isVisible()], "the message")
    return stage.window.body.chat.views()[-1].text


@contextmanager
def counting_server() -> Iterator[tuple[str, list[str]]]:
    """A loopback server and the paths that were asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()


def test_nothing_that_is_said_is_loaded(stage: Stage, tmp_path: Path) -> None:
    red = tmp_path / "red.png"
    image = QImage(120, 120, QImage.Format.Format_RGB32)
    image.fill(0xFF0000)
    assert image.save(str(red))
    with counting_server() as (server, asked):
        text = said(
            stage,
            f"![one]({server}/a.png) ![two]({red.as_uri()}) ![three]({red}) <img src='{server}/b.png'>\n\n"
            f"<style>body {{ background: url({server}/c.png) }}</style> <img src='{red}'>\n\n"
            f"<div style='background: url({red.as_uri()})'>x</div> [link]({server}/d)\n\n"
            "![four](data:image/png;base64,iVBORw0KGgo=) ![five][r]\n\n"
            f"[r]: {server}/e.png\n\n| ![six]({server}/f.png) |\n|---|\n| ![seven](:/icon.png) |\n",
        )
        shown = text.toPlainText()
        painted = text.grab().toImage()
        stage.pump(100)
    assert asked == []
    assert "\ufffc" not in shown and "picture, not loaded: two" in shown and "<img src=" in shown
    assert not any(
        painted.pixelColor(x, y).red() > 240 and painted.pixelColor(x, y).green() < 20
        for x in range(0, painted.width(), 3)
        for y in range(0, painted.height(), 3)
    )
    loaded = text.document().loadResource(2, QUrl.fromLocalFile(str(red)))
    assert isinstance(loaded, QImage) and loaded.width() == 1


def test_markdown_is_shown_as_such(stage: Stage) -> None:
    text = said(stage, scenes.MARKDOWN)
    shown = text.toPlainText()
    assert "What I found\n" in shown and "##" not in shown and "**" not in shown and "|" not in shown
    assert "<b>not markup</b>" in shown
    assert "the datasheet (https://example.com/cm4?page=3)" in shown
    stage.play(Goal(text="**mine** stays"))
    stage.wait(
        lambda: stage.window.body.chat.views()[-1].text.toPlainText() == "**mine** stays", "my own words"
    )


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("[safe](https://a.example/\u202egnp)", "‹U+202E›"),
        ("&#8238;x &#x200b;y", "‹U+202E›x ‹U+200B›y"),
        ("[bank.example](https://evil.example/)", "bank.example (https://evil.example/)"),
        ("[run](javascript:alert%281%29)", "run (javascript:alert%281%29)"),
        ("[read](file:///etc/passwd)", "read (file:///etc/passwd)"),
    ],
)
def test_what_cannot_be_seen_or_leads_elsewhere_is_told(stage: Stage, source: str, shown: str) -> None:
    assert shown in said(stage, source).toPlainText()


def test_only_web_addresses_are_links(stage: Stage) -> None:
    text = said(
        stage,
        "[a](javascript:x) [b](file:///etc/passwd) [c](data:text/html,x) [d](https://good.example/p) "
        "[e](mailto:a@b.example) [f](https://user@evil.example/) [g](#top) [h](ftp://f.example)",
    )
    assert text.links() == ["https://good.example/p"]


class Browser(QObject):
    """Where the system would open addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def browser() -> Iterator[Browser]:
    opener = Browser()
    for scheme in ("http", "https", "file"):
        QDesktopServices.setUrlHandler(scheme, opener, "open")  # type: ignore[arg-type]
    yield opener
    for scheme in ("http", "https", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


def test_a_link_is_opened_by_a_click_and_a_yes_that_names_the_host(
    stage: Stage, hands: Hands, browser: Browser
) -> None:
    text = said(stage, "[here](https://b\u00fccher.example/x?y=1)")
    at = link_place(text)
    hands.point(text.viewport(), at)
    hands.press()
    hands.release()
    menu = opened_menu(stage)
    assert browser.opened == []
    words = [each.text() for each in menu.actions()]
    assert (
        words[1] == "Open https://xn--bcher-kva.example in the browser" and not menu.actions()[0].isEnabled()
    )
    hands.chord("down")
    hands.chord("enter")
    stage.wait(lambda: browser.opened, "the address opened")
    assert browser.opened == ["https://xn--bcher-kva.example/x?y=1"]


def opened_menu(stage: Stage) -> QMenu:
    stage.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def link_place(text: MessageText) -> QPoint:
    area = text.viewport().rect()
    return next(
        QPoint(x, y)
        for y in range(2, area.height(), 4)
        for x in range(2, area.width(), 4)
        if text.anchorAt(QPoint(x, y)) and text.anchorAt(QPoint(x + 4, y))
    )


def test_a_streamed_message_is_markdown_from_its_first_words(stage: Stage) -> None:
    stage.play(Note(text="before"), NoteDelta(text="It is **do"), NoteDelta(text="ne** in `a"))
    chat = stage.window.body.chat  # builds what is new over several turns where one takes long
    stage.wait(lambda: chat.views()[-1].text.toPlainText() == "It is done in `a", "the words so far")
    view = chat.views()[-1]
    stage.play(Note(text="It is **done** in `a.txt`."))
    stage.wait(lambda: view.text.toPlainText() == "It is done in a.txt.", "all words")


def test_a_cut_keeps_code_what_it_is() -> None:
    code = "".join(f"line {n} of the code\n" for n in range(200))
    text = f"Before.\n\n```python\n{code}```\n\nAfter.\n"
    assert markdown_document.tail(text, 500).startswith("```\nline ")
    parts = markdown_document.parts(text, 900)
    assert all(each.startswith("```\n") for each in parts[1:-1]) and len(parts) > 4
    assert "".join(parts).replace("```\n", "").count("line ") == 200
    assert len(markdown_document.head(text, 500)) <= 500


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_look_follows_the_theme(opened: Callable[..., Stage], theme: str) -> None:
    stage = opened(theme="light" if theme == "dark" else "dark")
    text = said(stage, "[a](https://a.example) `code`")
    before = text.grab().toImage()
    stage.window.header.theme_chosen.emit(theme)
    stage.wait(lambda: text.grab().toImage() != before, "the other colours")
    view = text.parentWidget()
    assert isinstance(view, MessageView)
