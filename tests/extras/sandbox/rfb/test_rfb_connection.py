"""The client against a real server, and against servers that lie, hang or go away."""

from __future__ import annotations

import socket
import struct
import threading
import zlib
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_agent.extras.sandbox.rfb import rfb_connection
from desktop_agent.extras.sandbox.rfb.rfb_connection import FAR, NEAR, RfbConnection
from desktop_agent.platforms.vnc_server import VncServer
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect
from tests.desk import Desk, until
from tests.extras.sandbox.rfb.vnc_place import (
    HEIGHT,
    WIDTH,
    Script,
    exactly,
    greeting,
    introduction,
    rectangle,
    saying,
    server_of,
    update,
    vnc_desk,
)

SECONDS = 10.0


def test_pixels_are_the_same_in_every_encoding(shared_display: Desk) -> None:
    shared_display.launch("xterm", "-T", "words", "-e", "sh", "-c", f"cat {__file__}; cat", title="words")
    panel = shared_display.panel(Rect(700, 100, 300, 200), 0x123456)
    plain, packed = (RfbConnection(server_of(shared_display), each) for each in (NEAR, FAR))

    def equal() -> bool:
        for each in (plain, packed):
            each.refresh(SECONDS)
        return colours(plain) == colours(packed)

    until(equal, "the same pictures")
    assert len(set(colours(plain))) > 20 and plain.part(Rect(700, 100, 1, 1))[:3] == b"\x56\x34\x12"
    panel.fill(0xABCDEF, Rect(10, 10, 20, 20))  # and what has changed comes by itself
    until(lambda: equal() and packed.part(Rect(710, 110, 1, 1))[:3] == b"\xef\xcd\xab", "the change")
    panel.close()
    plain.close()
    packed.close()


def colours(connection: RfbConnection) -> list[bytes]:
    whole = bytes(connection.pixels)
    return [whole[at : at + 3] for at in range(0, len(whole), 4)]


@pytest.mark.parametrize("password", ["secret", "of more than eight"])
def test_a_password(password: str) -> None:
    with vnc_desk(password[:8]) as desk:
        known = server_of(desk)
        connection = RfbConnection(VncServer(known.host, known.port, password), NEAR)
        connection.refresh(SECONDS)
        connection.close()
        for wrong, words in (("wrong", "did not take the password"), ("", "asks for a password")):
            with pytest.raises(TargetError, match=words) as caught:
                RfbConnection(VncServer(known.host, known.port, wrong), NEAR)
            assert "password_from" in caught.value.advice
            assert password[:8] not in str(caught.value) and password not in repr(known)


def test_nobody_there_is_told_with_advice() -> None:
    with saying(lambda client: None) as server:
        pass
    with pytest.raises(TargetError, match="There is no VNC server at 127") as caught:
        RfbConnection(server, NEAR)
    assert "target.rfb" in caught.value.advice


def sends(*messages: bytes) -> Script:
    """A server that says these, each after something was read."""

    def script(client: socket.socket) -> None:
        for each in messages:
            client.sendall(each)
            client.recv(1000)

    return script


def text(words: bytes) -> bytes:
    return struct.pack(">I", len(words)) + words


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (sends(b"SSH-2.0-Open"), "is no VNC server"),
        (sends(b"RFB 002.002\n"), "too old"),
        (sends(b"RFB 003.008\n", b"\x02\x13\x05"), "signs in only by RA2, VeNCrypt"),
        (sends(b"RFB 003.008\n", b"\x00" + text(b"too many users")), "turned us away: too many users"),
        (sends(b"RFB 003.003\n", bytes(4) + text(b"closed")), "turned us away: closed"),
        (sends(b"RFB 003.007\n", b"\x01\x02", bytes(16), b"\0\0\0\x02"), "no more attempts"),
        (sends(b"RFB 003.008\n"), "has closed the connection"),
        (partial(greeting, width=0), "a screen of 0x30"),
        (partial(greeting, width=65_535, height=65_535), "a screen of 65535x65535"),
    ],
)
def test_what_cannot_be_signed_in_to_is_told(script: Script, words: str) -> None:
    with saying(script) as server, pytest.raises(TargetError, match=words) as caught:
        RfbConnection(server, NEAR)
    assert caught.value.advice


@pytest.mark.parametrize(
    ("version", "security"),
    [
        ("003.003", ((b"\0\0\0\x01", 0),)),
        ("003.007", ((b"\x01\x01", 1),)),
        ("003.889", ((b"\x02\x1e\x01", 1), (bytes(4), 0))),
    ],
)
def test_older_and_odd_versions(version: str, security: tuple[tuple[bytes, int], ...]) -> None:
    picture = bytes(WIDTH * HEIGHT * 4)

    def script(client: socket.socket) -> None:
        client.sendall(f"RFB {version}\n".encode())
        exactly(client, 12)
        for said, answered in security:
            client.sendall(said)
            exactly(client, answered)
        introduction(client, WIDTH, HEIGHT, b"a\0\x1b[31mname")
        exactly(client, 10)
        client.sendall(update(rectangle(0, 0, WIDTH, HEIGHT, 0, picture)))
        client.recv(1000)

    with saying(script) as server:
        connection = RfbConnection(server, NEAR)
        assert connection.name == "a  [31mname"
        connection.refresh(SECONDS)
        assert bytes(connection.pixels) == picture
        connection.close()


LIES = {
    "a rectangle outside its screen": update(rectangle(1, 0, WIDTH, 1, 0)),
    "a copy from outside its screen": update(rectangle(0, 0, 5, 5, 1, struct.pack(">HH", WIDTH - 4, 0))),
    "encoding 7": update(rectangle(0, 0, 5, 5, 7)),
    "a message of kind 99": b"\x63",
    "a length of 4294967295 bytes": b"\x03\0\0\0\xff\xff\xff\xff",
    "a screen of 65535x65535": update(rectangle(0, 0, 65_535, 65_535, -223)),
    "a length of 4294836225 bytes": update(rectangle(0, 0, 65_535, 65_535, -239)),
    "a broken zlib stream": update(rectangle(0, 0, 5, 5, 16, text(b"nonsense"))),
    "more than its pixels": update(rectangle(0, 0, 5, 5, 16, text(zlib.compress(bytes(10_000_000))))),
    "less than its tiles": update(rectangle(0, 0, 5, 5, 16, text(zlib.compressobj().compress(b"") + b""))),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_server_that_lies_is_told_and_left(lie: str) -> None:
    def script(client: socket.socket) -> None:
        greeting(client)
        client.sendall(LIES[lie])
        client.recv(10)

    with saying(script) as server:
        connection = RfbConnection(server, FAR)
        with pytest.raises(TargetError, match=lie):
            connection.refresh(SECONDS)
        with pytest.raises(TargetError, match="closed the connection"):
            connection.poll()


_ENCODINGS = st.sampled_from((0, 1, 16, -223, -239, 5))
_SMALL = st.integers(0, WIDTH + 2)
_RECTANGLES = st.builds(rectangle, _SMALL, _SMALL, _SMALL, _SMALL, _ENCODINGS, st.binary(max_size=300))
_NONSENSE = st.lists(_RECTANGLES, max_size=3).map(lambda each: update(*each)) | st.binary(max_size=100)


@settings(max_examples=150)
@given(said=st.lists(_NONSENSE, max_size=4).map(b"".join))
def test_nonsense_of_any_kind_is_a_target_error(nonsense: Nonsense, said: bytes) -> None:
    nonsense.said = said
    connection = RfbConnection(nonsense.server, FAR)
    with pytest.raises(TargetError):
        while True:
            connection.refresh(SECONDS)
    width, height = connection.size
    assert len(connection.pixels) == width * height * 4 <= rfb_connection.LARGEST * 4


class Nonsense:
    """A server that greets, says `said` and hangs up."""

    said = b""
    server: VncServer

    def script(self, client: socket.socket) -> None:
        greeting(client)
        client.sendall(self.said)
        client.shutdown(socket.SHUT_WR)
        client.recv(1000)


@pytest.fixture(scope="module")
def nonsense() -> object:
    found = Nonsense()
    with saying(found.script) as found.server:
        yield found


def test_a_server_that_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rfb_connection, "MESSAGE_SECONDS", 0.2)
    over = threading.Event()

    def silent(client: socket.socket) -> None:
        greeting(client)
        over.wait(SECONDS)

    def within(client: socket.socket) -> None:
        greeting(client)
        client.sendall(update(rectangle(0, 0, WIDTH, HEIGHT, 0, b"only some")))
        over.wait(SECONDS)

    for script in (silent, within):
        over.clear()
        with saying(script) as server:
            connection = RfbConnection(server, NEAR)
            with pytest.raises(TargetError, match="does not answer"):
                connection.refresh(0.2)
            over.set()


def test_a_server_that_sends_without_end_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rfb_connection, "FLOOD_SECONDS", 0.1)

    def flood(client: socket.socket) -> None:
        greeting(client)
        while True:
            client.sendall(b"\x02" * 10_000)

    with saying(flood) as server:
        connection = RfbConnection(server, NEAR)
        connection.poll()
        with pytest.raises(TargetError, match="does not answer"):
            connection.refresh(0.2)


def test_every_kind_of_tile() -> None:
    """Six tiles of 64x5 beside each other, and a last one of 4x5; an index that is none is refused."""
    red, green, blue, grey = (bytes(each) for each in ((0, 0, 255), (0, 255, 0), (255, 0, 0), (9, 9, 9)))
    high, size = 5, 64 * 5
    tiles = {
        b"\x00" + red * (size - 1) + blue: [red] * (size - 1) + [blue],
        b"\x01" + green: [green] * size,
        b"\x02" + red + blue + b"\xaa" * (size // 8): [blue, red] * (size // 2),
        b"\x03" + red + green + blue + b"\x18" * (size // 4): [red, green, blue, red] * (size // 4),
        b"\x80" + grey + bytes((255, size - 256)): [grey] * size,
        b"\x83" + red + green + blue + bytes((2, 0x81, 255, size - 258, 0)): [
            blue,
            *[green] * (size - 2),
            red,
        ],
        b"\x05" + red + green + blue + grey + red + b"\x01\x23" * high: [red, green, blue, grey] * high,
    }

    def script(client: socket.socket) -> None:
        stream = zlib.compressobj()
        greeting(client, 6 * 64 + 4, high)
        for each in (b"".join(tiles), b"\x03" + red + green + blue + b"\x1b" * 16):
            packed = text(stream.compress(each) + stream.flush(zlib.Z_SYNC_FLUSH))
            wide, rows = (6 * 64 + 4, high) if each == b"".join(tiles) else (64, 1)
            exactly(client, 10)
            client.sendall(update(rectangle(0, 0, wide, rows, 16, packed)))

    with saying(script) as server:
        connection = RfbConnection(server, FAR)
        connection.refresh(SECONDS)
        found = colours(connection)
        with pytest.raises(TargetError, match="a colour outside its palette"):
            connection.refresh(SECONDS)
    for number, expected in enumerate(tiles.values()):
        wide = len(expected) // high
        for y in range(high):
            at = y * (6 * 64 + 4) + number * 64
            assert found[at : at + wide] == expected[y * wide : (y + 1) * wide], (number, y)
