"""Writes an exported file whole or not at all, and over an existing one only when that was said."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support.paths import FILE

_REASONS = {
    errno.ENOSPC: ("there is no room left on that disk", "Free some space there, or choose another disk."),
    errno.EDQUOT: ("your share of that disk is used up", "Free some space there, or choose another disk."),
    errno.EACCES: ("you may not write there", "Choose a folder of your own."),
    errno.EPERM: ("you may not write there", "Choose a folder of your own."),
    errno.EROFS: ("nothing can be written on that disk", "Choose a folder of your own."),
    errno.ENOENT: ("that folder does not exist", "Choose a folder that is there."),
    errno.ENOTDIR: ("that folder does not exist", "Choose a folder that is there."),
    errno.ENAMETOOLONG: ("its name is too long", "Choose a shorter name."),
}


class ExportError(DesktopAgentError):
    """A run cannot be exported as asked."""


@contextmanager
def written_whole(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Gives a private file to write into, which takes the name `path` at the end; none is left after an error.

    Raises ExportError in plain words where `path` exists and is not to be replaced, and for every OSError within.
    """
    part = part_of(path)
    try:
        if not replace and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "")
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), FILE))
        yield part
        if replace:
            part.replace(path)
        else:
            _give_name(part, path)
    except FileExistsError as error:
        raise ExportError(
            f"{path} is there already.", "Choose another name, or say that it be replaced."
        ) from error
    except OSError as error:
        raise export_error(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            if part.is_file():
                part.unlink()


def part_of(path: Path) -> Path:
    """A name beside the file that nobody else uses, for what is not yet whole."""
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.part")


def _give_name(part: Path, path: Path) -> None:
    """Rename without replacing a file that has come meanwhile. Raises FileExistsError, OSError."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "") from None
        part.rename(path)


def export_error(path: Path, error: OSError) -> ExportError:
    """Why nothing was written, in plain words."""
    reason, advice = _REASONS.get(error.errno or 0, (error.strerror or str(error), "Choose another place."))
    return ExportError(f"{path} cannot be written: {reason}.", advice)
