"""Removes temporary folders of ended hands and guards, where open files cannot be removed.

There the last process to end has its files open until it is gone, so the next pair removes them.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from pathlib import Path

from desktop_agent.platforms import host

NEW_SECONDS = 60.0
"""A folder so young may be one whose files are just being made."""


def remove_left(prefix: str, shared: str) -> None:
    """Remove the folders of temporary files with that prefix that nobody uses any more.

    `shared` names the file that brain, hand and guard all have open. Where an open file can be removed it would
    go from under them; but there the guard removes the folder itself, and nothing is left.
    """
    if host.REMOVES_OPEN_FILES:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > NEW_SECONDS:
                (folder / shared).unlink(missing_ok=True)
                shutil.rmtree(folder)
