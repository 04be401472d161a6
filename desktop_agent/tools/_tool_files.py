"""Tells how files of a project have changed that the user's own tools run, or take commands from: as diffs, bounded."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import stat
import tomllib
from functools import cache
from pathlib import Path

from desktop_agent.support import resources

MOST_FILES, MOST_LINES, MOST_SHOWN = 20, 60, 3_000
"""Diffs in one account; lines and characters of one."""
_MOST_BYTES, _MOST_KEPT, _MOST_SEARCHED = 64_000, 8_000_000, 200_000
"""Of one file that is kept to be compared, of all of them, and files that are looked at."""
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
HEADING = (
    "Files that your own tools run were changed. Read what has changed before you use such a tool there:\n"
)


class ToolFiles:
    """Such files of a project as they are when it is made."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._files, self._complete = _found(project)

    def changes(self) -> tuple[str, ...]:
        """What has changed since: a text for each file with its diff, what was left out said in the last one."""
        now, complete = _found(self._project)
        names = sorted(
            name for name in {*self._files, *now} if self._files.get(name, "") != now.get(name, "")
        )
        told = [_diff(name, self._files.get(name), now.get(name)) for name in names[:MOST_FILES]]
        if more := names[MOST_FILES:]:
            listed = ", ".join(more[:MOST_LINES]) + (" and more" if len(more) > MOST_LINES else "")
            told.append(f"{len(more)} more such files were changed, and are not shown: {listed}"[:MOST_SHOWN])
        if not (complete and self._complete):
            told.append(
                f"The project has more than {_MOST_SEARCHED} files: not all were looked at for such changes."
            )
        if told:
            told[0] = HEADING + told[0]
        self._files, self._complete = now, complete
        return tuple(told)


def is_tool_file(name: str) -> bool:
    """Is a file of this path below a project one that tools outside run?"""
    folded = name.casefold()
    return _pattern().fullmatch(folded) is not None


@cache
def _pattern() -> re.Pattern[str]:
    kinds = tomllib.loads(resources.text("sandbox", "tool_files.toml"))
    return re.compile("|".join(_expression(each.casefold()) for kind in kinds.values() for each in kind))


def _expression(glob: str) -> str:
    """A folder's pattern holds for that folder at any depth, as one of a name does."""
    inner = glob.removesuffix("/**")
    found = re.escape(inner).replace(r"\*", "[^/]*")
    return rf"(?:.*/)?{found}{'/.*' if inner != glob else ''}"


def _found(project: Path) -> tuple[dict[str, str], bool]:
    """The text of each such file by its path below the project, and whether all of the project was looked at."""
    files: dict[str, str] = {}
    left, room = _MOST_SEARCHED, _MOST_KEPT
    for place, folders, names in os.walk(project):
        at = os.path.relpath(place, project)
        folders[:] = [each for each in folders if each != ".git"]
        links = [each for each in folders if Path(place, each).is_symlink()]
        for each in (*names, *links):
            left -= 1
            if left < 0:
                return files, False
            name = each if at == "." else f"{at}/{each}"
            if is_tool_file(name):
                text = _text(Path(place, each), _MOST_BYTES if room > 0 else 0)
                files[name] = text
                room -= len(text)
    return files, True


def _text(path: Path, most: int) -> str:
    """What is in it; where it is no text of a bearable size, what tells it from another. "" is an empty file's."""
    try:
        if path.is_symlink():
            return f"a link to {path.readlink()}\n"
        with os.fdopen(os.open(path, _READ), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return "no file, and no link\n"
            data = file.read(most + 1)
            if len(data) <= most and b"\0" not in data:
                return data.decode(errors="backslashreplace") or "(empty)\n"
            digest = hashlib.sha256(data)
            while data := file.read(1 << 20):
                digest.update(data)
            return f"not shown: too large or no text (SHA-256 {digest.hexdigest()})\n"
    except OSError as error:
        return f"not to be read: {error.strerror}\n"


def _diff(name: str, before: str | None, now: str | None) -> str:
    kind = "new" if before is None else "removed" if now is None else "changed"
    lines = list(
        difflib.unified_diff((before or "").splitlines(), (now or "").splitlines(), lineterm="", n=2)
    )[2:]
    text, shown = f"{name} ({kind})", 0
    for line in lines[:MOST_LINES]:
        if len(text) + len(line) > MOST_SHOWN:
            break
        text += f"\n    {line}"
        shown += 1
    if left := len(lines) - shown:
        text += f"\n    … cut: {left} more lines of this difference are not shown; look at the file"
    return text
