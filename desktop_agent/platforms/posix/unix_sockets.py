"""Connects to a Unix socket in a folder whose files somebody else may exchange at any moment."""

from __future__ import annotations

import os
import socket
import stat


def connect(path: str, seconds: float, kind: int = socket.SOCK_STREAM) -> socket.socket:
    """A connection to the socket that this path is, never to one that a link in its place leads to. Raises OSError.

    What stands there is opened first, as it is (O_PATH, O_NOFOLLOW), and the connection is made to that: a sandbox that
    puts a link to a socket of the host's in the place of its own reaches nothing by us.
    """
    if not hasattr(os, "O_PATH"):  # no system but Linux has sandboxes of ours
        raise OSError(0, "there are none on this system")
    place = os.open(path, os.O_PATH | os.O_NOFOLLOW)
    try:
        if not stat.S_ISSOCK(os.fstat(place).st_mode):
            raise OSError(0, "it is no socket")
        found = socket.socket(socket.AF_UNIX, kind)
        try:
            found.settimeout(seconds)
            found.connect(f"/proc/self/fd/{place}")
        except OSError:
            found.close()
            raise
    finally:
        os.close(place)
    return found
