"""Another process is held fast: its end is seen, and it can be ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from desktop_agent.platforms.host import Peer, when_gone


@pytest.fixture
def other() -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs until its input ends."""
    program = "import os, sys; print(os.getpid(), flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        yield process
        process.kill()


def pid_of(other: subprocess.Popen[bytes]) -> int:
    """As it says itself: in a virtual environment of Windows the one that was started is only a launcher."""
    assert other.stdout is not None
    return int(other.stdout.readline())


def test_the_end_of_a_process_is_seen(other: subprocess.Popen[bytes]) -> None:
    peer = Peer(pid_of(other))
    gone = threading.Event()
    when_gone(peer, gone.set)
    assert not peer.wait(0.05) and not gone.is_set()
    assert other.stdin is not None
    other.stdin.close()
    assert peer.wait(20) and peer.wait(0) and gone.wait(20)


def test_a_process_is_ended(other: subprocess.Popen[bytes]) -> None:
    peer = Peer(pid_of(other))
    peer.kill()
    assert peer.wait(20)
    peer.kill()  # once more does no harm
    other.wait(20)


def test_one_that_is_gone_already_is_just_gone(other: subprocess.Popen[bytes]) -> None:
    pid = pid_of(other)
    other.kill()
    other.communicate()
    assert Peer(pid).wait(20)


def test_our_own_process_is_there() -> None:
    assert not Peer(os.getpid()).wait(0)


def test_one_that_is_killed_is_known_before_it_is_gone() -> None:
    program = "import sys; memory = bytearray(b'1' * 300_000_000); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        peer = Peer(process.pid)
        assert not peer.killed() and not peer.wait(0)
        process.kill()
        if sys.platform != "win32":
            assert peer.killed(), "the system takes its memory away for some milliseconds more"
        assert peer.wait(20) and peer.killed()


@pytest.mark.linux("Windows freezes no process so")
def test_one_that_is_frozen_is_known(other: subprocess.Popen[bytes]) -> None:
    peer = Peer(pid_of(other))
    assert not peer.frozen()
    os.kill(other.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, other.pid, os.WSTOPPED)
    assert peer.frozen() and not peer.killed()
