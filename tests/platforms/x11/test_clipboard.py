"""The clipboard of a real X display: saved and restored whole, served until another client takes it."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

import msgspec
import pytest
import xcffib

from desktop_agent.platforms.x11.clipboard import clipboard as x11_clipboard
from desktop_agent.platforms.x11.clipboard.clipboard import X11Clipboard
from desktop_agent.platforms.x11.clipboard.icccm import SelectionContent, SelectionForm, SelectionWindow
from desktop_agent.platforms.x11.clipboard.server import Server
from tests.desk import Desk, until

TEXT = SelectionForm("UTF8_STRING", "UTF8_STRING", 8, "grüß Gott".encode())
HTML = SelectionForm("text/html", "text/html", 8, b"<b>hello</b>")
LARGE = SelectionForm("text/plain;charset=utf-8", "text/plain;charset=utf-8", 8, os.urandom(3_000_001))
PICTURE = SelectionForm("image/png", "image/png", 8, b"\x89PNG" + bytes(500_000))
NUMBERS = SelectionForm("NUMBERS", "INTEGER", 32, bytes(range(16)))


class Somebody:
    """Another client, which copies."""

    def __init__(self, desk: Desk, *forms: SelectionForm) -> None:
        self.window = SelectionWindow(desk.environment)
        server = Server(self.window, SelectionContent(forms))
        assert server.take()
        self.thread = threading.Thread(target=self._serve, args=(server,), daemon=True)
        self.thread.start()

    def _serve(self, server: Server) -> None:
        with contextlib.suppress(xcffib.ConnectionException):  # the display may go first
            server.run()


@pytest.fixture
def clipboard(shared_display: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[X11Clipboard]:
    monkeypatch.setattr(x11_clipboard, "SAVE_SECONDS", 60.0)  # the others are threads of a busy test
    monkeypatch.setattr(x11_clipboard, "ONE_SECONDS", 20.0)
    made = X11Clipboard(shared_display.environment)
    yield made
    last = Somebody(shared_display, TEXT)
    until(lambda: all(each.poll() is not None for each in made._servers), "the end of every server")
    made.close()
    assert last.thread.is_alive()


def forms(saved: bytes | None) -> dict[str, SelectionForm]:
    assert saved is not None
    return {each.target: each for each in msgspec.msgpack.decode(saved, type=SelectionContent).forms}


def pids(clipboard: X11Clipboard) -> list[int]:
    return [each.pid for each in clipboard._servers if each.poll() is None]


@pytest.mark.parametrize("given", [(TEXT, HTML), (LARGE, HTML), (TEXT, PICTURE, NUMBERS), (LARGE, PICTURE)])
def test_every_form_is_saved_and_put_back(
    given: tuple[SelectionForm, ...], shared_display: Desk, clipboard: X11Clipboard
) -> None:
    Somebody(shared_display, *given)
    saved = clipboard.save()
    assert forms(saved) == {each.target: each for each in given}
    agent = Somebody(shared_display, SelectionForm("STRING", "STRING", 8, b"a means"))
    assert saved is not None
    clipboard.restore(saved)
    until(lambda: not agent.thread.is_alive(), "the agent's copy given up")
    assert forms(clipboard.save()) == forms(saved)
    assert pids(clipboard)


def test_serving_ends_when_somebody_else_copies(shared_display: Desk, clipboard: X11Clipboard) -> None:
    Somebody(shared_display, TEXT)
    saved = clipboard.save()
    assert saved is not None
    clipboard.restore(saved)
    assert pids(clipboard)
    Somebody(shared_display, HTML)
    until(lambda: not pids(clipboard), "the end of the server")
    assert set(forms(clipboard.save())) == {"text/html"}


def test_several_forms_may_be_asked_for_at_once(shared_display: Desk, clipboard: X11Clipboard) -> None:
    Somebody(shared_display, TEXT, HTML)
    reader = SelectionWindow(shared_display.environment)
    atom = reader.display.atom
    pairs = (atom("UTF8_STRING"), atom("A"), atom("image/png"), atom("B"), atom("text/html"), atom("C"))
    into = atom("PAIRS")
    reader.set(reader.id, into, atom("ATOM_PAIR"), 32, b"".join(n.to_bytes(4, "little") for n in pairs))
    reader.display.core.ConvertSelection(reader.id, reader.clipboard, atom("MULTIPLE"), into, reader.now())
    until(lambda: reader.display.numbers(reader.id, "PAIRS")[3] == 0, "an answer with one form struck out")
    assert (
        reader.display.core.GetProperty(False, reader.id, atom("C"), 0, 0, 99).reply().value.raw == HTML.data
    )
    reader.close()


def test_an_empty_clipboard_is_empty_again(display: Desk) -> None:
    clipboard = X11Clipboard(display.environment)
    saved = clipboard.save()
    assert forms(saved) == {}
    Somebody(display, TEXT)
    assert saved is not None
    clipboard.restore(saved)
    until(lambda: forms(clipboard.save()) == {}, "nothing on the clipboard")
    clipboard.close()


def test_it_tells_who_took_it(shared_display: Desk, clipboard: X11Clipboard) -> None:
    before = clipboard.last()
    assert clipboard.wait_for_change(before, 0.01) == before
    first = Somebody(shared_display, TEXT)
    change = clipboard.wait_for_change(before, 20)
    assert change.owner == first.window.id and change.time > before.time
    clipboard.save()
    Somebody(shared_display, HTML)
    assert clipboard.wait_for_change(change, 20).owner != first.window.id


def test_an_owner_that_does_not_answer_costs_little_time(
    shared_display: Desk, clipboard: X11Clipboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(x11_clipboard, "ONE_SECONDS", 0.2)
    window = SelectionWindow(shared_display.environment)
    assert Server(window, SelectionContent((TEXT,))).take()  # and nobody runs it
    assert clipboard.save() is None
    window.close()


def test_a_content_does_not_show_itself() -> None:
    assert repr(SelectionContent((HTML,))) == "SelectionContent(forms=(SelectionForm(text/html, 12 bytes),))"


def test_the_server_ends_with_its_display(display: Desk) -> None:
    clipboard = X11Clipboard(display.environment)
    Somebody(display, TEXT)
    saved = clipboard.save()
    assert saved is not None
    clipboard.restore(saved)
    (server,) = clipboard._servers
    display.target.stop()
    assert server.wait(20) == 1
