"""Files of one folder, the workspace: read, written and edited; nothing outside it is reached."""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath

import msgspec

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import paths
from desktop_agent.tools.base import MAX_TOLD, Environment, Response

MAX_BYTES = 1_000_000
"""Of one file, read or written."""
MAX_LISTED = 200
_MAX_SEARCHED = 10_000
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[environment.files]`: the folder, with its whole path; empty: `workspace` in the program's data folder."""

    folder: str = ""


def create(options: Options) -> Environment:
    """The files of the folder, which is made when it is first used. Raises ConfigError for a path that is not whole."""
    folder = Path(options.folder).expanduser() if options.folder else paths.data() / "workspace"
    if not folder.is_absolute():
        raise ConfigError(
            f"The folder {options.folder!r} is not a whole path.", "Set `folder` in [environment.files]."
        )
    return Files(folder)


class Files(Environment):
    """The workspace: its files are UTF-8 text of at most MAX_BYTES, named by paths below the folder."""

    name = "files"
    operations = frozenset(("read_file", "write_file", "edit_file"))

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"The workspace {self.folder} cannot be made: {error.strerror}.",
                "Set another `folder` in [environment.files].",
            ) from error

    def execute(self, op: Op, stop: StopFlag) -> Response:
        stop.check()
        try:
            return self._carry_out(op)
        except Refused as refused:
            return Response("refused", str(refused))
        except OSError as error:
            return Response("failed", f"{error.strerror or error}.")

    def screen(self) -> str:
        """Every file with its size in bytes, sorted by path."""
        lines: list[str] = []
        length = 0
        for path in self._files():
            line = f"{path.relative_to(self.folder).as_posix()} ({path.lstat().st_size} bytes)"
            length += len(line) + 1
            if len(lines) == MAX_LISTED or length > MAX_TOLD - 100:
                return "\n".join([*lines, "… and more"])
            lines.append(line)
        return "\n".join(lines) or "The workspace is empty."

    def _files(self) -> Iterator[Path]:
        left = _MAX_SEARCHED
        for folder, folders, names in os.walk(self.folder):
            folders.sort()
            for name in sorted(names):
                path = Path(folder, name)
                left -= 1
                if left < 0:
                    return
                if stat.S_ISREG(path.lstat().st_mode):
                    yield path

    # ---- the operations ----------------------------------------------------------------------

    def _carry_out(self, op: Op) -> Response:
        match op:
            case ops.ReadFile():
                return self._read(op)
            case ops.WriteFile():
                self._store(op.path, op.content)
                return Response("done", f"{len(op.content)} characters written.")
            case ops.EditFile():
                return self._edit(op)
            case ops.Run():
                raise Refused("This environment holds files and runs no commands.")
        raise Refused(f"{name_of(op)} is nothing that can be done with files.")

    def _read(self, op: ops.ReadFile) -> Response:
        lines = _LINE.findall(self.text_of(op.path))
        first, last = op.start or 1, min(op.end or len(lines), len(lines))
        if op.end is not None and op.end < first:
            raise Refused(f"Line {op.end} is before line {first}.")
        if first > max(1, len(lines)):
            raise Refused(f"There is no line {first}: the file has {len(lines)}.")
        told, end = "", first - 1
        for line in lines[first - 1 : last]:
            if told and len(told) + len(line) > MAX_TOLD:
                break
            told, end = told + line, end + 1
        cut = " Only the beginning of this line is told." if len(told) > MAX_TOLD else ""
        more = f" Read on from line {end + 1}." if end < last else ""
        return Response("done", f"Lines {first} to {end} of {len(lines)}.{cut}{more}", told[:MAX_TOLD])

    def _edit(self, op: ops.EditFile) -> Response:
        text = self.text_of(op.path)
        found = text.count(op.old)
        if not found:
            raise Refused("The file does not hold that text.", "Read it: every character must be the same.")
        self._store(op.path, text.replace(op.old, op.new, -1 if op.all else 1))
        return Response("done", f"{found if op.all else 1} of {found} occurrences replaced.")

    def text_of(self, path: str, most: int = MAX_BYTES) -> str:
        """The text of a file of at most so many bytes. Raises Refused, OSError."""
        place = self._place(path)
        try:
            descriptor = os.open(place, os.O_RDONLY | _NO_FOLLOW)
        except FileNotFoundError:
            raise Refused(f"There is no file {path} in the workspace.") from None
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused(f"{path} is not a file.")
            data = file.read(most + 1)
        if len(data) > most:
            raise Refused(f"The file has more than {most} bytes.")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused(f"The file is not UTF-8 text: byte {error.start} cannot be decoded.") from None
        if "\0" in text:
            raise Refused("The file is not text: it holds zero bytes.")
        return text

    def _store(self, path: str, text: str) -> None:
        """Write a whole file beside the old one and put it in its place. Raises Refused, OSError."""
        place = self._place(path)
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError:
            raise Refused("The text holds half of a surrogate pair, which no file can.") from None
        if len(data) > MAX_BYTES:
            raise Refused(f"The file would have {len(data)} bytes; at most {MAX_BYTES} are written.")
        if place.is_dir():
            raise Refused(f"{path} is a folder.")
        place.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else 0o600
        descriptor, made = tempfile.mkstemp(dir=place.parent, prefix=".writing-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            Path(made).chmod(mode)
            Path(made).replace(place)
        except OSError:
            Path(made).unlink(missing_ok=True)
            raise

    def _place(self, path: str) -> Path:
        """Where a path of the workspace is on the disk, links followed. Raises Refused when that is outside."""
        parts = Path(path).parts
        whole = PurePosixPath(path).is_absolute() or bool(PureWindowsPath(path).anchor)
        if whole or ".." in parts or not parts:
            raise Refused(f"{path} is not a path in the workspace.", "Name files by their path below it.")
        if isinstance(self.folder, PureWindowsPath) and ":" in path:
            raise Refused(f"{path} is not a path in the workspace.", "A colon names a stream there.")
        root = self.folder.resolve()
        try:
            place = (root / path).resolve()
        except (OSError, RuntimeError) as error:  # links in a circle
            raise Refused(f"{path} cannot be followed: {os.strerror(errno.ELOOP)}.") from error
        if not place.is_relative_to(root) or place == root:
            raise Refused(f"{path} leads out of the workspace.")
        return place
