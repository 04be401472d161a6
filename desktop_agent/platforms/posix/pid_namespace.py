"""Tells in which PID namespace a process is: that of this computer, or of a sandbox (Linux, pid_namespaces(7))."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")  # of SO_PEERCRED (unix(7)): pid, uid, gid


def of_process(pid: int) -> int:
    """The number of the namespace that a process is in; 0 when that cannot be told."""
    try:
        return Path(f"/proc/{pid}/ns/pid").stat().st_ino if pid else 0
    except OSError:
        return 0


def of_peer(connection: socket.socket) -> int:
    """The number of the namespace of who listens at the other end of a Unix socket; 0 when that cannot be told."""
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return of_process(_CREDENTIALS.unpack(told)[0])
