"""Activity of a real X display: drawing, processor time, network waits."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from desktop_agent.platforms.x11.app_activity import NetworkWaits, ProcessActivity, X11Activity
from desktop_agent.protocol.app_activity import News
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect
from tests.desk import Desk, Panel, until

AREA = Rect(100, 100, 400, 300)


@pytest.fixture
def activity(shared_display: Desk) -> Iterator[X11Activity]:
    found = X11Activity(shared_display.environment)
    yield found
    found.close()


@pytest.fixture
def panel(shared_display: Desk) -> Iterator[Panel]:
    panel = shared_display.panel(AREA, 0xFFFFFF)
    yield panel
    panel.close()


def drawn(activity: X11Activity) -> News:
    def heard() -> News | None:
        news = activity.wait(0.1)
        return news if news.any else None

    return until(heard, "something drawn")


def drain(activity: X11Activity) -> None:
    until(lambda: not activity.wait(0.1).any, "a screen at rest")


def rests(activity: X11Activity) -> bool:
    activity.wait(0.02)
    return not activity.waits() and activity.computes() is False


def test_what_is_drawn_is_told_with_its_place(activity: X11Activity, panel: Panel) -> None:
    drain(activity)
    panel.fill(0xFF0000, Rect(10, 20, 60, 40))
    assert drawn(activity) == News((Rect(110, 120, 60, 40),))
    assert activity.wait(0.0) == News()


def test_much_that_was_drawn_meanwhile_is_told_at_once(activity: X11Activity, panel: Panel) -> None:
    drain(activity)
    for row in range(200):
        panel.fill(row, Rect(0, row, 10, 1))
    assert Rect(100, 100, 10, 200) in drawn(activity).drawn


def test_windows_that_come_and_go_are_told(activity: X11Activity, shared_display: Desk) -> None:
    drain(activity)
    panel = shared_display.panel(AREA, 0x00FF00)
    assert drawn(activity).windows
    drain(activity)
    panel.close()
    assert drawn(activity).windows


def test_an_application_takes_what_came_and_rests(activity: X11Activity, shared_display: Desk) -> None:
    pid = shared_display.launch("mousepad", title="Mousepad")
    activity.begin()
    until(lambda: rests(activity), "an editor at rest")
    shared_display.end(pid)


def test_a_hung_application_is_at_work(activity: X11Activity, shared_display: Desk) -> None:
    pid = shared_display.launch("mousepad", title="Mousepad")
    activity.begin()
    until(lambda: rests(activity), "an editor at rest")
    os.kill(pid, signal.SIGSTOP)
    activity.begin()
    assert activity.waits()
    os.kill(pid, signal.SIGCONT)
    until(lambda: rests(activity), "an editor at rest")
    shared_display.end(pid)


def test_a_display_that_has_gone_is_a_clear_error(display: Desk) -> None:
    found = X11Activity(display.environment)
    display.target.stop()
    with pytest.raises(TargetError, match="has gone"):
        until(lambda: found.begin(), "an error")
    found.close()


def test_a_child_that_computes_is_work() -> None:
    busy = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'while True: pass'])"
    with subprocess.Popen([sys.executable, "-c", busy], process_group=0) as process:
        work = ProcessActivity()
        try:
            work.begin([process.pid])
            until(lambda: work.goes_on() and len(work.family) == 2, "a child at work")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            work.close()


def test_who_sleeps_does_not_work() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        work = ProcessActivity()
        work.begin([process.pid])
        until(lambda: not work.goes_on(), "rest")
        process.kill()
        work.close()


def test_an_unknown_process_cannot_tell() -> None:
    work = ProcessActivity()
    work.begin([0])
    assert work.unknown
    work.close()


ASK = """import socket, sys
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
for line in sys.stdin:
    link.send(b"ask")
    link.recv(9)
    print("had", flush=True)
"""


def test_a_request_without_an_answer_is_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        with (
            subprocess.Popen(
                [sys.executable, "-c", ASK, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            ) as process,
            contextlib.ExitStack() as stack,
        ):
            stack.callback(process.kill)
            assert process.stdin and process.stdout
            link, _ = server.accept()
            requests = NetworkWaits()
            requests.begin()
            assert not requests.under_way([process.pid])
            process.stdin.write("ask\n")
            process.stdin.flush()
            assert link.recv(9) == b"ask"
            until(lambda: requests.under_way([process.pid]), "a request")
            threading.Event().wait(0.01)  # the kernel counts in milliseconds
            link.send(b"answer")
            assert process.stdout.readline() == "had\n"
            until(lambda: not requests.under_way([process.pid]), "an answer")
            link.close()
            requests.close()
