"""Queued messages can be withdrawn, but never half a message."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.vision.atspi.bus import BusSocket, BusSocketError

BIG = b"x" * 3_000_000  # more than a socket takes at once


@pytest.fixture
def peer(tmp_path: Path) -> Iterator[tuple[BusSocket, socket.socket]]:
    """A link, and the other end of it after the handshake of D-Bus (EXTERNAL)."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "bus"))
    server.listen()
    ends: list[socket.socket] = []

    def welcome() -> None:
        end, _ = server.accept()
        said = b""
        while not said.endswith(b"BEGIN\r\n"):
            said += end.recv(1000)
            if said.endswith(b"\r\n") and b"AUTH" in said and b"BEGIN" not in said:
                end.sendall(b"OK 1234\r\n")
        ends.append(end)

    other = threading.Thread(target=welcome)
    other.start()
    link = BusSocket(f"unix:path={tmp_path / 'bus'}", 10)
    other.join(10)
    yield link, ends[0]
    link.close()
    ends[0].close()
    server.close()


def test_only_what_has_not_been_begun_is_taken_back(peer: tuple[BusSocket, socket.socket]) -> None:
    link, other = peer
    link.put(b"first", 1)
    link.put(BIG, 2)
    link.put(b"third", 3)
    link.send()
    assert link.hold_back() == {3}
    link.put(b"fourth", 4)
    got = b""
    while len(got) < len(BIG) + 11:
        if link.waiting_to_send:
            link.send()
        got += other.recv(1 << 20)
    assert got == b"first" + BIG + b"fourth"
    assert link.hold_back() == set()


def test_what_nobody_has_begun_is_taken_back_whole(peer: tuple[BusSocket, socket.socket]) -> None:
    link, _ = peer
    link.put(b"first", 1)
    link.put(b"second", 2)
    assert link.hold_back() == {1, 2}
    assert not link.waiting_to_send


def test_a_peer_that_hangs_up_is_noticed(peer: tuple[BusSocket, socket.socket]) -> None:
    link, other = peer
    other.close()
    with pytest.raises(BusSocketError, match="gone"):
        list(link.receive())


def test_nobody_there() -> None:
    with pytest.raises(BusSocketError, match="nowhere"):
        BusSocket("unix:path=/nowhere/bus", 1)
