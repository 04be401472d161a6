"""Opens and replaces the files of a folder in which somebody else may exchange folders for links at any moment.

A path is followed once, by its links, and has to end in the folder. What it led to is then opened folder by folder,
each from the one before and never through a link (openat with O_NOFOLLOW): whatever is exchanged in between is found
and refused, so that no race leads out. Windows has no such calls: there the path is opened as it was followed.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath, PureWindowsPath

from desktop_agent.protocol.errors import Refused

_BY_FOLDER = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_BINARY = getattr(os, "O_BINARY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | _BINARY
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY
_FOLDER = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_DIRECTORY", 0)


def read(root: Path, path: str, most: int) -> bytes:
    """The first `most` bytes of a file below `root`. Raises Refused, OSError."""
    parts = _followed(root, path)
    with _opened_folder(root, parts[:-1], path, make=False) as (folder, where):
        with _told(path):
            descriptor = os.open(parts[-1] if folder is not None else where / parts[-1], _READ, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused(f"{path} is not a file.")
            return file.read(most)


def replace(root: Path, path: str, data: bytes) -> None:
    """Put a file with this content in the place of what is at `path` below `root`, whole or not at all.

    It keeps the permissions of the old one, and belongs to whoever the folder belongs to, where we may say so: the one who
    works there is to be able to use it. Raises Refused, OSError.
    """
    parts = _followed(root, path)
    if any(each.casefold() == ".git" for each in parts):
        raise Refused(
            f"{path} is git's own: what it says there it would run.", "Use git itself, in a command."
        )
    with _opened_folder(root, parts[:-1], path, make=True) as (folder, where):
        new = f".writing-{secrets.token_hex(8)}"
        old, made = (parts[-1], new) if folder is not None else (str(where / parts[-1]), str(where / new))
        mode = _mode_of(old, path, folder)
        descriptor = os.open(made, _MAKE, 0o600, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                if folder is not None:
                    _hand_over(file.fileno(), folder)
                    os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
            os.replace(made, old, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            with suppress(OSError):
                os.unlink(made, dir_fd=folder)
            raise


def _followed(root: Path, path: str) -> tuple[str, ...]:
    """The names from the folder to where a path of it leads, links followed. Raises Refused when that is outside."""
    parts = Path(path).parts
    whole = PurePosixPath(path).is_absolute() or bool(PureWindowsPath(path).anchor)
    if whole or ".." in parts or not parts or "\0" in path:
        raise Refused(f"{path} is not a path in the workspace.", "Name files by their path below it.")
    if isinstance(root, PureWindowsPath) and ":" in path:
        raise Refused(f"{path} is not a path in the workspace.", "A colon names a stream there.")
    real = root.resolve()
    place = Path(os.path.realpath(real / path))
    if place.is_symlink():  # links in a circle
        raise Refused(f"{path} cannot be followed: {os.strerror(errno.ELOOP)}.")
    if not place.is_relative_to(real) or place == real:
        raise Refused(f"{path} leads out of the workspace.")
    return place.relative_to(real).parts


@contextmanager
def _opened_folder(
    root: Path, names: tuple[str, ...], path: str, *, make: bool
) -> Iterator[tuple[int | None, Path]]:
    """The folder with these names below `root`: a descriptor where the system opens by folder, and its path."""
    where = root.resolve().joinpath(*names)
    if not _BY_FOLDER:
        if make:
            where.mkdir(parents=True, exist_ok=True)
        yield None, where
        return
    folder = os.open(root.resolve(), _FOLDER)
    try:
        for name in names:
            with _told(path):
                inner = _enter(folder, name, make=make)
            os.close(folder)
            folder = inner
        yield folder, where
    finally:
        os.close(folder)


def _enter(folder: int, name: str, *, make: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
        os.mkdir(name, 0o700, dir_fd=folder)
        inner = os.open(name, _FOLDER, dir_fd=folder)
        _hand_over(inner, folder)
        return inner


def _mode_of(name: str, path: str, folder: int | None) -> int:
    """The permissions that what takes the place of this file gets."""
    try:
        old = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return 0o600
    if stat.S_ISDIR(old.st_mode):
        raise Refused(f"{path} is a folder.")
    return stat.S_IMODE(old.st_mode) if stat.S_ISREG(old.st_mode) else 0o600


def _hand_over(descriptor: int, folder: int) -> None:
    """Give what was made to the one whom the folder belongs to; only root may."""
    owner = os.fstat(folder)
    if os.geteuid() == 0 and owner.st_uid != 0:
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


@contextmanager
def _told(path: str) -> Iterator[None]:
    """Says in words that a file is not there, or that something on the way to it has become a link meanwhile."""
    try:
        yield
    except FileNotFoundError:
        raise Refused(f"There is no file {path} in the workspace.") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Refused(f"{path} was exchanged for a link meanwhile.", "Look what is there.") from None
        raise
