"""A client's connection to a VNC server (RFC 6143): sign-in, messages, and the picture that they make.

Nothing that a server says is taken on trust: every length is bounded, every rectangle lies in the picture, and every
wait ends. After an error the connection is closed and stays so.

Pictures are asked for when they are needed and read by whoever needs them, so there is no thread: a picture is what
the server had at that moment. `./bench rfb` measures that.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum

from desktop_agent.extras.sandbox.rfb.vnc_authentication import answer
from desktop_agent.platforms.posix import unix_sockets
from desktop_agent.platforms.vnc_server import VncServer
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Rect

CONNECT_SECONDS = 10.0
MESSAGE_SECONDS = 10.0
"""How long a message may take from its first byte to its last."""
FLOOD_SECONDS = 0.5
"""How long a server that sends without end is listened to."""
LARGEST = 8192 * 4320
"""Pixels of the largest screen that is taken."""
LONGEST_TEXT = 1 << 16
LONGEST_CUT_TEXT = 1 << 26
LARGEST_CURSOR = 1 << 20
RESIZES = 5
"""So often the screen may change its size while one picture is taken."""
_CORNER = Rect(0, 0, 1, 1)
_SHOWN_NAME = 100
_PORTION, _LARGE_PORTION = 1 << 16, 1 << 20


class Encoding(IntEnum):
    """Encodings of rectangles, and pseudo-encodings: RFC 6143 and the rfbproto registry."""

    RAW = 0
    COPY_RECT = 1
    ZRLE = 16
    DESKTOP_SIZE = -223
    CURSOR = -239


_NEWS = (Encoding.CURSOR, Encoding.DESKTOP_SIZE)
NEAR = (Encoding.COPY_RECT, Encoding.RAW, *_NEWS)
"""For a server on this computer. Without LastRect: told of it, Xvnc looks for areas of one colour, which takes 4 of 6.6 ms."""
FAR = (Encoding.COPY_RECT, Encoding.ZRLE, Encoding.RAW, *_NEWS)
"""For a server behind a network."""
FOR_INPUT = (Encoding.RAW, *_NEWS)
"""For a hand, which looks at small patches."""

# 32 bits, depth 24, little endian, true colour: the bytes of a Frame (blue, green, red, unused).
_PIXEL_FORMAT = struct.pack(">BBBBHHHBBB3x", 32, 24, 0, 1, 255, 255, 255, 16, 8, 0)
_WITHOUT_PASSWORD, _WITH_PASSWORD = 1, 2
_SECURITY = {5: "RA2", 6: "RA2ne", 16: "Tight", 17: "Ultra", 18: "TLS", 19: "VeNCrypt", 30: "Apple's own", 129: "RA256"}  # fmt: skip


class RfbConnection:
    """Signed in when it is made. Every method raises TargetError; for one thread at a time.

    `pixels` is the picture, 4 bytes each (B, G, R, unused), rows without padding; `size` its width and height.
    """

    def __init__(
        self, server: VncServer, encodings: tuple[Encoding, ...], seconds: float = CONNECT_SECONDS
    ) -> None:
        """`seconds` is how long signing in may take."""
        self.server = server
        self.pixels = bytearray()
        self.size = (0, 0)
        self._ahead = bytearray()
        self._deadline = time.monotonic() + seconds
        self._complete = False
        self._standing = False
        self._asked = self._wanted = Rect(0, 0, 0, 0)
        self._got = 0
        self._marker = 0
        self._unpack: Callable[[bytes, Rect, bytearray, int], None] | None = None
        self._socket = self._connected(seconds)
        with self._errors():
            version = self._agree_on_version()
            self._sign_in(version)
            self.name = self._introduce()
            self._send(struct.pack(">B3x", 0) + _PIXEL_FORMAT)
            self._send(struct.pack(f">BxH{len(encodings)}i", 2, len(encodings), *encodings))

    # ---- signing in --------------------------------------------------------------------------

    def _connected(self, seconds: float) -> socket.socket:
        try:
            if self.server.socket:
                return unix_sockets.connect(self.server.socket, seconds)
            found = socket.create_connection((self.server.host, self.server.port), seconds)
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except (OSError, UnicodeError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise TargetError(
                f"There is no VNC server at {self.server.name}: {why}.",
                "Start it, or set host and port under [target.rfb].",
            ) from error
        return found

    def _agree_on_version(self) -> int:
        """The minor version of RFB 3 that both speak: 3, 7 or 8."""
        said = bytes(self._read(12))
        if not (
            said.startswith(b"RFB ") and said[7:8] == b"." and said[4:7].isdigit() and said[8:11].isdigit()
        ):
            raise self._failure("is no VNC server", "Check host and port under [target.rfb].")
        spoken = int(said[4:7]), int(said[8:11])
        minor = 8 if spoken >= (3, 8) else 7 if spoken == (3, 7) else 3
        if spoken < (3, 3):
            raise self._failure(
                f"speaks RFB {spoken[0]}.{spoken[1]}, which is too old", "Use another server."
            )
        self._send(b"RFB 003.%03d\n" % minor)
        return minor

    def _sign_in(self, version: int) -> None:
        offered = self._offered(version)
        if _WITHOUT_PASSWORD in offered:
            chosen = _WITHOUT_PASSWORD
        elif _WITH_PASSWORD in offered:
            chosen = _WITH_PASSWORD
        else:
            names = ", ".join(_SECURITY.get(each, f"type {each}") for each in sorted(offered))
            raise self._failure(
                f"signs in only by {names}",
                "Let it take VNC passwords (or none, behind a tunnel of your own); others are not spoken here.",
            )
        if version > 3:
            self._send(bytes((chosen,)))
        if chosen == _WITH_PASSWORD:
            self._give_password()
        if (chosen == _WITH_PASSWORD or version == 8) and (result := self._number(4)):
            self._refused(version, result)

    def _offered(self, version: int) -> set[int]:
        found = {self._number(4)} if version == 3 else set(self._read(self._number(1)))
        if not found - {0}:
            raise self._failure(f"turned us away: {self._text()}", "Wait a while, or look at its settings.")
        return found

    def _give_password(self) -> None:
        if not self.server.password:
            raise self._failure(
                "asks for a password",
                "Set the environment variable that password_from under [target.rfb] names (VNC_PASSWORD), "
                "or keep it in the key store.",
            )
        self._send(answer(bytes(self._read(16)), self.server.password))

    def _refused(self, version: int, result: int) -> None:
        why = self._text() if version == 8 else ""
        if result == 2:
            raise self._failure("takes no more attempts for now", "Wait a while.")
        raise self._failure(
            f"did not take the password ({why})" if why else "did not take the password",
            "Check what password_from under [target.rfb] names; only its first 8 characters count.",
        )

    def _introduce(self) -> str:
        """Ask for a shared session; returns the server's name for its desktop."""
        self._send(b"\x01")
        width, height = struct.unpack(">HH16x", self._read(20))
        name = self._text()
        self._resize(width, height)
        return name

    # ---- asking and waiting ------------------------------------------------------------------

    def refresh(self, seconds: float) -> None:
        """Bring the picture up to what the server has now. Raises TargetError when it does not answer for so long.

        What has changed is asked for, and one pixel in any case: so there is an answer also when nothing has changed.
        """
        end = time.monotonic() + seconds
        with self._errors():
            for _ in range(RESIZES):
                if self._brought_up(end):
                    return
            raise self._failure("changes the size of its screen again and again", "Look again.")

    def _brought_up(self, end: float) -> bool:
        """Ask and wait; False when the screen has another size now, with nothing read of it yet."""
        pixels, whole = self.pixels, self._whole
        if self._complete:
            mark = self._next_mark()
            self._want(mark, whole, self._request(whole, 1) + self._request(mark, 0))
        else:
            self._want(whole, whole, self._request(whole, 0))
        if not self._wait(lambda: self._arrived or self.pixels is not pixels, end - time.monotonic()):
            raise self._failure("does not answer", "See whether it still runs.")
        self._complete = self._complete or self.pixels is pixels
        self._take_what_is_there()
        return self.pixels is pixels

    def look(self, area: Rect, seconds: float) -> bytes:
        """The pixels of a part of the screen as it is now; b"" when they do not come in time or lie outside it."""
        if area.empty or area.intersection(self._whole) != area:
            return b""
        with self._errors():
            return self.part(area) if self._looked(area, seconds) else b""

    def _looked(self, area: Rect, seconds: float) -> bool:
        pixels = self.pixels
        self._want(area, area, self._request(area, 0))
        came = self._wait(lambda: self._arrived or self.pixels is not pixels, seconds)
        return came and self.pixels is pixels

    def part(self, area: Rect) -> bytes:
        """A rectangle of the picture as it was read last."""
        if area == self._whole:
            return bytes(self.pixels)
        rows = memoryview(self.pixels)
        starts = range((area.y * self.size[0] + area.x) * 4, len(rows), self.size[0] * 4)
        return b"".join(rows[at : at + area.width * 4] for at in starts[: area.height])

    def follow(self) -> None:
        """From now on the server tells of a new size by itself; `poll` takes it."""
        self._standing = True
        with self._errors():
            self._send(self._request(_CORNER, 1))

    def poll(self) -> None:
        """Take what the server has sent, without waiting."""
        with self._errors():
            self._take_what_is_there()

    def send(self, message: bytes) -> None:
        """Send, as a whole or not at all as far as the system allows."""
        with self._errors():
            self._send(message)

    def sync(self, seconds: float) -> None:
        """Wait until the server has taken all that was sent. Raises TargetError when it does not answer for so long."""
        with self._errors():
            pixels, mark = self.pixels, self._next_mark()
            if not self._looked(mark, seconds) and self.pixels is pixels:
                raise self._failure("does not answer", "See whether it still runs.")

    def close(self) -> None:
        """Let go of it; safe to call twice."""
        self._socket.close()

    def _next_mark(self) -> Rect:
        """One pixel, another each time: what a server sends late for the last one is not taken for the answer."""
        self._marker = (self._marker + 1) % self.size[0]
        return Rect(self._marker, 0, 1, 1)

    @property
    def _whole(self) -> Rect:
        return Rect(0, 0, *self.size)

    @property
    def _arrived(self) -> bool:
        return self._got >= self._wanted.area

    def _want(self, wanted: Rect, asked: Rect, request: bytes) -> None:
        self._wanted, self._asked, self._got = wanted, asked, 0
        self._send(request)

    def _request(self, area: Rect, incremental: int) -> bytes:
        return struct.pack(">BBHHHH", 3, incremental, area.x, area.y, area.width, area.height)

    def _wait(self, done: Callable[[], bool], seconds: float) -> bool:
        end = time.monotonic() + seconds
        while not done():
            left = end - time.monotonic()
            if left < 0 or not self._has_begun(left):
                return False
            self._take_message()
        return True

    def _take_what_is_there(self) -> None:
        end = time.monotonic() + FLOOD_SECONDS
        while time.monotonic() < end and self._has_begun(0.0):
            self._take_message()

    # ---- messages ----------------------------------------------------------------------------

    def _take_message(self) -> None:
        self._deadline = time.monotonic() + MESSAGE_SECONDS
        match kind := self._number(1):
            case 0:
                self._take_update()
            case 1:
                _, count = struct.unpack(">xHH", self._read(5))
                self._skip(6 * count)
            case 2:
                pass  # the bell
            case 3:
                (length,) = struct.unpack(">3xI", self._read(7))
                self._skip(self._bounded(length, LONGEST_CUT_TEXT))
            case _:
                raise self._nonsense(f"a message of kind {kind}")

    def _take_update(self) -> None:
        (count,) = struct.unpack(">xH", self._read(3))
        for _ in range(count):
            x, y, width, height, encoding = struct.unpack(">HHHHi", self._read(12))
            self._take_rectangle(Rect(x, y, width, height), encoding)
        if self._standing:
            self._send(self._request(_CORNER, 1))
        if not self._arrived:  # TigerVNC takes news without pixels for the answer
            self._send(self._request(self._asked, 1))

    def _take_rectangle(self, area: Rect, encoding: int) -> None:
        match encoding:
            case Encoding.CURSOR:
                shape = self._bounded(area.area, LARGEST_CURSOR)
                self._skip(shape * 4 + (area.width + 7) // 8 * area.height)
            case Encoding.DESKTOP_SIZE:
                self._resize(area.width, area.height)
            case _:
                self._take_pixels(area, encoding)

    def _take_pixels(self, area: Rect, encoding: int) -> None:
        if area.intersection(self._whole) != area and not area.empty:
            raise self._nonsense("a rectangle outside its screen")
        match encoding:
            case Encoding.RAW:
                self._take_raw(area)
            case Encoding.COPY_RECT:
                x, y = struct.unpack(">HH", self._read(4))
                self._copy(Rect(x, y, area.width, area.height), area)
            case Encoding.ZRLE:
                self._take_packed(area)
            case _:
                raise self._nonsense(f"encoding {encoding}, which was not asked for")
        self._got += area.intersection(self._wanted).area

    def _take_raw(self, area: Rect) -> None:
        wide = self.size[0] * 4
        if area.width == self.size[0]:
            self._read_into(memoryview(self.pixels)[area.y * wide : area.bottom * wide])
            return
        rows = memoryview(bytearray(area.area * 4))
        self._read_into(rows)
        for row in range(area.height):
            at = (area.y + row) * wide + area.x * 4
            self.pixels[at : at + area.width * 4] = rows[row * area.width * 4 : (row + 1) * area.width * 4]

    def _copy(self, source: Rect, area: Rect) -> None:
        if source.intersection(self._whole) != source:
            raise self._nonsense("a copy from outside its screen")
        wide = self.size[0] * 4
        rows = range(area.height) if source.y >= area.y else range(area.height - 1, -1, -1)
        for row in rows:
            start, to = (source.y + row) * wide + source.x * 4, (area.y + row) * wide + area.x * 4
            self.pixels[to : to + area.width * 4] = self.pixels[start : start + area.width * 4]

    def _take_packed(self, area: Rect) -> None:
        if self._unpack is None:
            from desktop_agent.extras.sandbox.rfb.zrle import Unpacker  # its numpy makes a hand slow to start

            self._unpack = Unpacker().unpack
        packed = self._read(self._bounded(self._number(4), 4 * LARGEST))
        try:
            self._unpack(packed, area, self.pixels, self.size[0])
        except ValueError as error:
            raise self._nonsense(f"ZRLE data with {error}") from error

    def _resize(self, width: int, height: int) -> None:
        if not (width and height) or width * height > LARGEST:
            raise self._nonsense(f"a screen of {width}x{height}")
        if (width, height) != self.size:
            self.size, self.pixels = (width, height), bytearray(width * height * 4)
            self._complete = False

    # ---- bytes -------------------------------------------------------------------------------

    def _has_begun(self, seconds: float) -> bool:
        """Is there a message, or does one begin within so many seconds?"""
        if self._ahead:
            return True
        self._socket.settimeout(max(0.0, seconds))
        try:
            self._ahead += self._some(self._socket.recv(_PORTION))
        except (TimeoutError, BlockingIOError):
            return False
        return True

    def _number(self, size: int) -> int:
        return int.from_bytes(self._read(size), "big")

    def _text(self) -> str:
        """A text with its length before it, as it may be shown."""
        text = self._read(self._bounded(self._number(4), LONGEST_TEXT)).decode("utf-8", "replace")
        return "".join(each if each.isprintable() else " " for each in text).strip()[:_SHOWN_NAME]

    def _read(self, size: int) -> bytes:
        while len(self._ahead) < size:
            self._wait_in_time()
            self._ahead += self._some(
                self._socket.recv(min(max(_PORTION, size - len(self._ahead)), _LARGE_PORTION))
            )
        read = bytes(self._ahead[:size])
        del self._ahead[:size]
        return read

    def _read_into(self, view: memoryview) -> None:
        have = min(len(self._ahead), len(view))
        view[:have] = self._ahead[:have]
        del self._ahead[:have]
        while have < len(view):
            self._wait_in_time()
            count = self._socket.recv_into(view[have:])
            if not count:
                raise EOFError
            have += count

    def _skip(self, size: int) -> None:
        while size:
            size -= len(self._read(min(size, _PORTION)))

    def _wait_in_time(self) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)

    def _some(self, data: bytes) -> bytes:
        if not data:
            raise EOFError
        return data

    def _send(self, message: bytes) -> None:
        self._socket.settimeout(MESSAGE_SECONDS)
        self._socket.sendall(message)

    def _bounded(self, size: int, most: int) -> int:
        if size > most:
            raise self._nonsense(f"a length of {size} bytes")
        return size

    # ---- errors ------------------------------------------------------------------------------

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except TargetError:
            self.close()
            raise
        except TimeoutError as error:
            self.close()
            raise self._failure("does not answer", "See whether it still runs.") from error
        except (OSError, EOFError) as error:
            self.close()
            raise self._failure("has closed the connection", "Start it again, then the run.") from error

    def _failure(self, what: str, advice: str) -> TargetError:
        return TargetError(f"The VNC server at {self.server.name} {what}.", advice)

    def _nonsense(self, what: str) -> TargetError:
        return self._failure(f"sent {what}", "Use another server, or report this.")
