"""Lets only one process at a time work a run: its log would be no chain with two writers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_agent.platforms import host
from desktop_agent.protocol.errors import StoreError
from desktop_agent.support.private_files import private_folder


@contextmanager
def run_locked(folder: Path) -> Iterator[None]:
    """While it lasts, nobody else may work the run in this folder; its death ends that too. Raises StoreError."""
    path = folder / "lock"
    try:
        private_folder(folder)
        path.touch(mode=0o600)
        file = path.open("r+b")
    except OSError as error:
        raise StoreError(
            f"The run cannot be recorded in {folder}: {error.strerror}.",
            "Free some space or choose another data folder, then start again.",
        ) from error
    with file:
        if not host.lock_file(file):
            raise StoreError(
                f"The run {folder.name} is still going on in another process.",
                "Stop it there first, or give the goal anew.",
            )
        yield
