"""Session events, capture exclusion and deep checks on a real Windows session."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from desktop_agent.doctor.deep import run
from desktop_agent.doctor.deep.fixture import Bench, set_up
from desktop_agent.platforms.windows.session_events import (
    END,
    POWER,
    QUERY_END,
    SESSION,
    Change,
    SessionEvents,
)
from desktop_agent.protocol.geometry import Rect

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")


@pytest.fixture
def heard() -> Iterator[tuple[SessionEvents, list[Change]]]:
    changes: list[Change] = []
    events = SessionEvents(changes.append)
    events.start()
    assert events.window
    yield events, changes
    events.close()
    assert not events.window


def say(events: SessionEvents, message: int, word: int) -> int:
    """As the system says it: the answer comes when the program is done with it."""
    windows: Any = ctypes
    return int(windows.WinDLL("user32").SendMessageW(events.window, message, word, 0))


def test_the_end_of_the_session_is_allowed_and_told(heard: tuple[SessionEvents, list[Change]]) -> None:
    events, changes = heard
    assert say(events, QUERY_END, 0) == 1 and not changes
    say(events, END, 0)  # another program refused
    assert not changes
    say(events, END, 1)
    assert changes == ["ending"]


def test_a_lock_a_disconnection_and_sleep_are_told(heard: tuple[SessionEvents, list[Change]]) -> None:
    events, changes = heard
    for message, word in ((SESSION, 7), (SESSION, 8), (SESSION, 4), (POWER, 4), (POWER, 7)):
        say(events, message, word)
    assert changes == ["locked", "disconnected", "asleep"]


def test_windows_waits_until_the_program_is_done() -> None:
    done = threading.Event()

    def work(_: Change) -> None:
        done.wait(0.3)
        done.set()

    events = SessionEvents(work)
    events.start()
    say(events, END, 1)
    assert done.is_set()
    events.close()


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with set_up() as bench:
        yield bench


def test_our_windows_are_on_no_picture(bench: Bench) -> None:
    check = run.capture(bench)
    assert check.state == "ok", check


def test_a_window_that_is_not_ours_is_on_the_picture(bench: Bench) -> None:
    """Or the test above would prove nothing."""
    bounds = bench.window.ask("activate").bounds
    assert not bounds.empty and bounds.intersection(bench.target.geometry().bounds) != Rect(0, 0, 0, 0)
    assert run.coloured(bench.target.observe(bounds)) > bounds.width * bounds.height // 4
