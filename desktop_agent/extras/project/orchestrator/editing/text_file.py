"""Reads and writes the text files of the project, and nothing outside of it.

UTF-8 with or without a byte order mark, at most 1 MB, regular files. What is not changed keeps its line ends.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 1_000_000
_BOM = b"\xef\xbb\xbf"
_KEPT = 32
_SETTLED_NS = 100_000_000
"""A file read sooner than this after a change may change again within one tick of the file system."""
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class EditRefused(ValueError):
    """Says what is wrong and, behind a semicolon, what to do instead."""

    def __init__(self, what: str, instead: str = "") -> None:
        super().__init__(f"{what}; {instead}" if instead else what)
        self.what = what


class Missing(EditRefused):
    """There is no such file."""

    def __init__(self, path: str) -> None:
        super().__init__(f"there is no {path}")
        self.path = path


@dataclass(frozen=True)
class TextFile:
    """The lines of one file, the end of each ("" for a last one without), and whether a mark comes first."""

    path: str
    lines: tuple[str, ...]
    ends: tuple[str, ...]
    bom: bool = False

    @classmethod
    def of(cls, path: str, data: bytes) -> TextFile:
        """The file that these bytes are; refused where they are not UTF-8."""
        bom = data.startswith(_BOM)
        try:
            text = data[len(_BOM) if bom else 0 :].decode("utf-8")
        except UnicodeDecodeError as error:
            raise EditRefused(
                f"{path} is not UTF-8 text (byte {error.start + 1} is not)", "use bash or python for it"
            ) from None
        lines = text.split("\n")
        ends = ["\n"] * (len(lines) - 1) + [""]
        if not lines[-1]:
            del lines[-1], ends[-1]
        for index in (
            [i for i, line in enumerate(lines) if line.endswith("\r") and ends[i]] if "\r" in text else ()
        ):
            lines[index], ends[index] = lines[index][:-1], "\r\n"
        return cls(path, tuple(lines), tuple(ends), bom)

    def data(self) -> bytes:
        """The bytes to be written."""
        pairs = (self.lines[i] + self.ends[i] for i in range(len(self.lines)))
        return (_BOM if self.bom else b"") + "".join(pairs).encode("utf-8")

    def spliced(self, first: int, last: int, new: Sequence[str]) -> TextFile:
        """The file with `new` in the place of lines `first` to `last`; it only inserts before `last + 1`.

        New lines end as the first of those that go, or as the file's first line.
        """
        before, after = first - 1, last
        gone = self.ends[before:after]
        end = next((e for e in (*gone, *self.ends) if e), "\n")
        ends = [end] * len(new)
        if new and gone:
            ends[-1] = gone[-1]
        kept = [e or end for e in self.ends[:before]] if new else list(self.ends[:before])
        return TextFile(
            self.path,
            (*self.lines[:before], *new, *self.lines[after:]),
            (*kept, *ends, *self.ends[after:]),
            self.bom,
        )


@dataclass(frozen=True)
class _Kept:
    """What was read, of which state of the file, and whether a later state would be told apart."""

    state: tuple[int, ...]
    file: TextFile
    settled: bool


class ProjectFiles:
    """The text files below one folder, by their path from it."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self._given = root
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def name(self, path: str) -> str:
        """The path from the project's folder, written in one way; refused where it leads out."""
        named = Path(path)
        if not path or "\0" in path:
            raise EditRefused("a path is missing", "expected the path of a file of the project")
        if ".." in named.parts:
            raise EditRefused(f"{path} holds ..", "expected a path from the project's folder, without ..")
        if not named.is_absolute():
            return named.as_posix()
        for root in (self.root, self._given):
            with contextlib.suppress(ValueError):
                return named.relative_to(root).as_posix()
        raise EditRefused(f"{path} is not in the project", "expected a path from the project's folder")

    def folder(self, path: str) -> bool:
        """Is this a folder of the project?"""
        return self._real(self.name(path)).is_dir()

    def exists(self, path: str) -> bool:
        """Is there a file of this name?"""
        return self._real(self.name(path)).is_file()

    def read(self, path: str) -> TextFile:
        """The file as it is now; it is read again only where it has changed."""
        name = self.name(path)
        real = self._real(name)
        kept = self._kept.get(name)
        if kept is not None and kept.settled and _state_of(real) == kept.state:
            self._kept.move_to_end(name)
            return kept.file
        now = time.time_ns()
        data, status = _opened(name, real)
        file = TextFile.of(name, data)
        if kept is not None and kept.file == file:
            file = kept.file
        settled = abs(now - status.st_mtime_ns) > _SETTLED_NS and abs(now - status.st_ctime_ns) > _SETTLED_NS
        self._kept[name] = _Kept(_state(status), file, settled)
        self._kept.move_to_end(name)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return file

    def read_bytes(self, path: str) -> bytes:
        """The bytes of the file as it is now."""
        name = self.name(path)
        return _opened(name, self._real(name))[0]

    def write(self, path: str, data: bytes) -> None:
        """Puts these bytes in the place of the file's, all or none; its mode stays, a link to it too."""
        name = self.name(path)
        real = self._real(name)
        _small_enough(name, len(data))
        try:
            mode = stat.S_IMODE(real.stat().st_mode)
            if not os.access(real, os.W_OK):
                raise EditRefused(f"{name} may not be written", "change its mode through bash first")
            _replace(real, data, mode)
        except OSError as error:
            raise EditRefused(f"{name} cannot be written: {error.strerror}") from None

    def create(self, path: str, data: bytes) -> tuple[Path, ...]:
        """Makes a new file, and the folders above it, which it returns; refused where one is."""
        name = self.name(path)
        real = self._real(name)
        _small_enough(name, len(data))
        if os.path.lexists(self.root / name):
            raise EditRefused(f"{name} is there already", "use replace or insert, or choose another path")
        try:
            made = _make_folders(real.parent)
            _write_new(real, data)
        except OSError as error:
            raise EditRefused(f"{name} cannot be made: {error.strerror}") from None
        return made

    def remove(self, path: str, folders: Sequence[Path]) -> None:
        """Removes the file, and those of the folders that are empty."""
        name = self.name(path)
        try:
            self._real(name).unlink()
        except OSError as error:
            raise EditRefused(f"{name} cannot be removed: {error.strerror}") from None
        for folder in reversed(folders):
            with contextlib.suppress(OSError):
                folder.rmdir()

    def _real(self, name: str) -> Path:
        real = Path(os.path.realpath(self.root / name))
        if real != self.root and self.root not in real.parents:
            raise EditRefused(
                f"{name} is a link that leads out of the project", "expected a file of the project"
            )
        return real


def _state(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def _state_of(real: Path) -> tuple[int, ...]:
    try:
        return _state(os.lstat(real))
    except OSError:
        return ()


def _opened(name: str, real: Path) -> tuple[bytes, os.stat_result]:
    try:
        handle = os.open(real, _OPEN)
    except (FileNotFoundError, NotADirectoryError):
        raise Missing(name) from None
    except OSError as error:
        raise EditRefused(f"{name} cannot be read: {error.strerror}") from None
    try:
        status = os.fstat(handle)
        _refuse_special(name, status.st_mode)
        _small_enough(name, status.st_size)
        with open(handle, "rb", closefd=False) as stream:
            data = stream.read(MOST_BYTES + 1)
    finally:
        os.close(handle)
    _small_enough(name, len(data))
    return data, status


def _refuse_special(name: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise EditRefused(f"{name} is {kind}", "expected a text file")


def _small_enough(name: str, size: int) -> None:
    if size > MOST_BYTES:
        raise EditRefused(f"{name} would be or is larger than 1 MB", "use bash or python for it")


def _replace(real: Path, data: bytes, mode: int) -> None:
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".new", dir=real.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(temporary).chmod(mode)
        os.replace(temporary, real)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _write_new(real: Path, data: bytes) -> None:
    with real.open("xb") as stream:
        try:
            stream.write(data)
            stream.flush()
        except OSError:
            real.unlink()
            raise


def _make_folders(folder: Path) -> tuple[Path, ...]:
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):
        each.mkdir()
    return tuple(reversed(missing))
