"""Tells one model file from another, and code from changed code, without reading gigabytes."""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path

_END = 1_000_000
"""Bytes read from the beginning of a large file, and from its end."""


def of_file(path: Path) -> str:
    """A name for this content of the file: its size, time of change, and a hash of its first and last megabyte.

    Raises OSError.
    """
    state = path.stat()
    digest = hashlib.blake2b(f"{state.st_size} {state.st_mtime_ns} ".encode(), digest_size=16)
    with path.open("rb") as file:
        digest.update(file.read(_END))
        file.seek(max(0, state.st_size - _END))
        digest.update(file.read())
    return digest.hexdigest()


def of_class(kind: type) -> str:
    """A name for this class as it stands in its module's file; of one without a file, by its name alone."""
    try:
        file = inspect.getfile(kind)
    except (OSError, TypeError):
        file = None
    return of_code(f"{kind.__module__}.{kind.__qualname__}", file)


def of_code(name: str, file: str | None) -> str:
    """The name with a hash of the file it stands in; without a file, or one that cannot be read, of nothing."""
    try:
        source = Path(file).read_bytes() if file else b""
    except OSError:
        source = b""
    return f"{name} {hashlib.blake2b(source, digest_size=16).hexdigest()}"
