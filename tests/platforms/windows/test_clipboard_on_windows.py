"""The clipboard of a real Windows session, between processes: saved and restored whole, never held open."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from desktop_agent.agent.acting.clipboard_keeper import ClipboardKeeper
from desktop_agent.platforms.windows import clipboard as module
from desktop_agent.platforms.windows.clipboard import (
    ClipboardContent,
    ClipboardFormat,
    WindowsClipboard,
)
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect, Size, Viewport
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")
UNICODE, DIB, ENHANCED = 13, 8, 14
SOMEBODY = """
import json, queue, sys, threading
from desktop_agent.platforms.windows.clipboard import ClipboardCalls
calls = ClipboardCalls()
window = calls.new_window()
def do(wanted):
    while not calls.open(window):
        threading.Event().wait(0.01)
    if wanted == "hold":
        return
    if wanted == "hang":
        print("done", flush=True)
        threading.Event().wait()
    if wanted == "read":
        found = {}
        for number in calls.formats():
            memory = calls.data(number) if number not in (2, 3, 9, 14) else 0
            found[calls.name(number) or number] = calls.read(memory).hex() if memory else ""
        print(json.dumps(found), flush=True)
    else:
        assert calls.empty()
        for number, name, data in wanted:
            assert calls.put(number or calls.number(name), calls.new(bytes.fromhex(data)))
    calls.close()
lines = queue.SimpleQueue()
threading.Thread(target=lambda: list(map(lines.put, sys.stdin)), daemon=True).start()
while True:
    calls.changed_at(window)  # fetches messages, as a program does
    if lines.empty():
        calls.wait(0.02)
    else:
        do(json.loads(lines.get()))
        print("done", flush=True)
"""
QT = """
import sys
from PySide6.QtCore import QMimeData, QTimer
from PySide6.QtGui import QGuiApplication, QImage
app = QGuiApplication([])
data = QMimeData()
data.setText("grüß Gott")
data.setHtml("<b>grüß Gott</b>")
data.setImageData(QImage(40, 30, QImage.Format.Format_RGB32))
app.clipboard().setMimeData(data)
print("done", flush=True)
app.exec()
"""


class Somebody:
    """Another program, which copies, reads, or holds the clipboard open."""

    def __init__(self, script: str = SOMEBODY) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def do(self, wanted: object) -> list[str]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()
        return [line for line in iter(self.process.stdout.readline, "done\n") if line]

    def copy(self, *forms: ClipboardFormat) -> Somebody:
        self.do([(0 if each.name else each.number, each.name, each.data.hex()) for each in forms])
        return self

    def read(self) -> dict[str, bytes]:
        return {name: bytes.fromhex(data) for name, data in json.loads(self.do("read")[0]).items()}

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def text(words: str) -> ClipboardFormat:
    return ClipboardFormat(UNICODE, "", words.encode("utf-16-le") + b"\0\0")


OLD, MEANS = text("Zażółć 你好 😀"), text("the agent's")
HTML = ClipboardFormat(0, "HTML Format", b"Version:0.9 <b>x</b>\0")
LARGE = ClipboardFormat(0, "Something of a program", bytes(range(256)) * 4_000)
PICTURE = ClipboardFormat(
    DIB, "", (40).to_bytes(4, "little") + b"\1\0\0\0\1\0\0\0\1\0\x20\0" + bytes(24) + b"abcd"
)


@pytest.fixture
def started() -> Iterator[Callable[..., Somebody]]:
    made: list[Somebody] = []

    def start(script: str = SOMEBODY) -> Somebody:
        made.append(Somebody(script))
        return made[-1]

    yield start
    for each in made:
        each.end()


@pytest.fixture
def clipboard() -> Iterator[WindowsClipboard]:
    made = WindowsClipboard(User32())
    yield made
    made.close()


def kept(saved: bytes | None) -> dict[str | int, bytes]:
    assert saved is not None
    return {
        form.name or form.number: form.data
        for form in msgspec.msgpack.decode(saved, type=ClipboardContent).forms
    }


Start = Callable[..., Somebody]


@pytest.mark.parametrize("given", [(OLD, HTML), (OLD, LARGE), (PICTURE, HTML)])
def test_every_form_is_saved_and_put_back(
    given: tuple[ClipboardFormat, ...], clipboard: WindowsClipboard, started: Start
) -> None:
    user, agent = started().copy(*given), started()
    saved = clipboard.save()
    assert {form.name or form.number: form.data for form in given}.items() <= kept(saved).items()
    agent.copy(MEANS)
    assert user.read()["13"] == MEANS.data and saved is not None
    clipboard.restore(saved)
    found = agent.read()
    assert all(found[form.name or str(form.number)] == form.data for form in given)
    assert kept(clipboard.save()) == kept(saved)


def test_it_stays_when_this_program_has_let_go_of_it(started: Start) -> None:
    user = started().copy(OLD)
    made = WindowsClipboard(User32())
    saved = made.save()
    assert saved is not None
    started().copy(MEANS)
    made.restore(saved)
    made.close()
    made.close()
    assert user.read()["13"] == OLD.data


def test_a_real_program_s_promises_are_asked_for(
    clipboard: WindowsClipboard, started: Start, caplog: pytest.LogCaptureFixture
) -> None:
    qt = started(QT)
    assert qt.process.stdout is not None
    qt.process.stdout.readline()
    with caplog.at_level(logging.INFO, logger=module.__name__):
        saved = clipboard.save()
    forms = kept(saved)
    assert forms[UNICODE] == text("grüß Gott").data and b"<b>" in forms["HTML Format"] and forms[DIB]
    assert "not kept of the clipboard: " in caplog.text and "Gott" not in caplog.text
    assert "DataObject" not in forms
    agent = started().copy(MEANS)
    assert saved is not None
    qt.end()
    clipboard.restore(saved)
    found = agent.read()
    assert found["13"] == text("grüß Gott").data and found["8"] == forms[DIB]


def test_an_empty_clipboard_is_empty_again(clipboard: WindowsClipboard, started: Start) -> None:
    user = started().copy()
    saved = clipboard.save()
    assert kept(saved) == {} and saved is not None
    started().copy(MEANS)
    clipboard.restore(saved)
    assert user.read() == {}


def test_it_tells_who_took_it_and_when(clipboard: WindowsClipboard, started: Start) -> None:
    before = clipboard.last()
    assert clipboard.wait_for_change(before, 0.01) == before
    first, second = started(), started()
    first.copy(OLD)
    change = clipboard.wait_for_change(before, 20)
    assert change.owner == first.process.pid and change.time > before.time
    clipboard.save()
    assert clipboard.last() == change, "reading is no change"
    second.copy(MEANS)
    later = clipboard.wait_for_change(change, 20)
    assert later.owner == second.process.pid and later.time >= change.time


def test_a_clipboard_that_another_program_holds_open_is_not_waited_for_long(
    clipboard: WindowsClipboard, started: Start
) -> None:
    user = started().copy(OLD)
    saved = clipboard.save()
    assert saved is not None
    user.do("hold")
    with pytest.raises(TargetError, match="open"):
        clipboard.save()
    with pytest.raises(TargetError, match="open"):
        clipboard.restore(saved)
    user.end()
    until(lambda: kept(clipboard.save()) == kept(saved), "the clipboard as it was")


def test_an_owner_that_hangs_is_not_asked(clipboard: WindowsClipboard, started: Start) -> None:
    user = started().copy(OLD)
    saved = clipboard.save()
    assert saved is not None
    user.do("hang")
    assert clipboard.save() is None
    with pytest.raises(TargetError, match="does not answer"):
        clipboard.restore(saved)


def test_what_there_is_no_room_for_is_named(
    clipboard: WindowsClipboard,
    started: Start,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started().copy(LARGE, OLD)
    monkeypatch.setattr(module, "SAVE_BYTES", 1000)
    with caplog.at_level(logging.INFO, logger=module.__name__):
        assert kept(clipboard.save())[UNICODE] == OLD.data
    assert f"not kept of the clipboard: {LARGE.name}" in caplog.text


class Hand:
    """A hand whose copies are made by another program."""

    generation = 0
    stop_reason = ""

    def __init__(self, program: Somebody) -> None:
        self.program = program

    def execute(self, batch: Batch, on_progress: Callable[[Progress], None]) -> list[OpResult]:
        if batch.operations[0] == ops.KeyCombo(("ctrl", "c")):
            self.program.copy(MEANS)
        return [OpResult(batch.id, index, "done") for index in range(len(batch.operations))]


@pytest.mark.parametrize("meanwhile", [None, text("newer")])
def test_a_run_leaves_the_user_what_they_had(meanwhile: ClipboardFormat | None, started: Start) -> None:
    user, hand = started().copy(OLD), Hand(started())
    keeper = ClipboardKeeper(hand, lambda: WindowsClipboard(User32()), lambda _: "")
    view = Viewport(Rect(0, 0, 800, 600), Size(800, 600), 1)

    def work() -> None:  # its window belongs to the thread that makes it, as in a run
        for key in "cv":
            keeper.execute(Batch("b", (ops.KeyCombo(("ctrl", key)),), view), lambda _: None)
        if meanwhile is not None:
            user.copy(meanwhile)
        keeper.end()

    run = threading.Thread(target=work)
    run.start()
    run.join()
    assert hand.program.read()["13"] == (meanwhile or OLD).data


def test_a_content_does_not_show_itself() -> None:
    shown: Any = repr(ClipboardContent((HTML,)))
    assert shown == f"ClipboardContent(forms=(ClipboardFormat(HTML Format, {len(HTML.data)} bytes),))"
