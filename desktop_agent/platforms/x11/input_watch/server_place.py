"""Tells one X server from another that was started later under the same name, without being let in by either."""

from __future__ import annotations

import re
import socket
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")  # of SO_PEERCRED (unix(7)): pid, uid, gid
_STARTED = 19  # of the fields behind the name in /proc/PID/stat (proc(5)): when the process started
_HERE = re.compile(r"(?:unix)?:(\d+)(?:\.\d+)?")
_ANSWER_SECONDS = 1.0


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
