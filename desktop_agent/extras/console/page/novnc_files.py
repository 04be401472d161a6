"""The scripts of noVNC that show a screen in a browser, from the package that brings them."""

from __future__ import annotations

import importlib.resources
import io
import re
import zipfile
from functools import cache

_SERVED = re.compile(r"(?:core|vendor/pako)/[\w./-]+\.js\Z")


@cache
def _archive() -> dict[str, bytes]:
    packed = importlib.resources.files("novnc").joinpath("resources", "novnc_server.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if _SERVED.match(name)}


def script(name: str) -> bytes | None:
    """The script with this name, like `core/rfb.js`; None for any other file."""
    return _archive().get(name)
