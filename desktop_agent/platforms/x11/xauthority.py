"""Connecting to an X display that is not this process's own, with its own authority file."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_lock = threading.Lock()


@contextmanager
def authority(environment: Mapping[str, str]) -> Iterator[str]:
    """The display's name, while XAUTHORITY is that of `environment`.

    libxcb takes the authority file from the process environment only, while it connects; the
    variable is put back at once, and two threads cannot change it at the same time.
    """
    with _lock:
        before = os.environ.get("XAUTHORITY")
        _put(environment.get("XAUTHORITY"))
        try:
            yield environment.get("DISPLAY", "")
        finally:
            _put(before)


def _put(value: str | None) -> None:
    if value is None:
        os.environ.pop("XAUTHORITY", None)
    else:
        os.environ["XAUTHORITY"] = value
