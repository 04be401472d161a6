"""Typed text arrives exactly however late the application reads it, also without ping support."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from desktop_agent.platforms.base import Input
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.input.drain_wait import DrainCheck
from desktop_agent.protocol.errors import TargetError
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until
from tests.platforms.x11.test_typing import type_out

APPS = Path(__file__).parent.parent / "apps"
NEW = "".join(chr(0x4E00 + number) for number in range(200))
"""Several times as many as there are free key codes."""
OTHERS = "".join(chr(0x6E00 + number) for number in range(40))


@pytest.fixture
def terminal(shared_display: Desk, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """An xterm, and the file that gets every byte typed into it."""
    file = tmp_path / "typed"
    command = f'stty raw -echo; printf "\\033]0;reader\\007"; exec cat > {file}'
    argv = ("env", "LC_ALL=C.UTF-8", "xterm", "-e", "sh", "-c", command)
    pid = shared_display.launch(*argv, title="^reader$")
    yield pid, file
    shared_display.end(pid)


def arrives(file: Path, text: str) -> None:
    """Fails showing both texts when the file does not come to hold the text."""
    try:
        until(lambda: file.read_text(encoding="utf-8", errors="replace") == text, "the whole text")
    except AssertionError:
        assert file.read_text(encoding="utf-8", errors="replace") == text


def arrived(file: Path) -> str:
    """What has been written so far; the last character may be half there."""
    return file.read_text(encoding="utf-8", errors="ignore")


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def begin_and_see_it_wait(call: Callable[..., None], *arguments: object) -> threading.Thread:
    """Begin something in a thread; returns after a second, or fails when it is done before."""
    thread = threading.Thread(target=call, args=arguments)
    thread.start()
    since = time.monotonic()
    until(lambda: not thread.is_alive() or time.monotonic() > since + 1, "a second")
    assert thread.is_alive(), "the hand did not wait"
    return thread


def test_a_terminal_that_reads_late_gets_the_text_exactly(hand: Input, terminal: tuple[int, Path]) -> None:
    pid, file = terminal
    with frozen(pid):
        typing = begin_and_see_it_wait(type_out, hand, NEW)
    typing.join()
    arrives(file, NEW)


def test_the_key_map_is_put_back_only_when_a_terminal_has_read(
    shared_display: Desk, terminal: tuple[int, Path]
) -> None:
    pid, file = terminal
    hand = embedded.attach(shared_display.target.address())
    with frozen(pid):
        type_out(hand, OTHERS)
        closing = begin_and_see_it_wait(hand.close)
    closing.join()
    arrives(file, OTHERS)


def test_what_was_typed_elsewhere_before_is_read_first(
    hand: Input, terminal: tuple[int, Path], shared_display: Desk, tmp_path: Path
) -> None:
    """The window with the keyboard has read everything, the one before has not."""
    pid, file = terminal
    box = tmp_path / "box"
    with frozen(pid):
        type_out(hand, OTHERS)
        other = shared_display.launch(sys.executable, str(APPS / "text_box.py"), str(box), title="^text box$")
        until(box.exists, "the focus on the text box")
        typing = begin_and_see_it_wait(type_out, hand, NEW)
    typing.join()
    arrives(file, OTHERS)
    arrives(box, NEW)
    shared_display.end(other)


def test_a_terminal_that_does_not_read_gets_nothing_wrong(
    shared_display: Desk, terminal: tuple[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_agent.platforms.x11.input.spare_keycodes.READ_SECONDS", 0.5)
    pid, file = terminal
    hand = embedded.attach(shared_display.target.address())
    with frozen(pid), pytest.raises(TargetError, match="does not read"):
        type_out(hand, NEW)
    until(lambda: len(arrived(file)) >= 32, "what was typed before")
    hand.close()
    assert NEW.startswith(arrived(file))


# ---- looking at a program ------------------------------------------------------------------------

BUSY = """
import os, threading, time, xcffib.xproto
connection = xcffib.Connection()
def burn():
    end, owner = time.monotonic() + 30, os.getppid()
    while time.monotonic() < end and os.getppid() == owner: pass
threading.Thread(target=burn, daemon=True).start()
while True: connection.wait_for_event()
"""


@contextmanager
def looking(desk: Desk, pid: int) -> Iterator[DrainCheck]:
    display = Display(desk.environment)
    program = DrainCheck(pid, display.sync)
    yield program
    program.close()
    display.close()


def test_a_quiet_program_has_taken_all_and_a_stopped_one_has_not(
    shared_display: Desk, terminal: tuple[int, Path]
) -> None:
    pid, _ = terminal
    with looking(shared_display, pid) as program:
        assert program.visible
        until(program.complete, "the terminal asleep")
        with frozen(pid):
            assert not program.complete()
        until(program.complete, "the terminal asleep again")


def test_a_program_with_a_thread_that_never_sleeps_is_not_waited_for_long(shared_display: Desk) -> None:
    pid = shared_display.launch(sys.executable, "-c", BUSY)

    def connected() -> bool:
        with looking(shared_display, pid) as program:
            return program.visible

    until(connected, "its connection")
    with looking(shared_display, pid) as program:
        until(program.complete, "its main thread asleep")
        assert program.visible
    shared_display.end(pid)


def test_nothing_can_be_told_of_a_program_without_a_connection(shared_display: Desk) -> None:
    for pid in (0, 2**22 + 1, os.getpid()):
        with looking(shared_display, pid) as program:
            assert program.visible == (pid == os.getpid())  # it has this test's own connection
