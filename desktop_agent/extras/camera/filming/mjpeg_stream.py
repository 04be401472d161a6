"""Reads packed pictures from an address that sends them one after another (multipart/x-mixed-replace).

FFmpeg reads such addresses too, but keeps some pictures back and unpacks each: here they are only counted until one is
asked for, so that nothing old waits anywhere.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import re
import socket
import ssl
import urllib.parse
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.protocol.errors import TargetError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST = 32_000_000
"""Bytes of one packed picture at most."""
_LINES = 64
_CHUNK = 65_536


class NotMjpeg(Exception):
    """The address sends something else."""


class MjpegStream:
    """Pictures of an address, newest last. Raises TargetError where it cannot be reached, NotMjpeg for other content."""

    def __init__(self, address: str, opening: float, patience: float) -> None:
        """`opening`: seconds that an answer may take; `patience`: seconds without a byte until the camera counts as gone."""
        parts = urllib.parse.urlsplit(address)
        host = parts.hostname or ""
        plain = f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}"
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(host, parts.port, timeout=opening)
        self._data, self._rest = b"", b""
        try:
            self._connection.connect()
            self._socket = self._connection.sock
            self._connection.request(
                "GET", parts.path + (f"?{parts.query}" if parts.query else "") or "/", headers=_login(parts)
            )
            self._reply = self._connection.getresponse()
        except (OSError, http.client.HTTPException, ssl.SSLError) as error:
            self._connection.close()
            raise TargetError(
                f"The camera {plain} cannot be reached: {_words(error)}.",
                "Check the address, and that the camera's program runs and can be reached from this computer.",
            ) from error
        self._socket.settimeout(patience)
        kind_sent = self._reply.getheader("Content-Type", "")
        if self._reply.status != 200:
            self.close()
            raise TargetError(
                f"The camera {plain} answers {self._reply.status} {self._reply.reason}.",
                "Check user name and password in the address."
                if self._reply.status in (401, 403)
                else "Check the address.",
            )
        if "multipart" not in kind_sent.lower():
            self.close()
            raise NotMjpeg(kind_sent)
        named = re.search(r'boundary="?([^";]+)"?', kind_sent)
        self._boundary = b"--" + (named[1].strip().lstrip("-").encode() if named else b"")

    def grab(self) -> bool:
        """Read the next packed picture; False when there is none any more or none comes in time."""
        try:
            return self._part()
        except (OSError, http.client.HTTPException, ValueError):
            return False

    def _part(self) -> bool:
        length = None
        for _ in range(_LINES):
            line = self._reply.readline(4096)
            if not line:
                return False
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":", 1)[1])
            if line in (b"\r\n", b"\n") and length is not None:
                break
            if line in (b"\r\n", b"\n") and self._begun:
                break
            self._begun = self._begun or line.startswith(self._boundary)
        else:
            return False
        self._begun = False
        if length is not None:
            self._data = self._reply.read(length) if 0 < length <= _MOST else b""
            return len(self._data) == length
        self._data = self._until_boundary()
        return bool(self._data)

    _begun = False

    def _until_boundary(self) -> bytes:
        """A picture whose length was not told: all up to the line that begins the next."""
        found = bytearray()
        while len(found) < _MOST:
            line = self._reply.readline(_CHUNK)
            if not line:
                return b""
            if line.startswith(self._boundary) and (found.endswith(b"\n") or not found):
                self._begun = True
                return bytes(found)
            found += line
        return b""

    def picture(self) -> NDArray[Any] | None:
        """The picture read last; None where it is damaged."""
        import numpy as np

        cv2 = opencv()
        if not self._data:
            return None
        picture: NDArray[Any] | None = cv2.imdecode(np.frombuffer(self._data, np.uint8), cv2.IMREAD_COLOR)
        return picture

    def interrupt(self) -> None:
        """Have a `grab` that waits in another thread end at once."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._connection.close()


def _login(parts: urllib.parse.SplitResult) -> dict[str, str]:
    if parts.username is None:
        return {}
    pair = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
    return {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}


def _words(error: Exception) -> str:
    if isinstance(error, socket.gaierror):
        return "there is no such computer"
    if isinstance(error, TimeoutError):
        return "it does not answer"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".")
