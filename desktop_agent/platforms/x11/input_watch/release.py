"""Releases the keys and buttons that another process holds on X11, reads the keyboard's state, and tells X servers apart.

Without XInput, so it loads fast.
"""

from __future__ import annotations

import os
import re
import socket
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import xcffib
import xcffib.xproto
import xcffib.xtest

from desktop_agent.platforms.base import Releaser
from desktop_agent.platforms.x11.connection import authority
from desktop_agent.protocol.errors import TargetError

# Bits of buttons in QueryPointer's mask; from 6 on there are none.
_MASKED = {1: 1 << 8, 2: 1 << 9, 3: 1 << 10, 4: 1 << 11, 5: 1 << 12}
_KEY_RELEASE, _BUTTON_RELEASE = 3, 5


_CREDENTIALS = struct.Struct("3i")  # of SO_PEERCRED (unix(7)): pid, uid, gid
_STARTED = 19  # of the fields behind the name in /proc/PID/stat (proc(5)): when the process started
_HERE = re.compile(r"(?:unix)?:(\d+)(?:\.\d+)?")
_ANSWER_SECONDS = 1.0


def open_connection(environment: Mapping[str, str]) -> Any:
    """A connection that goes on working while another client has grabbed the server. Raises TargetError."""
    try:
        with authority(environment) as name:
            connection: Any = xcffib.Connection(display=name)  # type: ignore[no-untyped-call]
        connection(xcffib.xtest.key).GrabControl(True, is_checked=True).check()
    except xcffib.XcffibException as error:
        raise TargetError(
            f"The display cannot be reached: {type(error).__name__}.", "Check DISPLAY and XAUTHORITY."
        ) from error
    return connection


class X11Releaser(Releaser):
    """Lets go of keycodes and X buttons, whoever pressed them through XTest. See Releaser."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._xtest = connection(xcffib.xtest.key)
        self._root = connection.get_setup().roots[0].root

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        try:
            for code in keys:
                self._xtest.FakeInput(_KEY_RELEASE, code, 0, 0, 0, 0, 0)
            for number in buttons:
                self._xtest.FakeInput(_BUTTON_RELEASE, number, 0, 0, 0, 0, 0)
            down = any_down(self._connection, keys)
            mask = self._connection.core.QueryPointer(self._root).reply().mask
        except xcffib.XcffibException as error:
            raise TargetError(f"The display is gone: {type(error).__name__}.") from error
        return not down and not any(mask & _MASKED.get(n, 0) for n in buttons)

    def unmap(self, codes: Sequence[int]) -> int:
        """See Releaser.

        Window managers read the whole key map again after each change (openbox for 60 ms), so only
        what is mapped is changed, and neighbours in one request.
        """
        try:
            width, symbols = read_mapping(self._connection)
            mapped = [code for code in sorted(codes) if any(symbols[code])]
            for first, count in runs(mapped):
                empty = [0] * width * count
                self._connection.core.ChangeKeyboardMappingChecked(count, first, width, empty).check()
        except xcffib.XcffibException as error:
            raise TargetError(f"The display is gone: {type(error).__name__}.") from error
        return len(mapped)

    def place(self) -> int:
        """See Releaser, and `place_of`."""
        try:
            with socket.socket(fileno=os.dup(self._connection.get_file_descriptor())) as server:
                return place_of(server)
        except (OSError, xcffib.XcffibException):
            return 0


def any_down(connection: Any, codes: Iterable[int]) -> bool:
    """True when one of the keycodes is down, on any keyboard."""
    keys = connection.core.QueryKeymap().reply().keys
    return any(keys[code // 8] >> code % 8 & 1 for code in codes)


def read_mapping(connection: Any) -> tuple[int, dict[int, tuple[int, ...]]]:
    """How many keysyms a keycode has, and the keysyms of each keycode."""
    setup = connection.get_setup()
    first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
    reply = connection.core.GetKeyboardMapping(first, count).reply()
    width, flat = reply.keysyms_per_keycode, tuple(reply.keysyms)
    return width, {first + n: flat[n * width : (n + 1) * width] for n in range(count)}


def runs(codes: Sequence[int]) -> list[tuple[int, int]]:
    """Sorted codes as runs of neighbours: the first of each and how many."""
    found: list[tuple[int, int]] = []
    for code in codes:
        if found and code == sum(found[-1]):
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((code, 1))
    return found


def place_of(server: socket.socket) -> int:
    """The number (64 bits) of the server at the other end: by its process, when that started, and the machine's boot.

    0 where that cannot be told: by network, or not on Linux.
    """
    try:
        pid = _CREDENTIALS.unpack(
            server.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        )[0]
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
    except (OSError, AttributeError):
        return 0
    return zlib.crc32(f"{boot} {pid} {status[_STARTED]}".encode()) << 1 | 1


def is_over(environment: Mapping[str, str], place: int) -> bool:
    """Whether the server that had this number has ended: nobody answers under its name, or another server does.

    False where that cannot be told. A server tells whose process it is to those it does not let in, too.
    """
    named = _HERE.fullmatch(environment.get("DISPLAY", ""))
    if not place or not named or not hasattr(socket, "SO_PEERCRED"):
        return False
    path = f"/tmp/.X11-unix/X{named[1]}"  # noqa: S108 - the fixed place of X's sockets
    return all(_is_another(address, place) for address in (f"\0{path}", path))


def _is_another(address: str, place: int) -> bool:
    """Whether at this address there is certainly not the server that had the number."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.settimeout(_ANSWER_SECONDS)
        try:
            server.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return True
        except OSError:
            return False
        return place_of(server) not in (0, place)
