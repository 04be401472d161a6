"""Reads the pictures of a run: only those that its log records, unchanged, and nothing that a link leads to."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from desktop_agent.agent.runlog.hash_chained_log import hash_of
from desktop_agent.history.run_story import StoryPicture

LARGEST = 64 * 1024 * 1024
_NAME = re.compile(r"frames/[0-9a-f]{1,128}\.(jpg|png)", re.ASCII)
_STARTS = {"jpg": b"\xff\xd8\xff", "png": b"\x89PNG\r\n\x1a\n"}
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


def picture_bytes(run: Path, picture: StoryPicture) -> bytes:
    """The encoded picture (JPEG or PNG); b"" for one that is missing, changed, too large or none of ours."""
    named = _NAME.fullmatch(picture.file)
    if named is None or (run / "frames").is_symlink():
        return b""
    try:
        with os.fdopen(os.open(run / picture.file, _FLAGS), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
                return b""
            data = file.read(LARGEST)
    except OSError:
        return b""
    sound = data.startswith(_STARTS[named[1]]) and hash_of(data) == picture.hash
    return data if sound else b""


def media_type(picture: StoryPicture) -> str:
    """As a page names it."""
    return "image/png" if picture.file.endswith(".png") else "image/jpeg"
