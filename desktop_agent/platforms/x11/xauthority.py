"""Sets XAUTHORITY while connecting to an X display other than this process's own."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_lock = threading.Lock()


@contextmanager
def authority(environment: Mapping[str, str]) -> Iterator[str]:
    """Yields the display's name; inside the context XAUTHORITY is that of `environment`.

    libxcb reads the authority file's path from the process environment, while it connects. The variable is
    restored afterwards, and a lock keeps threads from changing it at the same time.
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
