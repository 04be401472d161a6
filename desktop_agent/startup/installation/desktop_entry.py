"""The entry of this program among the user's programs, and at log-on: freedesktop.org's .desktop files and icons.

Source: "Desktop Entry Specification" 1.5 (Exec, StartupWMClass), "Desktop Application Autostart Specification",
"Icon Theme Specification" (hicolor is looked in always).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import platformdirs

from desktop_agent.protocol.instance_request import InstanceRequest
from desktop_agent.startup.installation.launch_command import launch_command
from desktop_agent.support import resources

NAME = "desktop-agent"
"""Of the file, which is the app id of our windows (their class on X11) too: so the desktop knows whose they are."""


class EntryAction(NamedTuple):
    """An entry of the menu of the program's icon: what is asked of the open window, and its names."""

    request: InstanceRequest
    name: str
    name_de: str


ACTIONS = (
    EntryAction("stop", "Stop the agent", "Agenten anhalten"),
    EntryAction("history", "Earlier runs", "Frühere Läufe"),
    EntryAction("settings", "Settings", "Einstellungen"),
)
_RESERVED = set(" \t\n\"'\\><~|&;$*?#()`")
_ESCAPED_IN_QUOTES = '"`$\\'


def entry_file() -> Path:
    """Where the entry is, in the user's own folder of programs."""
    return Path(platformdirs.user_data_dir()) / "applications" / f"{NAME}.desktop"


def icon_file() -> Path:
    """Where its icon is."""
    return Path(platformdirs.user_data_dir()) / "icons/hicolor/scalable/apps" / f"{NAME}.svg"


def autostart_file() -> Path:
    """Where the entry that starts it at log-on is."""
    return Path(platformdirs.user_config_dir()) / "autostart" / f"{NAME}.desktop"


def install() -> Path:
    """Write entry and icon, and return the entry. Raises OSError."""
    icon = icon_file()
    icon.parent.mkdir(parents=True, exist_ok=True)
    icon.write_bytes(resources.path("icons", "app.svg").read_bytes())
    return write(entry_file(), launch_command(), actions=True)


def remove() -> bool:
    """Remove both; True when there was anything. Raises OSError."""
    there = [each for each in (entry_file(), icon_file()) if each.is_file()]
    for each in there:
        each.unlink()
    return bool(there)


def write(file: Path, argv: Sequence[str], more: Sequence[str] = (), *, actions: bool = False) -> Path:
    """Write an entry that starts `argv`, whole or not at all; with what can be asked of the open window. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{file.name}.new")
    beside.write_text(_text(argv, more, ACTIONS if actions else ()), encoding="utf-8")
    os.replace(beside, file)  # noqa: PTH105 - Path.replace says the same
    return file


def _text(argv: Sequence[str], more: Sequence[str], actions: Sequence[EntryAction]) -> str:
    lines = [
        "[Desktop Entry]", "Type=Application", "Version=1.5", "Name=Desktop Agent",
        "GenericName=Desktop coworker", "GenericName[de]=Hilfe am Desktop",
        "Comment=Say a goal in plain words; press Esc to stop it at any moment",
        "Comment[de]=Ein Ziel in einfachen Worten sagen; Esc hält jederzeit an",
        f"Exec={exec_line(argv)}", f"Icon={NAME}", "Terminal=false", "Categories=Utility;",
        "Keywords=assistant;agent;automation;", f"StartupWMClass={NAME}", "StartupNotify=false", *more,
    ]  # fmt: skip
    if actions:
        lines.append(f"Actions={''.join(f'{each.request};' for each in actions)}")
    for each in actions:
        lines += [
            "", f"[Desktop Action {each.request}]", f"Name={each.name}", f"Name[de]={each.name_de}",
            f"Exec={exec_line([*argv, '--ask', each.request])}",
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def exec_line(argv: Sequence[str]) -> str:
    """The words of a command as the key Exec wants them.

    >>> exec_line(["/opt/my agent/run", "50%"])
    '"/opt/my agent/run" 50%%'
    """
    return " ".join(_quoted(each) for each in argv).replace("\\", "\\\\")


def _quoted(word: str) -> str:
    word = word.replace("%", "%%")
    if word and not _RESERVED & set(word):
        return word
    inner = "".join(f"\\{c}" if c in _ESCAPED_IN_QUOTES else c for c in word)
    return f'"{inner}"'
