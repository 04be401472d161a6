"""Names the folders of runs (when one began and a random id, nothing of what it was about), and locks one to a single process."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_agent.platforms import host
from desktop_agent.protocol.errors import StoreError
from desktop_agent.support.paths import private_folder

_NAME = re.compile(r"\d{8}-\d{6}-[0-9a-f]{16}")


def new_run_name() -> str:
    """A name that no other run has, as in `20261122-214500-0f1e2d3c4b5a6978`; the goal is not in it.

    The names of folders are seen in file dialogs, backups and lists of recent files.
    """
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(8)}"


def is_run_name(name: str) -> bool:
    """Is it the name of a run's folder that `new_run_name` made?"""
    return _NAME.fullmatch(name) is not None


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
