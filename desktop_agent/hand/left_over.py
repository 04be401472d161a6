"""Cleans up after processes that were all killed at once: releases what their ledger says is held, and removes it.

Called by every start of the program and before every hand. Folders of processes that are at work are left alone.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from pathlib import Path

from desktop_agent.hand.guard.clean_up import clean_up
from desktop_agent.hand.ipc.address_file import FOLDER_PREFIX, SHARED, read_address
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms import host
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.targets.base import is_over, releaser

NEW_SECONDS = 60.0
"""A folder so young without a ledger may be one whose files are just being made."""
KEPT_SECONDS = 7 * 86_400.0
"""So long a ledger is kept whose display cannot be reached."""
_log = logging.getLogger(__name__)


WORDS = (
    "An earlier run was killed together with everything that guards it. "
    "I have let go of the keys and mouse buttons it had left pressed, and put the keyboard back."
)


def clean_up_left_over() -> str:
    """Release, put back and remove whatever ended processes of ours left; nothing is raised.

    Returns what the user is to be told, "" when nothing was held or changed.
    """
    found = [_tried(folder) for folder in Path(tempfile.gettempdir()).glob(f"{FOLDER_PREFIX}*")]
    return WORDS if any(found) else ""


def _tried(folder: Path) -> bool:
    try:
        return host.ours_alone(folder) and _dealt_with(folder)
    except OSError:  # another start was quicker
        return False


def _dealt_with(folder: Path) -> bool:
    """Deal with one folder; True when something was held or changed. Raises OSError."""
    age = time.time() - folder.stat().st_mtime
    if not (folder / SHARED).exists():
        _remove(folder, age > NEW_SECONDS)
        return False
    with host.abandoned(folder / SHARED) as content:
        shared = Shared.of_content(content) if content is not None else None
        if shared is None:  # in use, just being made, or of another version
            return False
        try:
            found = not shared[Word.OVER] and _cleaned(folder, shared)
        except DesktopAgentError as error:
            _log.warning("what %s says is held cannot be released: %s", folder, error)
            _remove(folder, age > KEPT_SECONDS)
            return False
        _remove(folder, True)
    return found


def _cleaned(folder: Path, shared: Shared) -> bool:
    """Release and put back. False where nothing was held or changed, or the display is gone or another one by now."""
    if not shared.holding and not shared.codes(Word.SPARES):
        return False
    address, place = read_address(folder), shared[Word.PLACE]
    if is_over(address, place):
        return False
    display = releaser(address)
    return place == display.place() and clean_up(shared, display, None)


def _remove(folder: Path, due: bool) -> None:
    if due:
        shutil.rmtree(folder, ignore_errors=True)
