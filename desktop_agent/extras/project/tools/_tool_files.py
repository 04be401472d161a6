"""Tells how files of a project have changed that the user's own tools run, or take commands from: as diffs, bounded."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path

from desktop_agent.platforms.folder_walk import below, walk
from desktop_agent.protocol.errors import Refused
from desktop_agent.support import resources
from desktop_agent.tools import _workspace_files

MOST_FILES, MOST_LINES, MOST_SHOWN = 20, 60, 3_000
"""Diffs in one account; lines and characters of one."""
_MOST_BYTES, _MOST_KEPT, _MOST_SEARCHED = 64_000, 8_000_000, 200_000
"""Of one file that is kept to be compared, of all of them, and files that are looked at."""
_MOST_NAME = 300
"""Characters of a path, from its end."""
_MOST_HASHED = 32 << 20
"""Bytes of a file by which it is told from another."""
HEADING = (
    "Files that your own tools run were changed. Read what has changed before you use such a tool there."
)


class ToolFiles:
    """Such files of a project as they are when it is made; `also` are others, and folders of them, by their paths there."""

    def __init__(self, project: Path, also: Collection[str] = ()) -> None:
        self._project, self._also = project, also
        self._files, self._complete = _found(project, also)

    def changes(self) -> tuple[str, ...]:
        """What has changed since: a heading, then a text for each file with its diff; what was left out is said in the last one."""
        now, complete = _found(self._project, self._also)
        names = sorted(
            name for name in {*self._files, *now} if self._files.get(name, "") != now.get(name, "")
        )
        told = [_diff(name, self._files.get(name), now.get(name)) for name in names[:MOST_FILES]]
        if more := names[MOST_FILES:]:
            listed = "\n".join(f"    {_one_line(each)}" for each in more[:MOST_LINES]) + (
                "\n    … and more" if len(more) > MOST_LINES else ""
            )
            told.append(
                f"{len(more)} more such files were changed, and are not shown:\n\n{listed}"[:MOST_SHOWN]
            )
        if not (complete and self._complete):
            told.append(
                f"The project has more than {_MOST_SEARCHED} files: not all were looked at for such changes."
            )
        self._files, self._complete = now, complete
        return (HEADING, *told) if told else ()


def is_tool_file(name: str) -> bool:
    """Is a file of this path below a project one that tools outside run?"""
    folded = name.casefold()
    return _pattern().fullmatch(folded) is not None


@cache
def _pattern() -> re.Pattern[str]:
    kinds = tomllib.loads(resources.text("sandbox", "tool_files.toml"))
    found = "|".join(_expression(each.casefold()) for kind in kinds.values() for each in kind)
    return re.compile(rf"(?:.*/)?(?:{found})")


def _expression(glob: str) -> str:
    """A folder's pattern holds for that folder at any depth, as one of a name does."""
    inner = glob.removesuffix("/**")
    found = re.escape(inner).replace(r"\*", "[^/]*")
    return found + ("/.*" if inner != glob else "")


def _found(project: Path, also: Collection[str]) -> tuple[dict[str, str], bool]:
    """The text of each such file by its path below the project, and whether all of the project was looked at."""
    files: dict[str, str] = {}
    left, room = _MOST_SEARCHED, _MOST_KEPT
    for at, entries in walk(project):
        entries[:] = [each for each in entries if each.name != ".git"]
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                continue
            left -= 1
            if left < 0:
                return files, False
            name = below(at, each.name)
            if is_tool_file(name) or any(name == each or name.startswith(f"{each}/") for each in also):
                files[name] = text = _text(project, name, _MOST_BYTES if room > 0 else 0)
                room -= len(text)
    return files, True


def _text(project: Path, name: str, most: int) -> str:
    """What is in it; where it is no text of a bearable size, what tells it from another.

    It is opened folder by folder, never through a link: no file of another place is shown, whatever is exchanged meanwhile.
    """
    try:
        if (project / name).is_symlink():
            return f"a link to {(project / name).readlink()}\n"
        data = _workspace_files.read(project, name, _MOST_HASHED)
    except OSError as error:
        return f"not to be read: {error.strerror}\n"
    except Refused as refused:
        return f"not to be read: {refused.message}\n"
    if len(data) <= most and b"\0" not in data:
        return data.decode(errors="backslashreplace") or "(empty)\n"
    return (
        f"not shown: too large or no text ({len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()})\n"
    )


def _diff(name: str, before: str | None, now: str | None) -> str:
    kind = "New" if before is None else "Removed" if now is None else "Changed"
    lines = list(
        difflib.unified_diff((before or "").splitlines(), (now or "").splitlines(), lineterm="", n=2)
    )[2:]
    # All of it stands indented below an empty line: no text of the project's is read as Markdown, or as words of ours.
    text, shown = (
        f"{kind}:\n\n    {_one_line(name if len(name) <= _MOST_NAME else '…' + name[-_MOST_NAME:])}",
        0,
    )
    for line in lines[:MOST_LINES]:
        if len(text) + len(line) > MOST_SHOWN:
            break
        text += f"\n    {_one_line(line)}"
        shown += 1
    if left := len(lines) - shown:
        text += f"\n    … cut: {left} more lines of this difference are not shown; look at the file"
    return text


def _one_line(text: str) -> str:
    """The text with its control characters written out: it stays in its line."""
    return "".join(each if each == "\t" or each.isprintable() else repr(each)[1:-1] for each in text)
