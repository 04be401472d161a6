"""Resolves what stands in a name field to the real path that a program would write to.

Names are taken as file dialogs take them: relative to the folder shown, `~` for the home folder, `file://`
addresses, and links and `..` followed. Windows' own forms count as the file they mean: `name.` and `name ` as
`name`, `name:stream` and `name::$DATA` as `name`, short (8.3) names, and the prefix of long paths.
"""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

from desktop_agent.support.operating_system import WINDOWS

System: TypeAlias = Literal["linux", "windows"]
HERE: System = "windows" if WINDOWS else "linux"

_STREAM = re.compile(r"(?<=[^:/\\]{2}):[^/\\]*$|(?<=[^:/\\]{2}):[^/\\]*(?=[/\\])")
_DEVICE_PREFIX = re.compile(r"^[/\\]{2}[?.][/\\](?:UNC[/\\])?", re.IGNORECASE)


def is_whole(text: str, system: System = HERE) -> bool:
    """Does it name a place by itself, without the folder shown?"""
    if text.startswith("~") or text.casefold().startswith("file:"):
        return True
    if system == "windows":
        return bool(PureWindowsPath(text).anchor)
    return PurePosixPath(text).is_absolute()


def joined(text: str, folder: str, home: str, system: System = HERE) -> str:
    """The path that a name means in a folder, not yet followed; "" when it is relative and there is no folder.

    An address of another kind than `file:` gives "" as well: it is no file of this computer.
    """
    name = text.strip("\n")
    if re.match(r"(?i)file:", name):
        try:
            name = unquote(urlsplit(name).path)
        except ValueError:  # what stands for the host cannot be one
            return ""
        name = name.lstrip("/") if system == "windows" else name
    elif re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", name):
        return ""
    if name == "~" or name.startswith(("~/", "~\\")):
        name = home + name[1:]
    elif name.startswith("~"):
        name = os.path.expanduser(name)  # noqa: PTH111 - of another user; left as it is when there is none
    if not is_whole(name, system) and not folder:
        return ""
    if system == "windows":
        return str(PureWindowsPath(folder, name))
    return str(PurePosixPath(folder, name))


def spellings(path: str) -> tuple[str, ...]:
    """The path without `.` and `..`, and where it really leads when its links are followed.

    Both count: a program that puts a new file in the place of the old one replaces a link, another follows it.
    """
    plain = os.path.normpath(path)
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):  # links in a circle on Windows, a zero byte
        real = plain
    return tuple(dict.fromkeys((real, plain)))


def comparable(path: str, system: System = HERE) -> str:
    """A path as it is compared: with slashes, and on Windows in lower case and without the forms that mean the same."""
    if system != "windows":
        return path
    plain = _STREAM.sub("", _DEVICE_PREFIX.sub(lambda m: "//" if "UNC" in m.group().upper() else "", path))
    parts = plain.replace("\\", "/").split("/")
    return "/".join(part if part in (".", "..") else part.rstrip(". ") for part in parts).casefold()
