"""Files of one folder, the workspace: read, written and edited; nothing outside it is reached."""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError, Refused
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support import paths
from desktop_agent.tools import _workspace_files
from desktop_agent.tools.base import MAX_TOLD, Environment, Response

MAX_BYTES = 1_000_000
"""Of one file, read or written."""
MAX_LISTED = 200
_MAX_SEARCHED = 10_000
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ENCODINGS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    b"": "utf-8",
}
"""By the mark at the beginning of a file."""


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
    """The workspace: its files are text of at most MAX_BYTES, UTF-8 or marked as UTF-16, named by paths below the folder."""

    name = "files"
    operations = frozenset(("read_file", "write_file", "edit_file"))

    folder: Path

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
        """Every file with its size in bytes, sorted by path; what is hidden (a name with a dot in front) is left out."""
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
            folders[:] = sorted(each for each in folders if not each.startswith("."))
            for name in sorted(each for each in names if not each.startswith(".")):
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
        return Response(
            "done", f"Lines {first} to {end} of {len(lines)}.{cut}{more}", told[:MAX_TOLD], first_line=first
        )

    def _edit(self, op: ops.EditFile) -> Response:
        text, mark = self._load(op.path)
        old, new = op.old, op.new
        if "\r\n" in text and "\r" not in old + new and text.count("\n") == text.count("\r\n"):
            old, new = (each.replace("\n", "\r\n") for each in (old, new))  # as every line of it ends
        found = text.count(old)
        if not found:
            raise Refused("The file does not hold that text.", "Read it: every character must be the same.")
        self._store(op.path, text.replace(old, new, -1 if op.all else 1), mark)
        return Response("done", f"{found if op.all else 1} of {found} occurrences replaced.")

    def text_of(self, path: str, most: int = MAX_BYTES) -> str:
        """The text of a file of at most so many bytes. Raises Refused, OSError."""
        return self._load(path, most)[0]

    def _load(self, path: str, most: int = MAX_BYTES) -> tuple[str, bytes]:
        """The text of a file, and the mark of its encoding, with which it began. Raises Refused, OSError."""
        data = _workspace_files.read(self.folder, path, most + 1)
        if len(data) > most:
            raise Refused(f"The file has more than {most} bytes.")
        mark = next(each for each in _ENCODINGS if data.startswith(each))
        try:
            text = data[len(mark) :].decode(_ENCODINGS[mark])
        except UnicodeDecodeError as error:
            raise Refused(
                f"The file is not {_ENCODINGS[mark].upper()} text: byte {error.start} cannot be decoded.",
                "Convert it first (iconv), or open it in a program that knows it.",
            ) from None
        if "\0" in text:
            raise Refused("The file is not text: it holds zero bytes.")
        return text, mark

    def _store(self, path: str, text: str, mark: bytes = b"") -> None:
        """Write a whole file beside the old one and put it in its place. Raises Refused, OSError."""
        try:
            data = mark + text.encode(_ENCODINGS[mark])
        except UnicodeEncodeError:
            raise Refused("The text holds half of a surrogate pair, which no file can.") from None
        if len(data) > MAX_BYTES:
            raise Refused(f"The file would have {len(data)} bytes; at most {MAX_BYTES} are written.")
        _workspace_files.replace(self.folder, path, data)
