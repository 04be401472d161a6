"""One controller per screen, with real processes on a private display."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from desktop_agent.startup import single_instance
from desktop_agent.ui.shell.second_start_window import TITLE
from tests.desk import Desk, until
from tests.project_copy import ROOT
from tests.systems import kept_private

HOLDER = """
import sys
from desktop_agent.startup import single_instance
claim = single_instance.claim(sys.argv[1])
if claim is None:
    sys.exit("taken")
claim.answer(lambda request: sys.argv[2] == "window")
print("claimed", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Variables that lead the program's files to a folder of the test's (sockets want a short path)."""
    with TemporaryDirectory() as folder:
        found = dict.fromkeys(("XDG_RUNTIME_DIR", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), folder)
        for name, value in found.items():
            monkeypatch.setenv(name, value)
        yield found


@contextmanager
def holder(screen: str, kind: str = "window") -> Iterator[subprocess.Popen[str]]:
    """A process that holds a screen, and answers that its window has been shown, or that it has none."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, screen, kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            assert process.stdout and process.stdout.readline() == "claimed\n"
            yield process
        finally:
            process.kill()


# ---- the lock --------------------------------------------------------------------------------


def test_a_screen_has_one_controller_at_a_time(place: Mapping[str, str]) -> None:
    with holder(":7"):
        for same in (":7", ":7.0", "unix:7"):
            assert single_instance.claim(same) is None
        other = single_instance.claim(":70")
        assert other is not None
        other.close()


def test_what_a_killed_controller_left_is_no_obstacle(place: Mapping[str, str]) -> None:
    with holder(":7") as process:
        until(lambda: single_instance.ask(":7", "show") == "done", "an answer")
        process.kill()
        process.wait()
        assert single_instance.ask(":7", "show") == "no answer"
        claim = single_instance.claim(":7")
        assert claim is not None
        claim.answer(lambda _: False)
        until(lambda: single_instance.ask(":7", "show") == "no window", "the next one's answer")
        claim.close()
        again = single_instance.claim(":7")
        assert again is not None
        again.close()


def test_one_that_does_not_know_the_key_gets_nothing(place: Mapping[str, str]) -> None:
    with holder(":7"):
        until(lambda: single_instance.ask(":7", "show") == "done", "an answer")
        key = Path(place["XDG_RUNTIME_DIR"], "desktop-agent", "screen-_7.key")
        assert kept_private(key) and kept_private(key.parent)
        right = key.read_bytes()
        key.write_bytes(b"another key")
        assert single_instance.ask(":7", "show") == "no answer"
        key.write_bytes(right)
        assert single_instance.ask(":7", "show") == "done"


@pytest.mark.skipif(sys.platform == "win32", reason="stops a process by SIGSTOP")
def test_a_controller_that_hangs_does_not_hold_the_next_start(place: Mapping[str, str]) -> None:
    with holder(":7") as process:
        until(lambda: single_instance.ask(":7", "show") == "done", "an answer")
        process.send_signal(signal.SIGSTOP)
        stat = Path(f"/proc/{process.pid}/stat")
        until(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T", "it stopped")
        assert single_instance.ask(":7", "show") == "no answer"


def test_what_is_asked_comes_to_the_controller(place: Mapping[str, str]) -> None:
    claim = single_instance.claim(":8")
    assert claim is not None
    asked: list[str] = []

    def act(request: str) -> bool:
        asked.append(request)
        return request == "stop"

    claim.answer(act)
    until(lambda: single_instance.ask(":8", "stop") == "done", "an answer")
    assert single_instance.ask(":8", "history") == "no window" and asked == ["stop", "history"]
    claim.close()


# ---- the program -----------------------------------------------------------------------------


@pytest.fixture
def program(display: Desk, place: Mapping[str, str]) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """`program(*words)` starts it on the private display, as its `local` screen."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str) -> subprocess.Popen[str]:
        environment = {**os.environ, **display.environment, **place, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "desktop_agent", "--target", "local", "--model", "offline", *words]
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, env=environment
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=60)


def test_a_second_start_in_a_terminal_says_so_and_leaves(
    display: Desk, program: Callable[..., subprocess.Popen[str]]
) -> None:
    program()
    display.wait_for_window("Desktop Agent")
    second = program("--no-window", "wait 1 second")
    said = second.communicate(timeout=200)[1]
    assert second.returncode == 1
    assert "open on this screen already" in said


def test_a_second_window_offers_to_show_the_first(
    display: Desk, program: Callable[..., subprocess.Popen[str]]
) -> None:
    program()
    first = display.wait_for_window("Desktop Agent")
    second = program()
    display.wait_for_window(TITLE)
    press_until_gone(display, second, "Return")
    assert second.returncode == 1
    until(lambda: display.target.windows()[0].pid == first.pid, "the first one in front")


def test_a_first_without_a_window_says_so(
    display: Desk, program: Callable[..., subprocess.Popen[str]], place: Mapping[str, str]
) -> None:
    with holder(display.environment["DISPLAY"], "no window"):
        second = program()
        display.wait_for_window(TITLE)
        press_enter(display)
        watch = threading.Timer(200, second.kill)
        watch.start()
        press_until_gone(display, second, "Escape")
        watch.cancel()
        assert second.returncode == 1


def press_enter(display: Desk) -> None:
    _keys(display, "Return")


def press_until_gone(display: Desk, process: subprocess.Popen[str], key: str) -> None:
    """A window that has just come may not have the keyboard yet."""

    def gone() -> bool:
        _keys(display, key)
        return process.poll() is not None

    until(gone, "the end of the message")


def _keys(display: Desk, name: str) -> None:
    subprocess.run(["xdotool", "key", name], env={**os.environ, **display.environment}, check=True)


def test_a_run_is_stopped_from_outside(display: Desk, program: Callable[..., subprocess.Popen[str]]) -> None:
    first = program("--no-window", "--json", "wait 60 seconds")
    assert first.stdout is not None
    until(lambda: '"planning"' in first.stdout.readline(), "the run begun")  # type: ignore[union-attr]
    asked = program("--ask", "stop")
    asked.communicate(timeout=60)
    assert asked.returncode == 0
    said, _ = first.communicate(timeout=60)
    assert "from outside the window" in said and first.returncode == 3


def test_where_nothing_is_open_there_is_nothing_to_stop(
    display: Desk, program: Callable[..., subprocess.Popen[str]]
) -> None:
    asked = program("--ask", "stop")
    assert "nothing to stop" in asked.communicate(timeout=60)[1] and asked.returncode == 0


def test_earlier_runs_are_shown_when_asked(
    display: Desk, program: Callable[..., subprocess.Popen[str]]
) -> None:
    program("--ask", "settings")
    display.wait_for_window("Settings")
    asked = program("--ask", "history")
    display.wait_for_window("Earlier runs")
    asked.communicate(timeout=60)
    assert asked.returncode == 0
